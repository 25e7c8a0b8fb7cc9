// One process compiles while the others wait.
#include "cache_fixture.h"

#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace xlac::cache {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST_F(CacheTest, OneHolderAtATime) {
  Claim first = store_->claim(key_of(1), milliseconds(0));
  EXPECT_TRUE(first.is_held());
  EXPECT_FALSE(first.has_waited());
  EXPECT_TRUE(store_->claim(key_of(2), milliseconds(0)).is_held());
  steady_clock::time_point start = steady_clock::now();
  Claim second = open()->claim(key_of(1), milliseconds(50));
  EXPECT_FALSE(second.is_held());
  EXPECT_GE(steady_clock::now() - start, milliseconds(50));
  EXPECT_LT(steady_clock::now() - start, milliseconds(5000));
  first.release();
  EXPECT_TRUE(store_->claim(key_of(1), milliseconds(0)).is_held());
}

TEST_F(CacheTest, WaitersGoOnAfterTheHolder) {
  Claim first = store_->claim(key_of(1), milliseconds(0));
  std::thread waiter([&] {
    Claim second = store_->claim(key_of(1), milliseconds(10000));
    EXPECT_TRUE(second.is_held());
    EXPECT_TRUE(second.has_waited());
  });
  usleep(30000);
  first = Claim();
  waiter.join();
}

TEST_F(CacheTest, DeadHoldersHoldNothing) {
  pid_t child = fork();
  if (child == 0) {
    Claim claim = store_->claim(key_of(1), milliseconds(0));
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(store_->claim(key_of(1), milliseconds(0)).is_held());
}

TEST_F(CacheTest, ProcessesCompileOnce) {
  std::filesystem::path log = directory_ / "compilations";
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() != 0)
      continue;
    auto mine = Store::open(directory_);
    Claim claim = (*mine)->claim(key_of(1), milliseconds(20000));
    auto found = (*mine)->get(Kind::Executable, key_of(1));
    if (!found) {
      usleep(50000);
      std::ofstream(log, std::ios::app) << "x";
      (*mine)->put(Kind::Executable, key_of(1), bytes_of("compiled"));
      found = (*mine)->get(Kind::Executable, key_of(1));
    }
    claim.release();
    _exit(found && *found == bytes_of("compiled") ? 0 : 1);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(std::filesystem::file_size(log), 1u);
  EXPECT_TRUE(std::filesystem::is_empty(directory_ / "claims"));
}

} // namespace xlac::cache
