#include "xlac/lazy/build.h"

#include "builder_parts.h"

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace xlac::build {

using graph::Block;
using graph::Node;
using graph::NodeRef;

namespace {

/// The bytes of one element with the value `number`.
std::vector<std::byte> element_bytes(ElementType type, const Scalar &number) {
  host::Literal literal =
      unwrap(host::Literal::allocate(tensor_type(type, {})));
  if (is_complex(type)) {
    auto value = number.to<std::complex<double>>();
    host::store(literal, 0, 1, &value);
  } else if (is_float(type)) {
    auto value = number.to<double>();
    host::store(literal, 0, 1, &value);
  } else if (is_boolean(type)) {
    int64_t value = number.to<std::complex<double>>() != 0.0;
    host::store(literal, 0, 1, &value);
  } else {
    auto value = number.to<int64_t>();
    host::store(literal, 0, 1, &value);
  }
  return {literal.data(), literal.data() + literal.byte_count()};
}

Value constant_of(ops::DenseElements elements) {
  Type type(elements.type);
  return single(emit(OpKind::Constant,
                     ops::ConstantAttributes{std::move(elements)}, {}, {type}));
}

} // namespace

//===- Constants and iota -------------------------------------------------===//

Value constant(ElementType type, const Shape &dims, const Scalar &number) {
  return constant_of(ops::DenseElements::make_splat(
      tensor_type(type, dims), element_bytes(type, number)));
}

Value constant(const std::vector<int64_t> &numbers) {
  auto *begin = reinterpret_cast<const std::byte *>(numbers.data());
  return constant_of(ops::DenseElements::make(
      tensor_type(ElementType::I64, {static_cast<int64_t>(numbers.size())}),
      {begin, begin + numbers.size() * sizeof(int64_t)}));
}

Value iota(ElementType type, const Shape &dims, int64_t dim) {
  ops::IotaAttributes attributes;
  attributes.iota_dimension = dim;
  return single(
      emit(OpKind::Iota, attributes, {}, {Type(tensor_type(type, dims))}));
}

//===- Elementwise --------------------------------------------------------===//

Value unary(OpKind op, Value operand) {
  return single(emit(op, {}, operand_list(std::move(operand))));
}

Value binary(OpKind op, Value lhs, Value rhs) {
  return single(emit(op, {}, operand_list(std::move(lhs), std::move(rhs))));
}

Value compare(ops::ComparisonDirection direction, Value lhs, Value rhs) {
  ElementType type = lhs.tensor().element;
  ops::CompareAttributes attributes;
  attributes.comparison_direction = direction;
  attributes.compare_type =
      is_float(type) || is_complex(type) ? ops::ComparisonType::FLOAT
      : is_signed_integer(type)          ? ops::ComparisonType::SIGNED
                                         : ops::ComparisonType::UNSIGNED;
  return single(emit(OpKind::Compare, attributes,
                     operand_list(std::move(lhs), std::move(rhs))));
}

Value select(Value predicate, Value on_true, Value on_false) {
  return single(emit(OpKind::Select, {},
                     operand_list(std::move(predicate), std::move(on_true),
                                  std::move(on_false))));
}

Value clamp(Value low, Value operand, Value high) {
  return single(
      emit(OpKind::Clamp, {},
           operand_list(std::move(low), std::move(operand), std::move(high))));
}

Value convert(Value operand, ElementType type) {
  if (operand.tensor().element == type)
    return operand;
  Shape dims = dims_of(operand);
  if (is_boolean(type))
    return compare(ops::ComparisonDirection::NE, operand,
                   constant(operand.tensor().element, dims, 0));
  return single(emit(OpKind::Convert, {}, operand_list(std::move(operand)),
                     {Type(tensor_type(type, dims))}));
}

//===- Movement -----------------------------------------------------------===//

Value reshape(Value operand, const Shape &dims) {
  if (dims_of(operand) == dims)
    return operand;
  ElementType type = operand.tensor().element;
  return single(emit(OpKind::Reshape, {}, operand_list(std::move(operand)),
                     {Type(tensor_type(type, dims))}));
}

Value transpose(Value operand, const Shape &permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end()))
    return operand;
  ops::TransposeAttributes attributes;
  attributes.permutation = permutation;
  return single(
      emit(OpKind::Transpose, attributes, operand_list(std::move(operand))));
}

Value broadcast_in_dim(Value operand, const Shape &dims, const Shape &mapping) {
  ElementType type = operand.tensor().element;
  ops::BroadcastInDimAttributes attributes;
  attributes.broadcast_dimensions = mapping;
  return single(emit(OpKind::BroadcastInDim, attributes,
                     operand_list(std::move(operand)),
                     {Type(tensor_type(type, dims))}));
}

Value broadcast_to(Value operand, const Shape &dims) {
  if (dims_of(operand) == dims)
    return operand;
  Shape mapping(dims_of(operand).size());
  std::iota(mapping.begin(), mapping.end(),
            static_cast<int64_t>(dims.size() - mapping.size()));
  return broadcast_in_dim(std::move(operand), dims, mapping);
}

