// 256-bit content hashes (BLAKE2b) for cache and program keys. Equal bytes give
// equal keys in every process and on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace xlac {

using Digest = std::array<uint8_t, 32>;

/// Hashes a sequence of values. Strings and byte ranges include their length,
/// so that "ab","c" and "a","bc" differ.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(Hasher &&) noexcept;
  Hasher &operator=(Hasher &&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);
  void update(const std::string &text) { update(std::string_view(text)); }
  void update(const char *text) { update(std::string_view(text)); }
  void update(uint64_t value);
  void update(int64_t value) { update(static_cast<uint64_t>(value)); }
  void update(uint32_t value) { update(static_cast<uint64_t>(value)); }
  void update(int value) { update(static_cast<uint64_t>(value)); }
  void update(bool value) { update(static_cast<uint64_t>(value)); }
  /// Hashes the bit pattern.
  void update(double value);
  void update(std::span<const int64_t> values);
  /// Hashes the bytes without their length. The digest of a single call is that
  /// of `b2sum --length 256`.
  void update_plain(std::span<const std::byte> bytes);

  /// The digest; the hasher must not be used afterwards.
  Digest finish();

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// 64 lower-case hex digits.
std::string to_hex(const Digest &digest);
/// The digest with these 64 hex digits; nothing for other texts.
std::optional<Digest> parse_digest(std::string_view hex);

/// Random bytes of the operating system, for secrets and names.
Digest random_digest();

} // namespace xlac
