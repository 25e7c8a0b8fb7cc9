// Clients, their devices and memories, and topologies. All live as long as
// their client; the virtual devices behind them are the process's.
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

struct PJRT_DeviceDescription {
  int id = 0, process = 0;
  std::string debug_string, to_string;
};

struct PJRT_TopologyDescription {
  std::string platform, version;
  int processes = 1;
  std::vector<std::unique_ptr<PJRT_DeviceDescription>> descriptions;
  std::vector<PJRT_DeviceDescription *> list;
};

/// A kind of memory of a device; all kinds are the host's memory.
struct PJRT_Memory {
  int id = 0, kind_id = 0;
  std::string_view kind;
  std::string debug_string;
  PJRT_Device *device = nullptr;
};

struct PJRT_Device {
  PJRT_DeviceDescription *description = nullptr;
  /// Null for devices of other processes.
  xlac::runtime::VirtualDevice *device = nullptr;
  PJRT_Client *client = nullptr;
  /// The default comes first; none for devices of other processes.
  std::vector<PJRT_Memory *> memories;
};

struct PJRT_Client {
  PJRT_TopologyDescription topology;
  std::vector<std::unique_ptr<PJRT_Device>> own_devices;
  std::vector<std::unique_ptr<PJRT_Memory>> own_memories;
  std::vector<PJRT_Device *> devices;     ///< of all processes, by id
  std::vector<PJRT_Device *> addressable; ///< of this process, by number
  std::vector<PJRT_Memory *> memories;    ///< of this process
  xlac::pjrt::Processes processes;
  std::unique_ptr<xlac::cache::Store> store; ///< null without a disk cache
  /// Memory of buffers that no device's program makes.
  std::shared_ptr<xlac::runtime::Allocator> allocator =
      std::make_shared<xlac::runtime::Allocator>();
  /// Held while one execution is enqueued on its devices.
  std::mutex launching;
  /// By devices of an assignment and number of partitions: where executions
  /// that are launched one device at a time meet. Guarded by `launching`.
  std::map<std::pair<std::vector<PJRT_Device *>, int64_t>,
           std::shared_ptr<xlac::runtime::Communicator>>
      grids;

  /// Throws for ids that no device of any process has.
  PJRT_Device &device(int64_t id) const;
  /// The devices of a program that names none: those of this process if it has
  /// so many. Throws if all processes together do not have so many.
  std::vector<int64_t> default_devices(int64_t count) const;
};

namespace xlac::pjrt {

inline constexpr std::string_view kMemoryKinds[] = {"device", "pinned_host",
                                                    "unpinned_host"};

/// Fills a topology of so many processes with so many devices each.
void describe(PJRT_TopologyDescription &topology, int devices, int processes);
/// The device; throws if it is another process's.
PJRT_Device &own(PJRT_Device *device);
/// Devices of a process as the options or the environment say, and processes
/// as the options say.
inline constexpr int kMostDevices = 1024;
int wanted_devices(const Options &options);
int wanted_processes(const Options &options);

} // namespace xlac::pjrt
