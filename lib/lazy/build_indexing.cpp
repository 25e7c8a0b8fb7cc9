// Builders of gathers and scatters.
#include "builder_parts.h"

#include "xlac/lazy/build.h"

namespace xlac::build {

Value gather(Value operand, Value indices,
             const ops::GatherDimensionNumbers &numbers, const Shape &sizes) {
  ops::GatherAttributes attributes;
  attributes.dimension_numbers = numbers;
  attributes.slice_sizes = sizes;
  return single(emit(OpKind::Gather, attributes,
                     {std::move(operand), std::move(indices)}));
}

Value scatter(std::optional<OpKind> op, Value operand, Value indices,
              Value updates, const ops::ScatterDimensionNumbers &numbers,
              bool unique) {
  ElementType type = operand.tensor().element;
  ops::ScatterAttributes attributes;
  attributes.scatter_dimension_numbers = numbers;
  attributes.unique_indices = unique;
  graph::Block body;
  if (op) {
    body = folding_block(*op, type);
  } else {
    Value old = parameter(type), fresh = parameter(type);
    body = block({old, fresh}, {fresh});
  }
  return single(
      emit(OpKind::Scatter, attributes,
           {std::move(operand), std::move(indices), std::move(updates)}, {},
           {std::move(body)}));
}

Value take(Value operand, Value indices, int64_t dim) {
  Shape sizes = dims_of(operand);
  sizes[dim] = 1;
  ops::GatherDimensionNumbers numbers;
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
    if (i != dim)
      numbers.offset_dims.push_back(i);
  numbers.collapsed_slice_dims = {dim};
  numbers.start_index_map = {dim};
  numbers.index_vector_dim = 1;
  return gather(std::move(operand), std::move(indices), numbers, sizes);
}

} // namespace xlac::build
