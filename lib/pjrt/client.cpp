#include "client.h"

#include "errors.h"
#include "functions.h"

#include "xlac/support/logging.h"
#include "xlac/support/settings.h"

#include <algorithm>

namespace xlac::pjrt {

static std::unique_ptr<cache::Store> open_store() {
  auto path = text_setting(SettingId::PersistentCachePath);
  if (!path)
    path = text_setting(SettingId::CacheDir);
  if (!path || cache::is_switched_off())
    return nullptr;
  auto store = flag_setting(SettingId::PersistentCacheReadOnly)
                   ? cache::Store::open_readonly(*path)
                   : cache::Store::open(*path);
  if (store)
    return std::move(*store);
  log_warning("running without a cache: " + store.error().message);
  return nullptr;
}

static void add_memories(PJRT_Client &client, PJRT_Device &device) {
  for (int kind = 0; kind < static_cast<int>(std::size(kMemoryKinds)); ++kind) {
    auto memory = std::make_unique<PJRT_Memory>();
    memory->id = static_cast<int>(client.memories.size());
    memory->kind_id = kind;
    memory->kind = kMemoryKinds[kind];
    memory->debug_string =
        std::string(memory->kind) + " memory of " + device.device->name();
    memory->device = &device;
    device.memories.push_back(memory.get());
    client.memories.push_back(memory.get());
    client.own_memories.push_back(std::move(memory));
  }
}

static void add_device(PJRT_Client &client, int id) {
  auto device = std::make_unique<PJRT_Device>();
  device->description = client.topology.list[id];
  device->client = &client;
  if (device->description->process == client.processes.index) {
    device->device = unwrap(
        runtime::find_device(static_cast<int>(client.addressable.size())));
    add_memories(client, *device);
    client.addressable.push_back(device.get());
  }
  client.devices.push_back(device.get());
  client.own_devices.push_back(std::move(device));
}

void call(PJRT_Client_Create_Args &args) {
  int count = wanted_devices({args.create_options, args.num_options});
  // The devices belong to the process. All its clients share them.
  unwrap(runtime::provide_devices(count));
  auto client = std::make_unique<PJRT_Client>();
  client->processes = join_processes(args, count);
  describe(client->topology, count, client->processes.count);
  client->store = open_store();
  for (int id = 0; id < count * client->processes.count; ++id)
    add_device(*client, id);
  args.client = client.release();
}

void call(PJRT_Client_Destroy_Args &args) { delete args.client; }

void call(PJRT_Client_PlatformName_Args &args) {
  args.platform_name = args.client->topology.platform.data();
  args.platform_name_size = args.client->topology.platform.size();
}

void call(PJRT_Client_PlatformVersion_Args &args) {
  args.platform_version = args.client->topology.version.data();
  args.platform_version_size = args.client->topology.version.size();
}

void call(PJRT_Client_ProcessIndex_Args &args) {
  args.process_index = args.client->processes.index;
}

/// Does nothing: the connections of the job detect lost processes earlier.
void call(PJRT_Client_UpdateGlobalProcessInfo_Args &) {}

void call(PJRT_Client_TopologyDescription_Args &args) {
  args.topology = &args.client->topology;
}

void call(PJRT_Client_Devices_Args &args) {
  args.devices = args.client->devices.data();
  args.num_devices = args.client->devices.size();
}

void call(PJRT_Client_AddressableDevices_Args &args) {
  args.addressable_devices = args.client->addressable.data();
  args.num_addressable_devices = args.client->addressable.size();
}

void call(PJRT_Client_LookupDevice_Args &args) {
  args.device = &args.client->device(args.id);
}

void call(PJRT_Client_LookupAddressableDevice_Args &args) {
  const std::vector<PJRT_Device *> &devices = args.client->addressable;
  if (args.local_hardware_id < 0 ||
      args.local_hardware_id >= static_cast<int64_t>(devices.size()))
    throw_invalid("no device " + std::to_string(args.local_hardware_id) +
                  " of this process, there are " +
                  std::to_string(devices.size()));
  args.addressable_device = devices[args.local_hardware_id];
}

void call(PJRT_Client_AddressableMemories_Args &args) {
  args.addressable_memories = args.client->memories.data();
  args.num_addressable_memories = args.client->memories.size();
}

void call(PJRT_Client_DefaultDeviceAssignment_Args &args) {
  int64_t replicas = args.num_replicas, partitions = args.num_partitions;
  if (replicas < 1 || partitions < 1 ||
      replicas * partitions > static_cast<int64_t>(args.client->devices.size()))
    throw_invalid("no default assignment of " + std::to_string(replicas) +
                  " replicas and " + std::to_string(partitions) +
                  " partitions to " +
                  std::to_string(args.client->devices.size()) + " devices");
  if (static_cast<int64_t>(args.default_assignment_size) <
      replicas * partitions)
    throw_invalid("the list for the device assignment is too short");
  std::vector<int64_t> ids =
      args.client->default_devices(replicas * partitions);
  std::copy(ids.begin(), ids.end(), args.default_assignment);
}

} // namespace xlac::pjrt

std::vector<int64_t> PJRT_Client::default_devices(int64_t count) const {
  bool is_local = count <= static_cast<int64_t>(addressable.size());
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < count; ++i)
    ids.push_back(is_local ? addressable[i]->description->id
                           : device(i).description->id);
  return ids;
}

PJRT_Device &PJRT_Client::device(int64_t id) const {
  if (id < 0 || id >= static_cast<int64_t>(devices.size()))
    throw xlac::pjrt::Error(PJRT_Error_Code_INVALID_ARGUMENT,
                            "no device " + std::to_string(id) + ", there are " +
                                std::to_string(devices.size()));
  return *devices[id];
}
