// Clients, their devices and memories, and topologies. Devices and memories
// live as long as their client. The virtual devices that they refer to live as
// long as the process.
#pragma once

#include "c_api.h"
#include "named_values.h"
#include "processes.h"

#include "xlac/cache/store.h"
#include "xlac/runtime/communicator.h"
#include "xlac/runtime/device.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// A device as topologies describe it. Ids count the devices of all processes.
struct PJRT_DeviceDescription {
  int id = 0, process = 0;
  std::string debug_string, to_string;
};

/// The platform, and the descriptions of the devices of all processes.
struct PJRT_TopologyDescription {
  std::string platform, version;
  int processes = 1;
  std::vector<std::unique_ptr<PJRT_DeviceDescription>> descriptions;
  std::vector<PJRT_DeviceDescription *> list; ///< `descriptions`, by id
};

/// A memory of a device. Memories of all kinds are in the host's memory.
struct PJRT_Memory {
  int id = 0, kind_id = 0; ///< indices in PJRT_Client::memories, kMemoryKinds
  std::string_view kind;
  std::string debug_string;
  PJRT_Device *device = nullptr;
};

/// A device of a client.
struct PJRT_Device {
  PJRT_DeviceDescription *description = nullptr;
  /// Null for devices of other processes.
  xlac::runtime::VirtualDevice *device = nullptr;
  PJRT_Client *client = nullptr;
  /// The default memory comes first. Empty for devices of other processes.
  std::vector<PJRT_Memory *> memories;
};

/// Immutable after its creation, except for `grids`.
struct PJRT_Client {
  PJRT_TopologyDescription topology;
  std::vector<std::unique_ptr<PJRT_Device>> own_devices;
  std::vector<std::unique_ptr<PJRT_Memory>> own_memories;
  std::vector<PJRT_Device *> devices;     ///< of all processes, by id
  std::vector<PJRT_Device *> addressable; ///< of this process, by ordinal
  std::vector<PJRT_Memory *> memories;    ///< of this process
  xlac::pjrt::Processes processes;
  std::unique_ptr<xlac::cache::Store> store; ///< null without a disk cache
  /// Allocates the buffers that pending_buffer() returns.
  std::shared_ptr<xlac::runtime::Allocator> allocator =
      std::make_shared<xlac::runtime::Allocator>();
  /// Held while an execution is enqueued on several devices, so that all of
  /// them run concurrent executions in the same order.
  std::mutex launching;
  /// The grids of executions that hosts launch on one device at a time, by the
  /// devices of the assignment and the number of partitions. Guarded by
  /// `launching`.
  std::map<std::pair<std::vector<PJRT_Device *>, int64_t>,
           std::shared_ptr<xlac::runtime::Communicator>>
      grids;

  /// Returns the device with that id; throws Error if there is none.
  PJRT_Device &device(int64_t id) const;
  /// Returns the ids of the devices for a program without an assignment: the
  /// first devices of this process if it has `count`, otherwise the first ones
  /// of all processes. Throws Error if there are fewer than `count`.
  std::vector<int64_t> default_devices(int64_t count) const;
};

namespace xlac::pjrt {

/// The names of the kinds of memory of each device; the first is the default.
inline constexpr std::string_view kMemoryKinds[] = {"device", "pinned_host",
                                                    "unpinned_host"};

/// Fills an empty topology of `processes` processes with `devices` devices
/// each. Throws Error if the build id of the compiler library cannot be read.
void describe(PJRT_TopologyDescription &topology, int devices, int processes);
/// Returns the device; throws Error if it belongs to another process.
PJRT_Device &own(PJRT_Device *device);
/// The maximum number of devices of a process.
inline constexpr int kMostDevices = 1024;
/// Returns the option `num_devices`, else the setting XLAC_PJRT_DEVICES,
/// else 1. Throws Error unless it is in [1, kMostDevices].
int wanted_devices(const Options &options);
/// Returns the option `num_nodes`, by default 1. Throws Error unless it is in
/// [1, kMostProcesses].
int wanted_processes(const Options &options);

} // namespace xlac::pjrt
