// Files of images (.xlax): a header, a table of sections, and the sections. All
// bytes are covered by checksums, which are verified before anything is used:
// a file that is damaged or incomplete is rejected.
#pragma once

#include "xlac/runtime/image.h"
#include "xlac/runtime/image_program.h"
#include "xlac/support/hash.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

/// The contents of a file.
struct ImageFile {
  ExecutableImage image;
  /// The names that the program gives its arguments and results; empty texts
  /// for those without a name, and empty lists if there are none.
  std::vector<std::string> argument_names, result_names;
  /// What the image was compiled from, unless the file does without it.
  std::optional<ImageProgram> program;
};

/// Writes a file, as FileWriter. docs/internals/images.md describes the format.
/// The sections are written from where they are. "-" is standard output.
Status write_image_file(const std::filesystem::path &path,
                        const ImageFile &file);
/// The same bytes in memory.
std::vector<std::byte> image_file_bytes(const ImageFile &file);

/// Reads the bytes of a file. Constants and the program refer to `bytes`, which
/// live as long as `owner`; without an owner they are copied. Fails with
/// FailureKind::Runtime if the bytes are not an image file, are incomplete or
/// damaged, or if the format has another version.
Result<ImageFile> read_image_file(std::span<const std::byte> bytes,
                                  std::shared_ptr<const void> owner = nullptr);

/// Whether `bytes` begin like an image file.
bool is_image_file(std::span<const std::byte> bytes);

/// The digest of a whole file, which `b2sum --length 256` also prints. Users
/// sign it.
Digest image_digest(std::span<const std::byte> bytes);
/// User failure unless `hex` is the digest of the bytes in hexadecimal. An
/// empty text demands nothing.
Status check_image_digest(std::span<const std::byte> bytes,
                          std::string_view hex);

} // namespace xlac::runtime
