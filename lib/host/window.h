// Windows that slide over a tensor.
#pragma once

#include "op_context.h"

namespace xlac::host {

struct Window {
  Dims sizes, strides, base_dilation, window_dilation, low;
  Dims input;

  /// The source of the element at `offset` of window `output`; false if it is
  /// padding or lies between dilated elements.
  bool source_index(const Dims &output, const Dims &offset, Dims &source) const;
};

/// The results of a reduce_window whose windows contain one element more from
/// each result to the next; nothing for other windows. The reducer is
/// associative; windows whose padding would change the results are not scanned.
std::optional<Result<Literals>> scan_windows(OpContext &context,
                                             const Window &window);

/// `given`, or `value` for each of `rank` dimensions if it is empty.
template <class Optional>
Dims or_all(const Optional &given, size_t rank, int64_t value) {
  if constexpr (requires { given.has_value(); })
    return given ? Dims(*given) : Dims(rank, value);
  else
    return given.empty() ? Dims(rank, value) : Dims(given);
}

/// The low padding of each dimension; zeros if there is none.
Dims padding_low(const std::optional<ops::IntElements> &padding, size_t rank);

} // namespace xlac::host
