// bf16 modes: what xla devices store and compute in place of f32 and f64. The
// graph keeps the types that the program sees; a whole program is rewritten
// before it is keyed for the disk, printed or compiled.
#pragma once

#include "xlac/support/tensor_type.h"
#include "xlac/types.h"

namespace xlac::lazy {

/// True when XLA_USE_BF16, XLA_DOWNCAST_BF16 or XLAC_F64_AS_F32 is on.
bool stores_narrow_floats();

/// What device memory holds for a tensor of that type.
TensorType stored_type(TensorType type);

/// What memory of `device` holds for elements of that type: another in the bf16
/// modes of xla devices.
ElementType held_element(Device device, ElementType element);

/// While one lives, what the thread records is computed in its own float types
/// in the bf16 modes too, and only what leaves it is rounded: random numbers
/// keep their range so.
class FullPrecisionScope {
public:
  FullPrecisionScope();
  ~FullPrecisionScope();
  FullPrecisionScope(const FullPrecisionScope &) = delete;
  FullPrecisionScope &operator=(const FullPrecisionScope &) = delete;
};

/// The discardable attribute of nodes whose float types stay as they are, set
/// while a FullPrecisionScope lives. stored_program() takes it away.
inline constexpr char kExactMark[] = "{xlac.exact}";
/// True if the calling thread's nodes get that mark now.
bool marks_exact_nodes();

} // namespace xlac::lazy
