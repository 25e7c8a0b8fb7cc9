// bf16 modes: what xla devices store and compute in place of f32 and f64. The
// graph keeps the types that the program sees; a whole program is rewritten
// before it is keyed for the disk, printed or compiled.
#pragma once

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"

namespace xlac::lazy {

/// True when XLA_USE_BF16, XLA_DOWNCAST_BF16 or XLAC_F64_AS_F32 is on.
bool stores_narrow_floats();

/// What device memory holds for a tensor of that type.
TensorType stored_type(TensorType type);

/// `literal` with its elements converted to `element`.
host::Literal converted(const host::Literal &literal, ElementType element);

/// The discardable attribute of nodes whose float types stay as they are, set
/// while an FullPrecisionScope lives. stored_program() takes it away.
inline constexpr char kExactMark[] = "{xlac.exact}";
/// True if the calling thread's nodes get that mark now.
bool marks_exact_nodes();

/// `program` with every value of a stored type; arguments and results keep
/// their places.
graph::Program stored_program(const graph::Program &program);

} // namespace xlac::lazy
