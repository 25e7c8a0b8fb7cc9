#include "xlac/lazy/device_data.h"

#include "shards.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/metric_names.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/storage_modes.h"
#include "xlac/runtime/device.h"
#include "xlac/support/fast_hash.h"
#include "xlac/support/fork.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <unordered_map>

namespace xlac::lazy {

using metrics::Unit;

static std::atomic<uint64_t> next{1};

uint64_t device_data_made() { return next - 1; }

static uint64_t next_number() {
  static constinit metrics::NamedCounter made("CreateDataHandles");
  made.add();
  return next++;
}

DeviceData::DeviceData(int device, host::Literal literal)
    : device_(device), type_(literal.type()), number_(next_number()),
      literal_(std::move(literal)) {}

DeviceData::DeviceData(int device, TensorType type, runtime::BufferRef buffer)
    : device_(device), type_(std::move(type)), number_(next_number()),
      buffer_(std::move(buffer)) {}

DeviceData::DeviceData(int device, TensorType type)
    : device_(device), type_(std::move(type)), number_(next_number()) {}

DeviceData::DeviceData(TensorType type, Layout layout,
                       std::vector<runtime::BufferRef> shards)
    : device_(0), type_(std::move(type)), number_(next_number()),
      is_split_(true), layout_(std::move(layout)), shards_(std::move(shards)) {}

DeviceData::~DeviceData() {
  static constinit metrics::NamedCounter gone("DestroyDataHandles");
  gone.add();
}

// No list of device data exists for a fork to lock. Sections that lock data, or
// wait for a promise, are therefore ForkSections.

void DeviceData::fulfill(runtime::BufferRef buffer) {
  ForkSection section;
  {
    std::lock_guard lock(mutex_);
    assert(!buffer_ && !is_split_ && "a pending result is set once");
    buffer_ = std::move(buffer);
  }
  fulfilled_.notify_all();
}

void DeviceData::fulfill(std::vector<runtime::BufferRef> shards) {
  ForkSection section;
  {
    std::lock_guard lock(mutex_);
    assert(shards_.empty() && is_split_ && "a pending result is set once");
    shards_ = std::move(shards);
  }
  fulfilled_.notify_all();
}

Layout DeviceData::layout() const {
  ForkSection section;
  std::lock_guard lock(mutex_);
  return layout_;
}

DynamicDimensions DeviceData::dynamic_dimensions() const {
  ForkSection section;
  std::lock_guard lock(mutex_);
  return dynamic_dimensions_;
}

void DeviceData::mark_dynamic(DynamicDimensions dimensions) {
  ForkSection section;
  std::lock_guard lock(mutex_);
  dynamic_dimensions_ = std::move(dimensions);
}

std::vector<runtime::BufferRef> DeviceData::shards() {
  ForkSection section;
  std::unique_lock lock(mutex_);
  if (is_split_) {
    fulfilled_.wait(lock, [this] { return !shards_.empty(); });
    return shards_;
  }
  lock.unlock();
  // Data on several devices is never written in place.
  return std::vector<runtime::BufferRef>(runtime_device_count(), buffer());
}

void DeviceData::distribute(Layout layout) {
  ForkSection section;
  std::vector<runtime::BufferRef> made =
      rearranged(stored_type(type_), sharding_in(this->layout()),
                 sharding_in(layout), shards());
  std::lock_guard lock(mutex_);
  is_split_ = true;
  shards_ = std::move(made);
  layout_ = std::move(layout);
  literal_ = {};
  buffer_ = {};
}

runtime::BufferRef DeviceData::buffer() {
  ForkSection section;
  std::unique_lock lock(mutex_);
  if (is_split_) {
    lock.unlock();
    host::Literal whole = read_stored();
    return runtime::Buffer::borrow(whole.data(), whole.byte_count(),
                                   [owner = whole.owner()] {});
  }
  if (!buffer_ && literal_) {
    host::Literal stored = converted(literal_, stored_type(type_).element);
    buffer_ = runtime::Buffer::borrow(stored.data(), stored.byte_count(),
                                      [owner = stored.owner()] {});
  }
  fulfilled_.wait(lock, [this] { return static_cast<bool>(buffer_); });
  return buffer_;
}

host::Literal DeviceData::read() {
  ForkSection section;
  {
    std::lock_guard lock(mutex_);
    if (literal_ && stored_type(type_) == type_)
      return literal_;
  }
  host::Literal stored = fetch_stored();
  return converted(stored, type_.element);
}

host::Literal DeviceData::read_stored() {
  return stored_type(type_) == type_ ? read() : fetch_stored();
}

/// The elements in the type that devices store.
host::Literal DeviceData::fetch_stored() {
  static constinit metrics::NamedMetric times(kTransferFromDeviceTime,
                                              Unit::Nanoseconds);
  static constinit metrics::NamedMetric sizes("InboundData", Unit::Bytes);
  std::unique_lock lock(mutex_);
  bool is_split = is_split_;
  Layout layout = layout_;
  lock.unlock();
  // The literal keeps the buffers alive, so their memory cannot be donated.
  std::vector<runtime::BufferRef> held =
      is_split ? shards() : std::vector<runtime::BufferRef>{buffer()};
  for (const runtime::BufferRef &buffer : held)
    unwrap(buffer->wait());
  metrics::Timer timer(times);
  if (sharding_in(layout).is_tiled()) {
    static constinit metrics::NamedCounter gathered("ReplicateShardedData");
    gathered.add();
  }
  host::Literal stored =
      put_together(stored_type(type_), sharding_in(layout), held);
  sizes.add(static_cast<double>(stored.byte_count()));
  return stored;
}

/// A copy of `literal` in device memory.
static runtime::BufferRef upload(int device, const host::Literal &literal) {
  static constinit metrics::NamedMetric conversions("TensorToData",
                                                    Unit::Nanoseconds);
  static constinit metrics::NamedMetric times(kTransferToDeviceTime,
                                              Unit::Nanoseconds);
  static constinit metrics::NamedMetric sizes("OutboundData", Unit::Bytes);
  metrics::Timer conversion(conversions), timer(times);
  if (is_partitioned(device)) {
    static constinit metrics::NamedCounter uses("VirtualDeviceUsage");
    uses.add();
  }
  host::Literal stored =
      converted(literal, stored_type(literal.type()).element);
  sizes.add(static_cast<double>(stored.byte_count()));
  return unwrap(unwrap(runtime::find_device(device))
                    ->upload(std::span(stored.data(), stored.byte_count())));
}

static std::shared_ptr<DeviceData> make_data(int device,
                                             host::Literal literal) {
  if (literal.count() == 1)
    return std::make_shared<DeviceData>(device, std::move(literal));
  static constinit metrics::NamedCounter misses("DeviceDataCacheMiss");
  misses.add();
  return std::make_shared<DeviceData>(device, literal.type(),
                                      upload(device, literal));
}

graph::Value device_value(int device, host::Literal literal) {
  Type type(literal.type());
  return {graph::Node::make_parameter(std::move(type),
                                      make_data(device, std::move(literal))),
          0};
}

graph::Value carried_value(int device, host::Literal literal) {
  Type type(literal.type());
  return {graph::Node::make_parameter(
              std::move(type),
              std::make_shared<DeviceData>(device, std::move(literal))),
          0};
}

DeviceData &data_of(const graph::Node &parameter, int device) {
  auto *data = dynamic_cast<DeviceData *>(parameter.data().get());
  if (!data || data->device() != device)
    throw InternalError("a parameter is not on xla:" + std::to_string(device),
                        {});
  return *data;
}

std::shared_ptr<DeviceData> data_behind(const graph::Value &value) {
  return std::dynamic_pointer_cast<DeviceData>(value.node->data());
}

//===- Shared uploads -----------------------------------------------------===//

namespace {

/// Live uploads, by device and a hash of type and bytes. Entries with an equal
/// hash are compared.
class Uploads {
public:
  std::shared_ptr<DeviceData> find_or_add(int device, host::Literal literal);

private:
  static uint64_t key_of(int device, const host::Literal &literal);
  static bool same(const DeviceData &data, int device,
                   const host::Literal &literal, const host::Literal &held);
  void drop_dead();

