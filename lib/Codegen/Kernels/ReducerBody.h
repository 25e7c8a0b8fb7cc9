// Identities of reducers whose arguments may be combined in any order.
#ifndef XLAC_LIB_CODEGEN_REDUCERBODY_H
#define XLAC_LIB_CODEGEN_REDUCERBODY_H

#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Xlac/Reducer.h"

namespace xlac::codegen {

/// Returns the identity of result `number` of a simple reducer, in all lanes.
Element reducerIdentity(ElementEmitter &emitter, mlir::Region &body,
                        unsigned number);

} // namespace xlac::codegen

#endif
