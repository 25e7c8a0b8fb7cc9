#include "xlac/runtime/image_program.h"

#include <new>
#include <zstd.h>

namespace xlac::runtime {

/// As fast as copying a file, and text of a program takes a fifth.
static constexpr int kLevel = 3;
/// A zstd block has at most 128 KiB of content and takes at least 4 bytes.
static constexpr uint64_t kMostBytesPerByte = uint64_t(1) << 15;

Status pack_artifact(std::string_view artifact, ImageProgram &program) try {
  std::vector<std::byte> packed(ZSTD_compressBound(artifact.size()));
  size_t size = ZSTD_compress(packed.data(), packed.size(), artifact.data(),
                              artifact.size(), kLevel);
  if (ZSTD_isError(size))
    return failure(FailureKind::OutOfMemory,
                   "no memory to pack the program of an image");
  packed.resize(size);
  packed.shrink_to_fit();
  program.packed = SharedBytes(std::move(packed));
  program.artifact_bytes = artifact.size();
  return {};
} catch (const std::bad_alloc &) {
  return failure(FailureKind::OutOfMemory,
                 "no memory to pack the program of an image");
}

Result<std::string> unpack_artifact(const ImageProgram &program) try {
  auto damaged = [] {
    return failure(FailureKind::Runtime,
                   "the program in the executable image cannot be unpacked");
  };
  if (program.artifact_bytes / kMostBytesPerByte > program.packed.size())
    return damaged();
  std::string artifact(program.artifact_bytes, '\0');
  size_t size = ZSTD_decompress(artifact.data(), artifact.size(),
                                program.packed.data(), program.packed.size());
  if (ZSTD_isError(size) || size != artifact.size())
    return damaged();
  return artifact;
} catch (const std::bad_alloc &) {
  return failure(FailureKind::OutOfMemory,
                 "no memory to unpack the program in the executable image");
}

} // namespace xlac::runtime
