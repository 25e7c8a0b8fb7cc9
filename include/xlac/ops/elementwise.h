// What the op table says of elementwise ops beyond their types: the elements
// that they take and what one costs. lib/ops/OpFacts.td describes the fields.
#pragma once

#include "xlac/ops/op.h"
#include "xlac/support/element_type.h"

namespace xlac::ops {

/// Sets of element types, one bit each.
enum ElementSet : uint8_t {
  kBoolean = 1,
  kSigned = 2,
  kUnsigned = 4,
  kFloat = 8,
  kComplex = 16,
  kQuantized = 32, ///< tensors with a quantization, whatever they store
};

/// Time of one element in compiled code, as a multiple of an addition's.
struct Cost {
  int floating, integer, complex;
};

/// Largest errors of a compiled function of floats in units in the last place
/// (ULP). Halves and narrower floats are within 0.51.
struct Accuracy {
  double ulps32, ulps64;
  double unfused32, unfused64; ///< without fused multiply-add
  double reference64;          ///< by how much the evaluator may err in f64
  double slope; ///< largest slope of the function; 0: not bounded
  /// f64 results below it are measured in its ULP: zeros between others.
  double floor64;
  double reference_floor64; ///< the same, because of the evaluator
  double aim32; ///< what is aimed at in f32; the bound may be above it
};

/// Which results of narrow floats are rounded where the operands had no need.
enum class LaneRounding : uint8_t {
  Always,
  Bytes, ///< only formats of a byte or less
  Never, ///< the result is one of the operands, or its absolute value
};

struct ElementwiseFacts {
  OpKind kind;
  uint8_t elements;         ///< ElementSet: what the operands may hold
  const Accuracy *accuracy; ///< null: correctly rounded, or nothing to round
  bool has_lanes;           ///< code generation has the op's meaning
  LaneRounding rounding;
  bool keeps_numbers; ///< numbers never make a NaN
  /// Where all operands are between these the op is smooth and its gradient is
  /// compared with finite differences; equal where tests look elsewhere.
  double smooth_from, smooth_to;
};

/// Null if `kind` is no elementwise op.
const ElementwiseFacts *elementwise_facts(OpKind kind);

/// Null if results of `kind` on floats are exact or correctly rounded.
inline const Accuracy *accuracy_of(OpKind kind) {
  const ElementwiseFacts *found = elementwise_facts(kind);
  return found ? found->accuracy : nullptr;
}

/// Time of one element of `type` in compiled code, as a multiple of an
/// addition's. Ops that sum up, such as reductions and contractions, count 1:
/// their work depends on their operands.
int cost_of(OpKind kind, ElementType type);

} // namespace xlac::ops
