// Memory and the buffers that own it.
#include "xlac/runtime/allocator.h"
#include "xlac/runtime/buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

using namespace xlac;

TEST(Allocator, AlignsEverySize) {
  runtime::Allocator allocator;
  for (int64_t bytes : {0, 1, 64, 65, 4096, 4097, 100000, (2 << 20) - 1,
                        2 << 20, (2 << 20) + 1, 5 << 20}) {
    Result<std::byte *> memory = allocator.allocate(bytes);
    ASSERT_TRUE(memory);
    ASSERT_NE(*memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*memory) % 64, 0u);
    std::memset(*memory, 1, bytes);
    allocator.release(*memory, bytes);
  }
  EXPECT_EQ(allocator.stats().in_use, 0);
}

TEST(Allocator, ReusesWhatCameBack) {
  runtime::Allocator allocator;
  std::byte *first = *allocator.allocate(1000);
  allocator.release(first, 1000);
  // rounded up to the same multiple of 64 bytes
  EXPECT_EQ(*allocator.allocate(1001), first);
  EXPECT_EQ(allocator.stats().reused, 1);
  allocator.release(first, 1001);
  allocator.trim();
  EXPECT_EQ(allocator.stats().pooled, 0);
}

TEST(Allocator, KeepsToItsLimit) {
  runtime::Allocator allocator(1 << 20);
  std::byte *first = *allocator.allocate(600 << 10);
  Result<std::byte *> second = allocator.allocate(600 << 10);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().failure_kind, FailureKind::OutOfMemory);
  EXPECT_NE(second.error().message.find("Out of memory allocating"),
            std::string::npos);
  allocator.release(first, 600 << 10);
  std::byte *third = *allocator.allocate(700 << 10);
  allocator.release(third, 700 << 10);
  EXPECT_LE(allocator.stats().pooled, 1 << 20);
}

TEST(Allocator, RefusesNonsense) {
  runtime::Allocator allocator;
  EXPECT_FALSE(allocator.allocate(-1));
  EXPECT_FALSE(allocator.allocate(INT64_MAX));
  EXPECT_FALSE(allocator.allocate(int64_t(1) << 60));
}

TEST(Buffer, HoldsAndReturnsMemory) {
  auto allocator = std::make_shared<runtime::Allocator>();
  {
    runtime::BufferRef buffer = *runtime::Buffer::allocate(allocator, 100);
    EXPECT_TRUE(buffer.is_sole());
    runtime::BufferRef other = buffer;
    EXPECT_FALSE(buffer.is_sole());
    uint64_t version = buffer->version();
    EXPECT_EQ(*buffer->write(), buffer->data());
    EXPECT_NE(buffer->version(), version);
  }
  EXPECT_EQ(allocator->stats().in_use, 0);
}

TEST(Buffer, BorrowedMemoryIsLeftAlone) {
  int released = 0;
  float value = 3;
  {
    runtime::BufferRef buffer =
        runtime::Buffer::borrow(&value, sizeof value, [&] { ++released; });
    EXPECT_EQ(*buffer->read(), reinterpret_cast<std::byte *>(&value));
    EXPECT_FALSE(buffer->write());
  }
  EXPECT_EQ(released, 1);
}

TEST(Buffer, WaitersSeeTheEnd) {
  auto allocator = std::make_shared<runtime::Allocator>();
  runtime::BufferRef good = runtime::Buffer::pending(allocator, 8);
  runtime::BufferRef bad = runtime::Buffer::pending(allocator, 8);
  EXPECT_FALSE(good->is_done());
  std::thread maker([&] {
    ASSERT_TRUE(good->materialize());
    good->set_ready();
    bad->set_failed(failure(FailureKind::Runtime, "broken"));
  });
  EXPECT_TRUE(good->read());
  Status status = bad->wait();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "broken");
  maker.join();
}

TEST(Buffer, CallbacksHearOfTheEndOnce) {
  auto allocator = std::make_shared<runtime::Allocator>();
  runtime::BufferRef good = runtime::Buffer::pending(allocator, 8);
  std::string heard;
  auto note = [&](std::string name) {
    return [&heard, name](const Status &status) {
      heard += name + (status ? " ready;" : " " + status.error().message + ";");
    };
  };
  good->on_ready(note("first"));
  good->on_ready(note("second"));
  EXPECT_EQ(heard, "");
  ASSERT_TRUE(good->materialize());
  good->set_ready();
  EXPECT_EQ(heard, "first ready;second ready;");
  good->on_ready(note("late"));
  EXPECT_EQ(heard, "first ready;second ready;late ready;");

  heard.clear();
  runtime::BufferRef bad = runtime::Buffer::pending(allocator, 8);
  bad->on_ready(note("early"));
  bad->set_failed(failure(FailureKind::Runtime, "broken"));
  bad->on_ready(note("late"));
  EXPECT_EQ(heard, "early broken;late broken;");

  heard.clear();
  runtime::Buffer::borrow(heard.data(), 0)->on_ready(note("borrowed"));
  EXPECT_EQ(heard, "borrowed ready;");
}

TEST(Buffer, CallbacksMayDropTheBufferAndAddOthers) {
  auto allocator = std::make_shared<runtime::Allocator>();
  runtime::BufferRef buffer = runtime::Buffer::pending(allocator, 8);
  int heard = 0;
  runtime::BufferRef held = buffer;
  buffer->on_ready([&](const Status &) {
    held->on_ready([&](const Status &) { ++heard; });
    held = nullptr;
    ++heard;
  });
  ASSERT_TRUE(buffer->materialize());
  buffer->set_ready();
  EXPECT_EQ(heard, 2);

  // A buffer that is never completed calls no callback and leaks nothing.
  auto owned = std::make_shared<int>(0);
  runtime::Buffer::pending(allocator, 8)->on_ready([owned](const Status &) {
    ++*owned;
  });
  EXPECT_EQ(owned.use_count(), 1);
  EXPECT_EQ(*owned, 0);
}

TEST(Buffer, NoCallbackIsLostBetweenThreads) {
  auto allocator = std::make_shared<runtime::Allocator>();
  for (int round = 0; round < 200; ++round) {
    runtime::BufferRef buffer = runtime::Buffer::pending(allocator, 8);
    std::atomic<int> heard{0};
    std::thread other([&] {
      for (int i = 0; i < 20; ++i)
        buffer->on_ready([&](const Status &) { ++heard; });
    });
    ASSERT_TRUE(buffer->materialize());
    buffer->set_ready();
    other.join();
    EXPECT_EQ(heard, 20);
  }
}
