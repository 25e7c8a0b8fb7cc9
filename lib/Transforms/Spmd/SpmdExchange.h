// Plans which rows of a sharded dimension each device gets from the shards of
// other devices: halos, shifts and changes of the size of shards. A plan is
// data; SpmdEmitter::exchange emits it.
#ifndef XLAC_LIB_TRANSFORMS_SPMDEXCHANGE_H
#define XLAC_LIB_TRANSFORMS_SPMDEXCHANGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace xlac::transforms {

/// A dimension of a value as shards: `pieces` shards of `shard` rows, with
/// padding after row `size`. One piece means that each device has all rows. If
/// there are more devices than pieces, `copies` adjacent devices have the same
/// piece.
struct SourceRows {
  int64_t size = 0, shard = 0, pieces = 1, copies = 1;
};

/// The rows that each device needs: `starts[i]` is the position, in the
/// complete dimension, of the first of `length` rows of device i. Only rows in
/// [first, limit) are wanted. Positions may be negative or beyond the end.
struct NeededRows {
  llvm::SmallVector<int64_t> starts;
  int64_t length = 0;
  int64_t first = 0, limit = 0;
};

/// `size` rows of the shard of device `source`, from row `from` on, become rows
/// `to` and following of device `target`.
struct RowTransfer {
  int64_t target, source, from, to, size;
};

/// Transfers at the same time: each device sends and receives at most once.
/// Every transfer moves `size` rows, which may be more than it needs.
struct ExchangeRound {
  int64_t size = 0;
  bool isLocal = false; ///< every device takes rows from its own shard
  llvm::SmallVector<RowTransfer> transfers;
};

class ExchangePlan {
public:
  /// Plans buffers of `length` rows for `targets` devices.
  ExchangePlan(SourceRows source, int64_t targets, int64_t length)
      : source(source), targets(targets), length(length) {}
  ExchangePlan(SourceRows source, const NeededRows &needed);

  /// Adds rows that each device needs. Parts of one plan must not overlap in
  /// any device's buffer.
  void add(const NeededRows &needed) { add(needed, source, 0); }
  /// The same for rows of a value whose shards, of `part`, are the rows from
  /// `base` on of the shards of this plan.
  void add(const NeededRows &needed, const SourceRows &part, int64_t base);
  /// Distributes the transfers over rounds, the fewest ones if all transfers
  /// have one size. No part can be added afterwards.
  void schedule();

  /// Returns how many rows a device receives from others, at most.
  int64_t rowsReceived() const;
  /// Returns the rows of a device's buffer that the plan fills, as first and
  /// limit. Valid for plans of one part.
  std::pair<int64_t, int64_t> filled(int64_t target) const;
  /// Returns whether the plan fills all rows of all buffers. Valid for plans
  /// of one part.
  bool fillsAll() const;
  /// Returns whether rows that the plan does not fill are zeros. Valid for
  /// plans of one part.
  bool leavesZeros() const;
  /// Returns whether each device gets the rows that it has.
  bool isIdentity() const;
  /// Returns whether all transfers of each round have equal offsets, and
  /// rounds fill different rows.
  bool isUniform() const;

  SourceRows source;
  int64_t targets, length;
  unsigned parts = 0;
  llvm::SmallVector<ExchangeRound> rounds; ///< a local one first, if any

private:
  /// Adds a transfer to a round, which it fits at least so well: 2 for equal
  /// offsets, 1 for the same distance, 0 for any.
  void place(const RowTransfer &transfer, int leastFit);
  void spreadEqual();

  llvm::SmallVector<RowTransfer> all;
};

} // namespace xlac::transforms

#endif
