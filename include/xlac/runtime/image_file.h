// Files of images (.xlax): a header, and the serialized image, whose checksum
// the header contains. A file that is damaged or incomplete is rejected before
// its machine code is read.
#pragma once

#include "xlac/runtime/image.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::runtime {

/// The bytes of a file with `image`: the magic "XLACFILE", the version of the
/// format as a 32-bit integer, four zero bytes, the number of bytes that follow
/// the header as a 64-bit integer, their BLAKE2b-256 digest, and
/// serialize(image). Integers are little-endian.
std::vector<std::byte> write_image_file(const ExecutableImage &image);

/// The image of a file. Fails with FailureKind::Runtime if the bytes are not an
/// image file, are incomplete or damaged, or if the format has another version.
Result<ExecutableImage> read_image_file(std::span<const std::byte> bytes);

/// Whether `bytes` begin like an image file.
bool is_image_file(std::span<const std::byte> bytes);

/// `payload` behind a header with its checksum, as write_image_file. `magic`
/// has 8 characters.
std::string with_checksum(std::string_view magic, std::string_view payload);
/// The payload of such bytes. Fails as read_image_file.
Result<std::string_view> check_payload(std::string_view magic,
                                       std::string_view bytes);

} // namespace xlac::runtime