Value slice(Value operand, const Shape &starts, const Shape &limits,
            const Shape &steps) {
  ops::SliceAttributes attributes;
  attributes.start_indices = starts;
  attributes.limit_indices = limits;
  attributes.strides = steps;
  return single(
      emit(OpKind::Slice, attributes, operand_list(std::move(operand))));
}

Value pad(Value operand, Value filler, const Shape &low, const Shape &high,
          const Shape &interior) {
  ops::PadAttributes attributes;
  attributes.edge_padding_low = low;
  attributes.edge_padding_high = high;
  attributes.interior_padding = interior;
  return single(emit(OpKind::Pad, attributes,
                     operand_list(std::move(operand), std::move(filler))));
}

Value dynamic_update_slice(Value operand, Value update, const Shape &starts) {
  std::vector<Value> operands =
      operand_list(std::move(operand), std::move(update));
  for (int64_t start : starts)
    operands.push_back(constant(ElementType::I64, {}, Scalar(start)));
  return single(emit(OpKind::DynamicUpdateSlice, {}, std::move(operands)));
}

Value concatenate(std::vector<Value> operands, int64_t dim) {
  if (operands.size() == 1)
    return operands[0];
  ops::ConcatenateAttributes attributes;
  attributes.dimension = dim;
  return single(emit(OpKind::Concatenate, attributes, std::move(operands)));
}

Value bitcast_convert(Value operand, ElementType type) {
  ElementType from = operand.tensor().element;
  if (from == type)
    return operand;
  Shape dims = dims_of(operand);
  int64_t before = byte_size(from), after = byte_size(type);
  if (after < before)
    dims.push_back(before / after);
  else if (after > before)
    dims.pop_back();
  return single(emit(OpKind::BitcastConvert, {},
                     operand_list(std::move(operand)),
                     {Type(tensor_type(type, dims))}));
}

//===- Reductions and contractions ----------------------------------------===//

Value reduce(OpKind op, Value operand, Value init, const Shape &dims) {
  ElementType type = operand.tensor().element;
  ops::ReduceAttributes attributes;
  attributes.dimensions = dims;
  return single(emit(OpKind::Reduce, attributes,
                     operand_list(std::move(operand), std::move(init)), {},
                     {folding_block(op, type)}));
}

Value dot_general(Value lhs, Value rhs, const Shape &lhs_batch,
                  const Shape &rhs_batch, const Shape &lhs_contracting,
                  const Shape &rhs_contracting) {
  ElementType type = lhs.tensor().element;
  ops::DotGeneralAttributes attributes;
  attributes.dot_dimension_numbers = {lhs_batch, rhs_batch, lhs_contracting,
                                      rhs_contracting};
  Shape dims;
  auto append_free = [&](const Value &value, const Shape &a, const Shape &b) {
    for (size_t i = 0; i < dims_of(value).size(); ++i) {
      auto dim = static_cast<int64_t>(i);
      if (std::find(a.begin(), a.end(), dim) == a.end() &&
          std::find(b.begin(), b.end(), dim) == b.end())
        dims.push_back(dims_of(value)[i]);
    }
  };
  for (int64_t dim : lhs_batch)
    dims.push_back(dims_of(lhs)[dim]);
  append_free(lhs, lhs_batch, lhs_contracting);
  append_free(rhs, rhs_batch, rhs_contracting);
  return single(emit(OpKind::DotGeneral, attributes,
                     operand_list(std::move(lhs), std::move(rhs)),
                     {Type(tensor_type(type, dims))}));
}

//===- Composites ---------------------------------------------------------===//

std::vector<Value> composite(
    const std::string &name, int64_t dim, bool reverse,
    std::vector<Value> operands,
    const std::function<std::vector<Value>(const std::vector<Value> &)> &body) {
  auto function = std::make_shared<graph::Function>();
  function->name = name + ".impl";
  function->is_public = false;
  std::vector<Value> arguments;
  for (const Value &operand : operands)
    arguments.push_back(single(Node::make_parameter(operand.type())));
  function->body.results = body(arguments);
  for (const Value &argument : arguments)
    function->body.arguments.push_back(argument.node);
  for (NodeRef &node : graph::post_order(function->body.results))
    if (node->kind() != graph::NodeKind::Parameter)
      function->body.nodes.push_back(std::move(node));
  std::vector<Type> types;
  for (const Value &result : function->body.results)
    types.push_back(result.type());
  ops::CompositeAttributes attributes;
  attributes.name = name;
  attributes.composite_attributes = {"{dim = " + std::to_string(dim) +
                                     " : i64" +
                                     (reverse ? ", reverse = true}" : "}")};
  return results_of(emit(OpKind::Composite, attributes, std::move(operands),
                         std::move(types), {}, {std::move(function)}));
}

Value composite(const std::string &name, int64_t dim,
                std::vector<Value> operands,
                const std::function<Value(const std::vector<Value> &)> &body) {
  return composite(name, dim, false, std::move(operands),
                   [&](const std::vector<Value> &arguments) {
                     return std::vector<Value>{body(arguments)};
                   })[0];
}

} // namespace xlac::build
