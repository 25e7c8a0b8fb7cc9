#include "xlac/lazy/tensor_impl.h"

#include "xlac/host/strided.h"
#include "xlac/lazy/build.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/size_check.h"
#include "xlac/lazy/view_write.h"
#include "xlac/support/fork.h"
#include "xlac/support/raise.h"

#include <cassert>

namespace xlac::detail {

using graph::Value;
using lazy::ViewStep;

static std::atomic<int64_t> next_id{1};

int64_t TensorImpl::id_of_next() { return next_id; }

TensorImpl::TensorImpl(std::shared_ptr<lazy::Storage> s, Dtype d, Shape n)
    : storage(std::move(s)), dtype(d), sizes(std::move(n)) {
  lazy::require_holdable(dtype, sizes);
  id = next_id++;
}

Shape TensorImpl::strides() const {
  return strides_.empty() ? host::dense_strides(sizes) : strides_;
}

void TensorImpl::lay_densely(Shape new_sizes) {
  lazy::require_holdable(dtype, new_sizes);
  sizes = std::move(new_sizes);
  strides_.clear();
}

TensorType TensorImpl::type() const {
  return {lazy::element_type(dtype), sizes, {}, {}};
}

Value TensorImpl::shown(Value elements) const {
  if (conjugated)
    elements = build::unary(ops::OpKind::ChloConj, std::move(elements));
  if (negated)
    elements = build::unary(ops::OpKind::Negate, std::move(elements));
  return elements;
}

Value TensorImpl::value() {
  if (device().type == kCPU) {
    Value whole = storage->value();
    const host::Literal &memory = lazy::host_literal(whole);
    if (steps.empty() && memory.type() == type())
      return whole;
    Value held = lazy::host_value(
        unwrap(host::read_strided(memory, type(), strides(), offset)));
    if (!conjugated && !negated)
      return held;
    return lazy::host_value(lazy::evaluate_on_host({shown(held)})[0]);
  }
  if (steps.empty())
    return storage->value();
  ForkSection section;
  std::lock_guard lock(mutex_);
  uint64_t epoch = storage->epoch();
  if (cached_ && cached_epoch_ == epoch)
    return cached_;
  Value value = storage->value();
  for (const ViewStep &step : steps)
    value = step.apply(value);
  cached_ = value;
  cached_epoch_ = epoch;
  return value;
}

void TensorImpl::write_memory(const host::Literal &elements) {
  Shape strides = this->strides();
  for (size_t i = 0; i < sizes.size(); ++i)
    if (strides[i] == 0 && sizes[i] > 1 && elements.count() > 0)
      lazy::raise_overlapping_write();
  host::Literal memory = lazy::host_literal(storage->value());
  if (elements.count() > 0 && memory.data() != elements.data())
    host::write_strided(memory, elements, strides, offset);
  storage->set(lazy::host_value(memory));
}

void TensorImpl::write(Value value) {
  if (device().type == kXLA) {
    store(placed(storage->value(), std::move(value)));
    return;
  }
  write_memory(lazy::evaluate_on_host({shown(std::move(value))})[0]);
  ++*version_;
}

Value TensorImpl::placed(const Value &before, Value part) const {
  return lazy::replace_through(steps, before, std::move(part));
}

void TensorImpl::store(Value whole) {
  storage->set(std::move(whole));
  ++*version_;
}

std::shared_ptr<TensorImpl> TensorImpl::view(ViewStep step, Shape new_strides,
                                             int64_t new_offset) const {
  auto result = std::make_shared<TensorImpl>(
      storage, step.dtype.value_or(dtype), step.after);
  bool is_conj = step.kind == ViewStep::Kind::Conj;
  bool is_complex = result->dtype == kComplex64 || result->dtype == kComplex128;
  result->conjugated = is_complex && conjugated != is_conj;
  result->negated =
      negated || (conjugated && step.kind == ViewStep::Kind::Imag);
  assert((steps.empty() || steps.back().after == step.before) &&
         "a step begins where the one before ended");
  result->steps = steps;
  result->steps.push_back(std::move(step));
  result->base =
      base ? base : std::const_pointer_cast<TensorImpl>(shared_from_this());
  result->version_ = version_;
  result->recorded_at = version();
  if (device().type == kCPU) {
    result->strides_ = std::move(new_strides);
    result->offset = new_offset;
  }
  return result;
}

std::shared_ptr<TensorImpl> TensorImpl::detached(bool own_version) const {
  auto result = std::make_shared<TensorImpl>(storage, dtype, sizes);
  result->show(*this);
  result->base = nullptr;
  if (!own_version)
    result->version_ = version_;
  return result;
}

void TensorImpl::show(const TensorImpl &other) {
  graph::Value old; // destroyed after the lock is released
  std::lock_guard lock(mutex_);
  old = std::exchange(cached_, {});
  storage = other.storage;
  steps = other.steps;
  // If `other` is a view of this tensor, this tensor keeps its base.
  if (other.base.get() != this)
    base = other.base;
  sizes = other.sizes;
  strides_ = other.strides_;
  offset = other.offset;
  conjugated = other.conjugated;
  negated = other.negated;
  ++*version_;
}

void TensorImpl::materialize_into(const Value &pending, Value computed) {
  if (steps.empty()) {
    storage->materialize_into(pending, std::move(computed));
    return;
  }
  ForkSection section;
  std::lock_guard lock(mutex_);
  if (cached_ == pending && cached_epoch_ == storage->epoch())
    cached_ = std::move(computed);
}

} // namespace xlac::detail
