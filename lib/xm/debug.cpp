#include "xlac/debug.h"

#include "xlac/graph/graph_key.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/graph_text.h"
#include "xlac/lazy/known_programs.h"
#include "xlac/spmd.h"
#include "xlac/support/log_output.h"
#include "xlac/tensor/access.h"

namespace xlac::debug {

using namespace frontend;

static std::vector<Value> values_of(const std::vector<Tensor> &tensors) {
  std::vector<Value> values;
  for (const Tensor &tensor : tensors) {
    TensorImpl &impl = impl_of(tensor);
    if (impl.device().type != kXLA)
      raise<DeviceError>("Input tensor is not an XLA tensor: torch." +
                         lazy::legacy_name(impl.dtype) + "Tensor");
    values.push_back(impl.value());
  }
  return values;
}

std::string tensor_text(const std::vector<Tensor> &tensors) {
  XLAC_CALL("tensor_text");
  return lazy::graph_text(lazy::program_of(values_of(tensors)));
}

std::string tensor_debug_info(const Tensor &tensor) {
  XLAC_CALL("tensor_debug_info");
  TensorImpl &impl = impl_of(tensor);
  std::string text = "Tensor ID: " + std::to_string(impl.id) +
                     "\nType: " + describe(tensor) +
                     "\nDevice: " + impl.device().str() + "\n";
  if (impl.device().type == kCPU)
    return text;
  if (std::string sharding = spmd::get_sharding_spec(tensor); !sharding.empty())
    text += "Sharding: " + sharding + "\n";
  Value value = impl.value();
  if (value.node->kind() == graph::NodeKind::Parameter)
    return text + "XLAData: device data\nIR: None\n";
  return text + "XLAData: None\nIR: " + value.node->name() + "\n";
}

std::string graph_hash(const std::vector<Tensor> &tensors) {
  XLAC_CALL("graph_hash");
  return unwrap(graph::program_key(lazy::program_of(values_of(tensors))));
}

int64_t pending_nodes(Device device) {
  XLAC_CALL("pending_nodes");
  std::vector<Value> roots = lazy::pending_values(lazy::resolve(device).index);
  return static_cast<int64_t>(graph::hash_graph(roots).nodes);
}

std::vector<ProgramInfo> programs() {
  std::vector<ProgramInfo> list;
  for (lazy::ProgramFacts &facts : lazy::known_programs())
    list.push_back({std::move(facts.hash), std::move(facts.name), facts.kernels,
                    facts.temp_bytes, facts.compile_seconds, facts.from_cache});
  return list;
}

std::string explain_recompilation(const std::vector<Tensor> &tensors) {
  XLAC_CALL("explain_recompilation");
  std::vector<Value> values = tensors.empty()
                                  ? lazy::pending_values(lazy::current_device())
                                  : values_of(tensors);
  return lazy::explain_difference(lazy::program_of(values));
}

void set_log_callback(LogCallback callback) {
  set_log_sink(std::move(callback));
}

} // namespace xlac::debug
