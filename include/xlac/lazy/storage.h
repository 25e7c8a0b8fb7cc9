// The storage that tensors share. On xla devices it holds a graph value,
// computed or pending; on the cpu it holds memory.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/lazy/layout.h"
#include "xlac/types.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac::lazy {

/// Shared by a tensor and its views. Reads and writes of the value are atomic.
class Storage : public std::enable_shared_from_this<Storage> {
  /// Storages are made by make() alone, in one allocation.
  class Key {
    friend class Storage;
    Key() = default;
  };

public:
  Storage(Key, Device device, graph::Value value);
  static std::shared_ptr<Storage> make(Device device, graph::Value value);
  ~Storage();
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;

  Device device() const { return device_; }
  /// Counts up with each storage made.
  int64_t id() const { return id_; }
  graph::Value value() const;
  /// Changes with every set.
  uint64_t epoch() const { return epoch_; }
  /// A new value: of a write, or what a pending one came out as.
  void set(graph::Value value);
  /// Replaces `pending` by the parameter it was computed into, unless the
  /// storage was written meanwhile.
  void materialize_into(const graph::Value &pending, graph::Value computed);
  /// How SPMD was asked to lay out what the storage holds, now and after any
  /// write; null: as it comes.
  Layout layout() const;
  /// Asks for that, or with null for nothing any more. No write: the value
  /// stays what it is.
  void lay_out(Layout layout);
  /// Number of the device data that the storage last held, or 0: what a new
  /// value may overwrite.
  uint64_t last_data() const { return last_data_; }

private:
  friend class PendingList;
  void set_data_node();

  const Device device_;
  const int64_t id_;
  size_t pending_slot_ = SIZE_MAX; ///< in the device's list, which guards it
  mutable std::mutex mutex_;
  graph::Value value_;
  Layout layout_;
  std::atomic<uint64_t> epoch_{1};
  std::atomic<uint64_t> last_data_{0};
};

/// The live storages of xla device `index` that wait for a value, oldest
/// first.
std::vector<std::shared_ptr<Storage>> pending_storages(int index);

/// What the trace `from` has left pending on `device` is of the trace `to` now,
/// or of none if that is 0.
void hand_over_pending(int device, uint64_t from, uint64_t to);

} // namespace xlac::lazy
