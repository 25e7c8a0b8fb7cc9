// Records which tensors a traced user function fetches: functions under a
// checkpoint, and the bodies of branches and loops that become regions of a
// program. Regions are differentiated by their values. So values that must not
// pass gradients (of detached tensors or under NoGradGuard) are marked in the
// graph.
#pragma once

#include "xlac/graph/substitute.h"
#include "xlac/lazy/session.h"
#include "xlac/tensor/recorder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace xlac::frontend {

/// During its lifetime, lists the tensors that recorded calls of this thread
/// fetch. Lists nest; an outer list includes the tensors of inner ones.
class FetchedTensors {
public:
  FetchedTensors();
  ~FetchedTensors();
  FetchedTensors(const FetchedTensors &) = delete;
  FetchedTensors &operator=(const FetchedTensors &) = delete;
  const std::vector<Tensor> &list() const { return list_; }
  void add(const std::shared_ptr<detail::TensorImpl> &tensor);

private:
  std::vector<Tensor> list_;
  std::unordered_set<const detail::TensorImpl *> known_;
  FetchedTensors *outer_;
};

/// The regions of one branch or loop while the running call traces them. It has
/// no effect when the thread is not recording.
class TracedBody {
public:
  TracedBody() = default;
  TracedBody(const TracedBody &) = delete;
  TracedBody &operator=(const TracedBody &) = delete;

  /// Lives while a region is traced. Calls in the region are recorded lazily,
  /// in eager mode too.
  class Region {
  public:
    explicit Region(TracedBody &body);
    ~Region();
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

  private:
    OperandScope calls_;
    std::optional<lazy::RecordingScope> lazily_;
    TracedBody *outer_;
  };

  /// Returns the innermost body whose region this thread is tracing, or null.
  static TracedBody *innermost();

  /// Makes tensors for the arguments of a region. When the thread is recording,
  /// each argument that is `wanted` and differentiable requires a gradient.
  std::vector<Tensor> arguments(const std::vector<graph::Value> &values,
                                const std::vector<Dtype> &dtypes, Device device,
                                const std::vector<bool> &wanted);

  /// Returns the value that a call in the region uses for `tensor`, which holds
  /// `value`. If the tensor requires a gradient, no other tensor has this
  /// value. Otherwise the value passes no gradient on to a tensor that requires
  /// one.
  graph::Value fetch(const std::shared_ptr<detail::TensorImpl> &tensor,
                     graph::Value value);

  /// True if calls in a region have fetched a tensor from outside, or a view of
  /// one, that requires a gradient.
  bool fetched_followed() const;

  /// Returns which of the `results` of a loop's body have gradients after all
  /// iterations. The first results become the values of `carried` in the next
  /// iteration. `initially` says which carried values require a gradient before
  /// the first iteration.
  std::vector<bool> followed_results(const std::vector<Tensor> &results,
                                     const std::vector<graph::Value> &carried,
                                     const std::vector<bool> &initially) const;

  /// Records the captured operands of `node`, made of the regions, as operands
  /// of the running call.
  void note_captured(const graph::Node &node);
  /// True if note_captured() would record a tensor that requires a gradient.
  bool captures_followed(const graph::Node &node) const;

private:
  struct Owner {
    const detail::TensorImpl *tensor;
    bool followed;     ///< requires a gradient
    bool ends = false; ///< comes from outside, or is a leaf that a region made
  };
  std::vector<Operand> captured_by(const graph::Node &node) const;
  /// The values to which the gradient of a result flows.
  struct Sources {
    std::vector<size_t> carried; ///< indices into the carried values
    bool others = false;         ///< tensors that the loop does not carry
  };
  Sources sources_of(const graph::Value &result,
                     const std::vector<graph::Value> &carried) const;
  bool carries_gradient(const graph::Value &value);
  bool is_followed(const graph::Value &value) const;
  /// True if neither the tensor nor its base was made in a region.
  bool is_from_outside(const detail::TensorImpl &tensor) const;
  /// True for a leaf that a region made: gradients end there.
  bool is_leaf_within(const std::shared_ptr<detail::TensorImpl> &tensor) const;
  bool is_taken(const std::shared_ptr<detail::TensorImpl> &tensor,
                const graph::Value &value) const;

  std::vector<Operand> fetched_;
  /// Index into fetched_, by tensor and the value that it held.
  std::map<const detail::TensorImpl *,
           std::map<graph::Value, size_t, graph::ValueOrder>>
      known_;
  /// The tensor that uses a value.
  std::map<graph::Value, Owner, graph::ValueOrder> owner_;
  /// Values of tensors that require a gradient and come from outside, are
  /// arguments, or are leaves that a region made. Includes those of nested
  /// bodies.
  std::set<graph::Value, graph::ValueOrder> ends_;
  /// Memoized results of carries_gradient().
  std::unordered_map<const graph::Node *, bool> carries_;
  int64_t first_ = INT64_MAX; ///< least id of a tensor made in a region
  TracedBody *outer_ = nullptr;
};

/// Lists `tensor` for checkpoints, as a recorded call that fetches it does.
void note_fetched(const std::shared_ptr<detail::TensorImpl> &tensor);

/// Returns the value that a call uses for `tensor`, which holds `value`.
/// Applies the rules of the innermost traced body, and lists the tensor for
/// checkpoints.
graph::Value value_in_bodies(const std::shared_ptr<detail::TensorImpl> &tensor,
                             graph::Value value);

} // namespace xlac::frontend
