// stablehlo.h.
#include "xlac/tensor/access.h"

#include "xlac/graph/program.h"
#include "xlac/lazy/compiler_door.h"
#include "xlac/stablehlo.h"

#include <cstdlib>
#include <fstream>

namespace xlac::stablehlo {

using namespace front;

/// A traced program, or the text or bytecode it was read from with the types
/// that its entry has.
struct Program::Rep {
  graph::Program program;
  std::string source, name;
  Signature signature;

  bool traced() const { return source.empty(); }
  Source as_source() const { return Source{source, name}; }
};

static std::vector<Program::Type> public_types(std::vector<xlac::Type> types) {
  std::vector<Program::Type> list;
  for (const xlac::Type &type : types) {
    if (!type.is_tensor())
      raise<ValueError>("program has a " + to_string(type) +
                        " in its signature, which is no tensor");
    list.push_back(
        {lazy::dtype_of_element(type.tensor().element).value_or(kFloat32),
         type.tensor().dims});
  }
  return list;
}

const Program::Rep &Program::rep() const {
  if (!rep_)
    raise<ValueError>("program is undefined");
  return *rep_;
}

Program Program::make(std::string_view source, std::string name) {
  Compiler *compiler = lazy::unwrap(open_compiler());
  auto rep = std::make_shared<Rep>();
  rep->source = source;
  rep->name = std::move(name);
  rep->signature = lazy::unwrap(compiler->signature(rep->as_source()));
  Program program;
  program.rep_ = std::move(rep);
  return program;
}

Program Program::parse(std::string_view text_or_bytecode) {
  XLAC_CALL("parse");
  return make(text_or_bytecode, "<input>");
}

Program Program::load(const std::filesystem::path &path) {
  XLAC_CALL("load");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file)
    raise<RuntimeError>(path.string() + ": cannot be read");
  return make(bytes, path.string());
}

std::string Program::text(bool debug_info) const {
  XLAC_CALL("text");
  const Rep &program = rep();
  const char *debug = std::getenv("XLA_HLO_DEBUG");
  debug_info |= debug && (std::string_view(debug) == "1" ||
                          std::string_view(debug) == "true");
  Compiler *compiler = lazy::unwrap(open_compiler());
  if (program.traced())
    return lazy::unwrap(compiler->print(program.program, debug_info));
  TextOptions options;
  options.debug_info = debug_info;
  return lazy::unwrap(compiler->print(program.as_source(), options));
}

Bytes Program::bytecode(std::string_view version) const {
  XLAC_CALL("bytecode");
  const Rep &program = rep();
  ArtifactOptions options;
  options.version = version;
  Compiler *compiler = lazy::unwrap(open_compiler());
  std::string bytes = lazy::unwrap(
      program.traced() ? compiler->artifact(program.program, options)
                       : compiler->artifact(program.as_source(), options));
  return Bytes(bytes.begin(), bytes.end());
}

void Program::save(const std::filesystem::path &path) const {
  XLAC_CALL("save");
  std::string written;
  if (path.extension() == ".bc") {
    Bytes bytes = bytecode();
    written.assign(bytes.begin(), bytes.end());
  } else {
    written = text();
  }
  std::ofstream file(path, std::ios::binary);
  file << written;
  file.flush();
  if (!file)
    raise<RuntimeError>(path.string() + ": cannot be written");
}

std::string Program::hash() const {
  XLAC_CALL("hash");
  const Rep &program = rep();
  if (program.traced())
    return lazy::unwrap(graph::program_key(program.program));
  Compiler *compiler = lazy::unwrap(open_compiler());
  return lazy::unwrap(compiler->program_key(program.as_source()));
}

std::vector<Program::Type> Program::inputs() const {
  if (!rep_)
    return {};
  return public_types(rep_->traced() ? rep_->program.argument_types()
                                     : rep_->signature.arguments);
}

std::vector<Program::Type> Program::outputs() const {
  if (!rep_)
    return {};
  return public_types(rep_->traced() ? rep_->program.result_types()
                                     : rep_->signature.results);
}

Program from_tensors(const std::vector<Tensor> &outputs) {
  XLAC_CALL("from_tensors");
  std::vector<Value> values;
  if (outputs.empty())
    values = lazy::pending_values(lazy::resolve(Device(kXLA)).index);
  for (const Tensor &tensor : outputs) {
    TensorImpl &impl = impl_of(tensor);
    if (impl.device().type != kXLA)
      raise<DeviceError>("Input tensor is not an XLA tensor: torch." +
                         lazy::legacy_name(impl.dtype) + "Tensor");
    values.push_back(impl.value());
  }
  auto rep = std::make_shared<Program::Rep>();
  rep->program = lazy::program_of(values);
  Program program;
  program.rep_ = std::move(rep);
  return program;
}

} // namespace xlac::stablehlo
