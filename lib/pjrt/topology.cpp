// Topologies, and what the plugin says of itself.
#include "client.h"
#include "errors.h"
#include "functions.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/support/settings.h"
#include "xlac/version.h"

#include <charconv>

namespace xlac::pjrt {

void describe(PJRT_TopologyDescription &topology, int devices) {
  topology.platform = text_setting(SettingId::PjrtPlatform).value_or("xlac");
  topology.version =
      "xlac " XLAC_VERSION_STRING " compiler " + unwrap(compiler_build_id());
  for (int id = 0; id < devices; ++id) {
    auto description = std::make_unique<PJRT_DeviceDescription>();
    description->id = id;
    description->debug_string = "xlac device " + std::to_string(id);
    description->to_string = "XlacDevice(id=" + std::to_string(id) + ")";
    topology.list.push_back(description.get());
    topology.descriptions.push_back(std::move(description));
  }
}

int wanted_devices(const Options &options) {
  constexpr int64_t kMost = 1024;
  int64_t count =
      options.integer("num_devices")
          .value_or(integer_setting(SettingId::PjrtDevices).value_or(1));
  if (count < 1 || count > kMost)
    throw_invalid("num_devices is " + std::to_string(count) +
                  ", expected 1 to " + std::to_string(kMost));
  return static_cast<int>(count);
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
  auto topology = std::make_unique<PJRT_TopologyDescription>();
  describe(*topology, wanted_devices({args.create_options, args.num_options}));
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

/// Names what generated code depends on: hosts take it for keys of caches.
void call(PJRT_TopologyDescription_Serialize_Args &args) {
  auto serialized = std::make_unique<PJRT_SerializedTopology>();
  serialized->bytes = std::string(kTopologyMark) +
                      std::to_string(args.topology->list.size()) + " " +
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
  int count = 0;
  if (bytes.starts_with(kTopologyMark))
    std::from_chars(bytes.data() + kTopologyMark.size(),
                    bytes.data() + bytes.size(), count);
  if (count < 1 || count > 1024)
    throw_invalid("these bytes are not a topology of xlac");
  auto topology = std::make_unique<PJRT_TopologyDescription>();
  describe(*topology, count);
  args.topology = topology.release();
}

} // namespace xlac::pjrt
