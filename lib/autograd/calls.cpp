// The node of a recorded call. It saves the values from operands to results and
// differentiates them when gradients arrive.
#include "differentiate.h"
#include "tape.h"
#include "values.h"

#include "xlac/tensor/operand_values.h"

#include <algorithm>

namespace xlac::autograd {

using frontend::TensorAccess;
using graph::Value;
using xlac::detail::TensorImpl;

namespace {

/// The version of a result when it was made.
struct Made {
  std::shared_ptr<const std::atomic<uint64_t>> counter;
  uint64_t version;
  Value value = {}; ///< on the cpu, unless it is a view: its value
};

class RecordedCall final : public GradNode {
public:
  RecordedCall(std::string name, std::vector<Saved> operands,
               std::vector<Value> values, const std::vector<Tensor> &results);

  std::string name() const override { return name_; }
  std::vector<Tensor> apply(std::vector<Tensor> grads) override;
  void release() override;
  void ignore_later_writes() { ignores_writes_ = true; }
  void excuse(const std::atomic<uint64_t> &counter,
              frontend::SavedValues *kept);

private:
  std::vector<Value> operand_values() const;
  void take_computed_operands();
  void change_operands(const graph::Replacements &changes);
  std::vector<Value> fetch(const std::vector<Tensor> &grads,
                           std::vector<Saved> *saved) const;
  void check_versions(const std::vector<Value> &results,
                      const std::vector<Value> &cotangents);
  graph::Replacements saved_results() const;
  std::vector<Tensor> wrap(const std::vector<Value> &values,
                           std::vector<Saved> grads);

