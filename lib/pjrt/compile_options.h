// Reads a serialized CompileOptionsProto without the protobuf library. Fields
// that the plugin does not use are skipped.
#pragma once

#include "xlac/compiler.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::pjrt {

/// The options that the plugin uses.
struct CompileOptions {
  std::string bytes; ///< the serialized message
  int64_t replicas = 1, partitions = 1;
  int64_t device_ordinal = -1; ///< -1: not set
  /// Ids devices[replica * partitions + partition]; empty: not assigned.
  std::vector<int64_t> devices;
  /// The executable has no assignment; each execution names its device.
  bool is_portable = false;
  /// Sharding rules of the program, not callbacks, decide shardings.
  bool uses_shardy = false;
  /// From the override `xlac_argument_sizes`, such as "0=2x3,1=3x4", for a
  /// program whose arguments have dimensions of unknown size.
  ArgumentSizes argument_sizes;
};

/// Parses the message. Throws Error if it is malformed, if numbers of replicas
/// or partitions are out of [1, 1024], if the device assignment does not match
/// them, or if an override names neither an XLA flag nor an option of xlac.
CompileOptions parse_compile_options(std::string_view bytes);

/// Returns a serialized DeviceAssignmentProto; `devices` is ordered as
/// CompileOptions::devices.
std::string serialize_assignment(const CompileOptions &options,
                                 const std::vector<int64_t> &devices);

} // namespace xlac::pjrt
