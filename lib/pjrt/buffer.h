// The host's handle of a buffer. Deleting or donating the buffer drops the
// handle's reference to the memory; other references stay valid.
#pragma once

#include "client.h"
#include "shape.h"

#include "xlac/runtime/buffer.h"

#include <mutex>

/// Thread-safe.
struct PJRT_Buffer {
  /// `memory` must outlive the buffer.
  PJRT_Buffer(xlac::runtime::BufferRef data, xlac::pjrt::Shape shape,
              PJRT_Memory *memory)
      : shape(std::move(shape)), memory(memory), data_(std::move(data)) {}

  const xlac::pjrt::Shape shape;
  PJRT_Memory *const memory;

  /// Returns the contents, never null. Throws Error once the buffer has been
  /// deleted or donated.
  xlac::runtime::BufferRef data() const;
  /// Whether the buffer has been deleted or donated.
  bool is_deleted() const;
  /// Deletes the buffer; does nothing if it has been deleted or donated.
  void remove();
  /// Moves the contents out for a launch that donates them. Returns null if the
  /// buffer has been deleted or donated. External references keep the memory
  /// alive, so that the launch does not reuse it.
  xlac::runtime::BufferRef donate();

  /// Keeps the memory alive until drop_external_reference(), even if the buffer
  /// is deleted or donated. Throws Error once that has happened.
  void add_external_reference();
  /// Ends one add_external_reference(). Throws Error if there is none.
  void drop_external_reference();

private:
  mutable std::mutex mutex_;
  xlac::runtime::BufferRef data_;
  /// The memory while there are external references, otherwise null.
  xlac::runtime::BufferRef held_;
  int64_t external_references_ = 0;
};

namespace xlac::pjrt {

/// Returns `memory`, or the default memory of `device` if `memory` is null.
/// Throws Error if both are null, and for devices of other processes.
PJRT_Memory &memory_of(PJRT_Device *device, PJRT_Memory *memory);
/// Returns a pending buffer, which the caller must make ready or failed.
runtime::BufferRef pending_buffer(const PJRT_Memory &memory,
                                  const Shape &shape);
/// Allocates the memory of a pending buffer, calls `fill` with its address, and
/// makes the buffer ready. If the allocation fails, the buffer fails instead,
/// and `fill` is not called. `fill` must not throw.
void fill_and_finish(runtime::Buffer &buffer,
                     const std::function<void(std::byte *)> &fill) noexcept;

} // namespace xlac::pjrt
