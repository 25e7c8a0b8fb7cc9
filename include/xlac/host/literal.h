// Tensors in host memory, and the reading and writing of their elements in
// three wide forms: every float as double, every integer and boolean as
// int64_t (unsigned ones zero-extended), every complex as complex<double>.
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

/// Row-major elements of a static tensor, in the buffer layout that
/// support/element_type.h describes. Copies share the bytes.
class Literal {
public:
  Literal() = default;
  /// Memory for `type`, not initialized. Fails when the type is dynamic, too
  /// large, or there is no memory.
  static Result<Literal> allocate(TensorType type);
  /// Copies `type`'s bytes from `data`.
  static Result<Literal> copy_of(TensorType type, const void *data);
  /// Names memory that `owner` keeps alive.
  static Literal borrow(TensorType type, std::shared_ptr<std::byte> owner);
  static Result<Literal> from(const ops::DenseElements &elements);

  const TensorType &type() const { return type_; }
  int64_t count() const { return count_; }
  int64_t byte_count() const { return count_ * byte_size(type_.element); }
  const std::byte *data() const { return bytes_.get(); }
  std::byte *mutable_data() { return bytes_.get(); }
  const std::shared_ptr<std::byte> &owner() const { return bytes_; }
  explicit operator bool() const { return bytes_ != nullptr; }
  /// The same bytes under another type of the same size.
  Literal with_type(TensorType type) const;

private:
  TensorType type_;
  int64_t count_ = 0;
  std::shared_ptr<std::byte> bytes_;
};

/// Reads elements [begin, begin + count) in wide form. Complex elements give
/// their real part to the first form; integers are converted.
void load(const Literal &from, int64_t begin, int64_t count, double *to);
void load(const Literal &from, int64_t begin, int64_t count, int64_t *to);
void load(const Literal &from, int64_t begin, int64_t count,
          std::complex<double> *to);

/// Writes elements, rounding once to nearest even; integers keep their low
/// bits. The wide form must be the one that fits the element type.
void store(Literal &to, int64_t begin, int64_t count, const double *from);
void store(Literal &to, int64_t begin, int64_t count, const int64_t *from);
void store(Literal &to, int64_t begin, int64_t count,
           const std::complex<double> *from);

/// `value` as an element of `type`, and back: what a store and a load do.
double round_to(ElementType type, double value);
int64_t wrap_to(ElementType type, int64_t value);

/// First element, converted.
int64_t as_integer(const Literal &literal, int64_t index = 0);
double as_double(const Literal &literal, int64_t index = 0);
/// An element used as an index: unsigned ones past INT64_MAX stay large.
int64_t as_index(const Literal &literal, int64_t index = 0);

/// The make of a float type; of a complex one, of its parts.
struct FloatShape {
  int exponent_bits, mantissa_bits;
  int least_exponent; ///< of a normal number
};
FloatShape float_shape(ElementType type);

/// Bits of a value of a float type narrower than 32 bits, and back.
uint16_t encode_small_float(ElementType type, double value);
double decode_small_float(ElementType type, uint16_t bits);

/// What a parameter of a graph that is evaluated at once carries.
class HostData : public graph::ParameterData {
public:
  explicit HostData(Literal literal) : literal(std::move(literal)) {}
  Literal literal;
};

} // namespace xlac::host
