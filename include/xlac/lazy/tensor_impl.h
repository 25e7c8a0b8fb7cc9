// What is behind a tensor handle: storage that aliases share, and how a view
// sees it. On xla devices a storage holds a graph value, computed or pending;
// on the cpu it holds memory.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/view_step.h"
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

/// On the cpu in-place results go into the memory that data_ptr() shows.
graph::Value host_value(host::Literal literal);
const host::Literal &host_literal(const graph::Value &value);

} // namespace xlac::lazy

namespace xlac::detail {

/// What the autograd component keeps of a tensor.
struct AutogradState {
  virtual ~AutogradState() = default;
};

class TensorImpl : public std::enable_shared_from_this<TensorImpl> {
public:
  TensorImpl(std::shared_ptr<lazy::Storage> storage, Dtype dtype, Shape sizes);

  Device device() const { return storage->device(); }
  /// In elements, one a dimension: of a cpu view those of its memory, else
  /// dense.
  Shape strides() const;
  /// Other sizes, with dense strides.
  void lay_densely(Shape new_sizes);
  /// The tensor's value now, views applied.
  graph::Value value();
  /// Overwrites what the tensor shows; `value` has its type. UserError when the
  /// tensor shows one element several times.
  void write(graph::Value value);
  /// What the storage that holds `before` holds after `part`, of the tensor's
  /// type, was written to what the tensor shows. UserError as of write().
  graph::Value placed(const graph::Value &before, graph::Value part) const;
  /// Makes `whole` the value of an xla storage; counts as a write.
  void store(graph::Value whole);
  /// A tensor that sees this one through `step`. `strides` and `offset` are
  /// those of cpu memory.
  std::shared_ptr<TensorImpl> view(lazy::ViewStep step, Shape strides,
                                   int64_t offset) const;
  /// A tensor of the same memory that gradients do not follow to this one.
  /// With `own_version` writes through one do not count for the other.
  std::shared_ptr<TensorImpl> detached(bool own_version) const;
  /// Writes so far through this tensor, its views and what detach() made.
  uint64_t version() const { return *version_; }
  std::shared_ptr<const std::atomic<uint64_t>> version_counter() const {
    return version_;
  }
  /// Shows what `other` shows, in its storage; dtype and device are the same.
  void show(const TensorImpl &other);
  /// Keeps what a view's value came out as.
  void materialize_into(const graph::Value &pending, graph::Value computed);

  std::shared_ptr<lazy::Storage> storage;
  std::vector<lazy::ViewStep> steps;
  /// Of a view under SPMD: how it was asked to lie. The storage knows it of a
  /// tensor that shows all of it.
  lazy::Layout view_layout;
  Dtype dtype;
  Shape sizes;
  int64_t offset = 0;
  int64_t id;
  /// At least this is the `id` of each tensor made from now on.
  static int64_t id_of_next();
  /// Set on leaves by their user, on results because of their operands.
  bool requires_grad = false;
  /// As requires_grad; views of what came to require it by a write do too.
  bool needs_grad() const {
    return requires_grad ||
           (base && base->requires_grad && recorded_at != version());
  }
  /// Of a view: the tensor that all steps start from.
  std::shared_ptr<TensorImpl> base;
  /// Of a view: the version that its gradient function belongs to.
  uint64_t recorded_at = 0;
  std::unique_ptr<AutogradState> autograd;

private:
  TensorType type() const;
  void write_memory(const host::Literal &elements);

  Shape strides_; ///< empty where dense
  std::shared_ptr<std::atomic<uint64_t>> version_ =
      std::make_shared<std::atomic<uint64_t>>(0);
  std::mutex mutex_;
  graph::Value cached_;
  uint64_t cached_epoch_ = 0;
};

} // namespace xlac::detail
