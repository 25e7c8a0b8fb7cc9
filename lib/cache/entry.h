// The bytes of an entry's file: a header that names what it holds, then the
// zstd payload. The checksum covers both.
#pragma once

#include "xlac/cache/kind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::cache {

struct EntryHeader {
  char magic[8];
  uint32_t version;
  uint32_t kind;
  uint64_t features;
  uint64_t payload_bytes;
  uint64_t raw_bytes;
  uint8_t key[32]; ///< hash of kind and key
  uint8_t checksum[32];
};
static_assert(sizeof(EntryHeader) == 104, "a file format");

/// The file's contents, header and payload, or nothing if there is no memory.
std::optional<std::vector<std::byte>>
encode_entry(Kind kind, std::string_view key, uint64_t features,
             std::span<const std::byte> bytes);

/// Whether a file of `file_size` bytes that begins so can be the entry of that
/// key; otherwise why not.
bool check_header(Kind kind, std::string_view key, const EntryHeader &header,
                  uint64_t file_size, std::string &reason);

/// The inverse; nothing, with a reason, for a file that was not written so for
/// this key.
std::optional<std::vector<std::byte>>
decode_entry(Kind kind, std::string_view key, std::span<const std::byte> file,
             std::string &reason);

} // namespace xlac::cache
