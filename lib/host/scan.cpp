// chlo.scan: evaluates the body on one slice after another and passes on the
// carries.
#include "op_context.h"

#include <cstring>

namespace xlac::host {

namespace {

/// Visits the elements of slice `position` along dimension `dim`: calls `copy`
/// with the index of the element in the whole tensor and in the slice.
template <class Copy>
void for_slice(const Dims &whole, size_t dim, int64_t position, Copy copy) {
  Dims rest = whole, strides = row_major_strides(whole);
  int64_t base = position * strides[dim];
  rest.erase(rest.begin() + static_cast<ptrdiff_t>(dim));
  strides.erase(strides.begin() + static_cast<ptrdiff_t>(dim));
  for_each_strided(rest, strides, base,
                   [&](int64_t slice, int64_t at) { copy(at, slice); });
}

Result<Literal> slice_of(const Literal &from, size_t dim, int64_t position) {
  TensorType type = from.type();
  type.dims.erase(type.dims.begin() + static_cast<ptrdiff_t>(dim));
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to;
  size_t size = byte_size(type.element);
  for_slice(from.type().dims, dim, position, [&](int64_t at, int64_t slice) {
    std::memcpy(to->mutable_data() + slice * size, from.data() + at * size,
                size);
  });
  return to;
}

void put_slice(Literal &to, const Literal &from, size_t dim, int64_t position) {
  size_t size = byte_size(to.type().element);
  for_slice(to.type().dims, dim, position, [&](int64_t at, int64_t slice) {
    std::memcpy(to.mutable_data() + at * size, from.data() + slice * size,
                size);
  });
}

} // namespace

Result<Literals> evaluate_scan(OpContext &context) {
  const auto &a = context.attributes<ops::ChloScanAttributes>();
  auto inputs = static_cast<size_t>(a.operandSegmentSizes[0]);
  size_t carries = context.operands.size() - inputs;
  size_t outputs = context.results.size() - carries;
  auto dim = static_cast<size_t>(a.dimension);
  int64_t length = a.scan_dim_size.value_or(0);
  if (inputs > 0)
    length = context.operand(0).type().dims[dim];
  Literals results;
  for (size_t i = 0; i < outputs; ++i) {
    Result<Literal> to = Literal::allocate(context.results[i]);
    if (!to)
      return to.error();
    results.push_back(std::move(*to));
  }
  Literals state(context.operands.begin() + inputs, context.operands.end());
  for (int64_t step = 0; step < length; ++step) {
    int64_t position = a.is_reverse ? length - 1 - step : step;
    std::vector<Datum> arguments;
    for (size_t i = 0; i < inputs; ++i) {
      Result<Literal> slice = slice_of(context.operand(i), dim, position);
      if (!slice)
        return slice.error();
      arguments.push_back({std::move(*slice), {}});
    }
    for (Literal &carry : state)
      arguments.push_back({std::move(carry), {}});
    Result<std::vector<Datum>> next =
        context.regions.run(context.node.regions()[0], std::move(arguments));
    if (!next)
      return next.error();
    for (size_t i = 0; i < outputs; ++i)
      put_slice(results[i], (*next)[i].literal, dim, position);
    for (size_t i = 0; i < carries; ++i)
      state[i] = std::move((*next)[outputs + i].literal);
  }
  results.insert(results.end(), state.begin(), state.end());
  return results;
}

} // namespace xlac::host
