// Runs one kernel, given as MLIR text, on buffers that end at unmapped pages.
// The kernel is scheduled, emitted, compiled and called task by task.
#pragma once

#include "xlac/support/target_profile.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace xlac::test {

/// The bytes of one buffer.
struct Data {
  std::vector<std::byte> bytes;

  Data() = default;
  template <class T> Data(const std::vector<T> &values) {
    bytes.resize(values.size() * sizeof(T));
    if (!bytes.empty())
      std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  template <class T> std::vector<T> as() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty())
      std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

struct RunOutcome {
  std::string error; ///< empty on success
  std::vector<Data> results;
};

const TargetProfile &avx2Profile();
const TargetProfile &baselineProfile();

/// Runs the only kernel of `text`. Results in its `in_place` start as their
/// operand. Tasks of a phase run last to first, since the order must not
/// matter. Kernels that may write results past the caches run once more with
/// such stores, and must give the same bytes.
RunOutcome runKernel(const std::string &text, const std::vector<Data> &operands,
                     const TargetProfile &profile = avx2Profile());

/// The same, without the second run.
RunOutcome runKernelOnce(const std::string &text,
                         const std::vector<Data> &operands,
                         const TargetProfile &profile);

/// Compiles the kernel for a profile that this machine may not support. Returns
/// the error, if any.
std::string compileKernel(const std::string &text,
                          const TargetProfile &profile);

/// Numbers near 0.5 that depend only on `seed`.
std::vector<float> someFloats(size_t count, unsigned seed);

} // namespace xlac::test
