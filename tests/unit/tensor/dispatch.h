// Calls of front-end functions by name, with arguments known only at run time.
// The entries are generated from the table of functions; only tests use them.
#pragma once

#include "xlac/xlac.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace xlac::dispatch {

/// Python's None.
struct Nothing {};

/// An argument as in Python.
using Argument =
    std::variant<Nothing, Tensor, std::vector<Tensor>, bool, int64_t, double,
                 std::complex<double>, std::vector<int64_t>,
                 std::vector<double>, std::string, Dtype, TensorOptions>;

/// The arguments by parameter index; null means the default.
using Slots = std::vector<const Argument *>;
using Results = std::vector<Tensor>;

/// The cost of passing an argument for a parameter: 0 for an exact match, more
/// with a conversion, kUnfit for a mismatch.
inline constexpr int kUnfit = 1000;

/// Conversions to a parameter's type T. Types without one, such as functions,
/// match nothing.
template <class T> struct Take {
  static int fit(const Argument &) { return kUnfit; }
  static T get(const Argument &) {
    throw std::logic_error("no argument fits this parameter");
  }
};

template <class T> int fit(const Argument &argument) {
  return Take<T>::fit(argument);
}
template <class T> T take(const Argument *argument) {
  return Take<T>::get(*argument);
}
inline bool is_given(const Argument *argument) { return argument != nullptr; }

/// The argument's type is T.
template <class T> struct TakeHeld {
  static int fit(const Argument &argument) {
    return std::holds_alternative<T>(argument) ? 0 : kUnfit;
  }
  static T get(const Argument &argument) { return std::get<T>(argument); }
};
template <> struct Take<bool> : TakeHeld<bool> {};
template <> struct Take<int64_t> : TakeHeld<int64_t> {};
template <> struct Take<Dtype> : TakeHeld<Dtype> {};
template <> struct Take<std::string> : TakeHeld<std::string> {};
template <> struct Take<std::vector<Tensor>> : TakeHeld<std::vector<Tensor>> {};
template <> struct Take<std::vector<double>> : TakeHeld<std::vector<double>> {};

template <> struct Take<int> {
  static int fit(const Argument &a) { return Take<int64_t>::fit(a); }
  static int get(const Argument &a) {
    return static_cast<int>(Take<int64_t>::get(a));
  }
};
/// None becomes an undefined tensor.
template <> struct Take<Tensor> {
  static int fit(const Argument &a) {
    return std::holds_alternative<Nothing>(a) ? 1 : TakeHeld<Tensor>::fit(a);
  }
  static Tensor get(const Argument &a) {
    return std::holds_alternative<Nothing>(a) ? Tensor() : std::get<Tensor>(a);
  }
};
template <> struct Take<double> {
  static int fit(const Argument &a) {
    return std::holds_alternative<double>(a)    ? 0
           : std::holds_alternative<int64_t>(a) ? 2
                                                : kUnfit;
  }
  static double get(const Argument &a) {
    if (auto *whole = std::get_if<int64_t>(&a))
      return static_cast<double>(*whole);
    return std::get<double>(a);
  }
};
template <> struct Take<Scalar> {
  static int fit(const Argument &a) {
    bool number = std::holds_alternative<bool>(a) ||
                  std::holds_alternative<int64_t>(a) ||
                  std::holds_alternative<double>(a) ||
                  std::holds_alternative<std::complex<double>>(a);
    return number ? 1 : kUnfit;
  }
  static Scalar get(const Argument &a) {
    if (auto *flag = std::get_if<bool>(&a))
      return *flag;
    if (auto *whole = std::get_if<int64_t>(&a))
      return static_cast<long>(*whole);
    if (auto *real = std::get_if<double>(&a))
      return *real;
    return std::get<std::complex<double>>(a);
  }
};
/// A list, or one number.
template <> struct Take<IntArrayRef> {
  static int fit(const Argument &a) {
    return std::holds_alternative<std::vector<int64_t>>(a) ? 0
           : std::holds_alternative<int64_t>(a)            ? 3
                                                           : kUnfit;
  }
  static IntArrayRef get(const Argument &a) {
    if (auto *one = std::get_if<int64_t>(&a))
      return *one;
    return std::get<std::vector<int64_t>>(a);
  }
};
template <> struct Take<Shape> {
  static int fit(const Argument &a) { return Take<IntArrayRef>::fit(a); }
  static Shape get(const Argument &a) {
    IntArrayRef list = Take<IntArrayRef>::get(a);
    return Shape(list.begin(), list.end());
  }
};
template <> struct Take<std::string_view> {
  static int fit(const Argument &a) { return Take<std::string>::fit(a); }
  static std::string_view get(const Argument &a) {
    return std::get<std::string>(a);
  }
};
template <> struct Take<TensorOptions> {
  static int fit(const Argument &a) {
    return std::holds_alternative<TensorOptions>(a) ? 0 : Take<Dtype>::fit(a);
  }
  static TensorOptions get(const Argument &a) {
    if (auto *dtype = std::get_if<Dtype>(&a))
      return *dtype;
    return std::get<TensorOptions>(a);
  }
};
/// None becomes an empty optional.
template <class T> struct Take<std::optional<T>> {
  static int fit(const Argument &a) {
    return std::holds_alternative<Nothing>(a) ? 0 : Take<T>::fit(a);
  }
  static std::optional<T> get(const Argument &a) {
    if (std::holds_alternative<Nothing>(a))
      return {};
    return Take<T>::get(a);
  }
};

inline Results results(const Tensor &tensor) { return {tensor}; }
inline Results results(std::vector<Tensor> tensors) { return tensors; }
inline Results results(bool value) { return {tensor(value)}; }
inline Results results(int64_t value) { return {tensor(Scalar(value))}; }
inline Results results(double value) { return {tensor(value, kFloat64)}; }
template <class... T> Results results(const std::tuple<T...> &values) {
  Results all;
  std::apply(
      [&](const auto &...each) {
        for (const Results &part : {results(each)...})
          all.insert(all.end(), part.begin(), part.end());
      },
      values);
  return all;
}

struct ParameterEntry {
  std::string name;
  int (*fit)(const Argument &);
  bool has_default;
};

/// One overload of a public function.
struct Entry {
  std::string name, family; ///< "linalg::inv" in "linear_algebra"
  std::vector<ParameterEntry> parameters;
  size_t self; ///< index of the operand that in_place writes to
  Results (*call)(const Slots &);
  /// Null if the function has no such form.
  Results (*in_place)(const Slots &);
  Results (*out)(const Slots &, std::vector<Tensor> &);
};
using Table = std::vector<Entry>;

/// Returns all overloads of all families.
const Table &table();

/// A call in a test: a name, positional arguments, then named ones.
struct Call {
  std::string name;
  std::vector<Argument> positional;
  std::vector<std::pair<std::string, Argument>> named;
  /// The device of factories.
  Device device = Device(kCPU);
};

/// An overload with the call's arguments by parameter; some of them are owned
/// by `made`.
struct Binding {
  const Entry *entry = nullptr;
  Slots slots;
  std::shared_ptr<Argument> made;
};

/// Returns the best overload for the call; throws std::invalid_argument when
/// none matches. The call must outlive the binding.
Binding bind(const Call &call);

} // namespace xlac::dispatch