  std::string name_;
  Device device_;
  std::vector<Saved> operands_;
  std::vector<Value> values_;
  std::vector<Made> made_;
  bool uses_values_ = false, released_ = false, ignores_writes_ = false;
};

RecordedCall::RecordedCall(std::string name, std::vector<Saved> operands,
                           std::vector<Value> values,
                           const std::vector<Tensor> &results)
    : name_(std::move(name)), device_(results[0].device()),
      operands_(std::move(operands)), values_(std::move(values)) {
  for (const Saved &operand : operands_)
    edges.push_back(operand.edge);
  for (const Tensor &result : results) {
    outputs.push_back(grad_type(result));
    TensorImpl &impl = frontend::impl_of(result);
    made_.push_back({impl.version_counter(), impl.version()});
    if (device_.type == kCPU && !impl.base)
      made_.back().value = impl.storage->value();
  }
}

std::vector<Value> RecordedCall::operand_values() const {
  std::vector<Value> values;
  for (const Saved &operand : operands_)
    values.push_back(operand.value);
  return values;
}

/// Returns the value that a sync has since computed for the operand. Returns
/// null if there is none, or if the tensor was written to since.
static Value computed_value(const Saved &operand) {
  std::shared_ptr<TensorImpl> tensor = operand.tensor.lock();
  if (!operand.checked || !tensor || tensor->version() != operand.version ||
      tensor->device().type != kXLA ||
      frontend::undistinguished(operand.value).node->kind() ==
          graph::NodeKind::Parameter ||
      tensor->storage->value().node->kind() != graph::NodeKind::Parameter)
    return {};
  return frontend::undistinguished(tensor->value());
}

/// Replaces operands that a sync has since computed by their computed values,
/// so that backward does not compute them again.
void RecordedCall::take_computed_operands() {
  graph::Replacements computed;
  for (const Saved &operand : operands_)
    if (Value now = computed_value(operand))
      if (Value was = frontend::undistinguished(operand.value); !(now == was))
        computed.emplace(std::move(was), std::move(now));
  change_operands(computed);
}

void RecordedCall::change_operands(const graph::Replacements &changes) {
  graph::Replacements changed =
      frontend::distinct_operands(operand_values(), changes);
  if (changed.empty())
    return;
  for (Saved &operand : operands_)
    operand.value = changed.at(operand.value);
  values_ = graph::substitute(values_, std::move(changed));
}

/// Returns the values of the incoming gradients. When gradients are recorded,
/// each value is made distinct from the operands and appended to `saved`.
std::vector<Value> RecordedCall::fetch(const std::vector<Tensor> &grads,
                                       std::vector<Saved> *saved) const {
  std::vector<Value> values(grads.size());
  std::vector<Value> taken = operand_values();
  for (size_t i = 0; i < grads.size(); ++i) {
    if (!grads[i].defined())
      continue;
    values[i] = frontend::value_on(grads[i], device_);
    if (!saved)
      continue;
    if (std::find(taken.begin(), taken.end(), values[i]) != taken.end())
      values[i] = frontend::make_distinct(values[i]);
    taken.push_back(values[i]);
    saved->push_back(save(grads[i], values[i]));
  }
  return values;
}

/// Throws UserError if a tensor that backward needs was written to since the
/// forward pass, unless such writes are ignored.
void RecordedCall::check_versions(const std::vector<Value> &results,
                                  const std::vector<Value> &cotangents) {
  std::vector<Value> targets = operand_values();
  targets.insert(targets.end(), values_.begin(), values_.end());
  std::vector<bool> used = used_by(results, targets, cotangents);
  uses_values_ = std::find(used.begin(), used.end(), true) != used.end();
  if (ignores_writes_)
    return;
  auto complain = [&](const GradType &type, uint64_t is, uint64_t was) {
    raise<UserError>(
        "one of the variables needed for gradient computation has been "
        "modified by an inplace operation: a tensor of shape " +
        frontend::to_text(type.sizes) + " that " + name_ +
        " uses is at version " + std::to_string(is) + "; expected version " +
        std::to_string(was));
  };
  for (size_t i = 0; i < operands_.size(); ++i)
    if (const Saved &o = operands_[i];
        used[i] && o.checked && *o.counter != o.version)
      complain(o.type, *o.counter, o.version);
  for (size_t i = 0; i < made_.size(); ++i)
    if (used[operands_.size() + i] && *made_[i].counter != made_[i].version)
      complain(outputs[i], *made_[i].counter, made_[i].version);
}

/// On the cpu, maps values of results to their saved data if an operand was
/// overwritten: recomputing the results would use the new operand.
graph::Replacements RecordedCall::saved_results() const {
  graph::Replacements kept;
  bool overwritten =
      std::any_of(operands_.begin(), operands_.end(), [](const Saved &o) {
        return o.checked && o.counter && *o.counter != o.version;
      });
  if (overwritten)
    for (size_t i = 0; i < made_.size(); ++i)
      if (made_[i].value)
        kept.emplace(values_[i], made_[i].value);
  return kept;
}

std::vector<Tensor> RecordedCall::wrap(const std::vector<Value> &values,
                                       std::vector<Saved> grads) {
  std::vector<Value> present;
  std::vector<Dtype> dtypes;
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i]) {
      present.push_back(values[i]);
      dtypes.push_back(operands_[i].type.dtype);
    }
  std::vector<Tensor> tensors(values.size());
  if (present.empty())
    return tensors;
  graph::Replacements kept = saved_results();
  std::vector<Tensor> made = frontend::wrap_all(
      kept.empty() ? present : graph::substitute(present, std::move(kept)),
      device_, dtypes);
  if (frontend::is_recording()) {
    std::vector<Saved> operands = operands_;
    operands.insert(operands.end(), grads.begin(), grads.end());
    // A gradient that does not depend on the operands is a constant.
    std::vector<Value> targets;
    for (const Saved &operand : operands)
      targets.push_back(operand.value);
    std::vector<bool> used = used_by(present, targets, {});
    for (size_t i = 0; i < operands.size(); ++i)
      if (!used[i])
        operands[i].edge = {};
    auto node = record_call(name_, std::move(operands), present, made);
    if (node && ignores_writes_)
      autograd::ignore_later_writes(*node);
  }
  for (size_t i = 0, next = 0; i < values.size(); ++i)
    if (values[i])
      tensors[i] = made[next++].to(operands_[i].type.device);
  return tensors;
}

