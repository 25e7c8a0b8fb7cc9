// The file format of an entry: a header with kind and key, followed by the zstd
// payload. The checksum covers both.
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

/// The contents of the file, header and payload; empty if there is no memory.
std::optional<std::vector<std::byte>>
encode_entry(Kind kind, std::string_view key, uint64_t features,
             std::span<const std::byte> bytes);

/// Whether a file of `file_size` bytes with this header can be the entry of the
/// key; if not, sets `reason`.
bool check_header(Kind kind, std::string_view key, const EntryHeader &header,
                  uint64_t file_size, std::string &reason);

/// The inverse. Empty, with a reason, unless the file is a valid entry of this
/// key.
std::optional<std::vector<std::byte>>
decode_entry(Kind kind, std::string_view key, std::span<const std::byte> file,
             std::string &reason);

} // namespace xlac::cache
