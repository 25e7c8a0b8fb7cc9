#include "xlac/runtime/buffer.h"

#include <cassert>

namespace xlac {

static uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

Buffer::Buffer(std::shared_ptr<Allocator> allocator, int64_t bytes)
    : id_(next_id()), bytes_(bytes), allocator_(std::move(allocator)) {}

Buffer::~Buffer() {
  if (data_ && !borrowed_)
    allocator_->release(data_, bytes_);
  if (allocator_ && watched_.load(std::memory_order_acquire))
    allocator_->record_free(id_);
  if (release_)
    release_();
}

BufferRef Buffer::pending(std::shared_ptr<Allocator> allocator, int64_t bytes) {
  return BufferRef(new Buffer(std::move(allocator), bytes));
}

Result<BufferRef> Buffer::allocate(std::shared_ptr<Allocator> allocator,
                                   int64_t bytes) {
  BufferRef buffer = pending(std::move(allocator), bytes);
  XLAC_RETURN_IF_ERROR(buffer->materialize());
  buffer->set_ready();
  return buffer;
}

BufferRef Buffer::borrow(const void *data, int64_t bytes,
                         std::function<void()> release) {
  BufferRef buffer(new Buffer(nullptr, bytes));
  buffer->data_ = static_cast<std::byte *>(const_cast<void *>(data));
  buffer->borrowed_ = true;
  buffer->release_ = std::move(release);
  buffer->set_ready();
  return buffer;
}

bool Buffer::is_done() const {
  return state_.load(std::memory_order_acquire) != kPending;
}

Status Buffer::wait() const {
  while (!is_done())
    state_.wait(kPending, std::memory_order_acquire);
  if (state_.load(std::memory_order_acquire) == kFailed)
    return failure_;
  return {};
}

Result<const std::byte *> Buffer::read() const {
  XLAC_RETURN_IF_ERROR(wait());
  return static_cast<const std::byte *>(data_);
}

Result<std::byte *> Buffer::write() {
  XLAC_RETURN_IF_ERROR(wait());
  if (borrowed_)
    return failure(FailureKind::User, "borrowed memory cannot be written");
  version_.fetch_add(1, std::memory_order_acq_rel);
  return data_;
}

Status Buffer::materialize() {
  assert(!data_ && allocator_ && "a buffer gets its memory once");
  Result<std::byte *> memory = allocator_->allocate(bytes_);
  if (!memory)
    return memory.error();
  data_ = *memory;
  return {};
}

void Buffer::take_memory(Buffer &donor) {
  // Memory goes back to the allocator that it came from.
  assert(!data_ && donor.data_ && bytes_ == donor.bytes_ && !donor.borrowed_ &&
         "memory goes to a buffer of the same size that has none");
  allocator_ = donor.allocator_;
  data_ = std::exchange(donor.data_, nullptr);
}

void Buffer::set_ready() {
  // A failed result becomes ready when it takes over what it replaces.
  assert(state_.load(std::memory_order_relaxed) != kReady &&
         "a buffer becomes ready once");
  state_.store(kReady, std::memory_order_release);
  state_.notify_all();
}

void Buffer::set_failed(Failure failure) {
  failure_ = std::move(failure);
  state_.store(kFailed, std::memory_order_release);
  state_.notify_all();
}

} // namespace xlac
