#include "xlac/lazy/tensor_impl.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/errors.h"
#include "xlac/lazy/execute.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace xlac::lazy {

using graph::Value;

//===- Views --------------------------------------------------------------===//

Value ViewStep::apply(Value base) const {
  switch (kind) {
  case Kind::Reshape:
    return build::reshape(base, after);
  case Kind::Permute:
    return build::transpose(base, permutation);
  case Kind::Slice:
    return build::slice(base, starts, limits, steps);
  case Kind::Expand:
    return build::broadcast_to(base, after);
  }
  return base;
}

/// `base` with every `steps`-th element from `starts` on replaced.
static Value replace_strided(const ViewStep &step, Value base, Value part) {
  ElementType type = base.tensor().element;
  Shape high, interior;
  for (size_t i = 0; i < step.before.size(); ++i) {
    int64_t covered =
        step.after[i] == 0 ? 0 : (step.after[i] - 1) * step.steps[i] + 1;
    interior.push_back(step.steps[i] - 1);
    high.push_back(step.before[i] - step.starts[i] - covered);
  }
  Value zero = build::constant(type, {}, 0);
  Value off = build::constant(ElementType::I1, {}, false);
  Value on = build::constant(ElementType::I1, step.after, true);
  Value spread = build::pad(part, zero, step.starts, high, interior);
  Value mask = build::pad(on, off, step.starts, high, interior);
  return build::select(mask, spread, base);
}

Value ViewStep::replace(Value base, Value part) const {
  switch (kind) {
  case Kind::Reshape:
    return build::reshape(part, before);
  case Kind::Permute: {
    Shape inverse(permutation.size());
    for (size_t i = 0; i < permutation.size(); ++i)
      inverse[permutation[i]] = static_cast<int64_t>(i);
    return build::transpose(part, inverse);
  }
  case Kind::Slice:
    if (std::all_of(steps.begin(), steps.end(),
                    [](int64_t s) { return s == 1; }))
      return build::dynamic_update_slice(base, part, starts);
    return replace_strided(*this, base, part);
  case Kind::Expand:
    break;
  }
  raise<UserError>(
      "unsupported operation: more than one element of the "
      "written-to tensor refers to a single memory location. "
      "Please clone() the tensor before performing the operation.");
}

//===- Storage ------------------------------------------------------------===//

namespace {

/// The storages of one device, by age.
struct LiveList {
  std::mutex mutex;
  std::map<int64_t, Storage *> storages;
};

LiveList &live_list(int index) {
  static std::mutex mutex;
  // Never destroyed: tensors in static variables may outlive everything else.
  static auto *lists = new std::map<int, LiveList>;
  std::lock_guard lock(mutex);
  return (*lists)[index];
}

int64_t next_id() {
  static std::atomic<int64_t> next{1};
  return next++;
}

} // namespace

std::vector<std::shared_ptr<Storage>> live_storages(int index) {
  LiveList &list = live_list(index);
  std::vector<std::shared_ptr<Storage>> result;
  std::lock_guard lock(list.mutex);
  for (const auto &[id, storage] : list.storages)
    if (auto alive = storage->weak_from_this().lock())
      result.push_back(std::move(alive));
  return result;
}

Storage::Storage(Device device, Value value)
    : device_(device), id_(next_id()), value_(std::move(value)) {
  note_data();
}

std::shared_ptr<Storage> Storage::make(Device device, Value value) {
  std::shared_ptr<Storage> storage(new Storage(device, std::move(value)));
  if (device.type == kXLA) {
    LiveList &list = live_list(device.index);
    std::lock_guard lock(list.mutex);
    list.storages.emplace(storage->id_, storage.get());
  }
  return storage;
}

Storage::~Storage() {
  if (device_.type != kXLA)
    return;
  LiveList &list = live_list(device_.index);
  std::lock_guard lock(list.mutex);
  list.storages.erase(id_);
}

void Storage::note_data() {
  if (auto *data = dynamic_cast<DeviceData *>(value_.node->data().get()))
    last_data_ = data->number();
}

