// A report of what the partition pass decides.
#pragma once

#include <string>

namespace xlac {

/// How an op, or an argument, of a partitioned program is sharded.
struct OpSharding {
  std::string op;         ///< name and type of the first result
  std::string location;   ///< in the source, as MLIR prints it
  std::string sharding;   ///< of the first result, in HLO's form
  std::string decided_by; ///< "annotation", "cost", "nothing", or an op
  double bytes = 0;       ///< that a device receives for one run of the op
};

} // namespace xlac
