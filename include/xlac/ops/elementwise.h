// Properties of elementwise ops in the op table beyond their types: supported
// elements, cost and accuracy. lib/ops/OpFacts.td describes the fields.
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
  kQuantized = 32, ///< tensors with a quantization, of any storage type
};

/// Time per element in compiled code, in units of one addition.
struct Cost {
  int floating, integer, complex;
};

/// Maximum errors of a compiled function of floats, in units in the last place
/// (ULP). The error of f16 and narrower floats is at most 0.51.
struct Accuracy {
  double ulps32, ulps64;
  double unfused32, unfused64; ///< without fused multiply-add
  double reference64;          ///< maximum error of the evaluator in f64
  double slope;                ///< maximum slope of the function; 0: unbounded
  /// Errors of smaller f64 results are measured in its ULP, for functions that
  /// cross zero.
  double floor64;
  double reference_floor64; ///< the same, for the error of the evaluator
  double aim32;             ///< target error in f32; the bound may be larger
};

/// Whether results of narrow floats are rounded when their operands are exact.
enum class LaneRounding : uint8_t {
  Always,
  Bytes, ///< only for formats of one byte or less
  Never, ///< the result is one of the operands or its absolute value
};

struct ElementwiseFacts {
  OpKind kind;
  uint8_t elements;         ///< ElementSet of the operands
  const Accuracy *accuracy; ///< null: correctly rounded, or no rounding
  bool has_lanes;           ///< code generation implements the op
  LaneRounding rounding;
  bool keeps_numbers; ///< operands without NaN never give NaN
  /// The op is smooth if all operands are within this interval; gradients are
  /// then compared with finite differences. Equal bounds exclude the op from
  /// that test.
  double smooth_from, smooth_to;
};

/// Null if `kind` is not an elementwise op.
const ElementwiseFacts *elementwise_facts(OpKind kind);

/// Null if results of `kind` on floats are exact or correctly rounded.
inline const Accuracy *accuracy_of(OpKind kind) {
  const ElementwiseFacts *found = elementwise_facts(kind);
  return found ? found->accuracy : nullptr;
}

/// Time per element of `type` in compiled code, in units of one addition. Ops
/// whose work depends on their operands, such as reductions and contractions,
/// count 1.
int cost_of(OpKind kind, ElementType type);

} // namespace xlac::ops
