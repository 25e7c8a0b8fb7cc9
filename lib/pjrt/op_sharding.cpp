#include "op_sharding.h"

#include "errors.h"
#include "wire_format.h"

#include <fmt/ranges.h>

namespace xlac::pjrt {
namespace {

constexpr std::string_view kNoSharding = "the bytes are not an OpSharding";

/// OpSharding::Type. Also the kinds of subgroups.
enum OpShardingType : int64_t {
  kReplicated = 0,
  kMaximal = 1,
  kTuple = 2,
  kOther = 3,
  kManual = 4,
  kUnknown = 5,
  kUnreduced = 6,
};

/// The fields of an OpSharding that the plugin uses.
struct OpSharding {
  int64_t type = kReplicated;
  std::vector<int64_t> tiles, devices, reshape, permutation, subgroups;
  bool replicates_last = false;
  std::vector<std::string_view> elements;
};

OpSharding read_fields(std::string_view bytes) {
  OpSharding read;
  WireReader message(bytes, kNoSharding);
  while (auto field = message.next())
    switch (field->number) {
    case 1:
      read.type = static_cast<int64_t>(field->value);
      break;
    case 3:
      add_integers(*field, read.tiles, kNoSharding);
      break;
    case 4:
      add_integers(*field, read.devices, kNoSharding);
      break;
    case 5:
      read.elements.push_back(field->bytes);
      break;
    case 6:
      read.replicates_last = field->value != 0;
      break;
    case 8:
      add_integers(*field, read.subgroups, kNoSharding);
      break;
    case 9:
      add_integers(*field, read.reshape, kNoSharding);
      break;
    case 10:
      add_integers(*field, read.permutation, kNoSharding);
      break;
    default:
      break;
    }
  return read;
}

std::string_view name_of_subgroup(int64_t type) {
  switch (type) {
  case kReplicated:
    return "replicated";
  case kUnreduced:
    return "unreduced";
  case kManual:
    return "manual";
  default:
    throw_invalid("an OpSharding has a subgroup of type " +
                  std::to_string(type));
  }
}

/// Returns HLO's text, which parse_sharding validates.
std::string hlo_text_of(const OpSharding &read) {
  std::string text = fmt::format("{{devices=[{}]", fmt::join(read.tiles, ","));
  if (!read.reshape.empty())
    text += fmt::format("<=[{}]", fmt::join(read.reshape, ","));
  else
    text += fmt::format("{}", fmt::join(read.devices, ","));
  // A permutation of one dimension is left out.
  if (read.reshape.size() > 1)
    text += fmt::format("T({})", fmt::join(read.permutation, ","));
  if (read.replicates_last) {
    text += " last_tile_dim_replicate";
  } else if (!read.subgroups.empty()) {
    std::vector<std::string_view> names;
    for (int64_t type : read.subgroups)
      names.push_back(name_of_subgroup(type));
    text += fmt::format(" last_tile_dims={{{}}}", fmt::join(names, ", "));
  }
  return text + "}";
}

/// Reads a sharding that is no tuple.
Sharding read_one(const OpSharding &read) {
  Sharding sharding;
  switch (read.type) {
  case kReplicated:
    return sharding;
  case kManual:
    sharding.kind = Sharding::Kind::Manual;
    return sharding;
  case kUnknown:
    sharding.kind = Sharding::Kind::Unknown;
    return sharding;
  case kMaximal:
    if (read.devices.size() != 1 || read.devices[0] < 0)
      throw_invalid("a maximal OpSharding does not name one device");
    sharding.kind = Sharding::Kind::Maximal;
    sharding.devices = read.devices;
    return sharding;
  case kOther:
    return unwrap(parse_sharding(hlo_text_of(read)));
  default:
    throw_invalid("an OpSharding has the type " + std::to_string(read.type));
  }
}

/// XLA's PrimitiveType.
int64_t primitive_type_of(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return 1;
  case ElementType::I2:
    return 26;
  case ElementType::I4:
    return 21;
  case ElementType::I8:
    return 2;
  case ElementType::I16:
    return 3;
  case ElementType::I32:
    return 4;
  case ElementType::I64:
    return 5;
  case ElementType::UI2:
    return 27;
  case ElementType::UI4:
    return 22;
  case ElementType::UI8:
    return 6;
  case ElementType::UI16:
    return 7;
  case ElementType::UI32:
    return 8;
  case ElementType::UI64:
    return 9;
  case ElementType::F4E2M1FN:
    return 32;
  case ElementType::F8E3M4:
    return 29;
  case ElementType::F8E4M3:
    return 28;
  case ElementType::F8E4M3B11FNUZ:
    return 23;
  case ElementType::F8E4M3FN:
    return 20;
  case ElementType::F8E4M3FNUZ:
    return 25;
  case ElementType::F8E5M2:
    return 19;
  case ElementType::F8E5M2FNUZ:
    return 24;
  case ElementType::F8E8M0FNU:
    return 33;
  case ElementType::BF16:
    return 16;
  case ElementType::F16:
    return 10;
  case ElementType::F32:
    return 11;
  case ElementType::F64:
    return 12;
  case ElementType::Complex64:
    return 15;
  case ElementType::Complex128:
    return 18;
  case ElementType::F6E2M3FN:
  case ElementType::F6E3M2FN:
    break;
  }
  throw_unimplemented("XLA has no shapes of " +
                      std::string(element_type_name(type)));
}

constexpr int64_t kTupleShape = 13; // PrimitiveType::TUPLE

} // namespace

