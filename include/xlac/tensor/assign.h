// The last step of in-place and out forms of functions: writing the result to
// an existing tensor.
#pragma once

#include "xlac/tensor/access.h"

#include <tuple>
#include <utility>

namespace xlac::frontend {

/// Writes `result` to `self`, which keeps its dtype, shape and device. Throws
/// DtypeError, ShapeError or DeviceError when the result does not fit.
Tensor &assign(Tensor &self, const Tensor &result);

/// Writes `result` to `out` in the dtype of `out`, which is resized to the
/// result's shape if that differs. Throws where autograd would have to record
/// the write.
Tensor &assign_out(Tensor &out, const Tensor &result);

/// As above, for functions with several results.
template <class... Outs, class... Results>
std::tuple<Outs &...> assign_out(std::tuple<Outs &...> outs,
                                 const std::tuple<Results...> &results) {
  [&]<size_t... i>(std::index_sequence<i...>) {
    (assign_out(std::get<i>(outs), std::get<i>(results)), ...);
  }(std::index_sequence_for<Outs...>());
  return outs;
}

} // namespace xlac::frontend
