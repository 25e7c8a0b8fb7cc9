// The memory of one tensor on one device. A buffer is pending until the launch
// that computes it has run. Then it is ready or failed, and stays so.
#pragma once

#include "xlac/runtime/allocator.h"
#include "xlac/runtime/ref.h"
#include "xlac/support/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace xlac::runtime {

class Buffer;
class Stream;
using BufferRef = Ref<Buffer>;

class Buffer : public RefCounted<Buffer> {
public:
  /// A ready buffer with uninitialized contents.
  static Result<BufferRef> allocate(std::shared_ptr<Allocator> allocator,
                                    int64_t bytes);
  /// A ready buffer over the caller's memory, which is never donated. `release`
  /// (may be empty) runs when the last reference is dropped. With `may_change`,
  /// others may write to the memory between launches, so that no values derived
  /// from it are kept.
  static BufferRef borrow(const void *data, int64_t bytes,
                          std::function<void()> release = {},
                          bool may_change = false);
  /// A buffer without memory; the launch that computes it makes it ready.
  static BufferRef pending(std::shared_ptr<Allocator> allocator, int64_t bytes);
  ~Buffer();

  /// Unique in this process; ids are never reused.
  uint64_t id() const { return id_; }
  /// Changes whenever the contents may have changed.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  int64_t bytes() const { return bytes_; }
  bool is_borrowed() const { return borrowed_; }
  /// Whether the contents may change without a new version.
  bool may_change() const { return may_change_; }

  /// Whether the buffer is ready or failed; wait() then returns at once.
  bool is_done() const;
  /// Blocks until the buffer is ready or failed, and returns the failure. It
  /// may run the launch that computes the buffer, and those queued before it,
  /// on this thread. Threads of the work pool must not call it.
  Status wait() const;
  /// Calls `callback` once, with the status that wait() returns. It runs at
  /// once if the buffer is done, otherwise on the thread that finishes the
  /// buffer. Callbacks run in the order of registration, without locks of the
  /// runtime. A callback may drop the buffer, but it must not throw or wait for
  /// the device that computes it. If a pending buffer is destroyed, its
  /// callbacks do not run.
  void on_ready(std::function<void(const Status &)> callback);
  /// Waits, then returns the contents.
  Result<const std::byte *> read() const;
  /// Waits, then returns the contents for writing, as a new version. The caller
  /// ensures that no running launch reads the buffer. User failure for borrowed
  /// memory.
  Result<std::byte *> write();

  /// The contents of a buffer that is known to be ready.
  std::byte *data() const { return data_; }

  // For the launch that computes the buffer, and for values derived from it:

  /// Sets the stream whose work makes the buffer ready, before other threads
  /// see the buffer. wait() may then run that work.
  void set_stream(std::weak_ptr<Stream> stream) { stream_ = std::move(stream); }
  /// Allocates memory for a pending buffer.
  Status materialize();
  /// Moves the memory of `donor` to a pending buffer.
  void take_memory(Buffer &donor);
  void set_ready();
  void set_failed(Failure failure);
  /// Makes the buffer report its destruction to its allocator or, if its memory
  /// is borrowed, to the first `watcher`.
  void watch(const std::shared_ptr<Allocator> &watcher);

private:
  enum State : uint32_t { kPending, kReady, kFailed };
  /// A registered callback; the list starts with the newest.
  struct Callback {
    std::function<void(const Status &)> function;
    Callback *next = nullptr;
  };
  void finish(State state);
  Status final_status() const;
  Buffer(std::shared_ptr<Allocator> allocator, int64_t bytes);

  const uint64_t id_;
  const int64_t bytes_;
  std::shared_ptr<Allocator> allocator_;
  std::byte *data_ = nullptr;
  bool borrowed_ = false, may_change_ = false;
  std::function<void()> release_;
  std::weak_ptr<Stream> stream_;
  Failure failure_;
  std::atomic<uint64_t> version_{0};
  std::atomic<uint32_t> state_{kPending};
  std::atomic<bool> watched_{false};
  /// A lock-free list, so that it is consistent after a fork. It is
  /// closed_callbacks() once the buffer is done.
  std::atomic<Callback *> callbacks_{nullptr};
  static Callback *closed_callbacks();
};

} // namespace xlac::runtime
