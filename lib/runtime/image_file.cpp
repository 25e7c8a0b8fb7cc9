#include "xlac/runtime/image_file.h"

#include "xlac/support/hash.h"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace xlac::runtime {

namespace {

constexpr std::string_view kMagic = "XLACFILE";
constexpr uint32_t kVersion = 1;

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t reserved; ///< 0
  uint64_t payload_bytes;
  uint8_t checksum[sizeof(Digest)];
};
static_assert(sizeof(Header) == 56, "the header has no padding");

Digest checksum(std::string_view payload) {
  Hasher hasher;
  hasher.update(payload);
  return hasher.finish();
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

std::string with_checksum(std::string_view magic, std::string_view payload) {
  assert(magic.size() == sizeof(Header::magic) && "a magic has 8 characters");
  Header header{};
  std::memcpy(header.magic, magic.data(), sizeof header.magic);
  header.version = kVersion;
  header.payload_bytes = payload.size();
  Digest digest = checksum(payload);
  std::memcpy(header.checksum, digest.data(), digest.size());
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  return bytes += payload;
}

Result<std::string_view> check_payload(std::string_view magic,
                                       std::string_view bytes) {
  auto fail = [](const char *why) {
    return failure(FailureKind::Runtime, why);
  };
  if (!bytes.starts_with(magic))
    return fail("not an executable image of xlac");
  Header header;
  if (bytes.size() < sizeof header)
    return fail("the executable image is incomplete");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kVersion || header.reserved != 0)
    return fail("the executable image has the format of another version of "
                "xlac");
  std::string_view payload = bytes.substr(sizeof header);
  if (payload.size() != header.payload_bytes)
    return fail(payload.size() < header.payload_bytes
                    ? "the executable image is incomplete"
                    : "more bytes follow the executable image");
  Digest digest = checksum(payload);
  if (std::memcmp(digest.data(), header.checksum, digest.size()) != 0)
    return fail("the executable image is damaged: its checksum is wrong");
  return payload;
}

std::vector<std::byte> write_image_file(const ExecutableImage &image) {
  std::string bytes = with_checksum(kMagic, text_of(serialize(image)));
  auto all = std::as_bytes(std::span(bytes));
  return {all.begin(), all.end()};
}

Result<ExecutableImage> read_image_file(std::span<const std::byte> bytes) {
  auto payload = check_payload(kMagic, text_of(bytes));
  if (!payload)
    return payload.error();
  return deserialize_image(std::as_bytes(std::span(*payload)));
}

bool is_image_file(std::span<const std::byte> bytes) {
  return text_of(bytes).starts_with(kMagic);
}

} // namespace xlac::runtime
