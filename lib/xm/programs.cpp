// stablehlo.h.
#include "program_rep.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/loader/image_loader.h"
#include "xlac/support/file_writer.h"
#include "xlac/support/fork.h"
#include "xlac/support/read_file.h"
#include "xlac/support/settings.h"
#include "xlac/tensor/access.h"

#include <cstdlib>
#include <fstream>

namespace xlac::stablehlo {

using namespace frontend;
using graph::Value;

static std::vector<Program::Type>
public_types(const std::vector<xlac::Type> &types) {
  std::vector<Program::Type> list;
  for (const xlac::Type &type : types) {
    std::optional<Dtype> dtype;
    if (type.is_tensor())
      dtype = lazy::dtype_of_element(type.tensor().element);
    if (!dtype)
      raise<UnsupportedError>("program has a " + to_string(type) +
                              " in its signature, which is not a tensor of a "
                              "Dtype");
    list.push_back({*dtype, type.tensor().dims});
  }
  return list;
}

const Program::Rep &Program::rep() const {
  if (!rep_)
    raise<ValueError>("program is undefined");
  return *rep_;
}

Program Program::make(std::string_view source, std::string name) {
  ForkSection section; // protects the compiler's locks from fork
  Compiler *compiler = unwrap(open_compiler());
  auto rep = std::make_shared<Rep>();
  rep->name = std::move(name);
  auto bytes = std::as_bytes(std::span(source));
  if (runtime::is_image_file(bytes)) {
    auto fail = [&](const Failure &why) {
      raise<UserError>(rep->name + ": " + why.message);
    };
    auto file = runtime::read_image_file(bytes);
    if (!file)
      fail(file.error());
    auto artifact = program_of_image(*file);
    if (!artifact)
      fail(artifact.error());
    rep->source = std::move(*artifact);
    rep->entry = file->program->entry;
  } else {
    rep->source = source;
  }
  rep->signature = unwrap(compiler->signature(rep->as_source()));
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
  Result<std::string> bytes = read_file(path.string());
  if (!bytes)
    raise<RuntimeError>(bytes.error().message);
  return make(*bytes, path.string());
}

std::string Program::text(bool debug_info) const {
  XLAC_CALL("text");
  const Rep &program = rep();
  debug_info |= flag_setting(SettingId::HloDebug);
  ForkSection section; // protects the compiler's locks from fork
  Compiler *compiler = unwrap(open_compiler());
  if (program.is_graph())
    return unwrap(compiler->print(program.program, debug_info));
  TextOptions options;
  options.debug_info = debug_info;
  return unwrap(compiler->print(program.as_source(), options));
}

Bytes Program::bytecode(std::string_view version) const {
  XLAC_CALL("bytecode");
  const Rep &program = rep();
  ArtifactOptions options;
  options.version = version;
  ForkSection section; // protects the compiler's locks from fork
  Compiler *compiler = unwrap(open_compiler());
  std::string bytes = unwrap(
      program.is_graph() ? compiler->artifact(program.program, options)
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
  unwrap(write_whole_file(path, written));
}

std::string Program::hash() const {
  XLAC_CALL("hash");
  const Rep &program = rep();
  if (program.is_graph())
    return unwrap(graph::program_key(program.program));
  ForkSection section; // protects the compiler's locks from fork
  Compiler *compiler = unwrap(open_compiler());
  return unwrap(compiler->program_key(program.as_source()));
}

std::vector<Program::Type> Program::inputs() const {
  XLAC_CALL("inputs");
  const Rep &program = rep();
  return public_types(program.is_graph() ? program.program.argument_types()
                                         : program.signature.arguments);
}

std::vector<Program::Type> Program::outputs() const {
  XLAC_CALL("outputs");
  const Rep &program = rep();
  return public_types(program.is_graph() ? program.program.result_types()
                                         : program.signature.results);
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
  auto rep = std::make_shared<ProgramAccess::Rep>();
  rep->program = lazy::program_of(values);
  return ProgramAccess::wrap(std::move(rep));
}

} // namespace xlac::stablehlo
