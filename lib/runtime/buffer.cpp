#include "xlac/runtime/buffer.h"

#include "host_call.h"
#include "stream.h"

#include <cassert>
#include <mutex>
#include <new>

namespace xlac::runtime {

static uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

Buffer::Buffer(std::shared_ptr<Allocator> allocator, int64_t bytes)
    : id_(next_id()), bytes_(bytes), allocator_(std::move(allocator)) {}

Buffer::~Buffer() {
  Callback *callback = callbacks_.load(std::memory_order_acquire);
  while (callback && callback != closed_callbacks())
    delete std::exchange(callback, callback->next);
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
                         std::function<void()> release, bool may_change) {
  BufferRef buffer(new Buffer(nullptr, bytes));
  buffer->data_ = static_cast<std::byte *>(const_cast<void *>(data));
  buffer->borrowed_ = true;
  buffer->may_change_ = may_change;
  buffer->release_ = std::move(release);
  buffer->set_ready();
  return buffer;
}

void Buffer::watch(const std::shared_ptr<Allocator> &watcher) {
  if (borrowed_) {
    // Several devices may run programs on borrowed memory at once.
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (!allocator_)
      allocator_ = watcher;
  }
  watched_.store(true, std::memory_order_release);
}

bool Buffer::is_done() const {
  return state_.load(std::memory_order_acquire) != kPending;
}

Status Buffer::wait() const {
  if (!is_done() && is_in_host_call())
    Stream::release_queue();
  else if (!is_done())
    if (std::shared_ptr<Stream> stream = stream_.lock())
      stream->run_queued([this] { return is_done(); });
  while (!is_done())
    state_.wait(kPending, std::memory_order_acquire);
  return final_status();
}

Status Buffer::final_status() const {
  if (state_.load(std::memory_order_acquire) == kFailed)
    return failure_;
  return {};
}

Buffer::Callback *Buffer::closed_callbacks() {
  // An address that no entry has; it is never dereferenced.
  alignas(Callback) static constinit std::byte closed[sizeof(Callback)] = {};
  return reinterpret_cast<Callback *>(closed);
}

void Buffer::on_ready(std::function<void(const Status &)> callback) {
  if (!is_done() && is_in_host_call())
    Stream::release_queue();
  auto entry = std::make_unique<Callback>();
  entry->function = std::move(callback);
  entry->next = callbacks_.load(std::memory_order_acquire);
  while (entry->next != closed_callbacks())
    if (callbacks_.compare_exchange_weak(entry->next, entry.get(),
                                         std::memory_order_acq_rel)) {
      entry.release();
      return;
    }
  entry->function(final_status());
}

/// The caller holds a reference to the buffer until this returns.
void Buffer::finish(State state) {
  state_.store(state, std::memory_order_release);
  state_.notify_all();
  Callback *callback =
      callbacks_.exchange(closed_callbacks(), std::memory_order_acq_rel);
  if (!callback || callback == closed_callbacks())
    return;
  Callback *first = nullptr;
  while (callback) {
    Callback *next = std::exchange(callback->next, first);
    first = std::exchange(callback, next);
  }
  Status status;
  try {
    status = final_status();
  } catch (const std::bad_alloc &) { // this message needs no allocation
    status = failure(FailureKind::OutOfMemory, "out of memory");
  }
  while (first) {
    std::unique_ptr<Callback> entry(std::exchange(first, first->next));
    entry->function(status);
  }
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
  // Memory is released to the allocator that it came from.
  assert(!data_ && donor.data_ && bytes_ == donor.bytes_ && !donor.borrowed_ &&
         "memory goes to a buffer of the same size that has none");
  allocator_ = donor.allocator_;
  data_ = std::exchange(donor.data_, nullptr);
}

void Buffer::set_ready() {
  // A failed result becomes ready when it gets the value that it replaces.
  assert(state_.load(std::memory_order_relaxed) != kReady &&
         "a buffer becomes ready once");
  finish(kReady);
}

void Buffer::set_failed(Failure failure) {
  failure_ = std::move(failure);
  finish(kFailed);
}

} // namespace xlac::runtime
