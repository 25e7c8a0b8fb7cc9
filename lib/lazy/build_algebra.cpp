// Builders of Fourier transforms, factorizations and host calls.
#include "builder_parts.h"

#include "xlac/lazy/build.h"
#include "xlac/support/program_names.h"

namespace xlac::build {

Value fft(Value operand, ops::FftType type, const Shape &lengths) {
  ops::FftAttributes attributes;
  attributes.fft_type = type;
  attributes.fft_length = lengths;
  return single(emit(OpKind::Fft, attributes, {std::move(operand)}));
}

Value cholesky(Value operand, bool lower) {
  ops::CholeskyAttributes attributes;
  attributes.lower = lower;
  return single(emit(OpKind::Cholesky, attributes, {std::move(operand)}));
}

Value triangular_solve(Value a, Value b, bool left, bool lower, bool unit,
                       ops::Transpose transpose) {
  ops::TriangularSolveAttributes attributes;
  attributes.left_side = left;
  attributes.lower = lower;
  attributes.unit_diagonal = unit;
  attributes.transpose_a = transpose;
  return single(
      emit(OpKind::TriangularSolve, attributes, {std::move(a), std::move(b)}));
}

std::vector<Value> custom_call(const std::string &target,
                               const std::string &config,
                               std::vector<Value> operands,
                               const std::vector<TensorType> &results) {
  ops::CustomCallAttributes attributes;
  attributes.call_target_name = target;
  if (!config.empty())
    attributes.backend_config = ops::OpaqueAttribute{'"' + config + '"'};
  return results_of(emit(OpKind::CustomCall, attributes, std::move(operands),
                         {results.begin(), results.end()}));
}

Value sharding(Value operand, const std::string &sharding) {
  ops::CustomCallAttributes attributes;
  attributes.call_target_name = names::kShardingCall;
  std::vector<Type> type{operand.type()};
  graph::NodeRef node = emit(OpKind::CustomCall, attributes,
                             operand_list(std::move(operand)), std::move(type));
  graph::Node::set_extra_attributes(node,
                                    "{mhlo.sharding = \"" + sharding + "\"}");
  return single(std::move(node));
}

} // namespace xlac::build
