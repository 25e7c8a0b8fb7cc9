#include "xlac/tensor/traced_body.h"

#include "xlac/tensor/access.h"
#include "xlac/tensor/operand_values.h"

#include <algorithm>
#include <utility>

namespace xlac::front {

using graph::Value;

static thread_local FetchedTensors *innermost_list = nullptr;
static thread_local TracedBody *innermost_body = nullptr;

//===- FetchedTensors -----------------------------------------------------===//

FetchedTensors::FetchedTensors()
    : outer_(std::exchange(innermost_list, this)) {}

FetchedTensors::~FetchedTensors() {
  innermost_list = outer_;
  if (outer_)
    for (const Tensor &tensor : list_)
      outer_->add(TensorAccess::impl(tensor));
}

void FetchedTensors::add(const std::shared_ptr<TensorImpl> &tensor) {
  if (known_.try_emplace(tensor.get(), true).second)
    list_.push_back(TensorAccess::wrap(tensor));
}

//===- TracedBody ---------------------------------------------------------===//

TracedBody::Region::Region(TracedBody &body)
    : outer_(std::exchange(innermost_body, &body)) {
  body.outer_ = outer_;
}

TracedBody::Region::~Region() { innermost_body = outer_; }

TracedBody *TracedBody::innermost() { return innermost_body; }

static bool is_differentiable(const TensorImpl &impl) {
  ElementType element = lazy::element_type(impl.dtype);
  return is_float(element) || is_complex(element);
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
    // No leaf, which the body could not write to.
    if (wanted[i] && is_recording() && recorder() &&
        is_differentiable(impl_of(argument))) {
      Operand leaf{TensorAccess::impl(make()), values[i]};
      leaf.tensor->requires_grad = true;
      recorder()->record({&leaf, 1}, {&values[i], 1}, {&argument, 1});
    }
    first_ = std::min(first_, impl_of(argument).id);
    tensors.push_back(std::move(argument));
  }
  return tensors;
}

bool TracedBody::fetched_followed() const {
  return std::any_of(
      fetched_.begin(), fetched_.end(), [&](const Operand &operand) {
        const std::shared_ptr<TensorImpl> &base = operand.tensor->base;
        return operand.tensor->wants_grad() &&
               (operand.tensor->id < first_ || (base && base->id < first_));
      });
}

bool TracedBody::is_taken(const std::shared_ptr<TensorImpl> &tensor,
                          const Value &value) const {
  for (const TracedBody *body = this; body; body = body->outer_)
    if (auto found = body->owner_.find(value);
        found != body->owner_.end() && found->second != tensor.get())
      return true;
  std::span<const Operand> noted = all_noted_operands();
  return std::any_of(noted.begin(), noted.end(), [&](const Operand &operand) {
    return operand.value == value && operand.tensor != tensor;
  });
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
  if (!tensor->wants_grad()) {
    used = without_gradient(value);
    marks_.emplace(used, value);
  } else if (is_taken(tensor, value)) {
    used = told_apart(value);
  }
  owner_.try_emplace(used, tensor.get());
  fetched_.push_back({tensor, used});
  return used;
}

std::vector<Operand> TracedBody::captured_by(const graph::Node &node) const {
  std::vector<Value> outside(node.operands().begin(), node.operands().end());
  for (const graph::Block &region : node.regions())
    graph::add_captures(region, outside);
  std::map<Value, bool, graph::ValueOrder> set;
  for (const Value &value : outside)
    set.emplace(value, true);
  std::vector<Operand> captured;
  for (const Operand &operand : fetched_)
    if (set.contains(operand.value))
      captured.push_back(operand);
  return captured;
}

bool TracedBody::captures_followed(const graph::Node &node) const {
  return any_requires_grad(captured_by(node));
}

void TracedBody::note_captured(const graph::Node &node) {
  for (Operand &operand : captured_by(node)) {
    auto same = [&](const Operand &noted) {
      return noted.tensor == operand.tensor && noted.value == operand.value;
    };
    std::span<const Operand> noted = noted_operands();
    if (std::any_of(noted.begin(), noted.end(), same))
      continue;
    if (innermost_body) {
      innermost_body->owner_.try_emplace(operand.value, operand.tensor.get());
      innermost_body->fetched_.push_back(operand);
    }
    note_exactly(std::move(operand));
  }
}

std::vector<Value>
TracedBody::without_marks(const std::vector<Value> &values) const {
  return marks_.empty() ? values : graph::substitute(values, marks_);
}

Value value_in_bodies(const std::shared_ptr<TensorImpl> &tensor, Value value) {
  if (innermost_list)
    innermost_list->add(tensor);
  return innermost_body ? innermost_body->fetch(tensor, std::move(value))
                        : value;
}

} // namespace xlac::front
