// Programs of C++ functions: blobs whose code jumps to a fixed address.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/runtime/executable.h"

#include <gtest/gtest.h>

#include <cstring>

namespace xlac::test {

/// Appends a function that jumps to `target`; it is position-independent.
template <class F>
void add_jump(runtime::Blob &blob, std::string name, F *target) {
  uint64_t offset = blob.bytes.size();
  uint8_t code[16] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0, 0xcc};
  uint64_t address = reinterpret_cast<uint64_t>(target);
  std::memcpy(code + 2, &address, sizeof address);
  const std::byte *bytes = reinterpret_cast<const std::byte *>(code);
  blob.bytes.insert(blob.bytes.end(), bytes, bytes + sizeof code);
  blob.symbols.push_back({std::move(name), offset, sizeof code});
}

inline Type f32(std::vector<int64_t> dims) {
  TensorType type;
  type.element = ElementType::F32;
  type.dims = std::move(dims);
  return type;
}

/// A prologue: ten times its argument.
inline int32_t make_weight(const xlac_ctx *, const void *const *args,
                           void *const *results, void *) {
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(results[0])[i] =
        10 * static_cast<const float *>(args[0])[i];
  return 0;
}

/// The program of that prologue: adds its first argument and the prologue's
/// result for the second.
inline int32_t add_weight(const xlac_ctx *, const void *const *args,
                          void *const *results, void *) {
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(results[0])[i] =
        static_cast<const float *>(args[0])[i] +
        static_cast<const float *>(args[2])[i];
  return 0;
}

/// A kernel; buffers: left, right, result.
inline int32_t adding_kernel(const xlac_ctx *, void *const *buffers,
                             const int64_t *, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    static_cast<float *>(buffers[2])[i] =
        static_cast<const float *>(buffers[0])[i] +
        static_cast<const float *>(buffers[1])[i];
  return 0;
}

/// Makes a program without kernels that takes and returns f32 vectors of four
/// elements.
template <class F>
runtime::ExecutableImage make_image(F *entry, int arguments, int results) {
  runtime::ExecutableImage image;
  image.name = "program";
  image.target_profile = "baseline";
  image.arguments.assign(arguments, f32({4}));
  image.results.assign(results, f32({4}));
  image.blobs.emplace_back();
  add_jump(image.blobs[0], "xlac_entry", entry);
  return image;
}

inline std::shared_ptr<const runtime::Executable>
load(runtime::ExecutableImage image) {
  auto executable = runtime::Executable::load(std::move(image));
  EXPECT_TRUE(executable) << (executable ? "" : executable.error().message);
  return executable ? *executable : nullptr;
}

} // namespace xlac::test
