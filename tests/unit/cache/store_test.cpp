#include "cache_fixture.h"

#include <algorithm>

#include <fstream>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::cache {

TEST_F(CacheTest, GivesBackWhatWasPut) {
  std::string key = key_of(1);
  EXPECT_FALSE(store_->get(Kind::Executable, key));
  EXPECT_TRUE(store_->put(Kind::Executable, key, bytes_of("code")));
  EXPECT_EQ(*store_->get(Kind::Executable, key), bytes_of("code"));
  EXPECT_FALSE(store_->get(Kind::Kernel, key));
  EXPECT_TRUE(store_->put(Kind::Executable, key, bytes_of("better code")));
  EXPECT_EQ(*store_->get(Kind::Executable, key), bytes_of("better code"));
  EXPECT_EQ(*open()->get(Kind::Executable, key), bytes_of("better code"));
  StoreStats stats = store_->stats();
  EXPECT_EQ(stats.entries, 1);
  EXPECT_EQ(stats.hits, 2);
  EXPECT_EQ(stats.misses, 2);
}

TEST_F(CacheTest, AllSizes) {
  std::mt19937 random(3);
  for (size_t size : {0, 1, 100, 65536, 3000000}) {
    std::vector<std::byte> bytes(size);
    for (std::byte &byte : bytes)
      byte = std::byte(random());
    ASSERT_TRUE(
        store_->put(Kind::Kernel, key_of(static_cast<int>(size)), bytes));
    EXPECT_EQ(*store_->get(Kind::Kernel, key_of(static_cast<int>(size))),
              bytes);
  }
}

TEST_F(CacheTest, KeysAreNoPaths) {
  for (const char *key : {"", "a", "../x", "ab/cd", ".hidden", "a b", "ab.tmp"})
    for (Kind kind : kKinds) {
      EXPECT_FALSE(store_->put(kind, key, bytes_of("x"))) << key;
      EXPECT_FALSE(store_->get(kind, key)) << key;
      EXPECT_FALSE(store_->claim(key, std::chrono::milliseconds(0)).is_held());
    }
}

TEST_F(CacheTest, LeastRecentlyUsedGoesFirst) {
  // Six entries of about 10 KB each, with room for five.
  std::mt19937 random(5);
  std::vector<std::byte> bytes(10000);
  for (std::byte &byte : bytes)
    byte = std::byte(random());
  store_ = open(58000);
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(store_->put(Kind::Kernel, key_of(i), bytes));
  ASSERT_TRUE(store_->get(Kind::Kernel, key_of(0)));
  ASSERT_TRUE(store_->put(Kind::Executable, key_of(9), bytes));
  EXPECT_FALSE(store_->get(Kind::Kernel, key_of(1)));
  EXPECT_TRUE(store_->get(Kind::Kernel, key_of(0)));
  EXPECT_TRUE(store_->get(Kind::Executable, key_of(9)));
  EXPECT_LE(store_->stats().bytes, 58000);
  std::vector<std::byte> large(100000);
  for (std::byte &byte : large)
    byte = std::byte(random());
  EXPECT_FALSE(store_->put(Kind::Kernel, key_of(10), large));
}

TEST_F(CacheTest, StaysWithinItsLimit) {
  store_ = open(200000);
  std::mt19937 random(6);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> bytes(1000 + random() % 5000);
    for (std::byte &byte : bytes)
      byte = std::byte(random());
    ASSERT_TRUE(store_->put(kKinds[i % std::size(kKinds)], key_of(i), bytes));
  }
  StoreStats stats = store_->stats();
  EXPECT_LE(stats.bytes, 200000);
  EXPECT_GE(stats.bytes, 150000);
}

TEST_F(CacheTest, ListPruneClear) {
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(store_->put(Kind::Kernel, key_of(i), bytes_of("kernel")));
  ASSERT_TRUE(store_->put(Kind::Alias, key_of(3), bytes_of("alias")));
  std::vector<EntryInfo> entries = store_->list();
  ASSERT_EQ(entries.size(), 11u);
  EXPECT_EQ(entries[0].kind, Kind::Alias);
  EXPECT_EQ(entries[0].key, key_of(3));
  EXPECT_GT(entries[0].last_used, entries[10].last_used);
  EXPECT_TRUE(store_->prune(entries[0].bytes + entries[1].bytes));
  entries = store_->list();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[1].key, key_of(9));
  EXPECT_TRUE(store_->clear());
  EXPECT_EQ(store_->stats().entries, 0);
  EXPECT_EQ(store_->stats().bytes, 0);
}

