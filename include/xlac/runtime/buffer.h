// The memory behind one tensor on one device: pending until the launch that
// makes it has run, then ready or failed for good.
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
using BufferRef = Ref<Buffer>;

class Buffer : public RefCounted<Buffer> {
public:
  /// Ready, with uninitialised contents.
  static Result<BufferRef> allocate(std::shared_ptr<Allocator> allocator,
                                    int64_t bytes);
  /// Ready, over memory of the caller, which is never donated; `release`
  /// (may be empty) runs when the last reference goes.
  static BufferRef borrow(const void *data, int64_t bytes,
                          std::function<void()> release = {});
  /// Without memory; the launch that computes it finishes it.
  static BufferRef pending(std::shared_ptr<Allocator> allocator, int64_t bytes);
  ~Buffer();

  /// Unique in this process, never reused.
  uint64_t id() const { return id_; }
  /// Changes whenever the contents may have.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  int64_t bytes() const { return bytes_; }
  bool is_borrowed() const { return borrowed_; }

  /// Ready or failed: wait() returns at once.
  bool is_done() const;
  /// Blocks until the buffer is ready; its failure otherwise. Not for threads
  /// of the work pool.
  Status wait() const;
  /// Calls `callback` once, with the status that wait() returns: now if the
  /// buffer is done, else on the thread that finishes it, in the order of the
  /// calls. No lock of the runtime is held then, and the callback may drop the
  /// buffer, but it must neither throw nor wait for the device that computes
  /// the buffer. A buffer that dies while it is pending calls nothing.
  void on_ready(std::function<void(const Status &)> callback);
  /// wait(), then the contents.
  Result<const std::byte *> read() const;
  /// wait(), then the contents to write to, as a new version. The caller sees
  /// to it that no launch that reads the buffer is under way. User for
  /// borrowed memory.
  Result<std::byte *> write();

  /// The contents of a buffer that is known to be ready.
  std::byte *data() const { return data_; }

  // For the launch that makes the buffer, and for what derives from it:

  /// Gives a pending buffer memory of its own.
  Status materialize();
  /// Gives a pending buffer the memory of `donor`, which is left without.
  void take_memory(Buffer &donor);
  void set_ready();
  void set_failed(Failure failure);
  /// Has the allocator told when the buffer dies.
  void watch() { watched_.store(true, std::memory_order_release); }

private:
  enum State : uint32_t { kPending, kReady, kFailed };
  /// One of the callbacks that wait; the newest comes first.
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
  bool borrowed_ = false;
  std::function<void()> release_;
  Failure failure_;
  std::atomic<uint64_t> version_{0};
  std::atomic<uint32_t> state_{kPending};
  std::atomic<bool> watched_{false};
  /// A list without a lock, so that a fork finds it whole. closed_callbacks()
  /// once the buffer is done.
  std::atomic<Callback *> callbacks_{nullptr};
  static Callback *closed_callbacks();
};

} // namespace xlac::runtime
