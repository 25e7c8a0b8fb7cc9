// Mapped files and shared bytes.
#include "xlac/support/read_file.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace xlac {
namespace {

std::string text_of(const SharedBytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// A folder that is removed at the end.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = testing::TempDir() + "/map_file_XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const char *name, const std::string &text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
};

TEST(MapFile, HasTheBytesAtAPage) {
  Folder folder;
  std::string text(10000, 'x');
  auto bytes = map_file(folder.write("text", text));
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(text_of(*bytes), text);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes->data()) %
                static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE)),
            0u);
}

TEST(MapFile, KeepsTheOldFileAfterARename) {
  Folder folder;
  std::string path = folder.write("text", "old");
  auto bytes = map_file(path);
  ASSERT_TRUE(bytes) << bytes.error().message;
  std::filesystem::rename(folder.write("other", "new file"), path);
  EXPECT_EQ(text_of(*bytes), "old");
}

TEST(MapFile, ReadsEmptyFilesAndPipes) {
  Folder folder;
  auto empty = map_file(folder.write("empty", ""));
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_TRUE(empty->empty());
  std::string pipe = folder.path / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "through a pipe"; });
  auto bytes = map_file(pipe);
  writer.join();
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(text_of(*bytes), "through a pipe");
}

TEST(MapFile, NamesWhatCannotBeOpened) {
  auto absent = map_file("/nowhere/image.xlax");
  ASSERT_FALSE(absent);
  EXPECT_NE(
      absent.error().message.find("/nowhere/image.xlax: cannot be opened"),
      std::string::npos);
  auto folder = map_file("/");
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("is a directory"), std::string::npos);
}

TEST(SharedBytes, CopiesShareTheMemory) {
  SharedBytes bytes = bytes_of_text("abc"), copy = bytes;
  EXPECT_EQ(bytes.data(), copy.data());
  EXPECT_EQ(copy, SharedBytes(std::vector{std::byte('a'), std::byte('b'),
                                          std::byte('c')}));
  std::weak_ptr<const void> owner = bytes.owner();
  bytes = SharedBytes();
  EXPECT_FALSE(owner.expired());
  copy = SharedBytes();
  EXPECT_TRUE(owner.expired());
  EXPECT_EQ(SharedBytes(), SharedBytes(std::vector<std::byte>()));
}

} // namespace
} // namespace xlac
