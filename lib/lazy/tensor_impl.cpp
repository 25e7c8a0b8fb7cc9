#include "xlac/lazy/tensor_impl.h"

#include "sync_graph.h"

#include "xlac/host/strided.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/size_check.h"
#include "xlac/lazy/trace_scope.h"
#include "xlac/support/block_pool.h"
#include "xlac/support/fork.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <thread>

namespace xlac::lazy {

using graph::Value;

//===- Storage ------------------------------------------------------------===//

/// The storages of one device that wait for a value. What is computed is not
/// here, so a cut costs what is pending, however many tensors live.
class PendingList final : public ForkStep {
public:
  PendingList() : ForkStep(ForkRank::Inner) { enlist(); }
  ~PendingList() override { withdraw(); }

  static PendingList &of(int index) {
    // Never destroyed: tensors in static variables may outlive all else.
    static constinit std::array<std::atomic<PendingList *>, kMaxDevices> lists;
    std::atomic<PendingList *> &place = lists.at(index);
    PendingList *list = place.load(std::memory_order_acquire);
    if (list)
      return *list;
    auto made = std::make_unique<PendingList>();
    if (place.compare_exchange_strong(list, made.get(),
                                      std::memory_order_acq_rel))
      list = made.release();
    return *list;
  }

  void add(Storage &storage) {
    const TraceScope *scope = TraceScope::current();
    Entry entry{&storage, scope ? scope->number() : 0};
    std::lock_guard lock(mutex_);
    if (storage.pending_slot_ != SIZE_MAX) {
      assert(entries_[storage.pending_slot_].storage == &storage &&
             "a pending storage knows its place");
      entries_[storage.pending_slot_] = entry;
      return;
    }
    storage.pending_slot_ = entries_.size();
    entries_.push_back(entry);
  }

  void remove(Storage &storage) {
    std::lock_guard lock(mutex_);
    size_t slot = std::exchange(storage.pending_slot_, SIZE_MAX);
    if (slot == SIZE_MAX)
      return;
    assert(slot < entries_.size() && entries_[slot].storage == &storage &&
           "a pending storage knows its place");
    entries_[slot] = entries_.back();
    entries_[slot].storage->pending_slot_ = slot;
    entries_.pop_back();
    if (entries_.size() == slot)
      storage.pending_slot_ = SIZE_MAX;
  }

  /// Those of traces of other threads are left out.
  std::vector<std::shared_ptr<Storage>> live() {
    std::vector<std::shared_ptr<Storage>> result;
    {
      std::lock_guard lock(mutex_);
      result.reserve(entries_.size());
      for (const Entry &entry : entries_)
        if (is_visible(entry.trace))
          if (auto alive = entry.storage->weak_from_this().lock())
            result.push_back(std::move(alive));
    }
    std::sort(result.begin(), result.end(),
              [](const auto &a, const auto &b) { return a->id() < b->id(); });
    return result;
  }

  void hand_over(uint64_t from, uint64_t to) {
    std::lock_guard lock(mutex_);
    for (Entry &entry : entries_)
      if (entry.trace == from)
        entry.trace = to;
  }

  /// Every change of a storage is in a ForkSection, so the list alone is
  /// left to hold.
  bool try_hold(Clock::time_point end) override {
    while (!mutex_.try_lock()) {
      if (Clock::now() >= end)
        return false;
      std::this_thread::yield();
    }
    return true;
  }

  void release(bool) override { mutex_.unlock(); }

private:
  struct Entry {
    Storage *storage;
    uint64_t trace; ///< number of the trace that wrote the value, or 0
  };

  static bool is_visible(uint64_t trace) {
    const TraceScope *scope = TraceScope::current();
    while (trace != 0 && scope && scope->number() != trace)
      scope = scope->outer();
    return trace == 0 || scope;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

static int64_t next_id() {
  static std::atomic<int64_t> next{1};
  return next++;
}

static bool is_pending(const Value &value) {
  return value.node->kind() != graph::NodeKind::Parameter;
}

std::vector<std::shared_ptr<Storage>> pending_storages(int index) {
  return PendingList::of(index).live();
}

void hand_over_pending(int index, uint64_t from, uint64_t to) {
  PendingList::of(index).hand_over(from, to);
}

Storage::Storage(Key, Device device, Value value)
    : device_(device), id_(next_id()), value_(std::move(value)) {
  set_data_node();
}

std::shared_ptr<Storage> Storage::make(Device device, Value value) {
  bool pending = is_pending(value);
  auto storage = std::allocate_shared<Storage>(PoolAllocator<Storage>(), Key(),
                                               device, std::move(value));
  if (device.type == kXLA) {
    static constinit metrics::NamedCounter made("CreateXlaTensor");
    made.add();
    if (pending)
      PendingList::of(device.index).add(*storage);
  }
  return storage;
}

Storage::~Storage() {
  if (device_.type != kXLA)
    return;
  static constinit metrics::NamedCounter gone("DestroyXlaTensor");
  gone.add();
  PendingList::of(device_.index).remove(*this);
}

void Storage::set_data_node() {
  if (is_pending(value_))
    return;
  if (auto *data = dynamic_cast<DeviceData *>(value_.node->data().get()))
    last_data_ = data->number();
}

// A fork has no list of the storages, so it waits for all that lock one.

Value Storage::value() const {
  ForkSection section;
  std::lock_guard lock(mutex_);
  return value_;
}

void Storage::set(Value value) {
  Value old; // dropped after the lock
  ForkSection section;
  std::lock_guard lock(mutex_);
  if (layout_)
    value = laid_out(std::move(value), layout_);
  bool is_xla = device_.type == kXLA, pending = is_pending(value);
  // First, since the list may find no memory. Who finds the storage there waits
  // for its lock.
  if (is_xla && pending)
    PendingList::of(device_.index).add(*this);
  old = std::exchange(value_, std::move(value));
  set_data_node();
  ++epoch_;
  if (is_xla && !pending)
    PendingList::of(device_.index).remove(*this);
}

Layout Storage::layout() const {
  ForkSection section;
  std::lock_guard lock(mutex_);
  return layout_;
}

void Storage::lay_out(Layout layout) {
  ForkSection section;
  {
    std::lock_guard lock(mutex_);
    layout_ = std::move(layout);
    if (!layout_)
      return;
  }
  set(value());
}

void Storage::materialize_into(const Value &pending, Value computed) {
  Value old;
  ForkSection section;
  std::lock_guard lock(mutex_);
  if (!(value_ == pending))
    return;
  old = std::exchange(value_, std::move(computed));
  set_data_node();
  ++epoch_;
  if (device_.type == kXLA)
    PendingList::of(device_.index).remove(*this);
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

Value TensorImpl::value() {
  if (device().type == kCPU) {
    Value whole = storage->value();
    const host::Literal &memory = lazy::host_literal(whole);
    if (steps.empty() && memory.type() == type())
      return whole;
    return lazy::host_value(
        unwrap(host::read_strided(memory, type(), strides(), offset)));
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
  write_memory(lazy::evaluate_on_host({value})[0]);
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
  graph::Value old; // dropped after the lock
  std::lock_guard lock(mutex_);
  old = std::exchange(cached_, {});
  storage = other.storage;
  steps = other.steps;
  // A view of this tensor itself: what it saw so far is its base still.
  if (other.base.get() != this)
    base = other.base;
  sizes = other.sizes;
  strides_ = other.strides_;
  offset = other.offset;
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
