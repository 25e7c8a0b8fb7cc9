// Python's text of what a module shows of itself.
#pragma once

#include "xlac/nn/one_or_each.h"
#include "xlac/types.h"

#include <concepts>
#include <optional>
#include <string>
#include <vector>

namespace xlac::nn {

/// "True" or "False".
std::string repr_of(bool flag);
/// The shortest text that reads back as the number: "1e-05", "0.1", "2.0".
std::string repr_of(double number);
/// As the number would be in Python: "20", "20.0".
std::string repr_of(const Scalar &number);
template <std::integral T> std::string repr_of(T number) {
  return std::to_string(number);
}
/// A tuple: "(5, 5)", "(5,)".
std::string repr_of(const Shape &list);
/// A number where there is one for all, else a tuple; "None" for none.
std::string repr_of(const SizeList &list);
std::string repr_of(const FactorList &list);
/// "None" without a value.
template <class T> std::string repr_of(const std::optional<T> &value) {
  return value ? repr_of(*value) : "None";
}

/// A module as PyTorch prints it: what it shows of itself, then its children,
/// in a line each unless there is nothing but one line of the former.
std::string repr_of_tree(const std::string &name, const std::string &extra,
                         const std::vector<std::string> &children);

} // namespace xlac::nn
