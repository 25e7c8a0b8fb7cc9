// Properties of devices, device descriptions and memories.
#include "client.h"
#include "errors.h"
#include "functions.h"

namespace xlac::pjrt {

static constexpr std::string_view kDeviceKind = "cpu";

PJRT_Device &own(PJRT_Device *device) {
  if (!device->device)
    throw_invalid(device->description->debug_string +
                  " is not a device of this process");
  return *device;
}

void call(PJRT_DeviceDescription_Id_Args &args) {
  args.id = args.device_description->id;
}

void call(PJRT_DeviceDescription_ProcessIndex_Args &args) {
  args.process_index = args.device_description->process;
}

void call(PJRT_DeviceDescription_Attributes_Args &args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
}

void call(PJRT_DeviceDescription_Kind_Args &args) {
  args.device_kind = kDeviceKind.data();
  args.device_kind_size = kDeviceKind.size();
}

void call(PJRT_DeviceDescription_DebugString_Args &args) {
  args.debug_string = args.device_description->debug_string.data();
  args.debug_string_size = args.device_description->debug_string.size();
}

void call(PJRT_DeviceDescription_ToString_Args &args) {
  args.to_string = args.device_description->to_string.data();
  args.to_string_size = args.device_description->to_string.size();
}

void call(PJRT_Device_GetDescription_Args &args) {
  args.device_description = args.device->description;
}

void call(PJRT_Device_IsAddressable_Args &args) {
  args.is_addressable = args.device->device != nullptr;
}

void call(PJRT_Device_LocalHardwareId_Args &args) {
  // Hosts call this for devices of other processes too: it must not fail.
  const runtime::VirtualDevice *device = args.device->device;
  args.local_hardware_id = device ? device->ordinal() : -1;
}

void call(PJRT_Device_AddressableMemories_Args &args) {
  args.memories = args.device->memories.data();
  args.num_memories = args.device->memories.size();
}

void call(PJRT_Device_DefaultMemory_Args &args) {
  args.memory = own(args.device).memories.front();
}

void call(PJRT_Device_MemoryStats_Args &args) {
  runtime::AllocatorStats stats = own(args.device).device->memory().allocator;
  args.bytes_in_use = stats.in_use;
  args.peak_bytes_in_use = stats.peak;
  args.peak_bytes_in_use_is_set = true;
  args.num_allocs = stats.allocations;
  args.num_allocs_is_set = true;
  args.pool_bytes = stats.pooled;
  args.pool_bytes_is_set = true;
  args.bytes_limit = stats.limit;
  args.bytes_limit_is_set = stats.limit > 0;
}

void call(PJRT_Memory_Id_Args &args) { args.id = args.memory->id; }

void call(PJRT_Memory_Kind_Args &args) {
  args.kind = args.memory->kind.data();
  args.kind_size = args.memory->kind.size();
}

void call(PJRT_Memory_Kind_Id_Args &args) {
  args.kind_id = args.memory->kind_id;
}

void call(PJRT_Memory_DebugString_Args &args) {
  args.debug_string = args.memory->debug_string.data();
  args.debug_string_size = args.memory->debug_string.size();
}

void call(PJRT_Memory_ToString_Args &args) {
  args.to_string = args.memory->debug_string.data();
  args.to_string_size = args.memory->debug_string.size();
}

void call(PJRT_Memory_AddressableByDevices_Args &args) {
  args.devices = &args.memory->device;
  args.num_devices = 1;
}

} // namespace xlac::pjrt
