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
      xlac::detail::ScalarAccess::held(number));
}

std::string repr_of(const Shape &list) {
  return fmt::format("({}{})", fmt::join(list, ", "),
                     list.size() == 1 ? "," : "");
}

std::string repr_of(const SizeList &list) {
  if (list.empty())
    return "None";
  return list.size() == 1 ? repr_of(list[0])
                          : repr_of(static_cast<const Shape &>(list));
}

std::string repr_of(const FactorList &list) {
  if (list.empty())
    return "None";
  if (list.size() == 1)
    return repr_of(list[0]);
  std::string text;
  for (double factor : list)
    text += (text.empty() ? "(" : ", ") + repr_of(factor);
  return text + ")";
}

/// Indents all lines after the first.
static std::string indented(const std::string &text) {
  std::string moved;
  for (char c : text) {
    moved += c;
    if (c == '\n')
      moved += "  ";
  }
  return moved;
}

std::string repr_of_tree(const std::string &name, const std::string &extra,
                         const std::vector<std::string> &children) {
  if (children.empty() && extra.find('\n') == std::string::npos)
    return name + "(" + extra + ")";
  std::string text = name + "(";
  if (!extra.empty())
    text += "\n  " + indented(extra);
  for (const std::string &child : children)
    text += "\n  " + indented(child);
  return text + "\n)";
}

} // namespace xlac::nn
