// bf16 modes: the types that xla devices store and compute in instead of f32
// and f64. The graph keeps the types of the user's program. A program is
// rewritten before its cache key is computed and before it is printed or
// compiled.
#pragma once

#include "xlac/support/tensor_type.h"
#include "xlac/types.h"

namespace xlac::lazy {

/// Whether XLA_USE_BF16, XLA_DOWNCAST_BF16 or XLAC_F64_AS_F32 is set.
bool stores_narrow_floats();

/// The type in device memory of a tensor of type `type`.
TensorType stored_type(TensorType type);

/// The element type in memory of `device`; in the bf16 modes of xla devices it
/// may differ from `element`.
ElementType storage_element(Device device, ElementType element);

/// While it lives, operations of this thread compute in their own float types,
/// also in the bf16 modes; only their final results are rounded. This keeps
/// random numbers in their range.
class FullPrecisionScope {
public:
  FullPrecisionScope();
  ~FullPrecisionScope();
  FullPrecisionScope(const FullPrecisionScope &) = delete;
  FullPrecisionScope &operator=(const FullPrecisionScope &) = delete;
};

/// A discardable attribute of nodes that keep their float types, set by
/// FullPrecisionScope. stored_program() removes it.
inline constexpr char kExactMark[] = "{xlac.exact}";
/// Whether nodes of this thread get that attribute.
bool marks_exact_nodes();

} // namespace xlac::lazy
