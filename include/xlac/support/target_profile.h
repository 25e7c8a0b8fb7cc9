// The target of code generation: a named set of CPU features, not a CPU name,
// and the number of cores that kernels are divided for. It is part of every
// cache key. The loader checks the features that a blob
// uses.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// Bits of TargetProfile::features.
enum CpuFeature : uint64_t {
  kFeatureAvx2 = 1u << 0,   ///< AVX2, FMA, F16C, BMI1/2, LZCNT, POPCNT, MOVBE
  kFeatureAvx512 = 1u << 1, ///< F, BW, CD, DQ, VL
  kFeatureAvx512Vnni = 1u << 2,
  kFeatureAvx512Bf16 = 1u << 3,
  kFeatureAvx512Fp16 = 1u << 4,
  kFeatureAmxTile = 1u << 5,
  kFeatureAmxInt8 = 1u << 6,
  kFeatureAmxBf16 = 1u << 7,
  kFeatureAvxVnni = 1u << 8, ///< VNNI without AVX-512
};

struct TargetProfile {
  /// Limits of `cores`. With fewer cores, kernels are divided as for the least.
  static constexpr int kLeastCores = 4, kMostCores = 128;

  std::string name;      ///< "baseline", "avx2", "avx2-vnni", "avx512", …
  uint64_t features = 0; ///< CpuFeature bits
  int vector_bits = 128; ///< preferred vector width: 128, 256 or 512
  /// Threads that the work of a kernel is divided for. It changes the tasks of
  /// kernels, but no bit of their results.
  int cores = kLeastCores;

  /// Sets `cores` to this number of threads, within the limits.
  void divide_for(int threads);

  /// Identifies the profile in keys of caches: the name, and the cores unless
  /// they are the least.
  std::string cache_name() const;
};

/// The best profile for this machine, from cpuid, xgetbv and, for AMX,
/// permission of the operating system, divided for default_thread_count()
/// threads. Determined once per process.
const TargetProfile &host_profile();

/// The profile with that name, for the least cores; "native" is host_profile().
/// For other names FailureKind::User with the known names.
Result<TargetProfile> find_profile(std::string_view name);

/// All named profiles. The last one that a machine supports is its best.
const std::vector<TargetProfile> &known_profiles();

/// Whether this machine can run code that uses `features`.
bool host_supports(uint64_t features);

} // namespace xlac
