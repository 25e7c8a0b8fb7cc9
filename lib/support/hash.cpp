#include "xlac/support/hash.h"

#include <blake2.h>

#include <bit>
#include <random>

namespace xlac {

struct Hasher::State {
  blake2b_state blake;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  blake2b_init(&state_->blake, sizeof(Digest));
}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher &&) noexcept = default;
Hasher &Hasher::operator=(Hasher &&) noexcept = default;

void Hasher::update(std::span<const std::byte> bytes) {
  update(static_cast<uint64_t>(bytes.size()));
  update_plain(bytes);
}

void Hasher::update(std::string_view text) {
  update(std::as_bytes(std::span(text.data(), text.size())));
}

void Hasher::update(uint64_t value) {
  std::array<uint8_t, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(value >> (8 * i));
  blake2b_update(&state_->blake, bytes.data(), bytes.size());
}

void Hasher::update(double value) { update(std::bit_cast<uint64_t>(value)); }

void Hasher::update(std::span<const int64_t> values) {
  update(static_cast<uint64_t>(values.size()));
  for (int64_t value : values)
    update(value);
}

void Hasher::update_plain(std::span<const std::byte> bytes) {
  blake2b_update(&state_->blake,
                 reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

Digest Hasher::finish() {
  Digest digest;
  blake2b_final(&state_->blake, digest.data(), digest.size());
  return digest;
}

Digest random_digest() {
  std::random_device random;
  Digest digest;
  for (uint8_t &byte : digest)
    byte = static_cast<uint8_t>(random());
  return digest;
}

static int digit_of(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  char lower = static_cast<char>(digit | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<Digest> parse_digest(std::string_view hex) {
  Digest digest;
  if (hex.size() != 2 * digest.size())
    return std::nullopt;
  for (size_t i = 0; i < digest.size(); ++i) {
    int high = digit_of(hex[2 * i]), low = digit_of(hex[2 * i + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    digest[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return digest;
}

std::string to_hex(const Digest &digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

} // namespace xlac
