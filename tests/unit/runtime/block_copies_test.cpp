#include "block_copies.h"

#include <gtest/gtest.h>

#include <numeric>

namespace xlac {
namespace {

TEST(BlockCopies, PutsStripsIntoTheirColumns) {
  std::vector<uint8_t> from(6), to(12, 99);
  std::iota(from.begin(), from.end(), uint8_t(0));
  runtime::StridedBytes rows{.offset = 1, .run = 2, .pitch = 4, .rows = 3};
  runtime::StridedBytes whole{.offset = 0, .run = 2, .pitch = 2, .rows = 3};
  runtime::BlockCopies copies;
  copies.add_strided_bytes(from.data(), whole, to.data(), rows);
  copies.run(1);
  EXPECT_EQ(to,
            (std::vector<uint8_t>{99, 0, 1, 99, 99, 2, 3, 99, 99, 4, 5, 99}));
}

/// Empty arrays have no memory, for any offsets of their strips.
TEST(BlockCopies, LeavesArraysWithoutElementsAlone) {
  runtime::StridedBytes none{.offset = 44, .run = 4, .pitch = 8, .rows = 0};
  runtime::BlockCopies copies;
  copies.add_strided_bytes(nullptr, none, nullptr, none);
  copies.run(1);
}

} // namespace
} // namespace xlac
