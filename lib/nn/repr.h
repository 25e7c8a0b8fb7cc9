// Python's text of what a module shows of itself.
#pragma once

#include "xlac/types.h"

#include <concepts>
#include <optional>
#include <string>

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
/// "None" without a value.
template <class T> std::string repr_of(const std::optional<T> &value) {
  return value ? repr_of(*value) : "None";
}

} // namespace xlac::nn
