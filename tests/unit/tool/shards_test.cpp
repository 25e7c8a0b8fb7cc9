#include "run/shards.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace xlac::cli {
namespace {

HostArray counted(std::vector<int64_t> dims) {
  HostArray array;
  array.type.element = ElementType::I32;
  array.type.dims = std::move(dims);
  std::vector<int32_t> values(*array.type.element_count());
  std::iota(values.begin(), values.end(), 1);
  array.bytes.resize(values.size() * 4);
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

std::vector<int32_t> values_of(const HostArray &array) {
  std::vector<int32_t> values(array.bytes.size() / 4);
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

TEST(Shards, AreCutWithPaddingAtTheEnd) {
  HostArray whole = counted({3, 2});
  auto rows = parse_sharding("{devices=[2,1]0,1}");
  EXPECT_EQ(values_of(slice_shard(whole, *rows, 0)),
            (std::vector<int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(values_of(slice_shard(whole, *rows, 1)),
            (std::vector<int32_t>{5, 6, 0, 0}));
  auto columns = parse_sharding("{devices=[1,2]1,0}");
  EXPECT_EQ(values_of(slice_shard(whole, *columns, 0)),
            (std::vector<int32_t>{2, 4, 6}));
  EXPECT_EQ(values_of(slice_shard(whole, Sharding(), 1)), values_of(whole));
}

TEST(Shards, ComeTogetherAgain) {
  for (const char *text :
       {"{replicated}", "{devices=[4,1,2]<=[8]}", "{devices=[2,2,2]<=[8]}",
        "{devices=[1,3,1,2]<=[2,3]T(1,0) last_tile_dim_replicate}",
        "{devices=[1,1,5]4,3,2,1,0}"}) {
    auto sharding = parse_sharding(text);
    ASSERT_TRUE(sharding) << text;
    HostArray whole = counted({5, 4, 3});
    std::vector<HostArray> shards;
    int64_t devices = std::max<int64_t>(sharding->device_count(), 2);
    for (int64_t device = 0; device < devices; ++device)
      shards.push_back(slice_shard(whole, *sharding, device));
    std::vector<const std::byte *> bytes;
    for (const HostArray &shard : shards)
      bytes.push_back(shard.bytes.data());
    EXPECT_EQ(values_of(join_shards(whole.type, *sharding, bytes)),
              values_of(whole))
        << text;
  }
}

} // namespace
} // namespace xlac::cli
