// Reducers whose arguments may be combined in any order: one sum, product,
// minimum, … for each operand.
#ifndef XLAC_LIB_CODEGEN_REDUCERBODY_H
#define XLAC_LIB_CODEGEN_REDUCERBODY_H

#include "ElementEmitter.h"

namespace xlac::codegen {

/// True if result i of `body` is op(argument i, argument i + n) with an op that
/// is associative (but for rounding), commutative and has an identity.
bool isSimpleReducer(mlir::Region &body);

/// The identity of result `number` of a simple reducer, in all lanes.
Element reducerIdentity(ElementEmitter &emitter, mlir::Region &body,
                        unsigned number);

} // namespace xlac::codegen

#endif