  ForkMutex mutex_;
  std::unordered_multimap<uint64_t, std::weak_ptr<DeviceData>> entries_;
  size_t sweep_at_ = 64;
};

uint64_t Uploads::key_of(int device, const host::Literal &literal) {
  FastHasher hasher;
  hasher.update(int64_t{device});
  hasher.update(literal.type());
  hasher.update(std::span(literal.data(), literal.byte_count()));
  return hasher.finish().low;
}

bool Uploads::same(const DeviceData &data, int device,
                   const host::Literal &literal, const host::Literal &held) {
  return data.device() == device && data.type() == literal.type() &&
         std::memcmp(held.data(), literal.data(), literal.byte_count()) == 0;
}

void Uploads::drop_dead() {
  if (entries_.size() < sweep_at_)
    return;
  std::erase_if(entries_, [](const auto &e) { return e.second.expired(); });
  sweep_at_ = std::max<size_t>(64, 2 * entries_.size());
}

std::shared_ptr<DeviceData> Uploads::find_or_add(int device,
                                                 host::Literal literal) {
  uint64_t key = key_of(device, literal);
  std::lock_guard lock(mutex_);
  auto [first, last] = entries_.equal_range(key);
  for (auto entry = first; entry != last; ++entry)
    // A shared owner of the data owns its buffer, so no program overwrites it.
    if (std::shared_ptr<DeviceData> data = entry->second.lock())
      if (same(*data, device, literal, data->read()))
        return data;
  std::shared_ptr<DeviceData> data = make_data(device, std::move(literal));
  drop_dead();
  entries_.emplace(key, data);
  return data;
}

} // namespace

graph::Value shared_device_value(int device, host::Literal literal) {
  // Never destroyed: tensors in static variables may outlive other statics.
  static auto *uploads = new Uploads;
  Type type(literal.type());
  return {
      graph::Node::make_parameter(
          std::move(type), uploads->find_or_add(device, std::move(literal))),
      0};
}

} // namespace xlac::lazy