std::vector<Tensor> RecordedCall::apply(std::vector<Tensor> grads) {
  if (released_)
    raise<UserError>(
        "Trying to backward through the graph a second time; the values that " +
        name_ +
        " had saved are freed. Specify retain_graph = true for the first "
        "time.");
  take_computed_operands();
  std::vector<Saved> saved_grads;
  std::vector<Value> cotangents =
      fetch(grads, frontend::is_recording() ? &saved_grads : nullptr);
  std::vector<bool> wanted;
  for (const Saved &operand : operands_)
    wanted.push_back(static_cast<bool>(operand.edge));
  std::vector<Value> results =
      differentiate(values_, cotangents, operand_values(), wanted);
  // If the only result of a call does not depend on an operand, the operand's
  // gradient is zeros, as in PyTorch. So is the gradient of an empty operand.
  for (size_t i = 0; i < results.size(); ++i)
    if (wanted[i] && !results[i] &&
        (outputs.size() == 1 || count_of(operands_[i].value) == 0))
      results[i] = number_like(operands_[i].value, 0);
  check_versions(results, cotangents);
  return wrap(results, std::move(saved_grads));
}

void RecordedCall::release() {
  for (Made &made : made_)
    made.value = {};
  if (uses_values_) {
    released_ = true;
    values_.clear();
    for (Saved &operand : operands_)
      operand.value = {};
    return;
  }
  // A gradient that does not use values, such as that of a sum, may be
  // requested again. So the graph is kept, without the data.
  graph::Replacements placeholders;
  for (Saved &operand : operands_) {
    auto [found, added] = placeholders.try_emplace(operand.value, Value());
    if (added)
      found->second = {graph::Node::make_parameter(operand.value.type()), 0};
    operand.value = found->second;
    operand.checked = false;
  }
  values_ = graph::substitute(values_, std::move(placeholders));
}

void RecordedCall::excuse(const std::atomic<uint64_t> &counter,
                          frontend::SavedValues *kept) {
  if (released_)
    return;
  graph::Replacements copies;
  for (Saved &operand : operands_) {
    if (operand.counter.get() == &counter)
      operand.checked = false;
    Value value = frontend::undistinguished(operand.value);
    if (Value copy = kept ? (*kept)(value) : value; !(copy == value))
      copies.emplace(value, copy);
  }
  change_operands(copies);
}

/// The nodes that the current call of this thread has made so far.
struct CallNodes {
  uint64_t call = 0;
  std::vector<std::weak_ptr<RecordedCall>> nodes;
};
thread_local CallNodes latest;

} // namespace

void ignore_later_writes(GradNode &node) {
  if (auto *call = dynamic_cast<RecordedCall *>(&node))
    call->ignore_later_writes();
}

void excuse_running_call(const std::atomic<uint64_t> &counter,
                         frontend::SavedValues *kept) {
  if (latest.call != frontend::running_call())
    return;
  for (const std::weak_ptr<RecordedCall> &weak : latest.nodes)
    if (auto node = weak.lock())
      node->excuse(counter, kept);
}

std::shared_ptr<GradNode> record_call(std::string name,
                                      std::vector<Saved> operands,
                                      std::vector<Value> values,
                                      const std::vector<Tensor> &results) {
  bool any = std::any_of(operands.begin(), operands.end(),
                         [](const Saved &o) { return bool(o.edge); });
  if (!any)
    return nullptr;
  auto node = std::make_shared<RecordedCall>(
      std::move(name), std::move(operands), std::move(values), results);
  if (latest.call != frontend::running_call())
    latest = {frontend::running_call(), {}};
  latest.nodes.push_back(node);
  for (uint32_t i = 0; i < results.size(); ++i) {
    if (!results[i].is_floating_point() && !results[i].is_complex())
      continue;
    TensorImpl &impl = frontend::impl_of(results[i]);
    state_of(impl).edge = {node, i};
    impl.requires_grad = true;
  }
  return node;
}

} // namespace xlac::autograd
