// Reads groups of process ids from attributes.
#ifndef XLAC_LIB_TRANSFORMS_REPLICAGROUPS_H
#define XLAC_LIB_TRANSFORMS_REPLICAGROUPS_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace xlac::transforms {

/// Groups as rows of `columns` ids. Shorter groups are filled with -1.
struct IdGroups {
  llvm::SmallVector<int64_t> ids;
  int64_t columns = 0;
};

/// Reads a matrix of ids, or the groups along axes of a mesh that the attribute
/// contains. For anything else returns nothing and sets `problem` to the
/// reason.
std::optional<IdGroups> readIdGroups(mlir::Attribute attribute,
                                     std::string &problem);

} // namespace xlac::transforms

#endif
