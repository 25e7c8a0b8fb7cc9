// Groups of process ids as attributes spell them.
#ifndef XLAC_LIB_TRANSFORMS_REPLICAGROUPS_H
#define XLAC_LIB_TRANSFORMS_REPLICAGROUPS_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace xlac::transforms {

/// Rows of `columns` ids, short ones filled with -1.
struct IdGroups {
  llvm::SmallVector<int64_t> ids;
  int64_t columns = 0;
};

/// Reads a matrix of ids, or the groups along axes of a mesh that stands in the
/// attribute itself; nothing, and the reason in `problem`, for anything else.
std::optional<IdGroups> readIdGroups(mlir::Attribute attribute,
                                     std::string &problem);

} // namespace xlac::transforms

#endif
