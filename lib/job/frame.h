// The frames that are sent over the connections of a job: a header and a body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::job {

enum class FrameKind : uint32_t {
  Data,     ///< of a collective; tag: the stream, stamp: the collective
  Segment,  ///< shared memory for the group `tag`; sent with a descriptor
  Transfer, ///< for a channel between devices; tag is the grid
  Payload,  ///< of a rendezvous
  Failure,  ///< the grid `tag` has failed; a text
  Leave,    ///< the process leaves; tag is 1 if it has failed, with the reason
            ///< as a text; else the text is the first failure it has seen
  Ask,      ///< asks for the progress of the process in the grid `tag`
  Answer,
  Lost, ///< the process `tag` has died, with the reason as a text; sent to
        ///< those whose transport does not report it
};

struct FrameHead {
  FrameKind kind = FrameKind::Data;
  uint32_t reserved = 0;
  uint64_t bytes = 0, tag = 0, stamp = 0;
};

/// Serializes numbers and texts.
class TextWriter {
public:
  TextWriter &operator<<(int64_t value) {
    text_.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  TextWriter &operator<<(std::string_view value) {
    *this << static_cast<int64_t>(value.size());
    text_ += value;
    return *this;
  }
  std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(text_));
  }

private:
  std::string text_;
};

/// Deserializes the format of TextWriter; returns zeros and empty texts past
/// the end.
class TextReader {
public:
  explicit TextReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  int64_t number() {
    int64_t value = 0;
    if (rest_.size() < sizeof value) {
      rest_ = {};
      return 0;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::string text() {
    auto size = static_cast<uint64_t>(number());
    if (size > rest_.size())
      size = rest_.size();
    std::string value(reinterpret_cast<const char *>(rest_.data()), size);
    rest_ = rest_.subspan(size);
    return value;
  }
  /// A count of elements that take at least `least` bytes each.
  size_t count(size_t least) {
    auto value = static_cast<uint64_t>(number());
    return value > rest_.size() / least ? rest_.size() / least : value;
  }

private:
  std::span<const std::byte> rest_;
};

} // namespace xlac::job
