// Transfers from the host, to the host, and between devices.
#include "buffer.h"
#include "errors.h"
#include "event.h"
#include "functions.h"

#include <cstring>

namespace xlac::pjrt {

/// Returns the strides of the host's array; row-major ones if it passes none.
static Strides host_strides(const Shape &shape, const int64_t *strides,
                            size_t count) {
  if (!strides || count == 0)
    return row_major_strides(shape);
  if (count != shape.dims.size())
    throw_invalid("got " + std::to_string(count) + " strides for " +
                  std::to_string(shape.dims.size()) + " dimensions");
  return Strides(strides, strides + count);
}

void call(PJRT_Client_BufferFromHostBuffer_Args &args) {
  PJRT_Memory &memory = memory_of(args.device, args.memory);
  Shape shape = make_shape(args.type, {args.dims, args.num_dims});
  set_layout(shape, args.device_layout);
  Strides strides =
      host_strides(shape, args.byte_strides, args.num_byte_strides);
  auto data = static_cast<const std::byte *>(args.data);
  bool is_borrowed =
      (args.host_buffer_semantics ==
           PJRT_HostBufferSemantics_kImmutableZeroCopy ||
       args.host_buffer_semantics ==
           PJRT_HostBufferSemantics_kMutableZeroCopy) &&
      are_equal(shape, strides, device_strides(shape)) &&
      !is_narrow(shape.type) && shape.bytes > 0 &&
      reinterpret_cast<uintptr_t>(data) % alignof(std::max_align_t) == 0;
  runtime::BufferRef buffer, released = make_completion();
  if (is_borrowed) {
    buffer = runtime::Buffer::borrow(data, shape.bytes,
                                     [released] { released->set_ready(); });
  } else {
    buffer = unwrap(memory.device->device->allocate(shape.bytes));
    copy_elements(shape, data, strides, buffer->data(), device_strides(shape));
    normalize(shape, buffer->data());
    released->set_ready();
  }
  auto event = std::unique_ptr<PJRT_Event>(make_event(std::move(released)));
  args.buffer = new PJRT_Buffer(std::move(buffer), std::move(shape), &memory);
  args.done_with_host_buffer = event.release();
}

void call(PJRT_Client_CreateViewOfDeviceBuffer_Args &args) {
  PJRT_Memory &memory = memory_of(args.device, args.memory);
  Shape shape = make_shape(args.element_type, {args.dims, args.num_dims});
  set_layout(shape, args.layout);
  std::function<void()> release;
  if (args.on_delete_callback)
    release = [callback = args.on_delete_callback,
               pointer = args.device_buffer_ptr,
               user_arg = args.on_delete_callback_arg] {
      callback(pointer, user_arg);
    };
  // Such as memory of another framework, which may write to it.
  runtime::BufferRef buffer =
      runtime::Buffer::borrow(args.device_buffer_ptr, shape.bytes,
                              std::move(release), /*may_change=*/true);
  args.buffer = new PJRT_Buffer(std::move(buffer), std::move(shape), &memory);
}

void call(PJRT_Client_CreateUninitializedBuffer_Args &args) {
  PJRT_Memory &memory = memory_of(args.device, args.memory);
  Shape shape = make_shape(args.shape_element_type,
                           {args.shape_dims, args.shape_num_dims});
  set_layout(shape, args.shape_layout);
  runtime::BufferRef buffer =
      unwrap(memory.device->device->allocate(shape.bytes));
  args.buffer = new PJRT_Buffer(std::move(buffer), std::move(shape), &memory);
}

void call(PJRT_Client_CreateErrorBuffer_Args &args) {
  PJRT_Memory &memory = memory_of(nullptr, args.memory);
  Shape shape = make_shape(args.shape_element_type,
                           {args.shape_dims, args.shape_num_dims});
  runtime::BufferRef buffer = pending_buffer(memory, shape);
  buffer->set_failed(
      failure(kind_of(args.error_code),
              std::string(args.error_message, args.error_message_size)));
  args.buffer = new PJRT_Buffer(std::move(buffer), std::move(shape), &memory);
}

void call(PJRT_Buffer_ToHostBuffer_Args &args) {
  const Shape &shape = args.src->shape;
  if (!args.dst) {
    args.dst_size = shape.bytes;
    return;
  }
  if (args.dst_size < static_cast<size_t>(shape.bytes))
    throw_invalid("the host's memory has " + std::to_string(args.dst_size) +
                  " bytes, the buffer " + std::to_string(shape.bytes));
  Strides strides = args.host_layout ? strides_of(shape, *args.host_layout)
                                     : device_strides(shape);
  runtime::BufferRef data = args.src->data(), done = make_completion();
  // The callback holds `data`, so that no launch reuses the memory before it is
  // copied.
  data->on_ready([data, done, shape, strides,
                  to = static_cast<std::byte *>(args.dst)](
                     const Status &status) {
    if (status)
      copy_elements(shape, data->data(), device_strides(shape), to, strides);
    finish(*done, status);
  });
  args.event = make_event(std::move(done));
}

void call(PJRT_Buffer_CopyRawToHost_Args &args) {
  int64_t bytes = args.buffer->shape.bytes;
  if (args.offset < 0 || args.transfer_size < 0 || args.offset > bytes ||
      args.transfer_size > bytes - args.offset)
    throw_invalid("bytes " + std::to_string(args.offset) + " and " +
                  std::to_string(args.transfer_size) + " more of a buffer of " +
                  std::to_string(bytes));
  runtime::BufferRef data = args.buffer->data(), done = make_completion();
  data->on_ready([data, done, to = args.dst, offset = args.offset,
                  size = args.transfer_size](const Status &status) {
    if (status && size > 0)
      std::memcpy(to, data->data() + offset, size);
    finish(*done, status);
  });
  args.event = make_event(std::move(done));
}

static PJRT_Buffer *copy_to(PJRT_Buffer &source, PJRT_Memory &memory) {
  runtime::BufferRef from = source.data();
  runtime::BufferRef to = pending_buffer(memory, source.shape);
  auto made = std::make_unique<PJRT_Buffer>(to, source.shape, &memory);
  from->on_ready([from, to](const Status &status) {
    if (!status) {
      to->set_failed(status.error());
      return;
    }
    fill_and_finish(*to, [&](std::byte *data) {
      std::memcpy(data, from->data(), from->bytes());
    });
  });
  return made.release();
}

void call(PJRT_Buffer_CopyToDevice_Args &args) {
  args.dst_buffer = copy_to(*args.buffer, memory_of(args.dst_device, nullptr));
}

void call(PJRT_Buffer_CopyToMemory_Args &args) {
  args.dst_buffer = copy_to(*args.buffer, memory_of(nullptr, args.dst_memory));
}

} // namespace xlac::pjrt
