// What the plugin reads of a serialized CompileOptionsProto, by a reader of
// protobuf's wire format that knows the few fields that matter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::pjrt {

struct CompileOptions {
  std::string bytes; ///< as they came
  int64_t replicas = 1, partitions = 1;
  int64_t device_ordinal = -1;
  /// devices[replica * partitions + partition]; empty: not assigned.
  std::vector<int64_t> devices;
  /// No assignment: each execution says its device.
  bool is_portable = false;
};

/// Throws for bytes that are not such a message and for overrides of options
/// that do not exist.
CompileOptions parse_compile_options(std::string_view bytes);

/// The assignment as a DeviceAssignmentProto.
std::string serialize_assignment(const CompileOptions &options,
                                 const std::vector<int64_t> &devices);

} // namespace xlac::pjrt
