// Entries that were truncated, modified, swapped, or written by other programs,
// and writers that were killed at any time.
#include "cache_fixture.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::cache {

namespace {

std::string slurp(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

TEST_F(CacheTest, EveryFlippedBitIsAMiss) {
  std::string key = key_of(1);
  ASSERT_TRUE(store_->put(Kind::Alias, key, bytes_of("what was compiled")));
  std::filesystem::path path = file_of(Kind::Alias, key);
  std::string good = slurp(path);
  testing::internal::CaptureStderr();
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    write(path, bad);
    EXPECT_FALSE(store_->get(Kind::Alias, key)) << bit;
  }
  std::string warnings = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), 1) << warnings;
  write(path, good);
  EXPECT_TRUE(store_->get(Kind::Alias, key));
}

TEST_F(CacheTest, EveryTruncationIsAMiss) {
  std::string key = key_of(1);
  ASSERT_TRUE(store_->put(Kind::Kernel, key, bytes_of("some code")));
  std::filesystem::path path = file_of(Kind::Kernel, key);
  std::string good = slurp(path);
  testing::internal::CaptureStderr();
  for (size_t size = 0; size < good.size(); ++size) {
    write(path, good.substr(0, size));
    EXPECT_FALSE(store_->get(Kind::Kernel, key)) << size;
  }
  write(path, good + "x");
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  testing::internal::GetCapturedStderr();
  // A put replaces the damaged entry.
  EXPECT_TRUE(store_->put(Kind::Kernel, key, bytes_of("some code")));
  EXPECT_TRUE(store_->get(Kind::Kernel, key));
}

TEST_F(CacheTest, EntriesOfOtherKeysAreMisses) {
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(1), bytes_of("one")));
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(2), bytes_of("two")));
  ASSERT_TRUE(store_->put(Kind::Executable, key_of(1), bytes_of("three")));
  std::filesystem::copy_file(file_of(Kind::Kernel, key_of(1)),
                             file_of(Kind::Kernel, key_of(2)),
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(file_of(Kind::Kernel, key_of(1)),
                             file_of(Kind::Executable, key_of(1)),
                             std::filesystem::copy_options::overwrite_existing);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(store_->get(Kind::Kernel, key_of(2)));
  EXPECT_FALSE(store_->get(Kind::Executable, key_of(1)));
  testing::internal::GetCapturedStderr();
}

TEST_F(CacheTest, OthersFilesAreMisses) {
  std::string key = key_of(1);
  std::filesystem::path path = file_of(Kind::Kernel, key);
  testing::internal::CaptureStderr();
  ASSERT_TRUE(store_->put(Kind::Kernel, key, bytes_of("x")));
  chmod(path.c_str(), 0620);
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  chmod(path.c_str(), 0602);
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  chmod(path.c_str(), 0644);
  EXPECT_TRUE(store_->get(Kind::Kernel, key));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 0), 0);
    EXPECT_FALSE(store_->get(Kind::Kernel, key));
  }
  std::filesystem::rename(path, directory_ / "elsewhere");
  std::filesystem::create_symlink(directory_ / "elsewhere", path);
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  ASSERT_TRUE(store_->put(Kind::Kernel, key, bytes_of("x")));
  EXPECT_FALSE(std::filesystem::is_symlink(path));
  chmod(path.parent_path().c_str(), 0777);
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  EXPECT_FALSE(store_->put(Kind::Kernel, key, bytes_of("x")));
  chmod(path.parent_path().c_str(), 0700);
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  testing::internal::GetCapturedStderr();
}

TEST_F(CacheTest, NewerFeaturesAreMisses) {
  ASSERT_TRUE(
      store_->put(Kind::Kernel, key_of(1), bytes_of("x"), uint64_t(1) << 50));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(store_->get(Kind::Kernel, key_of(1)));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("features"),
            std::string::npos);
}

TEST_F(CacheTest, VerifyRemovesTheDamaged) {
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(store_->put(Kind::Kernel, key_of(i), bytes_of("kernel")));
  std::string bytes = slurp(file_of(Kind::Kernel, key_of(2)));
  bytes.back() ^= 1;
  write(file_of(Kind::Kernel, key_of(2)), bytes);
  VerifyResult result = store_->verify();
  EXPECT_EQ(result.sound, 4);
  EXPECT_EQ(result.damaged, std::vector<std::string>{"kernel/" + key_of(2)});
  EXPECT_EQ(store_->verify().sound, 4);
  EXPECT_TRUE(store_->verify().damaged.empty());
}

TEST_F(CacheTest, DamagedCounterIsCountedAnew) {
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(1), bytes_of("x")));
  write(directory_ / "usage", "no number");
  EXPECT_TRUE(store_->put(Kind::Kernel, key_of(2), bytes_of("x")));
  write(directory_ / "usage", "");
  EXPECT_TRUE(store_->put(Kind::Kernel, key_of(3), bytes_of("x")));
  EXPECT_EQ(store_->stats().entries, 3);
}

