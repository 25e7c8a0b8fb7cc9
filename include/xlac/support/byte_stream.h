// Little-endian writing and bounds-checked reading of plain values. After an
// error a reader stays bad and returns zeros and empty lists; check it once at
// the end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace xlac {

static_assert(std::endian::native == std::endian::little,
              "images are written as the machine holds them");

/// Appends values to a byte vector.
class ByteWriter {
public:
  template <size_t N> void magic(const char (&magic)[N]) { put(magic, N); }
  void u8(uint8_t value) { put(&value, sizeof value); }
  void u32(uint32_t value) { put(&value, sizeof value); }
  void u64(uint64_t value) { put(&value, sizeof value); }
  void i64(int64_t value) { put(&value, sizeof value); }
  void bytes(std::span<const std::byte> value) {
    u64(value.size());
    put(value.data(), value.size());
  }
  void text(std::string_view value) {
    u64(value.size());
    put(value.data(), value.size());
  }
  void i64s(const std::vector<int64_t> &values) { list(values); }
  void u32s(const std::vector<uint32_t> &values) { list(values); }
  void f64s(const std::vector<double> &values) { list(values); }
  std::vector<std::byte> take() { return std::move(out_); }

  /// A list of numbers of the same type.
  template <class T> void list(const std::vector<T> &values) {
    static_assert(std::is_arithmetic_v<T>);
    u64(values.size());
    put(values.data(), values.size() * sizeof(T));
  }

private:
  void put(const void *data, size_t size) {
    const std::byte *from = static_cast<const std::byte *>(data);
    out_.insert(out_.end(), from, from + size);
  }

  std::vector<std::byte> out_;
};

/// Reads the format of ByteWriter from untrusted bytes.
class ByteReader {
public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <size_t N> bool magic(const char (&magic)[N]) {
    char found[N] = {};
    get(found, N);
    return good_ && std::memcmp(found, magic, N) == 0;
  }
  uint8_t u8() { return value<uint8_t>(); }
  uint32_t u32() { return value<uint32_t>(); }
  uint64_t u64() { return value<uint64_t>(); }
  int64_t i64() { return value<int64_t>(); }
  bool boolean() {
    uint8_t byte = u8();
    if (byte > 1)
      reject();
    return good_ && byte == 1;
  }
  /// A count of elements that take at least `minimum` bytes each. The input's
  /// size bounds it, and thus also what a caller reserves.
  size_t count(size_t minimum) {
    uint64_t found = u64();
    if (found > rest_.size() / minimum)
      reject();
    return good_ ? static_cast<size_t>(found) : 0;
  }
  void bytes(std::vector<std::byte> &value) { list(value); }
  void text(std::string &value) {
    value.resize(count(1));
    get(value.data(), value.size());
  }
  void i64s(std::vector<int64_t> &values) { list(values); }
  void u32s(std::vector<uint32_t> &values) { list(values); }
  void f64s(std::vector<double> &values) { list(values); }
  template <class T> void list(std::vector<T> &values) {
    static_assert(std::is_trivially_copyable_v<T>);
    values.resize(count(sizeof(T)));
    get(values.data(), values.size() * sizeof(T));
  }

  /// Marks the input as malformed. Returns false, for `return in.reject()`.
  bool reject() {
    good_ = false;
    return false;
  }
  bool good() const { return good_; }
  /// Whether there was no error and no bytes are left.
  bool finished() const { return good_ && rest_.empty(); }

private:
  template <class T> T value() {
    T value{};
    get(&value, sizeof value);
    return value;
  }
  void get(void *data, size_t size) {
    if (!good_ || size > rest_.size()) {
      reject();
      return;
    }
    if (size == 0)
      return;
    std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }

  std::span<const std::byte> rest_;
  bool good_ = true;
};

} // namespace xlac
