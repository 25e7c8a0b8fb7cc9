#include "xlac/data.h"
#include "xlac/lazy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace xlac::data {
namespace {

using Indices = std::vector<size_t>;

Indices counted(size_t end) {
  Indices indices(end);
  std::iota(indices.begin(), indices.end(), size_t{0});
  return indices;
}

Indices sorted(Indices indices) {
  std::sort(indices.begin(), indices.end());
  return indices;
}

TEST(Samplers, OfAllInOrder) {
  SequentialSampler sampler(4);
  EXPECT_EQ(sampler.indices(0), counted(4));
  EXPECT_EQ(sampler.indices(7), counted(4));
  EXPECT_EQ(sampler.size(), 4u);
}

TEST(Samplers, OfAllInRandomOrder) {
  RandomSampler sampler(100, 3);
  Indices first = sampler.indices(0), second = sampler.indices(1);
  EXPECT_NE(first, second);
  EXPECT_EQ(sorted(first), counted(100));
  EXPECT_EQ(sorted(second), counted(100));
  EXPECT_EQ(RandomSampler(100, 3).indices(1), second);
  EXPECT_NE(RandomSampler(100, 4).indices(0), first);
  EXPECT_TRUE(RandomSampler(0, 3).indices(0).empty());
  RandomSampler drawn(100);
  manual_seed(9);
  Indices by_state = drawn.indices(0);
  EXPECT_NE(drawn.indices(0), by_state);
  manual_seed(9);
  EXPECT_EQ(drawn.indices(0), by_state);
}

TEST(Samplers, FavourNoOrder) {
  std::map<Indices, int> seen;
  for (uint64_t epoch = 0; epoch < 6000; ++epoch)
    ++seen[RandomSampler(3, 1).indices(epoch)];
  ASSERT_EQ(seen.size(), 6u);
  // 1000 each, within five standard deviations.
  for (const auto &[order, times] : seen)
    EXPECT_NEAR(times, 1000, 150);
}

TEST(Samplers, OfReplicasShareTheDataset) {
  for (bool drop_last : {false, true}) {
    Indices all;
    for (int64_t rank = 0; rank < 4; ++rank) {
      DistributedSampler sampler(
          10, {.num_replicas = 4, .rank = rank, .drop_last = drop_last});
      EXPECT_EQ(sampler.size(), drop_last ? 2u : 3u);
      Indices own = sampler.indices(0);
      EXPECT_EQ(own.size(), sampler.size());
      EXPECT_EQ(sampler.indices(5), own);
      sampler.set_epoch(1);
      EXPECT_NE(sampler.indices(0), own);
      all.insert(all.end(), own.begin(), own.end());
    }
    Indices distinct = sorted(all);
    distinct.erase(std::unique(distinct.begin(), distinct.end()),
                   distinct.end());
    EXPECT_EQ(distinct.size(), drop_last ? 8u : 10u);
  }
}

TEST(Samplers, OfReplicasAreInOrderUnlessShuffled) {
  DistributedSampler sampler(7,
                             {.num_replicas = 3, .rank = 2, .shuffle = false});
  EXPECT_EQ(sampler.indices(0), (Indices{2, 5, 1}));
  // More replicas than samples.
  DistributedSampler many(2, {.num_replicas = 5, .rank = 4, .shuffle = false});
  EXPECT_EQ(many.indices(0), (Indices{0}));
  EXPECT_TRUE(DistributedSampler(0).indices(0).empty());
}

TEST(Samplers, OfReplicasKnowWhoTheyAre) {
  DistributedSampler alone(5, {.shuffle = false});
  EXPECT_EQ(alone.indices(0), counted(5));
  EXPECT_THROW(DistributedSampler(5, {.num_replicas = 2, .rank = 2}),
               ValueError);
  EXPECT_THROW(DistributedSampler(5, {.rank = 1}), ValueError);
  EXPECT_THROW(DistributedSampler(5, {.num_replicas = 2, .rank = -1}),
               ValueError);
}

TEST(Samplers, OfAUsersOwnAreCounted) {
  struct Twice : Sampler {
    std::vector<size_t> indices(uint64_t epoch) override {
      return {epoch, epoch};
    }
  };
  auto sampler = std::make_shared<Twice>();
  EXPECT_EQ(sampler->size(), 2u);
  DataLoader loader(TensorDataset(arange(5), arange(5)),
                    {.batch_size = 2, .sampler = sampler});
  for (int64_t epoch = 0; epoch < 3; ++epoch)
    for (auto &[data, target] : loader)
      EXPECT_EQ(data.to_vector<int64_t>(),
                (std::vector<int64_t>{epoch, epoch}));
}

TEST(Random, IsTheSameEverywhere) {
  // SplitMix64's published numbers for the seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random(), 6457827717110365317u);
  EXPECT_EQ(random(), 3203168211198807973u);
}

TEST(Random, IsUniformOrNormal) {
  Random random(7);
  double sum = 0, squares = 0, mean = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    double u = random.uniform(), x = random.normal();
    EXPECT_TRUE(u >= 0 && u < 1);
    EXPECT_LT(random.below(3), 3u);
    mean += u / kCount;
    sum += x / kCount;
    squares += x * x / kCount;
  }
  EXPECT_NEAR(mean, 0.5, 0.01);
  EXPECT_NEAR(sum, 0, 0.04);
  EXPECT_NEAR(squares, 1, 0.05);
  EXPECT_EQ(random.below(0), 0u);
}

TEST(Random, OfASampleEndsWithIt) {
  uint64_t first = 0;
  {
    SampleScope scope(1, 2);
    first = random()();
    EXPECT_NE(random()(), first);
    {
      SampleScope inner(1, 3);
      EXPECT_NE(random()(), first);
    }
  }
  SampleScope again(1, 2);
  EXPECT_EQ(random()(), first);
}

} // namespace
} // namespace xlac::data
