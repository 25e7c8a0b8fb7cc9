// Tracing of functions to programs, with inputs that hold no data.
#include "program_rep.h"

#include "xlac/graph/substitute.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/session.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/trace_inputs.h"
#include "xlac/lazy/trace_scope.h"
#include "xlac/tensor/access.h"
#include "xlac/tensor/constant_numbers.h"

#include <unordered_map>

namespace xlac::stablehlo {

using namespace frontend;
using graph::NodeRef;
using graph::Value;

namespace {

Tensor tensor_of(Value value, Device device, Dtype dtype) {
  Shape sizes = value.tensor().dims;
  return TensorAccess::wrap(std::make_shared<TensorImpl>(
      lazy::Storage::make(device, std::move(value)), dtype, std::move(sizes)));
}

Tensor stand_in(const Tensor &example, Device device) {
  const TensorImpl &impl = impl_of(example);
  TensorType type{lazy::element_type(impl.dtype), impl.sizes, {}, {}};
  return tensor_of(lazy::trace_input(device.index, type), device, impl.dtype);
}

Device device_for(const std::vector<Tensor> &examples) {
  for (const Tensor &example : examples)
    if (impl_of(example).device().type == kXLA)
      return impl_of(example).device();
  return lazy::resolve(Device(kXLA));
}

/// Values that were pending before the trace become inputs of the program: the
/// parameters that replace them, and the values.
struct Pending {
  graph::Replacements parameters;
  std::unordered_map<const graph::Node *, Value> values;

  explicit Pending(int device) {
    for (const Value &value : lazy::pending_values(device)) {
      Value parameter = lazy::trace_input(device, value.tensor());
      values.emplace(parameter.node.get(), value);
      parameters.emplace(value, std::move(parameter));
    }
  }
};

std::vector<Value> values_of(const std::vector<Tensor> &tensors,
                             Device device) {
  std::vector<Value> values;
  for (const Tensor &tensor : tensors) {
    TensorImpl &impl = impl_of(tensor);
    if (!(impl.device() == device))
      raise<DeviceError>("a result is on " + impl.device().str() + ", wanted " +
                         device.str());
    values.push_back(impl.value());
  }
  return values;
}

NodeRef constant_of(const Tensor &tensor) {
  host::Literal literal = elements_of(tensor);
  auto *bytes = literal.data();
  return build::emit(
      OpKind::Constant,
      ops::ConstantAttributes{ops::DenseElements::make(
          literal.type(), {bytes, bytes + literal.byte_count()})},
      {}, {Type(literal.type())});
}

/// The state of a trace while it becomes a program.
class Tracer {
public:
  Tracer(Device device, std::vector<Value> inputs, const TraceOptions &options)
      : device_(device), inputs_(std::move(inputs)), options_(options),
        pending_(device.index) {}

  Program program_of(std::vector<Value> results) const {
    results = graph::substitute(results, pending_.parameters);
    auto rep = std::make_shared<ProgramAccess::Rep>();
    rep->input_count = inputs_.size();
    std::vector<NodeRef> others = others_of(results);
    if (options_.parameters_as_inputs)
      for (const NodeRef &other : others)
        rep->captured.push_back(tensor_behind(other));
    else
      results = with_constants(results, std::exchange(others, {}));
    std::vector<NodeRef> arguments = others;
    replace_parameters(results, arguments);
    rep->program = graph::make_program(results, options_.name);
    rep->program.functions.back() =
        with_arguments(*rep->program.functions.back(), std::move(arguments));
    return ProgramAccess::wrap(std::move(rep));
  }

private:
  /// Returns the parameters that the results need besides the inputs.
  std::vector<NodeRef> others_of(const std::vector<Value> &results) const {
    std::vector<NodeRef> others;
    for (NodeRef &node : graph::post_order(results))
      if (node->kind() == graph::NodeKind::Parameter &&
          std::none_of(inputs_.begin(), inputs_.end(),
                       [&](const Value &input) { return input.node == node; }))
        others.push_back(std::move(node));
    return others;
  }

  Tensor tensor_behind(const NodeRef &parameter) const {
    auto before = pending_.values.find(parameter.get());
    Value value =
        before == pending_.values.end() ? Value{parameter, 0} : before->second;
    Dtype dtype = *lazy::dtype_of_element(value.tensor().element);
    return tensor_of(std::move(value), device_, dtype);
  }

  std::vector<Value> with_constants(const std::vector<Value> &results,
                                    const std::vector<NodeRef> &others) const {
    graph::Replacements constants;
    for (const NodeRef &other : others)
      constants.emplace(Value{other, 0},
                        Value{constant_of(tensor_behind(other)), 0});
    return graph::substitute(results, std::move(constants));
  }

  /// Replaces the inputs and `others` by parameters without data, in `results`
  /// too, so that the program holds no device memory.
  void replace_parameters(std::vector<Value> &results,
                          std::vector<NodeRef> &arguments) const {
    graph::Replacements plain;
    std::vector<NodeRef> made;
    auto replace = [&](const NodeRef &node) {
      made.push_back(graph::Node::make_parameter(node->types()[0]));
      plain.emplace(Value{node, 0}, Value{made.back(), 0});
    };
    for (const Value &input : inputs_)
      replace(input.node);
    for (const NodeRef &other : arguments)
      replace(other);
    results = graph::substitute(results, std::move(plain));
    arguments = std::move(made);
  }

  /// Returns the function with all `arguments`, including unused ones.
  static graph::FunctionRef with_arguments(const graph::Function &function,
                                           std::vector<NodeRef> arguments) {
    auto entry = std::make_shared<graph::Function>(function);
    entry->body.arguments = std::move(arguments);
    return entry;
  }

  const Device device_;
  const std::vector<Value> inputs_;
  const TraceOptions &options_;
  const Pending pending_;
};

} // namespace

Program
trace(const std::function<std::vector<Tensor>(const std::vector<Tensor> &)> &fn,
      const std::vector<Tensor> &example_inputs, TraceOptions options) {
  std::vector<Tensor> inputs, outputs;
  std::optional<Tracer> tracer;
  Device device;
  {
    XLAC_CALL("trace");
    device = device_for(example_inputs);
    for (const Tensor &example : example_inputs)
      inputs.push_back(stand_in(example, device));
    tracer.emplace(device, values_of(inputs, device), options);
  }
  lazy::TraceScope traced(device.index);
  {
    // There is no XLAC_CALL here, so that source locations are the lines of fn.
    lazy::ScopeOptions nothing_runs;
    nothing_runs.full_graph = true;
    lazy::RecordingScope recording(std::move(nothing_runs));
    ConstantNumbers constants;
    outputs = fn(inputs);
  }
  XLAC_CALL("trace");
  return tracer->program_of(values_of(outputs, device));
}

} // namespace xlac::stablehlo
