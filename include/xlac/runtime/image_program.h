// The program from which an image was compiled, as images carry it: a portable
// artifact of StableHLO, and the options of its compilation.
#pragma once

#include "xlac/support/result.h"
#include "xlac/support/shared_bytes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::runtime {

/// With a target, it determines the code of an image.
struct ImageProgram {
  std::string entry = "main"; ///< the function that was compiled
  std::vector<uint32_t> invariant_arguments;
  /// The sizes of arguments with unknown dimensions: number, sizes.
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> argument_sizes;
  bool ignore_callbacks = false;
  /// The artifact, packed with zstd, and its size.
  SharedBytes packed;
  uint64_t artifact_bytes = 0;
};

/// Packs `artifact` into the program. OutOfMemory failure.
Status pack_artifact(std::string_view artifact, ImageProgram &program);

/// The artifact. Runtime failure if the bytes are not the packed form of
/// artifact_bytes bytes.
Result<std::string> unpack_artifact(const ImageProgram &program);

} // namespace xlac::runtime
