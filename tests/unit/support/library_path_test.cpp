#include "xlac/support/library_path.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace xlac;

TEST(LibraryPath, FindsAFileInTheFolderOfTheProgram) {
  auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::string name = "libxlac_of_test_" + std::to_string(getpid()) + ".so";
  auto missing = find_own_library(name);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().failure_kind, FailureKind::Runtime);
  EXPECT_NE(
      missing.error().message.find(name + " is in none of " + folder.string()),
      std::string::npos)
      << missing.error().message;
  std::ofstream(folder / name) << "";
  auto found = find_own_library(name);
  std::filesystem::remove(folder / name);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, folder / name);
}

TEST(LibraryPath, FindsAFileInTheFolderOfTheArchitecture) {
  auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  auto libraries = folder.parent_path() / "lib" / XLAC_LIBRARY_ARCHITECTURE;
  bool is_new = std::filesystem::create_directories(libraries);
  std::string name = "libxlac_of_test_" + std::to_string(getpid()) + ".so";
  std::ofstream(libraries / name) << "";
  auto found = find_own_library(name);
  std::filesystem::remove(libraries / name);
  if (is_new)
    std::filesystem::remove(libraries);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, libraries / name);
}
