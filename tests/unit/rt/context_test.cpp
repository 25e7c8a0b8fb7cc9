#include "xlac/rt.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

/// Counts how often each piece runs, and writes all of its scratch memory.
struct Counted {
  explicit Counted(int64_t pieces, int64_t scratch_bytes)
      : counts(pieces), scratch_bytes(scratch_bytes) {}

  static int32_t run(void *task, void *scratch, int64_t begin, int64_t end) {
    auto &self = *static_cast<Counted *>(task);
    if (reinterpret_cast<uintptr_t>(scratch) % 64 != 0)
      return 99;
    if (self.scratch_bytes > 0)
      std::memset(scratch, static_cast<int>(begin), self.scratch_bytes);
    for (int64_t i = begin; i < end; ++i)
      ++self.counts[i];
    for (int64_t i = 0; i < self.scratch_bytes; ++i)
      if (static_cast<unsigned char *>(scratch)[i] != (begin & 0xff))
        return 98; // another thread has the same memory
    return self.fails_at >= begin && self.fails_at < end ? 7 : 0;
  }

  std::vector<std::atomic<int>> counts;
  int64_t scratch_bytes;
  int64_t fails_at = -1;
};

class Threads : public testing::TestWithParam<int> {
protected:
  void SetUp() override {
    ASSERT_EQ(xlac_rt_init_threads(&context, GetParam()), XLAC_RT_OK);
    ASSERT_NE(context.parallel_for, nullptr);
  }
  void TearDown() override { xlac_rt_finish(&context); }

  int32_t run(Counted &task) {
    alignas(64) static char own[1 << 16];
    return context.parallel_for(&context, Counted::run, &task,
                                static_cast<int64_t>(task.counts.size()), own,
                                task.scratch_bytes);
  }

  xlac_rt_context context;
};

TEST_P(Threads, EachPieceRunsOnce) {
  for (int64_t pieces : {0, 1, 2, 3, 17, 1000})
    for (int turn = 0; turn < 50; ++turn) {
      Counted task(pieces, 0);
      ASSERT_EQ(run(task), 0);
      for (const std::atomic<int> &count : task.counts)
        ASSERT_EQ(count, 1);
    }
}

TEST_P(Threads, EachThreadHasScratchMemoryOfItsOwn) {
  for (int64_t bytes : {64, 5000, 100, 60000}) {
    Counted task(200, bytes);
    EXPECT_EQ(run(task), 0) << bytes;
  }
}

TEST_P(Threads, AFailureEndsTheLoop) {
  Counted task(100, 0);
  task.fails_at = 3;
  EXPECT_EQ(run(task), 7);
  Counted next(100, 0);
  EXPECT_EQ(run(next), 0) << "the next loop does not see it";
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, testing::Values(2, 3, 8));

TEST(Context, OneThreadIsSerial) {
  xlac_rt_context context;
  ASSERT_EQ(xlac_rt_init_threads(&context, 1), XLAC_RT_OK);
  EXPECT_EQ(context.parallel_for, nullptr);
  EXPECT_EQ(context.size, sizeof context);
  xlac_rt_finish(&context);
}

TEST(Context, CanBeInitializedAgain) {
  xlac_rt_context context;
  for (int turn = 0; turn < 20; ++turn) {
    ASSERT_EQ(xlac_rt_init_threads(&context, 1 + turn % 4), XLAC_RT_OK);
    xlac_rt_finish(&context);
    EXPECT_EQ(context.parallel_for, nullptr);
    xlac_rt_finish(&context); // does nothing
  }
}

TEST(Context, MessagesDescribeTheStatus) {
  xlac_rt_context context;
  xlac_rt_init_serial(&context);
  EXPECT_STREQ(xlac_rt_message(&context), "no failure");
  for (int status = XLAC_RT_FAILED; status <= XLAC_RT_BAD_WEIGHTS; ++status) {
    context.status = status;
    EXPECT_STRNE(xlac_rt_message(&context), "no failure") << status;
  }
  std::strcpy(context.message, "x is wrong");
  EXPECT_STREQ(xlac_rt_message(&context), "x is wrong");
}

TEST(MapFile, MapsTheBytes) {
  std::string path = testing::TempDir() + "xlac_rt_map_file";
  std::FILE *file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("weights", file);
  std::fclose(file);
  uint64_t bytes = 0;
  const void *address = xlac_rt_map_file(path.c_str(), &bytes);
  ASSERT_NE(address, nullptr);
  EXPECT_EQ(bytes, 7u);
  EXPECT_EQ(std::memcmp(address, "weights", 7), 0);
  xlac_rt_unmap_file(address, bytes);
  std::remove(path.c_str());
}

TEST(MapFile, SaysWhyAFileCannotBeMapped) {
  uint64_t bytes = 1;
  errno = 0;
  EXPECT_EQ(xlac_rt_map_file("/no/such/file", &bytes), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(xlac_rt_map_file("/dev/null", &bytes), nullptr) << "empty";
  EXPECT_EQ(errno, EINVAL);
  xlac_rt_unmap_file(nullptr, 0);
}

} // namespace
