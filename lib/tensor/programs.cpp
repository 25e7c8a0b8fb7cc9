// stablehlo.h.
#include "access.h"

#include "xlac/graph/program.h"
#include "xlac/lazy/compiler_door.h"
#include "xlac/stablehlo.h"

#include <cstdlib>
#include <fstream>

namespace xlac::stablehlo {

using namespace front;

struct Program::Rep {
  graph::Program program;
};

static std::vector<Program::Type> public_types(std::vector<xlac::Type> types) {
  std::vector<Program::Type> list;
  for (const xlac::Type &type : types)
    list.push_back(
        {lazy::dtype_of_element(type.tensor().element).value_or(kFloat32),
         type.tensor().dims});
  return list;
}

std::string Program::text(bool debug_info) const {
  XLAC_CALL("text");
  if (!rep_)
    raise<ValueError>("program is undefined");
  const char *debug = std::getenv("XLA_HLO_DEBUG");
  debug_info |= debug && (std::string_view(debug) == "1" ||
                          std::string_view(debug) == "true");
  Compiler *compiler = lazy::unwrap(open_compiler());
  return lazy::unwrap(compiler->print(rep_->program, debug_info));
}

void Program::save(const std::filesystem::path &path) const {
  XLAC_CALL("save");
  std::string written = text();
  std::ofstream file(path, std::ios::binary);
  file << written;
  file.flush();
  if (!file)
    raise<RuntimeError>(path.string() + ": cannot be written");
}

std::string Program::hash() const {
  XLAC_CALL("hash");
  if (!rep_)
    raise<ValueError>("program is undefined");
  return lazy::unwrap(graph::program_key(rep_->program));
}

std::vector<Program::Type> Program::inputs() const {
  return rep_ ? public_types(rep_->program.argument_types())
              : std::vector<Type>();
}

std::vector<Program::Type> Program::outputs() const {
  return rep_ ? public_types(rep_->program.result_types())
              : std::vector<Type>();
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
  rep->program = graph::make_program(values);
  Program program;
  program.rep_ = std::move(rep);
  return program;
}

} // namespace xlac::stablehlo
