// User-defined functions that programs call by name: the targets of
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

/// An operand or result of a call. Element i0, i1, … is stored at data[i0 *
/// strides[0] + i1 * strides[1] + …]. The layout is row-major unless the call
/// requests another. Element types narrower than a byte take one byte.
struct CustomCallTensor {
  std::string_view element_type; ///< StableHLO spelling: "f32", "complex<f64>"
  /// The sizes of all dimensions.
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides; ///< in elements
  /// The elements in row-major order.
  void *data = nullptr;

  /// The number of elements.
  int64_t numel() const {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }
  /// The elements as that type, which is not checked.
  template <class T> T *as() const { return static_cast<T *>(data); }
};

/// Value of an entry of the call's backend configuration. Values of other types
/// are passed as text.
using CustomCallValue = std::variant<bool, int64_t, double, std::string,
                                     std::vector<int64_t>, std::vector<double>>;
/// Attributes by name.
using CustomCallAttributes =
    std::vector<std::pair<std::string, CustomCallValue>>;

struct CustomCallEntry;
/// The entries of a dictionary, in order.
using CustomCallDictionary = std::vector<CustomCallEntry>;

/// An entry of the call's backend configuration with its exact type.
struct CustomCallAttribute {
  /// Types of attributes.
  enum class Kind : uint8_t { Scalar, Array, Text, Dictionary };
  /// The type.
  Kind kind = Kind::Text;
  /// Of a scalar and of an array: StableHLO's spelling.
  std::string element_type;
  int64_t count = 0; ///< elements of an array; 1 for a scalar
  /// The elements as they lie in memory, or the text. Types narrower than a
  /// byte take one byte an element.
  std::string bytes;
  /// Of a dictionary, sorted by name. A list of anything but numbers of one
  /// type is a dictionary of its positions.
  CustomCallDictionary entries;
};

/// An attribute with its name.
struct CustomCallEntry {
  /// The name.
  std::string name;
  /// The value.
  CustomCallAttribute value;
};

/// Where a call comes from.
struct CustomCallOrigin {
  int device = 0;     ///< ordinal of the device that runs the program
  int64_t number = 0; ///< which of the program's calls and collectives it is
  /// Data that the launch of the program passes to its calls, or null.
  const void *launch = nullptr;
  /// The configuration with exact types, sorted by name.
  const CustomCallDictionary *attributes = nullptr;
  /// Positions that tokens have among operands and among results; the spans of
  /// the call leave them out.
  std::span<const int64_t> operand_tokens = {}, result_tokens = {};
  /// Pairs of a result and the operand with whose contents the caller wants it
  /// to begin; positions count tokens too.
  std::span<const int64_t> result_aliases = {};
};

/// Calls the function on subranges [begin, end) of [0, count), several in
/// parallel, and returns when all are done.
using CustomCallLoop = std::function<void(
    int64_t count, const std::function<void(int64_t begin, int64_t end)> &)>;

/// One call. Operands are read-only. The function must write every element of
/// the results. Buffers do not overlap and live as long as the call.
struct CustomCall {
  /// The name of the target.
  std::string_view target;
  /// The arguments and results, in order.
  std::span<const CustomCallTensor> operands, results;
  /// Entries of `backend_config` (or `mhlo.backend_config`, `mhlo.attributes`).
  /// A string configuration becomes one entry named "".
  const CustomCallAttributes &attributes;
  /// Distributes work over the threads of this process.
  const CustomCallLoop &parallel_for;
  /// Where the call comes from.
  CustomCallOrigin origin = {};

  /// The entry of that name, or null.
  const CustomCallValue *find(std::string_view name) const {
    for (const auto &[key, value] : attributes)
      if (key == name)
        return &value;
    return nullptr;
  }
  /// The entry of that name; std::invalid_argument if it is missing or has
  /// another type.
  template <class T> const T &attribute(std::string_view name) const {
    const CustomCallValue *value = find(name);
    if (!value || !std::holds_alternative<T>(*value))
      throw std::invalid_argument("has no attribute '" + std::string(name) +
                                  "' of that type");
    return std::get<T>(*value);
  }
};

/// Runs on the thread that executes the program; several programs may call it
/// at the same time. If it throws, the run fails with that exception.
using CustomCallFunction = std::function<void(const CustomCall &)>;

/// Registers `function` as `target`. It takes precedence over a built-in target
/// of that name; docs/internals/custom_calls.md lists those. Programs look up
/// targets when they are loaded. Throws ValueError if `target` or `function` is
/// empty, or if `target` is already registered.
XLAC_API void register_custom_call(const std::string &target,
                                   CustomCallFunction function);

} // namespace xlac
