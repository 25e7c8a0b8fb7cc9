// What kinds of collectives have in common.
#ifndef XLAC_LIB_TRANSFORMS_COLLECTIVEKINDS_H
#define XLAC_LIB_TRANSFORMS_COLLECTIVEKINDS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

namespace xlac::transforms {

/// Returns true for collectives in which only peers take part, not the host.
inline bool isCollective(ir::CollectiveKind kind) {
  switch (kind) {
  case ir::CollectiveKind::AllGather:
  case ir::CollectiveKind::AllReduce:
  case ir::CollectiveKind::AllToAll:
  case ir::CollectiveKind::Broadcast:
  case ir::CollectiveKind::Permute:
  case ir::CollectiveKind::Reduce:
  case ir::CollectiveKind::ReduceScatter:
    return true;
  case ir::CollectiveKind::Send:
  case ir::CollectiveKind::Recv:
  case ir::CollectiveKind::Infeed:
  case ir::CollectiveKind::Outfeed:
  case ir::CollectiveKind::PartitionId:
  case ir::CollectiveKind::ReplicaId:
  case ir::CollectiveKind::CustomCall:
    return false;
  }
  llvm_unreachable("a kind of collective");
}

} // namespace xlac::transforms

#endif
