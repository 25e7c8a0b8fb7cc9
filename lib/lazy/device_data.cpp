#include "xlac/lazy/errors.h"
#include "xlac/lazy/execute.h"

#include <atomic>

namespace xlac::lazy {

static uint64_t next_number() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

DeviceData::DeviceData(int device, host::Literal literal)
    : device_(device), type_(literal.type()), number_(next_number()),
      literal_(std::move(literal)) {}

DeviceData::DeviceData(int device, TensorType type)
    : device_(device), type_(std::move(type)), number_(next_number()) {}

void DeviceData::fulfill(BufferRef buffer) {
  {
    std::lock_guard lock(mutex_);
    buffer_ = std::move(buffer);
  }
  fulfilled_.notify_all();
}

BufferRef DeviceData::buffer() {
  std::unique_lock lock(mutex_);
  if (!buffer_ && literal_)
    buffer_ = Buffer::borrow(literal_.data(), literal_.byte_count(),
                             [owner = literal_.owner()] {});
  fulfilled_.wait(lock, [this] { return static_cast<bool>(buffer_); });
  return buffer_;
}

host::Literal DeviceData::read() {
  {
    std::lock_guard lock(mutex_);
    if (literal_)
      return literal_;
  }
  // The literal holds the buffer, so nobody can be given its memory.
  BufferRef held = buffer();
  auto *bytes = const_cast<std::byte *>(unwrap(held->read()));
  return host::Literal::borrow(
      type_, std::shared_ptr<std::byte>(bytes, [held](std::byte *) {}));
}

graph::Value device_value(int device, host::Literal literal) {
  Type type(literal.type());
  return {graph::Node::make_parameter(
              std::move(type),
              std::make_shared<DeviceData>(device, std::move(literal))),
          0};
}

} // namespace xlac::lazy
