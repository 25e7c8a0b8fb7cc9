#include "repr.h"

#include "xlac/lazy/dtypes.h"

#include <fmt/format.h>

namespace xlac::nn {

std::string repr_of(bool flag) { return flag ? "True" : "False"; }

std::string repr_of(double number) {
  std::string text = fmt::format("{}", number);
  bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

std::string repr_of(const Scalar &number) {
  return std::visit(
      [](auto held) -> std::string {
        if constexpr (std::is_same_v<decltype(held), std::complex<double>>)
          return fmt::format("({}{:+}j)", held.real(), held.imag());
        else
          return repr_of(held);
      },
      detail::ScalarAccess::held(number));
}

std::string repr_of(const Shape &list) {
  return fmt::format("({}{})", fmt::join(list, ", "),
                     list.size() == 1 ? "," : "");
}

} // namespace xlac::nn
