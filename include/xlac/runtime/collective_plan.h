// The data movement of a collective within a group, independent of the
// transport: which bytes of each operand are copied to which result, and which
// are reduced.
#pragma once

#include "xlac/runtime/communicator.h"
#include "xlac/runtime/process_groups.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xlac::runtime {

/// The calls of a group's members for one collective.
struct Rendezvous {
  ProcessGroup members;
  /// In the order of `members`; null for members in other processes.
  std::vector<const CollectiveCall *> calls;
  /// For Permute: pairs of source and target.
  std::vector<ProcessGroup> pairs;
};

/// Rows of bytes at equal distances: a slice of a row-major array between two
/// indices of one dimension. Packed row by row it has bytes() contiguous bytes.
struct StridedBytes {
  int64_t offset = 0; ///< of the first row
  int64_t run = 0;    ///< bytes per row
  int64_t pitch = 0;  ///< distance between rows
  int64_t rows = 1;

  int64_t bytes() const { return run * rows; }
  bool contiguous() const { return rows == 1 || run == pitch; }
  bool operator==(const StridedBytes &) const = default;
};

/// Packs bytes [begin, end) of the slice `strip` of the array at `from`.
void pack(const void *from, const StridedBytes &strip, int64_t begin,
          int64_t end, void *to);
/// The inverse: unpacks contiguous bytes to bytes [begin, end) of the slice.
void unpack(const void *from, int64_t begin, int64_t end, void *to,
            const StridedBytes &strip);

/// Bytes of member `sender`'s operand that are copied to member `receiver`'s
/// result.
struct Move {
  size_t sender, receiver;
  StridedBytes from, to; ///< equal in bytes()
};

/// A reduction of the same slice of every member's operand, in group order. It
/// is the whole result of the receivers.
struct GroupReduction {
  std::vector<size_t> receivers;
  StridedBytes from;
};

/// All copies and reductions for one result of a collective.
struct Plan {
  std::vector<Move> moves;
  std::vector<GroupReduction> reductions;
  std::vector<size_t> filled; ///< members that receive nothing
};

/// The plan for result `number` of `what`. `roots` holds each member's roots of
/// all results, for kinds that have roots. User failure if the sizes do not
/// match the group.
Result<Plan> plan_result(const Collective &what,
                         const Rendezvous &rendezvous_state, size_t number,
                         const std::vector<std::vector<int32_t>> &roots);

/// A member's roots of the results: zeros unless the collective has them as an
/// operand.
std::vector<int32_t> roots_of(const CollectiveCall &call);

/// Copies received values to the results. `name` identifies the collective in
/// failures about wrong counts or sizes.
Status accept(const CollectiveCall &call, const Transfer &transfer,
              const std::string &name);

/// Fills the results of a process that receives nothing.
void fill_results(const CollectiveCall &call);
void fill_result(const CollectiveCall &call, size_t number);

} // namespace xlac::runtime
