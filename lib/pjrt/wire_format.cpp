#include "wire_format.h"

#include "errors.h"

namespace xlac::pjrt {

std::optional<WireField> WireReader::next() {
  if (rest_.empty())
    return std::nullopt;
  uint64_t tag = varint();
  WireField field;
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

uint64_t WireReader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    auto byte = static_cast<uint8_t>(take(1)[0]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  reject();
}

void WireReader::reject() const { throw_invalid(std::string(what_)); }

std::string_view WireReader::take(uint64_t count) {
  if (count > rest_.size())
    reject();
  std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

uint64_t WireReader::fixed(int count) {
  std::string_view bytes = take(count);
  uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  return value;
}

void add_integers(const WireField &field, std::vector<int64_t> &to,
                  std::string_view what) {
  if (!field.is_bytes) {
    to.push_back(static_cast<int64_t>(field.value));
    return;
  }
  WireReader list(field.bytes, what);
  while (!list.is_done())
    to.push_back(static_cast<int64_t>(list.varint()));
}

static void put_varint(std::string &to, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

void put_integer(std::string &message, uint32_t number, int64_t value) {
  put_varint(message, uint64_t(number) << 3);
  put_varint(message, static_cast<uint64_t>(value));
}

void put_bytes(std::string &message, uint32_t number, std::string_view bytes) {
  put_varint(message, uint64_t(number) << 3 | 2);
  put_varint(message, bytes.size());
  message += bytes;
}

void put_integers(std::string &message, uint32_t number,
                  std::span<const int64_t> values) {
  std::string list;
  for (int64_t value : values)
    put_varint(list, static_cast<uint64_t>(value));
  put_bytes(message, number, list);
}

} // namespace xlac::pjrt
