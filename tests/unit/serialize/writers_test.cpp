// For every public writer: links, modes, special files, and names of temporary
// files. Also checks that loaded tensors do not depend on their files.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace xlac {
namespace {

namespace fs = std::filesystem;

struct Writer {
  std::string name;
  std::function<void(const fs::path &)> write;
};

StateDict state() {
  StateDict tensors;
  tensors["a"] = arange(100000, kFloat32);
  tensors["b"] = ones({3}, kInt64);
  return tensors;
}

const std::vector<Writer> &writers() {
  static const std::vector<Writer> all = {
      {"save", [](const fs::path &path) { save(to_value(state()), path); }},
      {"save_safetensors",
       [](const fs::path &path) { save_safetensors(state(), path); }},
      {"save_npy",
       [](const fs::path &path) { save_npy(state().at("a"), path); }},
      {"save_npz", [](const fs::path &path) { save_npz(state(), path); }},
      {"xm_save",
       [](const fs::path &path) { xm::save(to_value(state()), path); }},
      {"xser_save",
       [](const fs::path &path) { xser::save(to_value(state()), path); }},
      {"program_save", [](const fs::path &path) {
         stablehlo::Program::parse("func.func @main(%a: tensor<2xf32>) -> "
                                   "tensor<2xf32> {\n  return %a : "
                                   "tensor<2xf32>\n}\n")
             .save(path);
       }}};
  return all;
}

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct stat facts_of(const fs::path &path) {
  struct stat facts{};
  EXPECT_EQ(stat(path.c_str(), &facts), 0) << path;
  return facts;
}

class Writers : public testing::TestWithParam<Writer> {
protected:
  fs::path path(const std::string &name) const { return folder_.name() / name; }
  void write(const std::string &name) const { GetParam().write(path(name)); }
  xu::TmpFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, Writers, testing::ValuesIn(writers()),
                         [](const auto &one) { return one.param.name; });

TEST_P(Writers, FollowLinksWhichStay) {
  write("wanted");
  fs::create_directory(path("below"));
  put(path("below/file"), "old");
  fs::create_symlink("below/file", path("first"));
  fs::create_symlink("first", path("link"));
  fs::create_symlink("below/new", path("dangling"));
  write("link");
  write("dangling");
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("first")));
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  EXPECT_EQ(content(path("below/file")), content(path("wanted")));
  EXPECT_EQ(content(path("below/new")), content(path("wanted")));
  fs::create_symlink("circle", path("circle"));
  EXPECT_THROW(write("circle"), RuntimeError);
}

TEST_P(Writers, KeepModesAndOwners) {
  for (mode_t mode : {0600, 0640, 0755}) {
    put(path("file"), "old");
    chmod(path("file").c_str(), mode);
    write("file");
    EXPECT_EQ(facts_of(path("file")).st_mode & 07777, mode);
    EXPECT_NE(content(path("file")), "old");
  }
  mode_t before = umask(0027);
  write("new");
  umask(before);
  EXPECT_EQ(facts_of(path("new")).st_mode & 07777, 0640u);
  if (geteuid() != 0)
    return;
  ASSERT_EQ(chown(path("file").c_str(), 12345, 12346), 0);
  write("file");
  EXPECT_EQ(facts_of(path("file")).st_uid, 12345u);
  EXPECT_EQ(facts_of(path("file")).st_gid, 12346u);
}

TEST_P(Writers, WritePipesInPlace) {
  write("wanted");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  int pipe = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(pipe, 0);
  std::atomic<bool> is_done = false;
  auto read = std::async(std::launch::async, [&] {
    std::string bytes;
    std::vector<char> block(65536);
    while (true) {
      bool was_done = is_done;
      ssize_t count = ::read(pipe, block.data(), block.size());
      if (count > 0)
        bytes.append(block.data(), static_cast<size_t>(count));
      else if (was_done)
        return bytes;
      else
        usleep(100);
    }
  });
  write("pipe");
  is_done = true;
  EXPECT_EQ(read.get(), content(path("wanted")));
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  close(pipe);
}

