// The host's view of a buffer: it can be deleted or donated while memory that
// others still read lives on.
#pragma once

#include "client.h"
#include "shape.h"

#include "xlac/runtime/buffer.h"

#include <mutex>

struct PJRT_Buffer {
  PJRT_Buffer(xlac::runtime::BufferRef data, xlac::pjrt::Shape shape,
              PJRT_Memory *memory)
      : shape(std::move(shape)), memory(memory), data_(std::move(data)) {}

  const xlac::pjrt::Shape shape;
  PJRT_Memory *const memory;

  /// Throws once the buffer has been deleted or donated.
  xlac::runtime::BufferRef data() const;
  bool is_deleted() const;
  void remove();
  /// Takes the contents for a launch that donates them. Null if they are gone.
  /// While the host reads the memory itself, it stays the host's too.
  xlac::runtime::BufferRef donate();

  void add_external_reference();
  void drop_external_reference();

private:
  mutable std::mutex mutex_;
  xlac::runtime::BufferRef data_;
  /// Keeps what the host reads itself, also when the buffer is deleted.
  xlac::runtime::BufferRef held_;
  int64_t external_references_ = 0;
};

namespace xlac::pjrt {

/// The memory that an argument pair of device and memory means.
PJRT_Memory &memory_of(PJRT_Device *device, PJRT_Memory *memory);
/// A pending buffer that the plugin itself fills.
runtime::BufferRef pending_buffer(const PJRT_Memory &memory,
                                  const Shape &shape);
/// Gives `buffer` memory, has `fill` write it, and finishes it.
void fill_and_finish(runtime::Buffer &buffer,
                     const std::function<void(std::byte *)> &fill) noexcept;

} // namespace xlac::pjrt
