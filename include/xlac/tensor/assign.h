// How in-place and out forms of functions end: with the result written into a
// tensor that is there.
#pragma once

#include "xlac/tensor/access.h"

#include <tuple>
#include <utility>

namespace xlac::frontend {

/// Writes `result` into `self`, whose dtype, shape and device stay: DtypeError,
/// ShapeError or DeviceError where they would not.
Tensor &assign(Tensor &self, const Tensor &result);

/// Makes `out` show `result`, in its own dtype; `out` takes the result's shape
/// where it has another. Refused where autograd would have to follow.
Tensor &assign_out(Tensor &out, const Tensor &result);

/// The same for functions with several results.
template <class... Outs, class... Results>
std::tuple<Outs &...> assign_out(std::tuple<Outs &...> outs,
                                 const std::tuple<Results...> &results) {
  [&]<size_t... i>(std::index_sequence<i...>) {
    (assign_out(std::get<i>(outs), std::get<i>(results)), ...);
  }(std::index_sequence_for<Outs...>());
  return outs;
}

} // namespace xlac::frontend
