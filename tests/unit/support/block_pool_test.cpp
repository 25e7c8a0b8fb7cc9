#include "xlac/support/block_pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace xlac {
namespace {

TEST(BlockPool, BlocksAreDistinctWhileTaken) {
  std::set<void *> taken;
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(taken.insert(BlockPool<48>::take()).second);
  for (void *block : taken)
    BlockPool<48>::give(block);
}

TEST(BlockPool, WhatWasGivenBackIsTakenAgain) {
  if (!kKeepsBlocks)
    GTEST_SKIP() << "blocks are not kept under sanitizers";
  void *block = BlockPool<56>::take();
  BlockPool<56>::give(block);
  void *again = BlockPool<56>::take();
  EXPECT_EQ(again, block);
  BlockPool<56>::give(again);
}

TEST(BlockPool, BlocksCrossThreads) {
  std::vector<void *> blocks(10000);
  for (void *&block : blocks)
    block = BlockPool<64>::take();
  std::thread([&] {
    for (void *block : blocks)
      BlockPool<64>::give(block);
  }).join();
  void *block = BlockPool<64>::take();
  BlockPool<64>::give(block);
}

/// Returns a block when its thread ends, before or after the pool was swept.
struct LateGiver {
  void *block = nullptr;
  ~LateGiver() {
    if (block)
      BlockPool<72>::give(block);
  }
};

TEST(BlockPool, MayBeUsedWhileAThreadEnds) {
  std::thread([] {
    static thread_local LateGiver early;
    early.block = BlockPool<72>::take();
    BlockPool<72>::give(BlockPool<72>::take()); // constructs the sweeper
    static thread_local LateGiver late;
    late.block = BlockPool<72>::take();
  }).join();
}

TEST(PoolAllocator, SharedObjectsAreMadeAndDestroyed) {
  auto object = std::make_shared<int>(7);
  {
    auto held = std::allocate_shared<std::shared_ptr<int>>(
        PoolAllocator<std::shared_ptr<int>>(), object);
    EXPECT_EQ(**held, 7);
    EXPECT_EQ(object.use_count(), 2);
  }
  EXPECT_EQ(object.use_count(), 1);
}

} // namespace
} // namespace xlac
