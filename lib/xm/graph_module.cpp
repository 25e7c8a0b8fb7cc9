// Traced models stored in a folder together with their weights.
#include "program_rep.h"

#include "xlac/lazy/devices.h"
#include "xlac/serialization.h"
#include "xlac/tensor/access.h"

#include <set>

namespace xlac::stablehlo {

// A folder holds program.mlir.bc and weights.pt. The latter has the number of
// the function's inputs, and by name the program's other arguments in order.
static constexpr char kProgramFile[] = "program.mlir.bc";
static constexpr char kWeightsFile[] = "weights.pt";

/// Returns the first unused name among `weights` of a tensor with the same
/// value; `otherwise` if there is none.
static std::string name_of(const Tensor &captured, const StateDict &weights,
                           const std::set<std::string> &used,
                           const std::string &otherwise) {
  graph::Value value = frontend::impl_of(captured).value();
  for (const auto &[name, weight] : weights)
    if (weight.defined() && !used.contains(name) &&
        frontend::impl_of(weight).value() == value)
      return name;
  return otherwise;
}

void save_as_stablehlo(const Program &program, const StateDict &weights,
                       const std::filesystem::path &folder) {
  XLAC_CALL("save_as_stablehlo");
  const ProgramAccess::Rep &rep = ProgramAccess::rep(program);
  if (!rep.input_count)
    raise<UserError>("trace() did not make the program in this process");
  std::set<std::string> used;
  Value::Dict captured;
  for (const Tensor &tensor : rep.captured) {
    std::string name = name_of(tensor, weights, used,
                               "captured_" + std::to_string(captured.size()));
    used.insert(name);
    captured.emplace_back(name, tensor);
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    raise<RuntimeError>(folder.string() + ": " + error.message());
  program.save(folder / kProgramFile);
  xla_model::save(
      Value::Dict{{"inputs", static_cast<int64_t>(*rep.input_count)},
                  {"weights", captured}},
      folder / kWeightsFile);
}

GraphModule GraphModule::load(const std::filesystem::path &folder) {
  XLAC_CALL("load");
  Value data = xlac::load(folder / kWeightsFile);
  Program program = Program::load(folder / kProgramFile);
  GraphModule module;
  Device device = lazy::resolve(Device(kXLA));
  for (const auto &[name, weight] : from_value<StateDict>(data.at("weights")))
    module.weights_.push_back(weight.to(device));
  if (data.at("inputs").to<int64_t>() +
          static_cast<int64_t>(module.weights_.size()) !=
      static_cast<int64_t>(program.inputs().size()))
    raise<UserError>(folder.string() +
                     ": program and weights are not of one model");
  module.executable_ = build(program);
  return module;
}

std::vector<Tensor>
GraphModule::operator()(const std::vector<Tensor> &inputs) const {
  XLAC_CALL("GraphModule");
  std::vector<Tensor> all = inputs;
  all.insert(all.end(), weights_.begin(), weights_.end());
  return executable_.run(all);
}

} // namespace xlac::stablehlo
