#include "xlac/lazy/storage.h"

#include "current_trace.h"

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/sharded_values.h"
#include "xlac/support/block_pool.h"
#include "xlac/support/fork.h"
#include "xlac/support/named_metrics.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <thread>

namespace xlac::lazy {

using graph::Value;

/// The storages of one device whose value is pending. Computed ones are not
/// listed, so the cost of a sync does not depend on the number of live tensors.
class PendingList final : public ForkStep {
public:
  PendingList() : ForkStep(ForkRank::Inner) { enlist(); }
  ~PendingList() override { withdraw(); }

  static PendingList &of(int index) {
    // Never destroyed: tensors in static variables may outlive other statics.
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
    const Trace *trace = current_trace();
    Entry entry{&storage, trace ? trace->number : 0};
    std::lock_guard lock(mutex_);
    if (storage.pending_slot_ != SIZE_MAX) {
      assert(entries_[storage.pending_slot_].storage == &storage &&
             "a pending storage has its position");
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
           "a pending storage has its position");
    entries_[slot] = entries_.back();
    entries_[slot].storage->pending_slot_ = slot;
    entries_.pop_back();
    if (entries_.size() == slot)
      storage.pending_slot_ = SIZE_MAX;
  }

  /// Excludes values that belong to traces of other threads.
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

  /// Every change of a storage is in a ForkSection, so only the list's mutex
  /// must be held.
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

  static bool is_visible(uint64_t number) {
    const Trace *trace = current_trace();
    while (number != 0 && trace && trace->number != number)
      trace = trace->outer;
    return number == 0 || trace;
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
  if (auto *data = dynamic_cast<DeviceData *>(value_.node->data().get())) {
    last_data_ = data->number();
    if (dynamic_dimensions_)
      data->mark_dynamic(dynamic_dimensions_);
  }
}

// No list of storages exists for a fork to lock, so sections that lock one are
// ForkSections.

Value Storage::value() const {
  ForkSection section;
  std::lock_guard lock(mutex_);
  return value_;
}

void Storage::set(Value value) {
  Value old; // destroyed after the lock is released
  ForkSection section;
  std::lock_guard lock(mutex_);
  if (layout_)
    value = laid_out(std::move(value), layout_);
  bool is_xla = device_.type == kXLA, pending = is_pending(value);
  // Added first, because adding may run out of memory. A thread that finds the
  // storage in the list waits for its lock.
  if (is_xla && pending)
    PendingList::of(device_.index).add(*this);
  old = std::exchange(value_, std::move(value));
  set_data_node();
  ++epoch_;
  if (is_xla && !pending)
    PendingList::of(device_.index).remove(*this);
}

DynamicDimensions Storage::dynamic_dimensions() const {
  ForkSection section;
  std::lock_guard lock(mutex_);
  return dynamic_dimensions_;
}

void Storage::mark_dynamic(DynamicDimensions dimensions) {
  ForkSection section;
  std::lock_guard lock(mutex_);
  dynamic_dimensions_ = std::move(dimensions);
  set_data_node();
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

} // namespace xlac::lazy
