// The object behind a tensor handle: a storage, which aliases share, and the
// tensor's view of it.
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

/// State that the autograd component attaches to a tensor.
struct AutogradState {
  virtual ~AutogradState() = default;
};

class TensorImpl : public std::enable_shared_from_this<TensorImpl> {
public:
  TensorImpl(std::shared_ptr<lazy::Storage> storage, Dtype dtype, Shape sizes);

  Device device() const { return storage->device(); }
  /// Strides in elements, one per dimension: of the memory for a cpu view, else
  /// dense.
  Shape strides() const;
  /// Sets other sizes, with dense strides.
  void lay_densely(Shape new_sizes);
  /// The current value of the tensor, with views applied.
  graph::Value value();
  /// Overwrites the elements of the tensor; `value` has its type. UserError if
  /// several indices refer to the same element.
  void write(graph::Value value);
  /// The new value of the storage that holds `before` after `part`, of the
  /// tensor's type, is written to the tensor. UserError as in write().
  graph::Value placed(const graph::Value &before, graph::Value part) const;
  /// Makes `whole` the value of an xla storage; counts as a write.
  void store(graph::Value whole);
  /// A view of this tensor through `step`. `strides` and `offset` describe cpu
  /// memory.
  std::shared_ptr<TensorImpl> view(lazy::ViewStep step, Shape strides,
                                   int64_t offset) const;
  /// A tensor that shares the memory, but without gradients to this tensor.
  /// With `own_version`, writes through one do not change the version of the
  /// other.
  std::shared_ptr<TensorImpl> detached(bool own_version) const;
  /// Number of writes through this tensor, its views and tensors made by
  /// detach().
  uint64_t version() const { return *version_; }
  std::shared_ptr<const std::atomic<uint64_t>> version_counter() const {
    return version_;
  }
  /// Makes this tensor refer to the data of `other`, which has the same dtype
  /// and device.
  void show(const TensorImpl &other);
  /// Stores the computed value of a pending view.
  void materialize_into(const graph::Value &pending, graph::Value computed);

  std::shared_ptr<lazy::Storage> storage;
  std::vector<lazy::ViewStep> steps;
  /// The layout requested for a view under SPMD. For a tensor that covers its
  /// storage, the storage has the layout.
  lazy::Layout view_layout;
  Dtype dtype;
  Shape sizes;
  int64_t offset = 0;
  /// Whether the tensor shows the complex conjugates of what its steps other
  /// than Conj show. On the cpu that is what its memory holds.
  bool conjugated = false;
  /// Of the imaginary parts of such a tensor: the memory holds their negatives.
  bool negated = false;
  int64_t id;
  /// A lower bound of the `id` of tensors made from now on.
  static int64_t id_of_next();
  /// Set on leaves by the user, on results because of their operands.
  bool requires_grad = false;
  /// Same as requires_grad, but also true for views of a tensor that a later
  /// write made require a gradient.
  bool needs_grad() const {
    return requires_grad ||
           (base && base->requires_grad && recorded_at != version());
  }
  /// For a view: the tensor at which its steps start.
  std::shared_ptr<TensorImpl> base;
  /// For a view: the version that its gradient function belongs to.
  uint64_t recorded_at = 0;
  std::unique_ptr<AutogradState> autograd;

private:
  TensorType type() const;
  /// From what memory holds to what the tensor shows, and back.
  graph::Value shown(graph::Value elements) const;
  void write_memory(const host::Literal &elements);

  Shape strides_; ///< empty if dense
  std::shared_ptr<std::atomic<uint64_t>> version_ =
      std::make_shared<std::atomic<uint64_t>>(0);
  std::mutex mutex_;
  graph::Value cached_;
  uint64_t cached_epoch_ = 0;
};

} // namespace xlac::detail
