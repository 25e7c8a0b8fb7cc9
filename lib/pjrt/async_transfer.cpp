// Buffers that the host fills by one or several transfers.
#include "arguments.h"
#include "buffer.h"
#include "errors.h"
#include "event.h"
#include "functions.h"

#include <cstring>

struct PJRT_AsyncHostToDeviceTransferManager {
  struct Entry {
    xlac::runtime::BufferRef buffer;
    xlac::pjrt::Shape shape;
  };
  PJRT_Memory *memory = nullptr;
  std::mutex mutex;
  std::vector<Entry> entries;

  ~PJRT_AsyncHostToDeviceTransferManager() {
    for (Entry &entry : entries)
      if (!entry.buffer->is_done())
        entry.buffer->set_failed(
            xlac::failure(xlac::FailureKind::Runtime,
                          "the transfer to this buffer was given up"));
  }

  Entry &at(int number) {
    if (number < 0 || number >= static_cast<int>(entries.size()))
      xlac::pjrt::throw_invalid("the transfer has no buffer " +
                                std::to_string(number));
    return entries[number];
  }
  /// Returns the entry; throws if its buffer is ready or failed already.
  Entry &open(int number) {
    Entry &entry = at(number);
    if (entry.buffer->is_done())
      xlac::pjrt::throw_invalid("buffer " + std::to_string(number) +
                                " of the transfer is complete");
    return entry;
  }
};

namespace xlac::pjrt {

void call(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args &args) {
  auto manager = std::make_unique<PJRT_AsyncHostToDeviceTransferManager>();
  manager->memory = &memory_of(nullptr, args.memory);
  // The host's structs may be longer than this version's.
  auto next = reinterpret_cast<const std::byte *>(args.shape_specs);
  for (size_t i = 0; i < args.num_shape_specs; ++i) {
    auto &theirs = *reinterpret_cast<const PJRT_ShapeSpec *>(next);
    next += (theirs.struct_size + alignof(PJRT_ShapeSpec) - 1) &
            ~(alignof(PJRT_ShapeSpec) - 1);
    PJRT_ShapeSpec spec = full_copy(theirs);
    Shape shape = make_shape(spec.element_type, {spec.dims, spec.num_dims});
    if (i < args.num_device_layouts)
      set_layout(shape, args.device_layouts[i]);
    runtime::BufferRef buffer = pending_buffer(*manager->memory, shape);
    if (Status status = buffer->materialize(); !status)
      throw Error(status.error());
    manager->entries.push_back({std::move(buffer), std::move(shape)});
  }
  args.transfer_manager = manager.release();
}

void call(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args &args) {
  delete args.transfer_manager;
}

void call(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args &args) {
  auto &manager = *args.transfer_manager;
  runtime::BufferRef complete;
  {
    std::lock_guard lock(manager.mutex);
    auto &entry = manager.open(args.buffer_index);
    int64_t bytes = entry.shape.bytes;
    if (args.offset < 0 || args.transfer_size < 0 || args.offset > bytes ||
        args.transfer_size > bytes - args.offset)
      throw_invalid("the transfer ends past its buffer");
    if (args.transfer_size > 0)
      std::memcpy(entry.buffer->data() + args.offset, args.data,
                  args.transfer_size);
    if (args.is_last_transfer) {
      normalize(entry.shape, entry.buffer->data());
      complete = entry.buffer;
    }
  }
  if (complete)
    complete->set_ready();
  args.done_with_h2d_transfer = make_done_event();
}

void call(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args &args) {
  auto &manager = *args.transfer_manager;
  runtime::BufferRef complete;
  {
    std::lock_guard lock(manager.mutex);
    auto &entry = manager.open(args.buffer_index);
    Strides strides = args.shape_layout
                          ? strides_of(entry.shape, *args.shape_layout)
                          : row_major_strides(entry.shape);
    copy_elements(entry.shape, static_cast<const std::byte *>(args.data),
                  strides, entry.buffer->data(), device_strides(entry.shape));
    normalize(entry.shape, entry.buffer->data());
    complete = entry.buffer;
  }
  complete->set_ready();
  args.done_with_h2d_transfer = make_done_event();
}

void call(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args &args) {
  auto &manager = *args.transfer_manager;
  std::lock_guard lock(manager.mutex);
  auto &entry = manager.at(args.buffer_index);
  args.buffer_out = new PJRT_Buffer(entry.buffer, entry.shape, manager.memory);
}

void call(PJRT_AsyncHostToDeviceTransferManager_Device_Args &args) {
  args.device_out = args.transfer_manager->memory->device;
}

void call(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args &args) {
  args.buffer_count = args.transfer_manager->entries.size();
}

void call(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args &args) {
  args.buffer_size = args.transfer_manager->at(args.buffer_index).shape.bytes;
}

void call(PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args &args) {
  auto &manager = *args.transfer_manager;
  runtime::BufferRef failed;
  {
    std::lock_guard lock(manager.mutex);
    failed = manager.open(args.buffer_index).buffer;
  }
  failed->set_failed(
      failure(kind_of(args.error_code),
              std::string(args.error_message, args.error_message_size)));
}

void call(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args &) {}

} // namespace xlac::pjrt
