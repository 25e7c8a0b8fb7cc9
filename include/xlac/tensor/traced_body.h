// Functions of the user's whose calls are looked at as a whole: those that run
// under a checkpoint, and the bodies of branches and loops that become part of
// a program. A body is differentiated by its values, so what gradients must not
// follow in it (detached tensors, what NoGradGuard guards) is marked among
// them.
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

/// While it lives, the tensors that recorded calls of this thread fetch are
/// listed. Lists nest; an outer one has what an inner one has.
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

/// The regions of one branch or loop while the running call traces them. Where
/// the thread is not recording it does nothing.
class TracedBody {
public:
  TracedBody() = default;
  TracedBody(const TracedBody &) = delete;
  TracedBody &operator=(const TracedBody &) = delete;

  /// Lives while a region is traced. Calls in it are recorded lazily, in eager
  /// mode too.
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

  /// The innermost one whose region this thread is tracing, or null.
  static TracedBody *innermost();

  /// Tensors for the arguments of a region. Where the thread is recording, a
  /// gradient may be asked for of each that is `wanted`.
  std::vector<Tensor> arguments(const std::vector<graph::Value> &values,
                                const std::vector<Dtype> &dtypes, Device device,
                                const std::vector<bool> &wanted);

  /// What a call in the region is to use as `tensor`, which holds `value`: no
  /// other tensor's value if it requires a gradient, else one that passes none
  /// on to such a value.
  graph::Value fetch(const std::shared_ptr<detail::TensorImpl> &tensor,
                     graph::Value value);

  /// True if calls in a region have fetched a tensor from outside, or a view of
  /// one, that requires a gradient.
  bool fetched_followed() const;

  /// Which of the `results` of a loop's body gradients follow after all rounds.
  /// The first results become the values of `carried` in the next round;
  /// `initially` says which of those require a gradient before the first one.
  std::vector<bool> followed_results(const std::vector<Tensor> &results,
                                     const std::vector<graph::Value> &carried,
                                     const std::vector<bool> &initially) const;

  /// Notes as operands of the running call what `node`, made of the regions,
  /// uses from outside.
  void note_captured(const graph::Node &node);
  /// True if that will note a tensor that requires a gradient.
  bool captures_followed(const graph::Node &node) const;

private:
  struct Owner {
    const detail::TensorImpl *tensor;
    bool followed; ///< requires a gradient
    bool ends;     ///< comes from outside, or is a leaf that a region made
  };
  std::vector<Operand> captured_by(const graph::Node &node) const;
  /// What the gradient of a result flows to.
  struct Sources {
    std::vector<size_t> carried; ///< positions among the carried values
    bool others = false;         ///< tensors that the loop does not carry
  };
  Sources sources_of(const graph::Value &result,
                     const std::vector<graph::Value> &carried) const;
  bool carries_gradient(const graph::Value &value);
  bool is_followed(const graph::Value &value) const;
  /// True if no region made the tensor, or what it is a view of.
  bool is_from_outside(const detail::TensorImpl &tensor) const;
  /// True for a leaf that a region made: gradients end there.
  bool is_leaf_within(const std::shared_ptr<detail::TensorImpl> &tensor) const;
  bool is_taken(const std::shared_ptr<detail::TensorImpl> &tensor,
                const graph::Value &value) const;

  std::vector<Operand> fetched_;
  /// Places in fetched_, by tensor and what it held.
  std::map<const detail::TensorImpl *,
           std::map<graph::Value, size_t, graph::ValueOrder>>
      known_;
  /// Who has a value already.
  std::map<graph::Value, Owner, graph::ValueOrder> owner_;
  /// Values of tensors that require a gradient and come from outside, are
  /// arguments, or are leaves that a region made. Those of bodies within count.
  std::set<graph::Value, graph::ValueOrder> ends_;
  /// What carries_gradient() has found.
  std::unordered_map<const graph::Node *, bool> carries_;
  int64_t first_ = INT64_MAX; ///< least id of a tensor made in a region
  TracedBody *outer_ = nullptr;
};

/// What the call that fetches `value` for `tensor` is to use where it runs in
/// traced bodies or under checkpoints.
graph::Value value_in_bodies(const std::shared_ptr<detail::TensorImpl> &tensor,
                             graph::Value value);

} // namespace xlac::frontend
