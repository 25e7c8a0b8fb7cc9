// The storage that tensors share: a computed or pending graph value on xla
// devices, memory on the cpu.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/lazy/dynamic_sizes.h"
#include "xlac/lazy/layout.h"
#include "xlac/types.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac::lazy {

/// Shared by a tensor and its views. Reading and setting the value are atomic.
class Storage : public std::enable_shared_from_this<Storage> {
  /// Restricts construction to make(), which uses one allocation.
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
  /// Increases with each storage.
  int64_t id() const { return id_; }
  graph::Value value() const;
  /// Changes with every set().
  uint64_t epoch() const { return epoch_; }
  /// Sets a new value: of a write, or the computed value of a pending one.
  void set(graph::Value value);
  /// Replaces `pending` by the parameter that holds its result, unless the
  /// storage was written meanwhile.
  void materialize_into(const graph::Value &pending, graph::Value computed);
  /// The requested SPMD layout of the value, now and after every write; null:
  /// not requested.
  Layout layout() const;
  /// Requests a layout; null removes the request. It is not a write: the value
  /// does not change.
  void lay_out(Layout layout);
  /// The dimensions whose sizes differ between runs, of the value now and after
  /// every write.
  DynamicDimensions dynamic_dimensions() const;
  void mark_dynamic(DynamicDimensions dimensions);
  /// Number of the device data that the storage last held, or 0. A new value
  /// may overwrite that data.
  uint64_t last_data() const { return last_data_; }

private:
  friend class PendingList;
  void set_data_node();

  const Device device_;
  const int64_t id_;
  size_t pending_slot_ = SIZE_MAX; ///< guarded by the device's list
  mutable std::mutex mutex_;
  graph::Value value_;
  Layout layout_;
  DynamicDimensions dynamic_dimensions_;
  std::atomic<uint64_t> epoch_{1};
  std::atomic<uint64_t> last_data_{0};
};

/// The live storages of xla device `index` whose value is pending, oldest
/// first.
std::vector<std::shared_ptr<Storage>> pending_storages(int index);

/// Moves the values pending on `device` in the trace `from` to the trace `to`,
/// or to no trace if `to` is 0.
void hand_over_pending(int device, uint64_t from, uint64_t to);

} // namespace xlac::lazy
