#include "xlac/tensor/traced_body.h"

#include "xlac/lazy/dtypes.h"
#include "xlac/lazy/session.h"
#include "xlac/lazy/storage.h"
#include "xlac/tensor/operand_values.h"
#include "xlac/tensor/tensor_access.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace xlac::frontend {

using detail::TensorAccess;
using detail::TensorImpl;
using graph::Value;

static thread_local FetchedTensors *innermost_list = nullptr;
static thread_local TracedBody *innermost_body = nullptr;

//===- FetchedTensors -----------------------------------------------------===//

FetchedTensors::FetchedTensors()
    : outer_(std::exchange(innermost_list, this)) {}

FetchedTensors::~FetchedTensors() { innermost_list = outer_; }

void FetchedTensors::add(const std::shared_ptr<TensorImpl> &tensor) {
  for (FetchedTensors *list = this; list; list = list->outer_)
    if (list->known_.insert(tensor.get()).second)
      list->list_.push_back(TensorAccess::wrap(tensor));
}

//===- TracedBody ---------------------------------------------------------===//

TracedBody::Region::Region(TracedBody &body)
    : outer_(std::exchange(innermost_body, &body)) {
  body.outer_ = outer_;
  body.first_ = std::min(body.first_, TensorImpl::id_of_next());
  // The region's arguments have no values, so calls in it cannot run eagerly.
  if (!lazy::RecordingScope::current())
    lazily_.emplace(lazy::ScopeOptions());
}

TracedBody::Region::~Region() { innermost_body = outer_; }

TracedBody *TracedBody::innermost() { return innermost_body; }

static bool is_differentiable(ElementType element) {
  return is_float(element) || is_complex(element);
}

static bool is_differentiable(const TensorImpl &impl) {
  return is_differentiable(lazy::element_type(impl.dtype));
}

std::vector<Tensor> TracedBody::arguments(const std::vector<Value> &values,
                                          const std::vector<Dtype> &dtypes,
                                          Device device,
                                          const std::vector<bool> &wanted) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < values.size(); ++i) {
    auto make = [&] {
      return TensorAccess::wrap(
          std::make_shared<TensorImpl>(lazy::Storage::make(device, values[i]),
                                       dtypes[i], values[i].tensor().dims));
    };
    Tensor argument = make();
    // The argument must not be a leaf, since the body could not write to it.
    if (wanted[i] && is_recording() && recorder() &&
        is_differentiable(*TensorAccess::impl(argument))) {
      Operand leaf{TensorAccess::impl(make()), values[i]};
      leaf.tensor->requires_grad = true;
      recorder()->record({&leaf, 1}, {&values[i], 1}, {&argument, 1});
    }
    // Must be recorded before a tensor that was detached from it is fetched.
    if (TensorAccess::impl(argument)->requires_grad) {
      fetch(TensorAccess::impl(argument), values[i]);
      ends_.insert(values[i]);
    }
    tensors.push_back(std::move(argument));
  }
  return tensors;
}

bool TracedBody::fetched_followed() const {
  return std::any_of(
      fetched_.begin(), fetched_.end(), [&](const Operand &operand) {
        return operand.tensor->needs_grad() && is_from_outside(*operand.tensor);
      });
}

bool TracedBody::is_taken(const std::shared_ptr<TensorImpl> &tensor,
                          const Value &value) const {
  for (const TracedBody *body = this; body; body = body->outer_)
    if (auto found = body->owner_.find(value);
        found != body->owner_.end() && found->second.tensor != tensor.get())
      return true;
  std::span<const Operand> noted = all_noted_operands();
  return std::any_of(noted.begin(), noted.end(), [&](const Operand &operand) {
    return operand.value == value && operand.tensor != tensor;
  });
}

/// Returns the operands of `node` and the values that its regions capture.
static std::vector<Value> outside_of(const graph::Node &node) {
  std::vector<Value> values(node.operands().begin(), node.operands().end());
  for (const graph::Block &region : node.regions())
    graph::add_captures(region, values);
  return values;
}

bool TracedBody::is_followed(const Value &value) const {
  for (const TracedBody *body = this; body; body = body->outer_)
    if (auto found = body->owner_.find(value); found != body->owner_.end())
      return found->second.followed;
  return false;
}

/// True if a running call uses `value` for a tensor that requires a gradient,
/// such as the argument of a branch that the branch detaches.
static bool is_followed_operand(const Value &value) {
  std::span<const Operand> noted = all_noted_operands();
  return std::any_of(noted.begin(), noted.end(), [&](const Operand &operand) {
    return operand.value == value && operand.tensor->needs_grad();
  });
}

/// Whether a path from `value` back through the graph reaches the value of a
/// tensor that requires a gradient. A value that was fetched before such a
/// tensor needs no mark: the tensor has a distinct value, and the path ends at
/// the first one as an operand.
bool TracedBody::carries_gradient(const Value &value) {
  struct Frame {
    const graph::Node *node;
    std::vector<Value> uses;
    size_t next = 0;
    bool carries = false;
  };
  std::vector<Frame> stack;
  // Returns whether the value carries a gradient if that is known; otherwise
  // pushes its node on the stack.
  auto ask = [&](const Value &asked) -> std::optional<bool> {
    if (is_followed(asked))
      return true;
    const graph::Node *node = asked.node.get();
    if (passes_no_gradient(*node))
      return false;
    if (auto found = carries_.find(node); found != carries_.end())
      return found->second;
    stack.push_back({node, outside_of(*node)});
    return std::nullopt;
  };
  if (auto known = ask(value))
    return *known;
  bool last = false;
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.carries || frame.next == frame.uses.size()) {
      last = carries_[frame.node] = frame.carries;
      stack.pop_back();
      continue;
    }
    Value use = frame.uses[frame.next];
    if (auto known = ask(use)) {
      stack.back().carries |= *known;
      ++stack.back().next;
    }
  }
  return last;
}

