// Topologies, and the attributes of the plugin.
#include "client.h"
#include "errors.h"
#include "functions.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/support/settings.h"
#include "xlac/version.h"

#include <charconv>

namespace xlac::pjrt {

void describe(PJRT_TopologyDescription &topology, int devices, int processes) {
  topology.platform = text_setting(SettingId::PjrtPlatform).value_or("xlac");
  topology.version = "xlac " XLAC_VERSION_STRING " compiler " +
                     unwrap(compiler_build_id()) + " for " +
                     host_profile().name;
  topology.processes = processes;
  for (int id = 0; id < devices * processes; ++id) {
    auto description = std::make_unique<PJRT_DeviceDescription>();
    description->id = id;
    description->process = id / devices;
    description->debug_string = "xlac device " + std::to_string(id);
    description->to_string = "XlacDevice(id=" + std::to_string(id) + ")";
    if (processes > 1)
      description->debug_string +=
          " of process " + std::to_string(description->process);
    topology.list.push_back(description.get());
    topology.descriptions.push_back(std::move(description));
  }
}

static int checked(const char *name, int64_t count, int64_t most) {
  if (count < 1 || count > most)
    throw_invalid(std::string(name) + " is " + std::to_string(count) +
                  ", expected 1 to " + std::to_string(most));
  return static_cast<int>(count);
}

int wanted_devices(const Options &options) {
  return checked(
      "num_devices",
      options.integer("num_devices")
          .value_or(integer_setting(SettingId::PjrtDevices).value_or(1)),
      kMostDevices);
}

int wanted_processes(const Options &options) {
  return checked("num_nodes", options.integer("num_nodes").value_or(1),
                 kMostProcesses);
}

void call(PJRT_Plugin_Initialize_Args &) {}

void call(PJRT_Plugin_Attributes_Args &args) {
  static constexpr int64_t kCurrent[] = {1, 20, 0}, kMinimum[] = {0, 9, 0};
  static const PJRT_NamedValue attributes[] = {
      named_value("xla_version", int64_t{2}),
      named_value("stablehlo_current_version", kCurrent, std::size(kCurrent)),
      named_value("stablehlo_minimum_version", kMinimum, std::size(kMinimum)),
  };
  args.attributes = attributes;
  args.num_attributes = std::size(attributes);
}

void call(PJRT_TopologyDescription_Create_Args &args) {
  Options options(args.create_options, args.num_options);
  auto topology = std::make_unique<PJRT_TopologyDescription>();
  describe(*topology, wanted_devices(options), wanted_processes(options));
  args.topology = topology.release();
}

void call(PJRT_TopologyDescription_Destroy_Args &args) { delete args.topology; }

void call(PJRT_TopologyDescription_PlatformName_Args &args) {
  args.platform_name = args.topology->platform.data();
  args.platform_name_size = args.topology->platform.size();
}

void call(PJRT_TopologyDescription_PlatformVersion_Args &args) {
  args.platform_version = args.topology->version.data();
  args.platform_version_size = args.topology->version.size();
}

void call(PJRT_TopologyDescription_GetDeviceDescriptions_Args &args) {
  args.descriptions = args.topology->list.data();
  args.num_descriptions = args.topology->list.size();
}

void call(PJRT_TopologyDescription_Attributes_Args &args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
}

static constexpr std::string_view kTopologyMark = "xlac topology ";

} // namespace xlac::pjrt

struct PJRT_SerializedTopology {
  std::string bytes;
};

namespace xlac::pjrt {

/// Includes the target profile: hosts use the bytes in cache keys, and
/// generated code depends on the profile.
void call(PJRT_TopologyDescription_Serialize_Args &args) {
  auto serialized = std::make_unique<PJRT_SerializedTopology>();
  int processes = args.topology->processes;
  size_t devices = args.topology->list.size() / processes;
  serialized->bytes = std::string(kTopologyMark) + std::to_string(devices) +
                      " " + std::to_string(processes) + " " +
                      host_profile().name;
  args.serialized_bytes = serialized->bytes.data();
  args.serialized_bytes_size = serialized->bytes.size();
  args.serialized_topology = serialized.release();
  args.serialized_topology_deleter = [](PJRT_SerializedTopology *topology) {
    delete topology;
  };
}

void call(PJRT_TopologyDescription_Deserialize_Args &args) {
  std::string_view bytes(args.serialized_topology,
                         args.serialized_topology_size);
  int devices = 0, processes = 0;
  if (bytes.starts_with(kTopologyMark)) {
    const char *end = bytes.data() + bytes.size();
    auto [rest, error] =
        std::from_chars(bytes.data() + kTopologyMark.size(), end, devices);
    if (error == std::errc() && rest < end)
      std::from_chars(rest + 1, end, processes);
  }
  if (devices < 1 || devices > kMostDevices || processes < 1 ||
      processes > kMostProcesses)
    throw_invalid("these bytes are not a topology of xlac");
  auto topology = std::make_unique<PJRT_TopologyDescription>();
  describe(*topology, devices, processes);
  args.topology = topology.release();
}

} // namespace xlac::pjrt
