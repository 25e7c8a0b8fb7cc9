// Text in Python's format for the options of modules.
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
/// The shortest text that parses to the number: "1e-05", "0.1", "2.0".
std::string repr_of(double number);
/// Formats the number as Python prints it: "20", "20.0".
std::string repr_of(const Scalar &number);
template <std::integral T> std::string repr_of(T number) {
  return std::to_string(number);
}
/// Formats a tuple: "(5, 5)", "(5,)".
std::string repr_of(const Shape &list);
/// Formats a number if the list has one entry, else a tuple; "None" for an
/// empty list.
std::string repr_of(const SizeList &list);
std::string repr_of(const FactorList &list);
/// Formats the value, or "None" without one.
template <class T> std::string repr_of(const std::optional<T> &value) {
  return value ? repr_of(*value) : "None";
}

/// Formats a module as PyTorch does: its options, then its children, each on
/// its own line. Without children one line of options stays on the first line.
std::string repr_of_tree(const std::string &name, const std::string &extra,
                         const std::vector<std::string> &children);

} // namespace xlac::nn
