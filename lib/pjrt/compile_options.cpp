#include "compile_options.h"

#include "errors.h"
#include "wire_format.h"
#include "xlac/loader/program_loader.h"

#include <algorithm>
#include <optional>

namespace xlac::pjrt {
namespace {

constexpr std::string_view kNoOptions =
    "the compile options are not a CompileOptionsProto";

/// Reads a DeviceAssignmentProto. It lists, for each computation (partition),
/// the devices of its replicas; `options.devices` is ordered by replica first.
void read_assignment(std::string_view bytes, CompileOptions &options) {
  std::vector<std::vector<int64_t>> computations;
  uint64_t replicas = 0;
  WireReader message(bytes, kNoOptions);
  while (auto field = message.next()) {
    if (field->number == 1)
      replicas = field->value;
    if (field->number != 3)
      continue;
    WireReader computation(field->bytes, kNoOptions);
    computations.emplace_back();
    while (auto part = computation.next())
      if (part->number == 1)
        add_integers(*part, computations.back(), kNoOptions);
  }
  options.devices.clear();
  for (uint64_t replica = 0; replica < replicas; ++replica)
    for (const std::vector<int64_t> &computation : computations) {
      if (computation.size() != replicas)
        throw_invalid("the device assignment is incomplete");
      options.devices.push_back(computation[replica]);
    }
}

void read_build_options(std::string_view bytes, CompileOptions &options) {
  WireReader message(bytes, kNoOptions);
  while (auto field = message.next()) {
    auto value = static_cast<int64_t>(field->value);
    switch (field->number) {
    case 1:
      options.device_ordinal = value;
      break;
    case 4:
      options.replicas = value;
      break;
    case 5:
      options.partitions = value;
      break;
    case 9:
      read_assignment(field->bytes, options);
      break;
    case 19:
      options.uses_shardy = value != 0;
      break;
    default:
      break;
    }
  }
}

void read_argument_sizes(std::string_view list, CompileOptions &options) {
  while (!list.empty()) {
    std::string_view text = list.substr(0, list.find(','));
    auto argument = parse_argument_sizes(text);
    if (!argument)
      throw_invalid("xlac_argument_sizes has '" + std::string(text) +
                    "', expected NUMBER=2x3");
    options.argument_sizes.push_back(std::move(*argument));
    list.remove_prefix(std::min(text.size() + 1, list.size()));
  }
}

/// Reads an entry of the map from names to values. XLA's flags have no effect.
void read_override(std::string_view bytes, CompileOptions &options) {
  WireReader message(bytes, kNoOptions);
  std::string_view name, value;
  while (auto field = message.next()) {
    if (field->number == 1)
      name = field->bytes;
    if (field->number != 2)
      continue;
    WireReader wrapped(field->bytes, kNoOptions);
    while (auto part = wrapped.next())
      if (part->number == 1)
        value = part->bytes;
  }
  if (name == "xlac_argument_sizes")
    read_argument_sizes(value, options);
  else if (!name.starts_with("xla_"))
    throw_invalid("No such compile option: '" + std::string(name) + "'");
}

} // namespace

CompileOptions parse_compile_options(std::string_view bytes) {
  CompileOptions options;
  options.bytes = bytes;
  WireReader message(bytes, kNoOptions);
  while (auto field = message.next()) {
    if (field->number == 3)
      read_build_options(field->bytes, options);
    else if (field->number == 4)
      options.is_portable = field->value != 0;
    else if (field->number == 7)
      read_override(field->bytes, options);
  }
  constexpr int64_t kMost = 1024;
  if (options.replicas < 1 || options.partitions < 1 ||
      options.replicas > kMost || options.partitions > kMost)
    throw_invalid("got " + std::to_string(options.replicas) + " replicas and " +
                  std::to_string(options.partitions) +
                  " partitions, expected 1 to 1024 of each");
  if (!options.devices.empty() &&
      static_cast<int64_t>(options.devices.size()) !=
          options.replicas * options.partitions)
    throw_invalid("the device assignment has " +
                  std::to_string(options.devices.size()) +
                  " devices, expected one for each of " +
                  std::to_string(options.replicas) + " replicas and " +
                  std::to_string(options.partitions) + " partitions");
  return options;
}

std::string serialize_assignment(const CompileOptions &options,
                                 const std::vector<int64_t> &devices) {
  std::string text;
  put_integer(text, 1, options.replicas);
  put_integer(text, 2, options.partitions);
  for (int64_t partition = 0; partition < options.partitions; ++partition) {
    std::vector<int64_t> ids;
    for (int64_t replica = 0; replica < options.replicas; ++replica)
      ids.push_back(devices[replica * options.partitions + partition]);
    std::string computation;
    put_integers(computation, 1, ids);
    put_bytes(text, 3, computation);
  }
  return text;
}

} // namespace xlac::pjrt
