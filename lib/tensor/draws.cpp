#include "draws.h"

#include "xlac/lazy/random.h"

#include <cmath>

namespace xlac::front {

ElementType draw_type(Dtype dtype) {
  return dtype == kFloat64 || dtype == kComplex128 ? ElementType::F64
                                                   : ElementType::F32;
}

Value draw_bits(Device device, ElementType type, const Shape &sizes) {
  return build::rng_bit_generator(lazy::take_rng_state(device), type, sizes)
      .second;
}

/// op(value, a constant of the program).
static Value with_constant(OpKind op, Value value, const Scalar &number) {
  const TensorType &type = value.tensor();
  Value constant = build::constant(type.element, type.dims, number);
  return build::binary(op, std::move(value), std::move(constant));
}

/// The bits that numbers of `type` are made of.
static ElementType word_of(ElementType type) {
  return type == ElementType::F64 ? ElementType::UI64 : ElementType::UI32;
}

/// The highest `count` of the bits as whole numbers in `type`.
static Value whole_of(Value bits, ElementType type, int count) {
  Value kept = with_constant(OpKind::ShiftRightLogical, std::move(bits),
                             bit_width(word_of(type)) - count);
  return build::convert(std::move(kept), type);
}

/// Whole numbers below 2^count in `type`.
static Value draw_whole(Device device, ElementType type, int count,
                        const Shape &sizes) {
  return whole_of(draw_bits(device, word_of(type), sizes), type, count);
}

Value draw_uniform(Device device, Dtype dtype, const Shape &sizes) {
  ElementType type = draw_type(dtype);
  int count = type == ElementType::F64 ? 53
              : dtype == kFloat16      ? 11
              : dtype == kBFloat16     ? 8
                                       : 24;
  return with_constant(OpKind::Multiply, draw_whole(device, type, count, sizes),
                       std::ldexp(1.0, -count));
}

Value open_uniform_of(Value bits, ElementType type) {
  // One bit less, so that the middle of each interval is a number of the type.
  int count = type == ElementType::F64 ? 52 : 23;
  Value whole = whole_of(std::move(bits), type, count);
  return with_constant(OpKind::Multiply,
                       with_constant(OpKind::Add, std::move(whole), 0.5),
                       std::ldexp(1.0, -count));
}

Value draw_open_uniform(Device device, Dtype dtype, const Shape &sizes) {
  ElementType type = draw_type(dtype);
  return open_uniform_of(draw_bits(device, word_of(type), sizes), type);
}

Value draw_normal(Device device, Dtype dtype, const Shape &sizes) {
  // Middles of 2^24 intervals (2^53) of (-1, 1), exact and symmetric.
  ElementType type = draw_type(dtype);
  int count = type == ElementType::F64 ? 53 : 24;
  Value whole = draw_whole(device, type, count, sizes);
  Value centered = with_constant(OpKind::Add, std::move(whole),
                                 0.5 - std::ldexp(1.0, count - 1));
  Value symmetric = with_constant(OpKind::Multiply, std::move(centered),
                                  std::ldexp(1.0, 1 - count));
  return with_constant(OpKind::Multiply,
                       build::unary(OpKind::ChloErfInv, std::move(symmetric)),
                       std::sqrt(2.0));
}

Value draw_exponential(Device device, Dtype dtype, const Shape &sizes) {
  Value uniform = draw_open_uniform(device, dtype, sizes);
  return build::unary(OpKind::Negate,
                      build::unary(OpKind::Log, std::move(uniform)));
}

Value with_number(OpKind op, Value value, const Scalar &number, Device device) {
  const TensorType &type = value.tensor();
  Dtype dtype = *lazy::dtype_of_element(type.element);
  Value other =
      build::broadcast_to(number_value(number, dtype, device), type.dims);
  return build::binary(op, std::move(value), std::move(other));
}

Tensor finish_drawn(Value value, Device device, Dtype dtype) {
  return finish(build::convert(std::move(value), lazy::element_type(dtype)),
                device, dtype);
}

Tensor &overwrite_drawn(Tensor &self, Value value) {
  overwrite(self, build::convert(std::move(value),
                                 lazy::element_type(impl_of(self).dtype)));
  return self;
}

} // namespace xlac::front