bool TracedBody::is_from_outside(const TensorImpl &tensor) const {
  return tensor.id < first_ || (tensor.base && tensor.base->id < first_);
}

bool TracedBody::is_leaf_within(
    const std::shared_ptr<TensorImpl> &tensor) const {
  return tensor->id >= first_ && tensor->requires_grad && recorder() &&
         recorder()->gradient_function(TensorAccess::wrap(tensor)).empty();
}

Value TracedBody::fetch(const std::shared_ptr<TensorImpl> &tensor,
                        Value value) {
  if (!is_differentiable(*tensor))
    return value;
  auto [known, added] =
      known_[tensor.get()].try_emplace(value, fetched_.size());
  if (!added)
    return fetched_[known->second].value;
  Value used = value;
  bool followed = tensor->needs_grad();
  if (!followed || is_leaf_within(tensor)) {
    if (carries_gradient(value) || is_followed_operand(value))
      used = without_gradient(value);
  } else if (is_taken(tensor, value)) {
    used = make_distinct(value);
  }
  owner_.try_emplace(used, Owner{tensor.get(), followed});
  for (TracedBody *body = followed ? this : nullptr; body; body = body->outer_)
    if (body->is_from_outside(*tensor) || body->is_leaf_within(tensor))
      body->ends_.insert(used);
  fetched_.push_back({tensor, used});
  return used;
}

/// Returns the elements of fetched_ that the paths from `node` back through the
/// graph reach first. Values that a region computes from captured values only,
/// such as a broadcast, are outside of the region.
std::vector<Operand> TracedBody::captured_by(const graph::Node &node) const {
  std::unordered_set<const graph::Node *> seen;
  std::set<Value, graph::ValueOrder> reached;
  std::vector<Value> next = outside_of(node);
  while (!next.empty()) {
    Value value = std::move(next.back());
    next.pop_back();
    if (owner_.contains(value))
      reached.insert(std::move(value));
    else if (seen.insert(value.node.get()).second)
      for (Value &use : outside_of(*value.node))
        next.push_back(std::move(use));
  }
  std::vector<Operand> captured;
  for (const Operand &operand : fetched_)
    if (reached.contains(operand.value))
      captured.push_back(operand);
  return captured;
}

TracedBody::Sources
TracedBody::sources_of(const Value &result,
                       const std::vector<Value> &carried) const {
  Sources sources;
  std::set<Value, graph::ValueOrder> seen;
  std::vector<Value> next{result};
  while (!next.empty()) {
    Value value = std::move(next.back());
    next.pop_back();
    if (!seen.insert(value).second || !value.type().is_tensor() ||
        !is_differentiable(value.tensor().element) ||
        passes_no_gradient(*value.node))
      continue;
    if (auto found = std::find(carried.begin(), carried.end(), value);
        found != carried.end()) {
      sources.carried.push_back(size_t(found - carried.begin()));
      continue;
    }
    if (ends_.contains(value)) {
      sources.others = true;
      continue;
    }
    for (Value &use : outside_of(*value.node))
      next.push_back(std::move(use));
  }
  return sources;
}

std::vector<bool>
TracedBody::followed_results(const std::vector<Tensor> &results,
                             const std::vector<Value> &carried,
                             const std::vector<bool> &initially) const {
  std::vector<bool> followed(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    followed[i] = TensorAccess::impl(results[i])->needs_grad();
  if (std::find(initially.begin(), initially.end(), false) == initially.end())
    return followed;
  std::vector<Sources> sources(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (followed[i])
      sources[i] = sources_of(TensorAccess::impl(results[i])->value(), carried);
  std::vector<bool> before = initially;
  auto is_followed_from = [&](const Sources &from) {
    return from.others ||
           std::any_of(from.carried.begin(), from.carried.end(),
                       [&](size_t position) { return before[position]; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < carried.size(); ++i)
      if (!before[i] && followed[i] && is_followed_from(sources[i]))
        before[i] = changed = true;
  }
  for (size_t i = 0; i < results.size(); ++i)
    followed[i] = followed[i] && is_followed_from(sources[i]);
  return followed;
}

bool TracedBody::captures_followed(const graph::Node &node) const {
  return any_requires_grad(captured_by(node));
}

void TracedBody::note_captured(const graph::Node &node) {
  for (Operand &operand : captured_by(node)) {
    auto same = [&](const Operand &noted) {
      return noted.tensor == operand.tensor && noted.value == operand.value;
    };
    std::span<const Operand> noted = recorded_operands();
    if (std::any_of(noted.begin(), noted.end(), same))
      continue;
    if (innermost_body) {
      innermost_body->owner_.try_emplace(
          operand.value,
          Owner{operand.tensor.get(), operand.tensor->needs_grad()});
      innermost_body->fetched_.push_back(operand);
    }
    note_exactly(std::move(operand));
  }
}

void note_fetched(const std::shared_ptr<TensorImpl> &tensor) {
  if (innermost_list)
    innermost_list->add(tensor);
}

Value value_in_bodies(const std::shared_ptr<TensorImpl> &tensor, Value value) {
  note_fetched(tensor);
  return innermost_body ? innermost_body->fetch(tensor, std::move(value))
                        : value;
}

} // namespace xlac::frontend
