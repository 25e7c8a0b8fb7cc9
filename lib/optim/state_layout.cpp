#include "state_layout.h"

#include "xlac/lazy/tensor_layout.h"
#include "xlac/tensor/access.h"

namespace xlac::optim {

Tensor laid_out_like(const Tensor &tensor, const Tensor &parameter) {
  if (!(tensor.device() == parameter.device()) ||
      tensor.sizes() != parameter.sizes())
    return tensor;
  lazy::Layout layout = lazy::requested_layout(frontend::impl_of(parameter));
  if (layout)
    lazy::request_layout(frontend::impl_of(tensor), layout);
  return tensor;
}

} // namespace xlac::optim
