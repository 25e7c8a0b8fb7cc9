#include "xlac/tensor/draws.h"

#include "xlac/lazy/random.h"
#include "xlac/lazy/storage_modes.h"

#include <bit>
#include <cmath>

namespace xlac::frontend {

ElementType draw_type(Dtype dtype) {
  return dtype == kFloat64 || dtype == kComplex128 ? ElementType::F64
                                                   : ElementType::F32;
}

Value draw_bits(Device device, ElementType type, const Shape &sizes) {
  return build::rng_bit_generator(lazy::take_rng_state(device), type, sizes)
      .second;
}

/// op(value, number) with the number as a constant of the program.
static Value with_constant(OpKind op, Value value, const Scalar &number) {
  const TensorType &type = value.tensor();
  Value constant = build::constant(type.element, type.dims, number);
  return build::binary(op, std::move(value), std::move(constant));
}

/// Returns the type of the random bits for numbers of `type`.
static ElementType word_of(ElementType type) {
  return type == ElementType::F64 ? ElementType::UI64 : ElementType::UI32;
}

/// Returns the highest `count` bits as integers in `type`.
static Value integers_of(Value bits, ElementType type, int count) {
  Value kept = with_constant(OpKind::ShiftRightLogical, std::move(bits),
                             bit_width(word_of(type)) - count);
  return build::convert(std::move(kept), type);
}

/// Random integers below 2^count in `type`.
static Value draw_integers(Device device, ElementType type, int count,
                           const Shape &sizes) {
  return integers_of(draw_bits(device, word_of(type), sizes), type, count);
}

static Value draw_multiples(Device device, ElementType type, int count,
                            const Shape &sizes) {
  lazy::FullPrecisionScope exact;
  return with_constant(OpKind::Multiply,
                       draw_integers(device, type, count, sizes),
                       std::ldexp(1.0, -count));
}

/// Returns the number of random bits for a number of `type`.
static int bits_of(ElementType type) {
  return type == ElementType::F64 ? 53 : 24;
}

/// Returns the significand width of `type`.
static int digits_of(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 53;
  case ElementType::F16:
    return 11;
  case ElementType::BF16:
    return 8;
  case ElementType::F8E3M4:
    return 5;
  case ElementType::F8E4M3:
  case ElementType::F8E4M3FN:
  case ElementType::F8E4M3FNUZ:
  case ElementType::F8E4M3B11FNUZ:
    return 4;
  case ElementType::F8E5M2:
  case ElementType::F8E5M2FNUZ:
    return 3;
  case ElementType::F8E8M0FNU:
    return 1;
  default:
    return 24;
  }
}

/// Returns the device's type for real numbers of `dtype`, or for the parts of
/// complex ones.
static ElementType storage_type(Device device, Dtype dtype) {
  ElementType type = lazy::element_type(dtype);
  return is_complex(dtype) ? real_part_type(type)
                           : lazy::storage_element(device, type);
}

Value draw_fine_uniform(Device device, ElementType type, const Shape &sizes) {
  return draw_multiples(device, type, bits_of(type), sizes);
}

Value draw_uniform(Device device, Dtype dtype, const Shape &sizes) {
  return draw_multiples(device, draw_type(dtype),
                        digits_of(storage_type(device, dtype)), sizes);
}

Value draw_between(Device device, Dtype dtype, const Shape &sizes, double from,
                   double to) {
  lazy::FullPrecisionScope exact;
  ElementType type = draw_type(dtype), held = storage_type(device, dtype);
  auto rounded = [&](Value value) {
    return build::convert(build::convert(std::move(value), held), type);
  };
  auto bound = [&](double number) {
    return build::broadcast_to(rounded(exact_number(number, type, device)),
                               sizes);
  };
  Value drawn = draw_uniform(device, dtype, sizes);
  drawn = with_number(OpKind::Multiply, std::move(drawn), to - from, device);
  drawn = rounded(with_number(OpKind::Add, std::move(drawn), from, device));
  // Rounding may make the sum equal to `to`.
  Value is_below =
      build::compare(ops::ComparisonDirection::LT, drawn, bound(to));
  return build::select(std::move(is_below), std::move(drawn), bound(from));
}

Value open_uniform_of(Value bits, ElementType type) {
  lazy::FullPrecisionScope exact;
  // Uses one bit less, so that the midpoint of each interval is representable.
  int count = type == ElementType::F64 ? 52 : 23;
  Value integers = integers_of(std::move(bits), type, count);
  return with_constant(OpKind::Multiply,
                       with_constant(OpKind::Add, std::move(integers), 0.5),
                       std::ldexp(1.0, -count));
}

Value draw_open_uniform(Device device, Dtype dtype, const Shape &sizes) {
  lazy::FullPrecisionScope exact;
  ElementType type = draw_type(dtype);
  return open_uniform_of(draw_bits(device, word_of(type), sizes), type);
}

Value draw_normal(Device device, Dtype dtype, const Shape &sizes) {
  lazy::FullPrecisionScope exact;
  // The midpoints of 2^24 (f64: 2^53) intervals of (-1, 1): exact and
  // symmetric.
  ElementType type = draw_type(dtype);
  int count = type == ElementType::F64 ? 53 : 24;
  Value integers = draw_integers(device, type, count, sizes);
  Value centered = with_constant(OpKind::Add, std::move(integers),
                                 0.5 - std::ldexp(1.0, count - 1));
  Value symmetric = with_constant(OpKind::Multiply, std::move(centered),
                                  std::ldexp(1.0, 1 - count));
  return with_constant(OpKind::Multiply,
                       build::unary(OpKind::ChloErfInv, std::move(symmetric)),
                       std::sqrt(2.0));
}

Value draw_exponential(Device device, Dtype dtype, const Shape &sizes) {
  lazy::FullPrecisionScope exact;
  Value uniform = draw_open_uniform(device, dtype, sizes);
  return build::unary(OpKind::Negate,
                      build::unary(OpKind::Log, std::move(uniform)));
}

Value exact_number(double number, ElementType type, Device device) {
  lazy::FullPrecisionScope exact;
  Dtype dtype = *lazy::dtype_of_element(type);
  if (lazy::storage_element(device, type) == type)
    return number_value(number, dtype, device);
  // Passed as its bits, which no mode rounds.
  Value bits = type == ElementType::F64
                   ? number_value(Scalar(std::bit_cast<uint64_t>(number)),
                                  kUInt64, device)
                   : number_value(Scalar(int64_t{std::bit_cast<uint32_t>(
                                      static_cast<float>(number))}),
                                  kUInt32, device);
  return build::bitcast_convert(std::move(bits), type);
}

Value with_number(OpKind op, Value value, const Scalar &number, Device device) {
  lazy::FullPrecisionScope exact;
  const TensorType &type = value.tensor();
  bool is_real =
      type.element == ElementType::F32 || type.element == ElementType::F64;
  Value other =
      is_real
          ? exact_number(number.to<double>(), type.element, device)
          : number_value(number, *lazy::dtype_of_element(type.element), device);
  return build::binary(op, std::move(value),
                       build::broadcast_to(std::move(other), type.dims));
}

Tensor finish_drawn(Value value, Device device, Dtype dtype) {
  lazy::FullPrecisionScope exact;
  return finish(build::convert(std::move(value), lazy::element_type(dtype)),
                device, dtype);
}

Tensor &overwrite_drawn(Tensor &self, Value value) {
  {
    lazy::FullPrecisionScope exact;
    value = build::convert(std::move(value),
                           lazy::element_type(impl_of(self).dtype));
  }
  overwrite(self, std::move(value));
  return self;
}

} // namespace xlac::frontend
