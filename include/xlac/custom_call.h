// Functions of a user's own that programs call by name: the targets of
// stablehlo.custom_call.
#pragma once

#include "xlac/export.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace xlac {

/// An operand or result of a call. Element i0, i1, … lies at
/// data[i0 * strides[0] + i1 * strides[1] + …]: row-major, unless the call asks
/// for another layout. Types narrower than a byte take one byte an element.
struct CustomCallTensor {
  std::string_view
      element_type; ///< StableHLO's spelling: "f32", "complex<f64>"
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides; ///< in elements
  void *data = nullptr;

  int64_t numel() const {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }
  template <class T> T *as() const { return static_cast<T *>(data); }
};

/// What an entry of the call's backend configuration may be; anything else
/// comes as its text.
using CustomCallValue = std::variant<bool, int64_t, double, std::string,
                                     std::vector<int64_t>, std::vector<double>>;
using CustomCallAttributes =
    std::vector<std::pair<std::string, CustomCallValue>>;

/// Calls the function on parts [begin, end) of [0, count), some at a time, and
/// returns when all are done.
using CustomCallLoop = std::function<void(
    int64_t count, const std::function<void(int64_t begin, int64_t end)> &)>;

/// One call. Operands are read-only; every element of the results must be
/// written. Buffers lie apart and live as long as the call.
struct CustomCall {
  std::string_view target;
  std::span<const CustomCallTensor> operands, results;
  /// `backend_config` (or `mhlo.backend_config`, `mhlo.attributes`) entry by
  /// entry; a configuration that is a string is the one entry named "".
  const CustomCallAttributes &attributes;
  /// Spreads work over the threads of this process.
  const CustomCallLoop &parallel_for;

  /// Null if there is no entry of that name.
  const CustomCallValue *find(std::string_view name) const {
    for (const auto &[key, value] : attributes)
      if (key == name)
        return &value;
    return nullptr;
  }
  /// The entry of that name; std::invalid_argument if it is not there or of
  /// another type.
  template <class T> const T &attribute(std::string_view name) const {
    const CustomCallValue *value = find(name);
    if (!value || !std::holds_alternative<T>(*value))
      throw std::invalid_argument("has no attribute '" + std::string(name) +
                                  "' of that type");
    return std::get<T>(*value);
  }
};

/// Called on the thread that runs the program, by several programs at once.
/// What it throws becomes the failure of the run.
using CustomCallFunction = std::function<void(const CustomCall &)>;

/// Lets programs call `function` as `target`, in place of one that xlac brings
/// along (docs/internals/custom_calls.md lists them). Programs look targets up
/// when they are loaded. Throws ValueError where `target` is empty or has been
/// registered before.
XLAC_API void register_custom_call(const std::string &target,
                                   CustomCallFunction function);

} // namespace xlac
