#include "xlac/support/target_profile.h"

#include <gtest/gtest.h>

#include <utility>

namespace xlac {
namespace {

TEST(TargetProfile, HostIsSupported) {
  EXPECT_TRUE(host_supports(host_profile().features));
  auto native = find_profile("native");
  ASSERT_TRUE(native);
  EXPECT_EQ(native->name, host_profile().name);
}

TEST(TargetProfile, ProfilesGrow) {
  uint64_t last = 0;
  for (const TargetProfile &profile : known_profiles()) {
    // AVX-VNNI is beside AVX-512, not below it.
    last &= ~uint64_t(kFeatureAvxVnni);
    EXPECT_EQ(profile.features & last, last) << profile.name;
    last = profile.features;
  }
}

TEST(TargetProfile, UnknownNameListsTheKnown) {
  auto profile = find_profile("z80");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().failure_kind, FailureKind::User);
  EXPECT_NE(profile.error().message.find("avx2"), std::string::npos);
}

TEST(TargetProfile, DividesForCores) {
  TargetProfile profile = *find_profile("avx2");
  EXPECT_EQ(profile.cores, 4);
  EXPECT_EQ(profile.cache_name(), "avx2");
  for (auto [threads, cores] : {std::pair{0, 4}, {1, 4}, {5, 5}, {4096, 128}}) {
    profile.divide_for(threads);
    EXPECT_EQ(profile.cores, cores) << threads;
  }
  EXPECT_EQ(profile.cache_name(), "avx2/128");
}

} // namespace
} // namespace xlac
