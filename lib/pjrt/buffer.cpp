// Properties, readiness and pointers of buffers.
#include "buffer.h"

#include "errors.h"
#include "event.h"
#include "functions.h"

#include <new>

using xlac::runtime::BufferRef;

static const char kDeleted[] = "Buffer has been deleted or donated.";

BufferRef PJRT_Buffer::data() const {
  std::lock_guard lock(mutex_);
  if (!data_)
    xlac::pjrt::throw_invalid(kDeleted);
  return data_;
}

bool PJRT_Buffer::is_deleted() const {
  std::lock_guard lock(mutex_);
  return !data_;
}

void PJRT_Buffer::remove() {
  // Released after the lock: the release function may call back.
  BufferRef gone;
  std::lock_guard lock(mutex_);
  gone = std::move(data_);
}

BufferRef PJRT_Buffer::donate() {
  std::lock_guard lock(mutex_);
  return std::exchange(data_, {});
}

void PJRT_Buffer::add_external_reference() {
  std::lock_guard lock(mutex_);
  if (!data_)
    xlac::pjrt::throw_invalid(kDeleted);
  ++external_references_;
  held_ = data_;
}

void PJRT_Buffer::drop_external_reference() {
  BufferRef gone;
  std::lock_guard lock(mutex_);
  if (external_references_ == 0)
    xlac::pjrt::throw_invalid("the buffer has no external references");
  if (--external_references_ == 0)
    gone = std::move(held_);
}

namespace xlac::pjrt {

PJRT_Memory &memory_of(PJRT_Device *device, PJRT_Memory *memory) {
  if (memory)
    return *memory;
  if (!device)
    throw_invalid("got neither a device nor a memory");
  return *own(device).memories.front();
}

BufferRef pending_buffer(const PJRT_Memory &memory, const Shape &shape) {
  return runtime::Buffer::pending(memory.device->client->allocator,
                                  shape.bytes);
}

void fill_and_finish(runtime::Buffer &buffer,
                     const std::function<void(std::byte *)> &fill) noexcept {
  Status status = buffer.materialize();
  if (!status) {
    buffer.set_failed(status.error());
    return;
  }
  fill(buffer.data());
  buffer.set_ready();
}

void call(PJRT_Buffer_Destroy_Args &args) { delete args.buffer; }

void call(PJRT_Buffer_ElementType_Args &args) {
  args.type = args.buffer->shape.type;
}

void call(PJRT_Buffer_Dimensions_Args &args) {
  args.dims = args.buffer->shape.dims.data();
  args.num_dims = args.buffer->shape.dims.size();
}

void call(PJRT_Buffer_UnpaddedDimensions_Args &args) {
  args.unpadded_dims = args.buffer->shape.dims.data();
  args.num_dims = args.buffer->shape.dims.size();
}

void call(PJRT_Buffer_DynamicDimensionIndices_Args &args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}

void call(PJRT_Buffer_GetMemoryLayout_Args &args) {
  // The buffer owns the list, which the host reads after the call.
  const std::vector<int64_t> &order = args.buffer->shape.minor_to_major;
  args.layout = {};
  args.layout.struct_size = sizeof args.layout;
  args.layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args.layout.tiled.struct_size = sizeof args.layout.tiled;
  args.layout.tiled.minor_to_major = order.data();
  args.layout.tiled.minor_to_major_size = order.size();
}

void call(PJRT_Buffer_OnDeviceSizeInBytes_Args &args) {
  args.on_device_size_in_bytes = args.buffer->shape.bytes;
}

void call(PJRT_Buffer_Device_Args &args) {
  args.device = args.buffer->memory->device;
}

void call(PJRT_Buffer_Memory_Args &args) { args.memory = args.buffer->memory; }

void call(PJRT_Buffer_Delete_Args &args) { args.buffer->remove(); }

void call(PJRT_Buffer_IsDeleted_Args &args) {
  args.is_deleted = args.buffer->is_deleted();
}

void call(PJRT_Buffer_IsOnCpu_Args &args) { args.is_on_cpu = true; }

void call(PJRT_Buffer_ReadyEvent_Args &args) {
  if (args.buffer->is_deleted())
    args.event = make_done_event(failure(FailureKind::User, kDeleted));
  else
    args.event = make_event_of(*args.buffer->data());
}

void call(PJRT_Buffer_IncreaseExternalReferenceCount_Args &args) {
  args.buffer->add_external_reference();
}

void call(PJRT_Buffer_DecreaseExternalReferenceCount_Args &args) {
  args.buffer->drop_external_reference();
}

void call(PJRT_Buffer_UnsafePointer_Args &args) {
  args.buffer_pointer =
      reinterpret_cast<uintptr_t>(unwrap(args.buffer->data()->read()));
}

void call(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args &args) {
  args.device_memory_ptr =
      const_cast<std::byte *>(unwrap(args.buffer->data()->read()));
}

} // namespace xlac::pjrt