TEST_F(CacheTest, SparseEntriesAreMissesWithoutMemory) {
  constexpr uint64_t kLarge = uint64_t(32) << 30;
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(1), bytes_of("kernel")));
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(2), bytes_of("kernel")));
  std::string lying = slurp(file_of(Kind::Kernel, key_of(2)));
  constexpr size_t kPayloadBytes = 24, kHeader = 104; // in the header
  uint64_t payload = kLarge - kHeader;
  std::memcpy(lying.data() + kPayloadBytes, &payload, sizeof payload);
  write(file_of(Kind::Kernel, key_of(2)), lying);
  for (int number : {1, 2})
    std::filesystem::resize_file(file_of(Kind::Kernel, key_of(number)), kLarge);
  pid_t child = fork();
  if (child == 0) {
#ifndef __SANITIZE_ADDRESS__
    rlimit limit{uint64_t(4) << 30, uint64_t(4) << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
    bool found = store_->get(Kind::Kernel, key_of(1)).has_value() ||
                 store_->get(Kind::Kernel, key_of(2)).has_value();
    _exit(found ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(CacheTest, HeldCounterStopsNobody) {
  auto counter = [&] {
    int64_t total = -1;
    std::string bytes = slurp(directory_ / "usage");
    std::memcpy(&total, bytes.data(), std::min(bytes.size(), sizeof total));
    return total;
  };
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(0), bytes_of("kernel")));
  int usage = ::open((directory_ / "usage").c_str(), O_RDWR);
  ASSERT_EQ(flock(usage, LOCK_EX), 0);
  int64_t before = counter();
  for (int i = 1; i < 20; ++i)
    EXPECT_TRUE(store_->put(Kind::Kernel, key_of(i), bytes_of("kernel")));
  EXPECT_EQ(counter(), before);
  EXPECT_TRUE(store_->prune(int64_t(1) << 30));
  ASSERT_EQ(flock(usage, LOCK_UN), 0);
  close(usage);
  // Entries that were put in the meantime are counted now.
  EXPECT_TRUE(store_->put(Kind::Kernel, key_of(20), bytes_of("kernel")));
  EXPECT_GE(counter(), store_->stats().bytes);
}

TEST_F(CacheTest, TemporariesOfKilledWritersCountAndGo) {
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(1), bytes_of("kernel")));
  std::filesystem::path folder = file_of(Kind::Kernel, key_of(1)).parent_path();
  auto leave = [&](const char *name, int seconds) {
    write(folder / name, std::string(1000, 'x'));
    timespec times[2] = {{time(nullptr) - seconds, 0},
                         {time(nullptr) - seconds, 0}};
    utimensat(AT_FDCWD, (folder / name).c_str(), times, 0);
  };
  leave(".tmp-1-1", 60);
  leave(".tmp-1-2", 60);
  leave(".tmp-1-3", 0); // its writer may not have locked it yet
  int living = ::open((folder / ".tmp-1-2").c_str(), O_RDONLY);
  ASSERT_EQ(flock(living, LOCK_EX), 0);
  EXPECT_EQ(store_->stats().temporary_bytes, 2000);
  EXPECT_FALSE(std::filesystem::exists(folder / ".tmp-1-1"));
  EXPECT_TRUE(std::filesystem::exists(folder / ".tmp-1-2"));
  close(living);
  EXPECT_EQ(store_->stats().temporary_bytes, 1000);
  // Temporary files count towards the limit.
  store_ = open(1500);
  write(directory_ / "usage", "");
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(2), std::vector<std::byte>(9)));
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(3), std::vector<std::byte>(9)));
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(4), std::vector<std::byte>(9)));
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(5), std::vector<std::byte>(9)));
  StoreStats stats = store_->stats();
  EXPECT_LE(stats.bytes + stats.temporary_bytes, 1500);
  EXPECT_TRUE(store_->get(Kind::Kernel, key_of(5)));
}

TEST_F(CacheTest, KilledWritersLeaveNothingWrong) {
  std::mt19937 random(11);
  auto contents = [](int number, int round) {
    std::mt19937 filler(static_cast<unsigned>(number * 1000 + round));
    std::vector<std::byte> bytes(20000 + filler() % 20000);
    for (std::byte &byte : bytes)
      byte = std::byte(filler());
    std::memcpy(bytes.data(), &round, sizeof round);
    return bytes;
  };
  int hits = 0;
  for (int round = 0; round < 200; ++round) {
    int progress[2];
    ASSERT_EQ(pipe(progress), 0);
    pid_t child = fork();
    if (child == 0) {
      auto mine = Store::open(directory_, 1 << 20);
      for (int i = round; mine; ++i) {
        (*mine)->put(kKinds[i % std::size(kKinds)], key_of(i % 7),
                     contents(i % 7, round));
        (void)!::write(progress[1], "", 1);
      }
      _exit(0);
    }
    // Some entries are complete and the next one is not, however slow the disk
    // is.
    char done;
    for (unsigned left = random() % 4; left > 0; --left)
      ASSERT_EQ(::read(progress[0], &done, 1), 1);
    usleep(random() % 2000);
    kill(child, SIGKILL);
    close(progress[0]);
    close(progress[1]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    for (int number = 0; number < 7; ++number)
      for (Kind kind : kKinds)
        if (auto bytes = store_->get(kind, key_of(number))) {
          ++hits;
          int written = 0;
          std::memcpy(&written, bytes->data(), sizeof written);
          ASSERT_EQ(*bytes, contents(number, written));
        }
  }
  EXPECT_GT(hits, 200);
  EXPECT_TRUE(store_->verify().damaged.empty());
  EXPECT_TRUE(store_->clear());
  size_t files = 0;
  for (Kind kind : kKinds)
    for (auto &entry : std::filesystem::recursive_directory_iterator(
             directory_ / to_string(kind)))
      files += entry.is_regular_file();
  EXPECT_EQ(files, 0u);
}

} // namespace xlac::cache
