// Bytes that their copies share: of a vector, or a part of other memory, such
// as a mapped file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace xlac {

/// Bytes that never change, and the owner of their memory.
class SharedBytes {
public:
  SharedBytes() = default;
  /// Takes the bytes of a vector.
  SharedBytes(std::vector<std::byte> bytes) {
    auto all = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    bytes_ = *all;
    owner_ = std::move(all);
  }
  /// A part of memory that lives as long as `owner`.
  SharedBytes(std::span<const std::byte> bytes,
              std::shared_ptr<const void> owner)
      : owner_(std::move(owner)), bytes_(bytes) {}

  operator std::span<const std::byte>() const { return bytes_; }
  const std::byte *data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  auto begin() const { return bytes_.begin(); }
  auto end() const { return bytes_.end(); }
  const std::shared_ptr<const void> &owner() const { return owner_; }

  friend bool operator==(const SharedBytes &left, const SharedBytes &right) {
    return std::ranges::equal(left.bytes_, right.bytes_);
  }

private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

} // namespace xlac
