#include "xlac/ops/type_text.h"

#include <fmt/format.h>

namespace xlac::ops {

std::string element_text(const TensorType &type) {
  if (!type.quantization)
    return std::string(element_type_name(type.element));
  TensorType scalar{type.element, {}, {}, type.quantization};
  std::string text = to_string(scalar); // "tensor<!quant…>"
  return text.substr(7, text.size() - 8);
}

std::string short_text(const TensorType &type) {
  std::string text = element_text(type) + "[";
  for (size_t i = 0; i < type.dims.size(); ++i) {
    if (i)
      text += ',';
    if (type.dims[i] != kDynamic)
      text += fmt::format("{}", type.dims[i]);
    else if (i < type.bounds.size() && type.bounds[i] != kDynamic)
      text += fmt::format("<={}", type.bounds[i]);
    else
      text += '?';
  }
  return text + "]";
}

std::string short_text(const Type &type) {
  if (type.is_tensor())
    return short_text(type.tensor());
  if (type.is_token())
    return "token";
  std::string text = type.is_tuple() ? "tuple<" : "future<";
  const char *separator = "";
  for (const Type &element : type.elements()) {
    text += separator + short_text(element);
    separator = ", ";
  }
  return text + ">";
}

} // namespace xlac::ops
