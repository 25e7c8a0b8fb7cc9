#include "number.h"

namespace xlac::optim {

double to_number(const Value &value) {
  if (value.is<Tensor>())
    return value.to<Tensor>().item<double>();
  if (value.is<bool>())
    return value.to<bool>() ? 1 : 0;
  return from_value<double>(value);
}

} // namespace xlac::optim
