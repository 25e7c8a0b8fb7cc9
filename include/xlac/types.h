// Dtypes, numbers, sizes, devices, options and subscripts of the C++ API.
#pragma once

#include "xlac/export.h"

#include "xlac/error.h"

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace xlac {

namespace detail {
struct OptionsAccess;
struct ScalarAccess;
} // namespace detail

//===- Dtypes -------------------------------------------------------------===//

/// Element types.
enum class Dtype : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
  Complex64,
  Complex128,
  Float8_e5m2,
  Float8_e4m3fn,
  Float8_e5m2fnuz,
  Float8_e4m3fnuz,
  Float8_e8m0fnu,
};
/// The element types.
inline constexpr Dtype kBool = Dtype::Bool, kInt8 = Dtype::Int8,
                       kInt16 = Dtype::Int16, kInt32 = Dtype::Int32,
                       kInt64 = Dtype::Int64, kUInt8 = Dtype::UInt8,
                       kUInt16 = Dtype::UInt16, kUInt32 = Dtype::UInt32,
                       kUInt64 = Dtype::UInt64, kFloat16 = Dtype::Float16,
                       kBFloat16 = Dtype::BFloat16, kFloat32 = Dtype::Float32,
                       kFloat64 = Dtype::Float64, kComplex64 = Dtype::Complex64,
                       kComplex128 = Dtype::Complex128;
/// Stored, loaded and converted as in PyTorch; they do not promote with other
/// dtypes.
inline constexpr Dtype kFloat8_e5m2 = Dtype::Float8_e5m2,
                       kFloat8_e4m3fn = Dtype::Float8_e4m3fn,
                       kFloat8_e5m2fnuz = Dtype::Float8_e5m2fnuz,
                       kFloat8_e4m3fnuz = Dtype::Float8_e4m3fnuz,
                       kFloat8_e8m0fnu = Dtype::Float8_e8m0fnu;
/// PyTorch's further names of element types.
inline constexpr Dtype kByte = kUInt8, kChar = kInt8, kShort = kInt16,
                       kInt = kInt32, kLong = kInt64, kHalf = kFloat16,
                       kFloat = kFloat32, kDouble = kFloat64,
                       kComplexFloat = kComplex64, kComplexDouble = kComplex128;

/// IEEE binary16, rounded to nearest even.
struct XLAC_API half {
  /// The IEEE 754 bits.
  uint16_t bits = 0;
  half() = default;
  /// Rounds to the nearest value, ties to even.
  half(float value);
  /// The same value as a float.
  operator float() const;
};
/// The upper 16 bits of a float, rounded to nearest even.
struct XLAC_API bfloat16 {
  /// The upper half of the bits of a float.
  uint16_t bits = 0;
  bfloat16() = default;
  /// Rounds to the nearest value, ties to even.
  bfloat16(float value);
  /// The same value as a float.
  operator float() const;
};

/// The dtype that holds a T; dtype_of<float>() is kFloat32.
template <class T> constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, bool>)
    return kBool;
  else if constexpr (std::is_same_v<T, half>)
    return kFloat16;
  else if constexpr (std::is_same_v<T, bfloat16>)
    return kBFloat16;
  else if constexpr (std::is_same_v<T, float>)
    return kFloat32;
  else if constexpr (std::is_same_v<T, double>)
    return kFloat64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return kComplex64;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return kComplex128;
  else {
    static_assert(std::is_integral_v<T>, "no dtype holds this type");
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1)
      return is_signed ? kInt8 : kUInt8;
    else if constexpr (sizeof(T) == 2)
      return is_signed ? kInt16 : kUInt16;
    else if constexpr (sizeof(T) == 4)
      return is_signed ? kInt32 : kUInt32;
    else
      return is_signed ? kInt64 : kUInt64;
  }
}

