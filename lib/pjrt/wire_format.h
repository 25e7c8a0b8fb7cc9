// Reads and writes messages in protobuf's wire format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::pjrt {

/// One field of a message.
struct WireField {
  uint32_t number = 0;
  bool is_bytes = false;
  uint64_t value = 0;     ///< value of a varint or fixed-size field
  std::string_view bytes; ///< contents of a string, message or packed list
};

/// Reads the fields of one message in order. For malformed bytes, throws Error
/// with code INVALID_ARGUMENT and the message `what`. The bytes and `what` must
/// live as long as the reader.
class WireReader {
public:
  WireReader(std::string_view bytes, std::string_view what)
      : rest_(bytes), what_(what) {}

  /// Returns the next field, or nothing at the end.
  std::optional<WireField> next();
  uint64_t varint();
  bool is_done() const { return rest_.empty(); }

private:
  [[noreturn]] void reject() const;
  std::string_view take(uint64_t count);
  uint64_t fixed(int count);

  std::string_view rest_, what_;
};

/// Appends the integers of a repeated field, which is packed or has one value.
/// Throws as WireReader for malformed bytes.
void add_integers(const WireField &field, std::vector<int64_t> &to,
                  std::string_view what);

/// Each appends a field to a message: an integer, bytes or a message, a packed
/// list of integers.
void put_integer(std::string &message, uint32_t number, int64_t value);
void put_bytes(std::string &message, uint32_t number, std::string_view bytes);
void put_integers(std::string &message, uint32_t number,
                  std::span<const int64_t> values);

} // namespace xlac::pjrt