Value Storage::value() const {
  std::lock_guard lock(mutex_);
  return value_;
}

void Storage::set(Value value) {
  Value old; // dropped after the lock
  std::lock_guard lock(mutex_);
  old = std::exchange(value_, std::move(value));
  note_data();
  ++epoch_;
}

void Storage::settle(const Value &pending, Value computed) {
  Value old;
  std::lock_guard lock(mutex_);
  if (!(value_ == pending))
    return;
  old = std::exchange(value_, std::move(computed));
  note_data();
  ++epoch_;
}

Value host_value(host::Literal literal) {
  Type type(literal.type());
  return {graph::Node::make_parameter(
              std::move(type),
              std::make_shared<host::HostData>(std::move(literal))),
          0};
}

const host::Literal &host_literal(const Value &value) {
  return static_cast<const host::HostData *>(value.node->data().get())->literal;
}

} // namespace xlac::lazy

namespace xlac::detail {

using graph::Value;
using lazy::ViewStep;

static Shape row_major(const Shape &sizes) {
  Shape strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(sizes[i], 1);
  return strides;
}

TensorImpl::TensorImpl(std::shared_ptr<lazy::Storage> s, Dtype d, Shape n)
    : storage(std::move(s)), dtype(d), sizes(std::move(n)),
      strides(row_major(sizes)) {
  static std::atomic<int64_t> next{1};
  id = next++;
}

Value TensorImpl::value() {
  if (steps.empty())
    return storage->value();
  std::lock_guard lock(mutex_);
  // On the cpu the memory may have changed under an unchanged value.
  uint64_t epoch = storage->epoch();
  if (cached_ && cached_epoch_ == epoch && device().type == kXLA)
    return cached_;
  Value value = storage->value();
  for (const ViewStep &step : steps)
    value = step.apply(value);
  if (device().type == kCPU)
    return lazy::host_value(lazy::evaluate_on_host({value})[0]);
  cached_ = value;
  cached_epoch_ = epoch;
  return value;
}

void TensorImpl::write(Value value) {
  ++*version_;
  if (!steps.empty()) {
    // Bases of each step, outermost first, then the change back through them.
    std::vector<Value> bases{storage->value()};
    for (const ViewStep &step : steps)
      bases.push_back(step.apply(bases.back()));
    for (size_t i = steps.size(); i-- > 0;)
      value = steps[i].replace(bases[i], value);
  }
  if (device().type == kXLA) {
    storage->set(std::move(value));
    return;
  }
  host::Literal result = lazy::evaluate_on_host({value})[0];
  host::Literal memory = lazy::host_literal(storage->value());
  if (memory.byte_count() > 0 && memory.data() != result.data())
    std::memcpy(memory.mutable_data(), result.data(), memory.byte_count());
  storage->set(lazy::host_value(memory));
}

std::shared_ptr<TensorImpl> TensorImpl::view(ViewStep step, Shape new_strides,
                                             int64_t new_offset) const {
  auto result = std::make_shared<TensorImpl>(storage, dtype, step.after);
  result->steps = steps;
  result->steps.push_back(std::move(step));
  result->base =
      base ? base : std::const_pointer_cast<TensorImpl>(shared_from_this());
  result->version_ = version_;
  if (device().type == kCPU) {
    result->strides = std::move(new_strides);
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
  graph::Value old; // dropped after the lock
  std::lock_guard lock(mutex_);
  old = std::exchange(cached_, {});
  storage = other.storage;
  steps = other.steps;
  base = other.base;
  sizes = other.sizes;
  strides = other.strides;
  offset = other.offset;
  ++*version_;
}

void TensorImpl::settle(const Value &pending, Value computed) {
  if (steps.empty()) {
    storage->settle(pending, std::move(computed));
    return;
  }
  std::lock_guard lock(mutex_);
  if (cached_ == pending && cached_epoch_ == storage->epoch())
    cached_ = std::move(computed);
}

} // namespace xlac::detail