TEST_F(CacheTest, PlaceAndModes) {
  ASSERT_TRUE(store_->put(Kind::Alias, key_of(1), bytes_of("x")));
  struct stat status;
  ASSERT_EQ(stat(file_of(Kind::Alias, key_of(1)).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_EQ(stat((directory_ / "alias").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  auto deep = Store::open(directory_ / "a" / "b" / "c/");
  ASSERT_TRUE(deep);
  EXPECT_TRUE((*deep)->put(Kind::Alias, key_of(1), bytes_of("x")));
  ASSERT_EQ(stat((directory_ / "a" / "b" / "c").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(CacheTest, UnusableDirectoriesAreFailures) {
  std::ofstream(directory_ / "file") << "x";
  auto store = Store::open(directory_ / "file");
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("file"), std::string::npos);
  EXPECT_FALSE(Store::open(directory_ / "file" / "below"));
  EXPECT_FALSE(Store::open(""));
  EXPECT_FALSE(Store::open("/proc/xlac"));
  std::filesystem::create_directory(directory_ / "shared");
  chmod((directory_ / "shared").c_str(), 0777);
  EXPECT_FALSE(Store::open(directory_ / "shared"));
  symlink("/tmp", (directory_ / "link").c_str());
  EXPECT_FALSE(Store::open(directory_ / "link"));
}

TEST_F(CacheTest, FullDiskKeepsNothing) {
  pid_t child = fork();
  if (child == 0) {
    // Limits files to 4 KB, which simulates a full disk.
    rlimit limit{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    std::mt19937 random(7);
    std::vector<std::byte> bytes(100000);
    for (std::byte &byte : bytes)
      byte = std::byte(random());
    bool kept = store_->put(Kind::Kernel, key_of(1), bytes);
    bool found = store_->get(Kind::Kernel, key_of(1)).has_value();
    bool small = store_->put(Kind::Kernel, key_of(2), bytes_of("small"));
    _exit(!kept && !found && small ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  size_t files = 0;
  for (auto &entry :
       std::filesystem::recursive_directory_iterator(directory_ / "kernel"))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 1u); // no temporary file is left
}

TEST_F(CacheTest, ManyProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    children.push_back(fork());
    if (children.back() != 0)
      continue;
    auto mine = Store::open(directory_, 60000);
    bool right = static_cast<bool>(mine);
    for (int i = 0; right && i < 100; ++i) {
      std::string text(500 + 37 * (i % 20), static_cast<char>('a' + i % 20));
      (*mine)->put(Kind::Kernel, key_of(i % 20), bytes_of(text));
      auto found = (*mine)->get(Kind::Kernel, key_of(i % 20));
      right = !found || *found == bytes_of(text);
    }
    _exit(right ? 0 : 1);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(store_->verify().sound, 20);
}

TEST(CacheDirectory, Rules) {
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XLAC_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(default_directory(), "/home/somebody/.cache/xlac");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(default_directory(), "/home/somebody/.cache/xlac");
  setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(default_directory(), "/caches/xlac");
  setenv("XLAC_CACHE_DIR", "/here", 1);
  EXPECT_EQ(default_directory(), "/here");
  unsetenv("XLAC_CACHE");
  EXPECT_FALSE(is_switched_off());
  setenv("XLAC_CACHE", "off", 1);
  EXPECT_TRUE(is_switched_off());
  unsetenv("XLAC_CACHE");
  unsetenv("XLAC_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(CacheTest, AReadOnlyStoreReadsAndChangesNothing) {
  ASSERT_TRUE(store_->put(Kind::Kernel, key_of(1), bytes_of("code")));
  auto listing = [&] {
    std::vector<std::string> names;
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(directory_))
      names.push_back(entry.path().string() + " " +
                      std::to_string(std::filesystem::last_write_time(entry)
                                         .time_since_epoch()
                                         .count()));
    std::sort(names.begin(), names.end());
    return names;
  };
  auto before = listing();
  auto opened = Store::open_readonly(directory_);
  ASSERT_TRUE(opened);
  Store &reader = **opened;
  EXPECT_EQ(reader.get(Kind::Kernel, key_of(1)), bytes_of("code"));
  EXPECT_FALSE(reader.get(Kind::Kernel, key_of(2)));
  EXPECT_FALSE(reader.put(Kind::Kernel, key_of(2), bytes_of("more")));
  EXPECT_FALSE(reader.claim(key_of(2), std::chrono::seconds(1)).is_held());
  EXPECT_FALSE(reader.clear());
  EXPECT_FALSE(reader.prune(0));
  EXPECT_EQ(listing(), before);
  EXPECT_FALSE(Store::open_readonly(directory_ / "missing"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "missing"));
}

TEST_F(CacheTest, TakesItsLimitFromTheDirectoryOrTheEnvironment) {
  auto limit = [&] {
    auto store = Store::open_readonly(directory_);
    return (*store)->stats().limit;
  };
  EXPECT_EQ(limit().bytes, kDefaultLimit);
  EXPECT_EQ(limit().origin, LimitOrigin::Default);
  ASSERT_TRUE(store_->set_limit(5000));
  EXPECT_EQ(limit().bytes, 5000);
  EXPECT_EQ(limit().origin, LimitOrigin::Directory);
  setenv("XLAC_CACHE_LIMIT", "2K", 1);
  EXPECT_EQ(limit().bytes, 2048);
  EXPECT_EQ(limit().origin, LimitOrigin::Environment);
  unsetenv("XLAC_CACHE_LIMIT");
  // Anything else than a number, or a file that others can write, is ignored.
  for (const char *text : {"", "x", "12", "-1\n", "5 \n"}) {
    std::ofstream(directory_ / "limit") << text;
    EXPECT_EQ(limit().origin, LimitOrigin::Default) << text;
  }
  std::ofstream(directory_ / "limit") << "7\n";
  EXPECT_EQ(limit().bytes, 7);
  std::filesystem::permissions(directory_ / "limit",
                               std::filesystem::perms(0666));
  EXPECT_EQ(limit().origin, LimitOrigin::Default);
}

TEST_F(CacheTest, PrunesToTheLimitOfTheDirectory) {
  for (int i = 0; i < 20; ++i)
    store_->put(Kind::Executable, key_of(i), std::vector<std::byte>(1000));
  int64_t all = store_->stats().bytes;
  ASSERT_TRUE(store_->set_limit(all / 2));
  EXPECT_LE(store_->stats().bytes, all / 2);
  auto again = Store::open(directory_);
  for (int i = 20; i < 60; ++i)
    (*again)->put(Kind::Executable, key_of(i), std::vector<std::byte>(1000));
  EXPECT_LE((*again)->stats().bytes, all / 2);
  EXPECT_TRUE((*again)->get(Kind::Executable, key_of(59)));
  EXPECT_FALSE((*again)->get(Kind::Executable, key_of(20)));
}

} // namespace xlac::cache
