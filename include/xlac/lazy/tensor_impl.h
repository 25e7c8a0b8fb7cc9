// What a tensor handle refers to: a storage, which aliases share, and how the
// tensor sees it.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/layout.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/view_step.h"
#include "xlac/types.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

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
