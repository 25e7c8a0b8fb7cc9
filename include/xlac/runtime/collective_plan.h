// What a collective of a group comes to, whatever executes it and over
// whatever way: which bytes of whose operand go where, and which are combined.
#pragma once

#include "xlac/runtime/communicator.h"
#include "xlac/runtime/process_groups.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xlac::runtime {

/// A meeting of the members of a group.
struct Rendezvous {
  ProcessGroup members;
  /// As members; null for those that are elsewhere.
  std::vector<const CollectiveCall *> calls;
  /// Permute: pairs of source and target.
  std::vector<ProcessGroup> pairs;
};

/// Rows of bytes at equal distances: what of a row-major array lies between two
/// indices of one dimension. Read row by row it is a run of bytes().
struct StridedBytes {
  int64_t offset = 0; ///< of the first row
  int64_t run = 0;    ///< bytes of a row
  int64_t pitch = 0;  ///< from row to row
  int64_t rows = 1;

  int64_t bytes() const { return run * rows; }
  bool contiguous() const { return rows == 1 || run == pitch; }
  bool operator==(const StridedBytes &) const = default;
};

/// Bytes [begin, end) of what `strip` has of the array at `from`, as a run.
void pack(const void *from, const StridedBytes &strip, int64_t begin,
          int64_t end, void *to);
/// The inverse: a run goes to bytes [begin, end) of the strip.
void unpack(const void *from, int64_t begin, int64_t end, void *to,
            const StridedBytes &strip);

/// Bytes of member `sender`'s operand for member `receiver`'s result.
struct Move {
  size_t sender, receiver;
  StridedBytes from, to; ///< of equally many bytes
};

/// The same part of every member's operand, combined in the order of the group,
/// is the whole result of some of them.
struct GroupReduction {
  std::vector<size_t> receivers;
  StridedBytes from;
};

/// All that happens for one result of a collective.
struct Plan {
  std::vector<Move> moves;
  std::vector<GroupReduction> reductions;
  std::vector<size_t> filled; ///< members that receive nothing
};

/// The plan for result `number` of `what`; `roots` are those that each member
/// says of all results, where the kind has any. User where the sizes do not fit
/// the group.
Result<Plan> plan_result(const Collective &what,
                         const Rendezvous &rendezvous_state, size_t number,
                         const std::vector<std::vector<int32_t>> &roots);

/// What a member says the roots of the results are: zeros unless the collective
/// has them as an operand.
std::vector<int32_t> roots_of(const CollectiveCall &call);

/// Copies what was received to the results; `name` says whose they are where
/// counts or sizes do not fit.
Status accept(const CollectiveCall &call, const Transfer &transfer,
              const std::string &name);

/// The results of a process that receives nothing.
void fill_results(const CollectiveCall &call);
void fill_result(const CollectiveCall &call, size_t number);

} // namespace xlac::runtime
