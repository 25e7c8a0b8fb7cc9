// Tensors in host memory, and access to their elements in three wide forms:
// floats as double, integers and booleans as int64_t (unsigned ones
// zero-extended), complex numbers as complex<double>.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/ops/attributes.h"
#include "xlac/support/result.h"
#include "xlac/support/tensor_type.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace xlac::host {

/// Row-major elements of a static tensor, in the buffer layout of
/// support/element_type.h. Copies share the bytes.
class Literal {
public:
  Literal() = default;
  /// Allocates uninitialized memory for `type`. Fails if the type is dynamic or
  /// too large, or if there is no memory.
  static Result<Literal> allocate(TensorType type);
  /// Copies the bytes of `type` from `data`.
  static Result<Literal> copy_of(TensorType type, const void *data);
  /// Refers to memory that `owner` keeps alive.
  static Literal borrow(TensorType type, std::shared_ptr<std::byte> owner);
  static Result<Literal> from(const ops::DenseElements &elements);

  const TensorType &type() const { return type_; }
  int64_t count() const { return count_; }
  int64_t byte_count() const { return count_ * byte_size(type_.element); }
  const std::byte *data() const { return bytes_.get(); }
  std::byte *mutable_data() { return bytes_.get(); }
  const std::shared_ptr<std::byte> &owner() const { return bytes_; }
  explicit operator bool() const { return bytes_ != nullptr; }
  /// The same bytes as another type of the same size.
  Literal with_type(TensorType type) const;

private:
  TensorType type_;
  int64_t count_ = 0;
  std::shared_ptr<std::byte> bytes_;
};

/// Reads elements [begin, begin + count) in wide form. The double form gets the
/// real part of complex elements; integers are converted.
void load(const Literal &from, int64_t begin, int64_t count, double *to);
void load(const Literal &from, int64_t begin, int64_t count, int64_t *to);
void load(const Literal &from, int64_t begin, int64_t count,
          std::complex<double> *to);

/// Writes elements, rounded once to nearest even; integers keep their low bits.
/// The wide form must match the element type.
void store(Literal &to, int64_t begin, int64_t count, const double *from);
void store(Literal &to, int64_t begin, int64_t count, const int64_t *from);
void store(Literal &to, int64_t begin, int64_t count,
           const std::complex<double> *from);

/// Converts `value` to `type` and back, like a store and a load.
double round_to(ElementType type, double value);
int64_t wrap_to(ElementType type, int64_t value);

/// The element at `index`, converted.
int64_t as_integer(const Literal &literal, int64_t index = 0);
double as_double(const Literal &literal, int64_t index = 0);
/// An element used as an index: unsigned values above INT64_MAX stay large.
int64_t as_index(const Literal &literal, int64_t index = 0);

/// The format of a float type, or of the parts of a complex type.
struct FloatShape {
  int exponent_bits, mantissa_bits;
  int least_exponent; ///< smallest exponent of normal numbers
};
FloatShape float_shape(ElementType type);

/// The bits of a float type narrower than 32 bits, and the value of such bits.
uint16_t encode_small_float(ElementType type, double value);
double decode_small_float(ElementType type, uint16_t bits);

/// The data of a parameter in a graph that is evaluated eagerly.
class HostData : public graph::ParameterData {
public:
  explicit HostData(Literal literal) : literal(std::move(literal)) {}
  Literal literal;
};

} // namespace xlac::host
