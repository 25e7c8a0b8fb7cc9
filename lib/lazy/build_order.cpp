// Builders of ordering ops: maximum with index, sort, reverse, and selection of
// elements by index.
#include "builder_parts.h"

#include "xlac/lazy/build.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlac::build {

using graph::Block;
using graph::NodeRef;
using ops::ComparisonDirection;

namespace {

Value is_nan(const Value &value) {
  return compare(ComparisonDirection::NE, value, value);
}

/// The region that keeps the larger (or smaller) of two (value, index) pairs.
Block better_pair(ElementType type, bool greatest) {
  Value a = parameter(type), i = parameter(ElementType::I64);
  Value b = parameter(type), j = parameter(ElementType::I64);
  Value wins = compare(
      greatest ? ComparisonDirection::GT : ComparisonDirection::LT, a, b);
  Value level = compare(ComparisonDirection::EQ, a, b);
  if (is_float(type)) {
    Value nan = is_nan(a);
    wins = binary(OpKind::Or, wins, nan);
    level = binary(OpKind::Or, level, binary(OpKind::And, nan, is_nan(b)));
  }
  Value earlier = compare(ComparisonDirection::LT, i, j);
  Value first = select(level, earlier, wins);
  return block({a, i, b, j}, {select(wins, a, b), select(first, i, j)});
}

/// The comparator: true if the first key precedes the second.
Block before(const std::vector<Value> &operands, bool descending) {
  std::vector<Value> arguments;
  for (const Value &operand : operands) {
    ElementType type = operand.tensor().element;
    arguments.push_back(parameter(type));
    arguments.push_back(parameter(type));
  }
  Value a = arguments[0], b = arguments[1];
  Value first = compare(
      descending ? ComparisonDirection::GT : ComparisonDirection::LT, a, b);
  if (is_float(a.tensor().element)) {
    Value mine = is_nan(a), other = is_nan(b);
    if (!descending)
      std::swap(mine, other);
    first = binary(OpKind::Or, first,
                   binary(OpKind::And, mine, unary(OpKind::Not, other)));
  }
  return block(arguments, {first});
}

} // namespace

Value extreme(ElementType type, bool least) {
  if (is_float(type))
    return constant(type, {}, least ? -INFINITY : INFINITY);
  if (is_boolean(type))
    return constant(type, {}, !least);
  if (is_unsigned_integer(type)) // the maximum has all bits set, like -1
    return constant(type, {}, least ? 0 : -1);
  int64_t bits = bit_width(type);
  int64_t low = bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
  return constant(type, {}, Scalar(static_cast<long>(least ? low : ~low)));
}

std::pair<Value, Value> reduce_with_index(bool greatest, Value operand,
                                          int64_t dim) {
  ElementType type = operand.tensor().element;
  Value indices = iota(ElementType::I64, dims_of(operand), dim);
  Value start = extreme(type, greatest);
  // An index larger than all others, so that the initial value never wins a
  // tie.
  Value none = constant(ElementType::I64, {}, Scalar(long{INT64_MAX}));
  ops::ReduceAttributes attributes;
  attributes.dimensions = {dim};
  NodeRef node =
      emit(OpKind::Reduce, attributes, {operand, indices, start, none}, {},
           {better_pair(type, greatest)});
  return {{node, 0}, {node, 1}};
}

std::vector<Value> sort(std::vector<Value> operands, int64_t dim,
                        bool descending) {
  ops::SortAttributes attributes;
  attributes.dimension = dim;
  attributes.is_stable = true;
  Block comparator = before(operands, descending);
  return results_of(emit(OpKind::Sort, attributes, std::move(operands), {},
                         {std::move(comparator)}));
}

Value reverse(Value operand, const Shape &dims) {
  ops::ReverseAttributes attributes;
  attributes.dimensions = dims;
  return single(emit(OpKind::Reverse, attributes, {std::move(operand)}));
}

Value take_along(Value operand, Value indices, int64_t dim) {
  auto rank = static_cast<int64_t>(dims_of(operand).size());
  ops::GatherDimensionNumbers numbers;
  numbers.collapsed_slice_dims = {dim};
  numbers.start_index_map = {dim};
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim) {
      numbers.operand_batching_dims.push_back(i);
      numbers.start_indices_batching_dims.push_back(i);
    }
  numbers.index_vector_dim = rank;
  return gather(std::move(operand), std::move(indices), numbers,
                Shape(rank, 1));
}

} // namespace xlac::build