/// "float32", without the prefix "torch.".
XLAC_API std::string_view name(Dtype dtype);
/// "torch.float32".
XLAC_API std::ostream &operator<<(std::ostream &os, Dtype dtype);
/// Bytes of one element.
XLAC_API int64_t element_size(Dtype dtype);
/// True for real floating dtypes.
XLAC_API bool is_floating_point(Dtype dtype);
/// True for complex64 and complex128.
XLAC_API bool is_complex(Dtype dtype);
/// True for signed integers, floating and complex dtypes.
XLAC_API bool is_signed(Dtype dtype);
/// Promotes as PyTorch does. DtypeError for u16, u32, u64 with another integer,
/// and for an 8-bit float with another dtype.
XLAC_API Dtype promote_types(Dtype a, Dtype b);
/// Whether an in-place operation may store `from` in `to`.
XLAC_API bool can_cast(Dtype from, Dtype to);
/// Limits of a floating or complex dtype; for a complex dtype, those of its
/// parts. `eps` is the difference between 1 and the next number, `tiny` the
/// smallest positive normal number. DtypeError for other dtypes.
struct XLAC_API finfo {
  /// The distance from 1 to the next value, and the lowest, largest and
  /// smallest normal value.
  double eps, min, max, tiny;
  /// DtypeError for types that are not floating-point.
  explicit finfo(Dtype dtype);

private:
  void set_float8(Dtype dtype);
};
/// Limits of an integer dtype. DtypeError for other dtypes.
struct XLAC_API iinfo {
  /// The smallest value.
  int64_t min;
  /// The largest value.
  uint64_t max;
  /// DtypeError for types that are not integers.
  explicit iinfo(Dtype dtype);
};
/// The default dtype; kFloat32 unless set.
XLAC_API Dtype get_default_dtype();
/// DtypeError unless it is a floating dtype of 16 bits or more.
XLAC_API void set_default_dtype(Dtype dtype);

