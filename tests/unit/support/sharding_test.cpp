#include "xlac/support/sharding.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

Sharding parsed(std::string_view text) {
  auto sharding = parse_sharding(text);
  EXPECT_TRUE(sharding) << text;
  return sharding ? *sharding : Sharding();
}

std::vector<int64_t> sizes_on(std::vector<int64_t> dims,
                              const Sharding &sharding, int64_t device) {
  return shard_bounds(dims, sharding, device).size;
}

TEST(Sharding, ReadsWhatItPrints) {
  for (const char *text :
       {"{replicated}", "{manual}", "{unknown}", "{maximal device=3}",
        "{devices=[4,1]0,1,2,3}", "{devices=[2,1,2]0,2,1,3}",
        "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}",
        "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dims={unreduced}}",
        "{devices=[1,2]1,0 last_tile_dims={unreduced}}",
        "{devices=[2,1,2,2]0,1,2,3,4,5,6,7 "
        "last_tile_dims={replicated, unreduced}}",
        "{{replicated}, {devices=[2]1,0}, {{manual}}}", "{}"})
    EXPECT_EQ(parsed(text).str(), text);
  auto tiled = parsed("{devices=[2,1,4]7,6,5,4,3,2,1,0 "
                      "last_tile_dim_replicate}");
  EXPECT_EQ(tiled.tiles, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(tiled.copies, 4);
  EXPECT_EQ(tiled.device_count(), 8);
  EXPECT_EQ(tiled.devices.front(), 7);
  EXPECT_EQ(parsed("{replicated}").device_count(), 0);
}

TEST(Sharding, SummandsAreOfOneShard) {
  Sharding sharding = parsed("{devices=[2,1,2,2]<=[8] "
                             "last_tile_dims={replicated, unreduced}}");
  EXPECT_EQ(sharding.tiles, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(sharding.copies, 2);
  EXPECT_EQ(sharding.summands, 2);
  EXPECT_TRUE(sharding.is_unreduced());
  std::vector<int64_t> dims = {4, 3};
  EXPECT_EQ(shard_dims(dims, sharding), (std::vector<int64_t>{2, 3}));
  for (int64_t device = 0; device < 8; ++device) {
    ShardBounds bounds = shard_bounds(dims, sharding, device);
    EXPECT_EQ(bounds.begin[0], device < 4 ? 0 : 2);
    EXPECT_EQ(bounds.copy, device % 4 / 2);
  }
  for (const char *text :
       {"{devices=[2]0,1 last_tile_dims={replicated, unreduced}}",
        "{devices=[2]0,1 last_tile_dims={}}",
        "{devices=[2,2]0,1,2,3 last_tile_dims={unreduced, replicated}}"})
    EXPECT_FALSE(parse_sharding(text)) << text;
}

TEST(Sharding, ReadsIotas) {
  EXPECT_EQ(parsed("{devices=[2,4]<=[8]}").str(),
            "{devices=[2,4]0,1,2,3,4,5,6,7}");
  EXPECT_EQ(parsed("{devices=[4,2]<=[2,4]T(1,0)}").str(),
            "{devices=[4,2]0,4,1,5,2,6,3,7}");
  EXPECT_EQ(parsed("{devices=[2,1,4]<=[2,2,2]T(1,0,2) "
                   "last_tile_dims={replicated}}")
                .devices,
            (std::vector<int64_t>{0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST(Sharding, CuttingNothingIsReplicated) {
  EXPECT_EQ(parsed("{devices=[1,1,4]<=[4] last_tile_dim_replicate}"),
            Sharding());
  EXPECT_EQ(parsed("{devices=[4]<=[4] last_tile_dim_replicate}"), Sharding());
  EXPECT_EQ(parsed("{devices=[1,1]0}"), Sharding());
}

TEST(Sharding, RefusesOtherText) {
  for (const char *text :
       {"", "replicated", "{replicated", "{replicated} {manual}", "{devices=}",
        "{devices=[]0}", "{devices=[2]0}", "{devices=[2]0,0}",
        "{devices=[2]0,-1}", "{devices=[-2]0,1}", "{devices=[2]<=[3]}",
        "{devices=[4]<=[2,2]T(0,0)}", "{devices=[4]<=[2,2]T(0)}",
        "{devices=[9999999999999999999]<=[2]}",
        "{devices=[1048576,1048576]<=[2]}", "{maximal device=x}",
        "{maximal device=-1}", "{cut}", "{{replicated}"}) {
    auto sharding = parse_sharding(text);
    ASSERT_FALSE(sharding) << text;
    EXPECT_EQ(sharding.error().failure_kind, FailureKind::User) << text;
    EXPECT_NE(sharding.error().message.find("sharding '"), std::string::npos);
  }
  auto manual = parse_sharding("{devices=[1,2]0,1 last_tile_dims={manual}}");
  ASSERT_FALSE(manual);
  EXPECT_EQ(manual.error().failure_kind, FailureKind::Unsupported);
  EXPECT_FALSE(parse_sharding(std::string(100000, '{')));
}

TEST(Sharding, ShardsCoverTheTensorOnce) {
  for (const char *text :
       {"{devices=[2,3]5,4,3,2,1,0}", "{devices=[6,1]<=[6]}",
        "{devices=[1,3,2]<=[2,3]T(1,0) last_tile_dim_replicate}"}) {
    Sharding sharding = parsed(text);
    std::vector<int64_t> dims = {5, 7};
    std::vector<int> times(35, 0);
    for (int64_t device = 0; device < 6; ++device) {
      ShardBounds part = shard_bounds(dims, sharding, device);
      if (part.copy != 0)
        continue;
      for (int64_t i = 0; i < part.size[0]; ++i)
        for (int64_t j = 0; j < part.size[1]; ++j)
          ++times[(part.begin[0] + i) * 7 + part.begin[1] + j];
    }
    EXPECT_EQ(times, std::vector<int>(35, 1)) << text;
  }
}

TEST(Sharding, PadsShardsUp) {
  using Sizes = std::vector<int64_t>;
  Sharding four = parsed("{devices=[4,1]<=[4]}");
  EXPECT_EQ(shard_dims(Sizes{5, 3}, four), (Sizes{2, 3}));
  EXPECT_EQ(sizes_on({5, 3}, four, 1), (Sizes{2, 3}));
  EXPECT_EQ(sizes_on({5, 3}, four, 2), (Sizes{1, 3}));
  EXPECT_EQ(sizes_on({5, 3}, four, 3), (Sizes{0, 3}));
  EXPECT_EQ(sizes_on({5, 3}, four, 4), (Sizes{0, 0})); // not one of its devices
  EXPECT_EQ(shard_bounds(Sizes{5, 3}, four, 3).begin, (Sizes{5, 0}));
  EXPECT_EQ(shard_dims(Sizes{5, 3}, Sharding()), (Sizes{5, 3}));
  EXPECT_EQ(sizes_on({5, 3}, Sharding(), 9), (Sizes{5, 3}));
  Sharding one = parsed("{maximal device=2}");
  EXPECT_EQ(sizes_on({5, 3}, one, 2), (Sizes{5, 3}));
  EXPECT_EQ(sizes_on({5, 3}, one, 1), (Sizes{0, 0}));
}

TEST(Sharding, FollowsTheOrderOfDevices) {
  Sharding sharding = parsed("{devices=[2,2]3,1,2,0}");
  std::vector<int64_t> dims = {4, 4};
  EXPECT_EQ(shard_bounds(dims, sharding, 3).begin,
            (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(shard_bounds(dims, sharding, 1).begin,
            (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(shard_bounds(dims, sharding, 0).begin,
            (std::vector<int64_t>{2, 2}));
}

} // namespace
} // namespace xlac
