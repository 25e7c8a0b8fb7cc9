#include "entry.h"

#include "xlac/support/hash.h"
#include "xlac/support/target_profile.h"

#include <cstring>
#include <new>
#include <zstd.h>

namespace xlac::cache {

namespace {

constexpr char kMagic[8] = {'X', 'L', 'A', 'C', 'E', 'N', 'T', '\n'};
constexpr uint32_t kVersion = 1;
/// For images of some hundred KB: reduces the size to a sixth within a
/// millisecond.
constexpr int kLevel = 3;
constexpr uint64_t kMaximumBytes = uint64_t(1) << 40;
/// A zstd block has at most 128 KiB of content and takes at least 4 bytes.
constexpr uint64_t kMostBytesPerByte = uint64_t(1) << 15;

Digest key_digest(Kind kind, std::string_view key) {
  Hasher hasher;
  hasher.update(static_cast<uint32_t>(kind));
  hasher.update(key);
  return hasher.finish();
}

Digest checksum(EntryHeader header, std::span<const std::byte> payload) {
  std::memset(header.checksum, 0, sizeof header.checksum);
  Hasher hasher;
  hasher.update(std::as_bytes(std::span(&header, 1)));
  hasher.update(payload);
  return hasher.finish();
}

} // namespace

std::optional<std::vector<std::byte>>
encode_entry(Kind kind, std::string_view key, uint64_t features,
             std::span<const std::byte> bytes) try {
  std::vector<std::byte> file(sizeof(EntryHeader) +
                              ZSTD_compressBound(bytes.size()));
  size_t size = ZSTD_compress(file.data() + sizeof(EntryHeader),
                              file.size() - sizeof(EntryHeader), bytes.data(),
                              bytes.size(), kLevel);
  if (ZSTD_isError(size))
    return std::nullopt;
  file.resize(sizeof(EntryHeader) + size);
  EntryHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.kind = static_cast<uint32_t>(kind);
  header.features = features;
  header.payload_bytes = size;
  header.raw_bytes = bytes.size();
  Digest digest = key_digest(kind, key);
  std::memcpy(header.key, digest.data(), digest.size());
  digest = checksum(header, std::span(file).subspan(sizeof header));
  std::memcpy(header.checksum, digest.data(), digest.size());
  std::memcpy(file.data(), &header, sizeof header);
  return file;
} catch (const std::bad_alloc &) {
  return std::nullopt;
}

bool check_header(Kind kind, std::string_view key, const EntryHeader &header,
                  uint64_t file_size, std::string &reason) {
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 ||
      header.version != kVersion) {
    reason = "it is not an entry of this version of the cache";
    return false;
  }
  if (file_size < sizeof header ||
      header.payload_bytes != file_size - sizeof header ||
      header.raw_bytes > kMaximumBytes ||
      header.raw_bytes / kMostBytesPerByte > header.payload_bytes) {
    reason = "its sizes are wrong";
    return false;
  }
  Digest digest = key_digest(kind, key);
  if (header.kind != static_cast<uint32_t>(kind) ||
      std::memcmp(header.key, digest.data(), digest.size()) != 0) {
    reason = "it was written for another key";
    return false;
  }
  return true;
}

std::optional<std::vector<std::byte>>
decode_entry(Kind kind, std::string_view key, std::span<const std::byte> file,
             std::string &reason) try {
  EntryHeader header;
  if (file.size() < sizeof header) {
    reason = "it is too short";
    return std::nullopt;
  }
  std::memcpy(&header, file.data(), sizeof header);
  if (!check_header(kind, key, header, file.size(), reason))
    return std::nullopt;
  std::span<const std::byte> payload = file.subspan(sizeof header);
  Digest digest = checksum(header, payload);
  if (std::memcmp(header.checksum, digest.data(), digest.size()) != 0) {
    reason = "its checksum is wrong";
    return std::nullopt;
  }
  if (!host_supports(header.features)) {
    reason = "it needs CPU features that this machine lacks";
    return std::nullopt;
  }
  std::vector<std::byte> bytes(header.raw_bytes);
  size_t size = ZSTD_decompress(bytes.data(), bytes.size(), payload.data(),
                                payload.size());
  if (!ZSTD_isError(size) && size == header.raw_bytes)
    return bytes;
  reason = "it cannot be unpacked";
  return std::nullopt;
} catch (const std::bad_alloc &) {
  reason = "there is no memory to unpack it";
  return std::nullopt;
}

} // namespace xlac::cache
