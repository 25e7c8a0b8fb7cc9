#include "xlac/runtime/checked_payload.h"

#include "xlac/support/hash.h"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace xlac::runtime {

namespace {

constexpr uint32_t kPayloadVersion = 1;

struct PayloadHeader {
  char magic[8];
  uint32_t version;
  uint32_t reserved; ///< 0
  uint64_t payload_bytes;
  uint8_t checksum[sizeof(Digest)];
};
static_assert(sizeof(PayloadHeader) == 56, "the header has no padding");

Digest payload_digest(std::string_view payload) {
  Hasher hasher;
  hasher.update(payload);
  return hasher.finish();
}

} // namespace

std::string with_checksum(std::string_view magic, std::string_view payload) {
  assert(magic.size() == sizeof(PayloadHeader::magic) &&
         "a magic has 8 characters");
  PayloadHeader header{};
  std::memcpy(header.magic, magic.data(), sizeof header.magic);
  header.version = kPayloadVersion;
  header.payload_bytes = payload.size();
  Digest digest = payload_digest(payload);
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
  PayloadHeader header;
  if (bytes.size() < sizeof header)
    return fail("the executable image is incomplete");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kPayloadVersion || header.reserved != 0)
    return fail("the executable image has the format of another version of "
                "xlac");
  std::string_view payload = bytes.substr(sizeof header);
  if (payload.size() != header.payload_bytes)
    return fail(payload.size() < header.payload_bytes
                    ? "the executable image is incomplete"
                    : "more bytes follow the executable image");
  Digest digest = payload_digest(payload);
  if (std::memcmp(digest.data(), header.checksum, digest.size()) != 0)
    return fail("the executable image is damaged: its checksum is wrong");
  return payload;
}

} // namespace xlac::runtime
