// Which folders are accepted as the disk cache, and that others are reported.
#include "xlac/lazy/disk_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/stat.h>

namespace xlac::lazy {

namespace {

std::string warnings_of(const std::filesystem::path &path, bool readonly) {
  reset_disk_cache();
  testing::internal::CaptureStderr();
  initialize_disk_cache(path, readonly);
  // Programs ask repeatedly.
  for (int i = 0; i < 3; ++i)
    disk_cache();
  return testing::internal::GetCapturedStderr();
}

} // namespace

TEST(DiskCache, RefusedFolderIsReportedOnce) {
  char name[] = "/tmp/xlac-disk-cache-test-XXXXXX";
  ASSERT_TRUE(mkdtemp(name));
  std::filesystem::path folder = name;
  EXPECT_EQ(warnings_of(folder, false), "");
  EXPECT_TRUE(disk_cache());
  EXPECT_EQ(warnings_of(folder / "missing", true), "");
  EXPECT_FALSE(disk_cache());
  chmod(folder.c_str(), 0777);
  for (bool readonly : {false, true}) {
    std::string warnings = warnings_of(folder, readonly);
    EXPECT_NE(warnings.find(folder.string()), std::string::npos) << warnings;
    EXPECT_NE(warnings.find("others may write it"), std::string::npos);
    EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 1);
    EXPECT_FALSE(disk_cache());
    EXPECT_TRUE(has_disk_cache());
  }
  reset_disk_cache();
  std::filesystem::remove_all(folder);
}

} // namespace xlac::lazy