/// A number without shape or device; it promotes by category, like a Python
/// number.
class XLAC_API Scalar {
public:
  /// A number of the type that PyTorch gives it.
  Scalar(bool value) : v_(value) {}
  /// A number of the type that PyTorch gives it.
  Scalar(int value) : v_(int64_t{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(long value) : v_(int64_t{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(long long value) : v_(int64_t{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(unsigned int value) : v_(int64_t{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(unsigned long value) : v_(uint64_t{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(unsigned long long value) : v_(uint64_t{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(float value) : v_(double{value}) {}
  /// A number of the type that PyTorch gives it.
  Scalar(double value) : v_(value) {}
  /// A number of the type that PyTorch gives it.
  Scalar(std::complex<float> value) : v_(std::complex<double>(value)) {}
  /// A number of the type that PyTorch gives it.
  Scalar(std::complex<double> value) : v_(value) {}

  /// Converts the number to T as C++ does. A complex number gives its real part
  /// to a real T.
  template <class T> T to() const {
    return std::visit(
        [](auto value) -> T {
          using Held = decltype(value);
          if constexpr (std::is_same_v<Held, std::complex<double>>) {
            if constexpr (std::is_same_v<T, std::complex<float>> ||
                          std::is_same_v<T, std::complex<double>>)
              return T(value);
            else
              return static_cast<T>(value.real());
          } else if constexpr (std::is_same_v<T, std::complex<float>> ||
                               std::is_same_v<T, std::complex<double>>) {
            return T(static_cast<typename T::value_type>(value));
          } else {
            return static_cast<T>(value);
          }
        },
        v_);
  }

private:
  friend struct detail::ScalarAccess;
  std::variant<bool, int64_t, uint64_t, double, std::complex<double>> v_;
};

//===- Sizes --------------------------------------------------------------===//

/// The sizes of all dimensions.
using Shape = std::vector<int64_t>;
/// "[2, 3]".
XLAC_API std::ostream &operator<<(std::ostream &os, const Shape &sizes);

/// A non-owning list of sizes or dims, for parameters only.
class IntArrayRef {
public:
  /// Refers to the numbers, which must outlive it.
  IntArrayRef(const Shape &v) : data_(v.data()), size_(v.size()) {}
  /// Refers to the numbers, which must outlive it.
  IntArrayRef(std::initializer_list<int64_t> v) : size_(v.size()) {
    data_ = v.begin(); // lives as long as the call
  }
  /// Refers to the numbers, which must outlive it.
  IntArrayRef(const int64_t &one) : data_(&one), size_(1) {}
  const int64_t *begin() const { return data_; }
  const int64_t *end() const { return data_ + size_; }
  /// The number of elements.
  size_t size() const { return size_; }

private:
  const int64_t *data_;
  size_t size_;
};

//===- Devices ------------------------------------------------------------===//

/// Types of devices: the host, and devices that record operations.
enum class DeviceType : uint8_t { CPU, XLA };
/// The types of devices.
inline constexpr DeviceType kCPU = DeviceType::CPU, kXLA = DeviceType::XLA;

/// A device: "cpu", "xla", "xla:1". Index -1 is the current device of its type.
struct XLAC_API Device {
  /// The type.
  DeviceType type = kCPU;
  /// The number of the device; -1 means the current one.
  int index = -1;
  Device() = default;
  /// The device of that type and number, or that the text names.
  Device(DeviceType t, int i = -1) : type(t), index(i) {}
  /// ValueError for other text, such as "gpu" or "xla:x".
  Device(std::string_view text);
  /// The device of that type and number, or that the text names.
  Device(const char *text) : Device(std::string_view(text)) {}
  /// The text, such as "xla:0".
  std::string str() const;
  friend bool operator==(const Device &, const Device &) = default;
};
/// Writes Device::str(), such as "xla:1".
XLAC_API std::ostream &operator<<(std::ostream &os, const Device &device);

/// Device and dtype for new tensors; converts implicitly from either.
class XLAC_API TensorOptions {
public:
  TensorOptions() = default;
  /// Options with that dtype or device.
  TensorOptions(Dtype d) : dtype_(d) {}
  /// Options with that dtype or device.
  TensorOptions(Device d) : device_(d) {}
  /// Parses the name of a device; ValueError as in Device.
  TensorOptions(const char *device) : device_(Device(device)) {}
  /// A copy with that dtype.
  TensorOptions dtype(Dtype d) const {
    auto o = *this;
    o.dtype_ = d;
    return o;
  }
  /// A copy with that device.
  TensorOptions device(Device d) const {
    auto o = *this;
    o.device_ = d;
    return o;
  }
  /// A copy whose tensors require gradients.
  TensorOptions requires_grad(bool r = true) const {
    auto o = *this;
    o.requires_grad_ = r;
    return o;
  }
  /// The dtype set here, or the default dtype.
  Dtype dtype() const { return dtype_.value_or(get_default_dtype()); }
  /// The device set here, or get_default_device().
  Device device() const;

private:
  friend struct detail::OptionsAccess;
  std::optional<Dtype> dtype_;
  std::optional<Device> device_;
  bool requires_grad_ = false;
};
/// Options with that dtype.
inline TensorOptions dtype(Dtype d) { return TensorOptions(d); }
/// Options with a device of that type.
inline TensorOptions device(DeviceType type) { return TensorOptions(type); }
/// The device of factories that name none, per thread; the cpu unless set.
XLAC_API Device get_default_device();
/// Sets the default device of this thread.
XLAC_API void set_default_device(Device device);

//===- Indexing -----------------------------------------------------------===//

/// Python's None: a new axis, an unsharded dimension, or no value.
struct None_t {
  constexpr None_t() = default;
  /// An empty optional.
  template <class T> constexpr operator std::optional<T>() const {
    return std::nullopt;
  }
};
/// Python's None: a missing value, or a new axis in an index.
inline constexpr None_t None{};
/// The type of Ellipsis.
struct Ellipsis_t {
  constexpr Ellipsis_t() = default;
};
/// All dimensions that an index does not name.
inline constexpr Ellipsis_t Ellipsis{};
/// A slice: Slice(), Slice(0, 2), Slice(2, None), Slice(None, -1).
struct Slice {
  /// The bounds and the step; empty as in Python.
  std::optional<int64_t> start, stop, step;
  Slice() = default;
  /// The slice start:stop:step of Python.
  Slice(int64_t start, int64_t stop, int64_t step = 1)
      : start(start), stop(stop), step(step) {}
  /// The slice start:stop:step of Python.
  Slice(None_t, int64_t stop, int64_t step = 1) : stop(stop), step(step) {}
  /// The slice start:stop:step of Python.
  Slice(int64_t start, None_t, int64_t step = 1) : start(start), step(step) {}
  /// The slice start:stop:step of Python.
  Slice(None_t, None_t, int64_t step = 1) : step(step) {}
  friend bool operator==(const Slice &, const Slice &) = default;
};

/// libtorch's namespace of subscripts.
namespace indexing {
using xlac::Ellipsis;
using xlac::None;
using xlac::Slice;
} // namespace indexing
/// Raw bytes.
using Bytes = std::vector<uint8_t>;

} // namespace xlac
