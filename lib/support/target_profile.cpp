#include "xlac/support/target_profile.h"

#include "xlac/support/cores.h"

#include <fmt/format.h>

#include <algorithm>

namespace xlac {

void TargetProfile::divide_for(int threads) {
  cores = std::clamp(threads, kLeastCores, kMostCores);
}

std::string TargetProfile::cache_name() const {
  return cores == kLeastCores ? name : fmt::format("{}/{}", name, cores);
}

const std::vector<TargetProfile> &known_profiles() {
  static const std::vector<TargetProfile> profiles = [] {
    std::vector<TargetProfile> list;
    uint64_t features = 0;
    list.push_back({"baseline", features, 128});
    list.push_back({"avx2", features |= kFeatureAvx2, 256});
    // Processors with AVX-512 need not have it.
    list.push_back({"avx2-vnni", features | kFeatureAvxVnni, 256});
    list.push_back({"avx512", features |= kFeatureAvx512, 512});
    list.push_back({"avx512-bf16",
                    features |= kFeatureAvx512Vnni | kFeatureAvx512Bf16, 512});
    list.push_back({"amx",
                    features |= kFeatureAvx512Fp16 | kFeatureAmxTile |
                                kFeatureAmxInt8 | kFeatureAmxBf16,
                    512});
    return list;
  }();
  return profiles;
}

const TargetProfile &host_profile() {
  static const TargetProfile profile = [] {
    TargetProfile best = known_profiles().front();
    for (const TargetProfile &candidate : known_profiles())
      if (host_supports(candidate.features))
        best = candidate;
    best.divide_for(default_thread_count());
    return best;
  }();
  return profile;
}

Result<TargetProfile> find_profile(std::string_view name) {
  if (name == "native")
    return host_profile();
  std::string known = "native";
  for (const TargetProfile &profile : known_profiles()) {
    if (profile.name == name)
      return profile;
    known += ", " + profile.name;
  }
  return failure(
      FailureKind::User,
      fmt::format("unknown target profile '{}'; known are {}", name, known));
}

} // namespace xlac
