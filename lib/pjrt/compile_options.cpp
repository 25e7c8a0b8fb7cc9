#include "compile_options.h"

#include "errors.h"
#include "xlac/loader/program_loader.h"

#include <algorithm>
#include <optional>

namespace xlac::pjrt {
namespace {

/// One field of a message in protobuf's wire format.
struct Field {
  uint32_t number = 0;
  bool is_bytes = false;
  uint64_t value = 0;     ///< value of a varint or fixed-size field
  std::string_view bytes; ///< contents of a string, message or packed list
};

/// Reads the fields of one message in order. Throws for malformed bytes.
class Message {
public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}

  std::optional<Field> next() {
    if (rest_.empty())
      return std::nullopt;
    uint64_t tag = varint();
    Field field;
    field.number = static_cast<uint32_t>(tag >> 3);
    switch (tag & 7) {
    case 0:
      field.value = varint();
      return field;
    case 1:
      field.value = fixed(8);
      return field;
    case 2:
      field.is_bytes = true;
      field.bytes = take(varint());
      return field;
    case 5:
      field.value = fixed(4);
      return field;
    default:
      reject();
    }
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      auto byte = static_cast<uint8_t>(take(1)[0]);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    reject();
  }

  bool is_done() const { return rest_.empty(); }

private:
  [[noreturn]] static void reject() {
    throw_invalid("the compile options are not a CompileOptionsProto");
  }
  std::string_view take(uint64_t count) {
    if (count > rest_.size())
      reject();
    std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  uint64_t fixed(int count) {
    std::string_view bytes = take(count);
    uint64_t value = 0;
    for (int i = 0; i < count; ++i)
      value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
    return value;
  }

  std::string_view rest_;
};

/// Appends the integers of a repeated field, which is packed or has one value.
void add_integers(const Field &field, std::vector<int64_t> &to) {
  if (!field.is_bytes) {
    to.push_back(static_cast<int64_t>(field.value));
    return;
  }
  Message list(field.bytes);
  while (!list.is_done())
    to.push_back(static_cast<int64_t>(list.varint()));
}

/// Reads a DeviceAssignmentProto. It lists, for each computation (partition),
/// the devices of its replicas; `options.devices` is ordered by replica first.
void read_assignment(std::string_view bytes, CompileOptions &options) {
  std::vector<std::vector<int64_t>> computations;
  uint64_t replicas = 0;
  Message message(bytes);
  while (auto field = message.next()) {
    if (field->number == 1)
      replicas = field->value;
    if (field->number != 3)
      continue;
    Message computation(field->bytes);
    computations.emplace_back();
    while (auto part = computation.next())
      if (part->number == 1)
        add_integers(*part, computations.back());
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
  Message message(bytes);
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
  Message message(bytes);
  std::string_view name, value;
  while (auto field = message.next()) {
    if (field->number == 1)
      name = field->bytes;
    if (field->number != 2)
      continue;
    Message wrapped(field->bytes);
    while (auto part = wrapped.next())
      if (part->number == 1)
        value = part->bytes;
  }
  if (name == "xlac_argument_sizes")
    read_argument_sizes(value, options);
  else if (!name.starts_with("xla_"))
    throw_invalid("No such compile option: '" + std::string(name) + "'");
}

void put_varint(std::string &to, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

} // namespace

CompileOptions parse_compile_options(std::string_view bytes) {
  CompileOptions options;
  options.bytes = bytes;
  Message message(bytes);
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
  put_varint(text, 1 << 3);
  put_varint(text, options.replicas);
  put_varint(text, 2 << 3);
  put_varint(text, options.partitions);
  for (int64_t partition = 0; partition < options.partitions; ++partition) {
    std::string ids, computation;
    for (int64_t replica = 0; replica < options.replicas; ++replica)
      put_varint(ids, devices[replica * options.partitions + partition]);
    put_varint(computation, 1 << 3 | 2);
    put_varint(computation, ids.size());
    computation += ids;
    put_varint(text, 3 << 3 | 2);
    put_varint(text, computation.size());
    text += computation;
  }
  return text;
}

} // namespace xlac::pjrt