TEST_P(Writers, FullDevicesAreErrorsAndStay) {
  fs::create_symlink("/dev/full", path("full"));
  try {
    write("full");
    FAIL() << "nothing was thrown";
  } catch (const RuntimeError &error) {
    EXPECT_NE(std::string(error.what()).find("No space left"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(fs::is_symlink(path("full")));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_P(Writers, NamesOfTemporariesCannotBeForeseen) {
  put(path("victim"), "precious");
  put(path("file"), "old");
  for (int i = 0; i < 200; ++i)
    fs::create_symlink(path("victim"), path("file." + std::to_string(getpid()) +
                                            "." + std::to_string(i) + ".tmp"));
  write("file");
  EXPECT_EQ(content(path("victim")), "precious");
  EXPECT_NE(content(path("file")), "old");
}

TEST_P(Writers, FoldersAreErrors) {
  fs::create_directory(path("folder"));
  EXPECT_THROW(write("folder"), RuntimeError);
  EXPECT_THROW(write("absent/file"), RuntimeError);
  EXPECT_TRUE(fs::is_empty(path("folder")));
}

TEST(WritersToPipes, ReaderThatLeavesIsAnError) {
  xu::TmpFolder folder;
  fs::path pipe = fs::path(folder.name()) / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  auto reader = std::async(std::launch::async, [&] {
    std::ifstream file(pipe);
    file.get();
  });
  EXPECT_THROW(save_npy(zeros({1 << 20}), pipe), RuntimeError);
}

//===- Loaded tensors -----------------------------------------------------===//

struct Loader {
  std::string name;
  std::function<void(const Tensor &, const fs::path &)> save;
  std::function<Tensor(const fs::path &, LoadOptions)> load;
};

std::vector<Loader> loaders() {
  return {
      {"npy", [](const Tensor &t, const fs::path &path) { save_npy(t, path); },
       [](const fs::path &path, LoadOptions options) {
         return load_npy(path, options);
       }},
      {"safetensors",
       [](const Tensor &t, const fs::path &path) {
         StateDict tensors;
         tensors["t"] = t;
         save_safetensors(tensors, path);
       },
       [](const fs::path &path, LoadOptions options) {
         return load_safetensors(path, options).at("t");
       }},
      {"torch",
       [](const Tensor &t, const fs::path &path) { save(to_value(t), path); },
       [](const fs::path &path, LoadOptions options) {
         return load<Tensor>(path, options);
       }}};
}

TEST(LoadedTensors, AreCopiesOfTheirFiles) {
  xu::TmpFolder folder;
  for (const Loader &loader : loaders())
    for (Dtype dtype : {kFloat32, kBool, kFloat64, kInt8}) {
      SCOPED_TRACE(loader.name + " " + std::string(name(dtype)));
      fs::path path = fs::path(folder.name()) / loader.name;
      Tensor wanted = (arange(100000, kInt64) % 2).to(dtype);
      loader.save(wanted, path);
      Tensor loaded = loader.load(path, {});
      std::string zeros(fs::file_size(path), '\0');
      std::fstream(path, std::ios::binary | std::ios::in | std::ios::out)
          << zeros;
      EXPECT_TRUE(equal(loaded, wanted));
      // A mapping would raise SIGBUS here.
      fs::resize_file(path, 0);
      EXPECT_TRUE(equal(loaded, wanted));
    }
}

TEST(LoadedTensors, OfAMapShowTheFileAndNeverChangeIt) {
  xu::TmpFolder folder;
  for (const Loader &loader : loaders()) {
    SCOPED_TRACE(loader.name);
    fs::path path = fs::path(folder.name()) / (loader.name + "_mapped");
    Tensor wanted = arange(100000, kFloat32);
    loader.save(wanted, path);
    std::string before = content(path);
    Tensor loaded = loader.load(path, {.map = true});
    EXPECT_EQ(content("/proc/self/maps").find(path.string()) !=
                  std::string::npos,
              loader.name != "torch");
    EXPECT_TRUE(equal(loaded, wanted));
    loaded.add_(1);
    EXPECT_TRUE(equal(loaded, wanted + 1));
    EXPECT_EQ(content(path), before);
    // The file may be replaced or removed.
    loader.save(wanted * 2, path);
    fs::remove(path);
    EXPECT_TRUE(equal(loaded, wanted + 1));
  }
}

} // namespace
} // namespace xlac