std::string serialize_sharding(const Sharding &sharding) {
  std::string bytes;
  switch (sharding.kind) {
  case Sharding::Kind::Replicated:
    break;
  case Sharding::Kind::Manual:
    put_integer(bytes, 1, kManual);
    break;
  case Sharding::Kind::Unknown:
    put_integer(bytes, 1, kUnknown);
    break;
  case Sharding::Kind::Maximal:
    put_integer(bytes, 1, kMaximal);
    put_integers(bytes, 3, std::vector<int64_t>{1});
    put_integers(bytes, 4, sharding.devices);
    break;
  case Sharding::Kind::Tuple:
    put_integer(bytes, 1, kTuple);
    for (const Sharding &element : sharding.elements)
      put_bytes(bytes, 5, serialize_sharding(element));
    break;
  case Sharding::Kind::Tiled: {
    std::vector<int64_t> tiles = sharding.tiles, subgroups;
    if (sharding.copies > 1) {
      tiles.push_back(sharding.copies);
      subgroups.push_back(kReplicated);
    }
    if (sharding.summands > 1) {
      tiles.push_back(sharding.summands);
      subgroups.push_back(kUnreduced);
    }
    put_integer(bytes, 1, kOther);
    put_integers(bytes, 3, tiles);
    put_integers(bytes, 4, sharding.devices);
    if (sharding.summands > 1)
      put_integers(bytes, 8, subgroups);
    else if (sharding.copies > 1)
      put_integer(bytes, 6, 1);
  }
  }
  return bytes;
}

Sharding parse_op_sharding(std::string_view bytes) {
  OpSharding read = read_fields(bytes);
  if (read.type != kTuple)
    return read_one(read);
  Sharding tuple;
  tuple.kind = Sharding::Kind::Tuple;
  for (std::string_view element : read.elements)
    tuple.elements.push_back(read_one(read_fields(element)));
  return tuple;
}

std::string serialize_shape(const TensorType &type) {
  std::string bytes;
  put_integer(bytes, 2, primitive_type_of(type.element));
  put_integers(bytes, 3, type.dims);
  return bytes;
}

std::string serialize_result_shape(std::span<const TensorType> types) {
  if (types.size() == 1)
    return serialize_shape(types[0]);
  std::string bytes;
  put_integer(bytes, 2, kTupleShape);
  for (const TensorType &type : types)
    put_bytes(bytes, 4, serialize_shape(type));
  return bytes;
}

std::string serialize_result_shardings(std::span<const Sharding> shardings) {
  if (shardings.size() == 1)
    return serialize_sharding(shardings[0]);
  Sharding tuple;
  tuple.kind = Sharding::Kind::Tuple;
  tuple.elements.assign(shardings.begin(), shardings.end());
  return serialize_sharding(tuple);
}

std::vector<Sharding> parse_result_shardings(std::string_view bytes,
                                             size_t count) {
  Sharding sharding = parse_op_sharding(bytes);
  std::vector<Sharding> all;
  if (sharding.kind == Sharding::Kind::Tuple)
    all = std::move(sharding.elements);
  else
    all.push_back(std::move(sharding));
  if (all.size() != count)
    throw_invalid("got shardings of " + std::to_string(all.size()) +
                  " results, expected " + std::to_string(count));
  return all;
}

} // namespace xlac::pjrt
