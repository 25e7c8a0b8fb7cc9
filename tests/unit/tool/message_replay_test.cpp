#include "compile/message_replay.h"

#include <gtest/gtest.h>

#include <numeric>

namespace xlac::cli {
namespace {

constexpr double kMega = 1e6;

/// Two devices on each host; 1 us and 1 GB/s within, 10 us and 2 GB/s between.
HostLinks pairs_of_devices() {
  HostLinks links;
  links.devices_per_host = 2;
  links.costs = {.near_latency = 1,
                 .near_bandwidth = 1,
                 .far_latency = 10,
                 .far_bandwidth = 2};
  links.message_microseconds = 0;
  return links;
}

runtime::Collective collective(runtime::CollectiveKind kind,
                               std::vector<std::vector<int64_t>> groups,
                               int64_t floats) {
  runtime::Collective what;
  what.kind = kind;
  what.groups = std::move(groups);
  TensorType type;
  type.dims = {floats};
  what.operands = {type};
  what.results = {type};
  return what;
}

TEST(MessageReplay, MessagesOfARoundShareTheLinks) {
  MessageRound round(4, pairs_of_devices());
  round.send(0, 2, 2 * kMega);
  round.send(1, 3, 2 * kMega);
  EXPECT_DOUBLE_EQ(round.time().microseconds, 10 + 2000);
  EXPECT_DOUBLE_EQ(round.time().link_bytes, 4 * kMega);
  EXPECT_DOUBLE_EQ(round.time().messages, 1);
  // The other direction and the memory of a host are used at the same time.
  round.send(2, 0, kMega);
  round.send(3, 2, kMega);
  EXPECT_DOUBLE_EQ(round.time().microseconds, 10 + 2000);
}

TEST(MessageReplay, AllPairsAreTheirMessages) {
  HostLinks links = pairs_of_devices();
  links.message_microseconds = 3;
  std::vector<int64_t> devices = {0, 1, 3, 4, 5};
  MessageRound together(6, links), apart(6, links);
  together.send_all(devices, 1000);
  for (int64_t from : devices)
    for (int64_t to : devices)
      if (from != to)
        apart.send(from, to, 1000);
  EXPECT_DOUBLE_EQ(together.time().microseconds, apart.time().microseconds);
  EXPECT_DOUBLE_EQ(together.time().messages, apart.time().messages);
  EXPECT_DOUBLE_EQ(together.time().link_bytes, apart.time().link_bytes);
}

TEST(MessageReplay, HierarchicalSumsCrossALinkOnce) {
  runtime::Collective sum =
      collective(runtime::CollectiveKind::AllReduce, {}, 1'000'000);
  HostLinks links = pairs_of_devices();
  links.devices_per_host = 8;
  ReplayTime plan = replay(sum, ReplayMethod::Plan, 16, links),
             stages = replay(sum, ReplayMethod::Hierarchical, 16, links);
  // Each of 8 devices sends a sixteenth to 8 others, twice.
  EXPECT_DOUBLE_EQ(plan.link_bytes, 2 * 8 * 8 * 4 * kMega / 16);
  // Two hosts exchange a half, twice.
  EXPECT_DOUBLE_EQ(stages.link_bytes, 2 * 4 * kMega / 2);
  EXPECT_LT(stages.microseconds, plan.microseconds);
}

TEST(MessageReplay, GroupsRunAtOnce) {
  HostLinks links = pairs_of_devices();
  using Kind = runtime::CollectiveKind;
  ReplayTime one = replay(collective(Kind::AllReduce, {{0, 2}}, 1'000'000),
                          ReplayMethod::Plan, 4, links),
             two = replay(
                 collective(Kind::AllReduce, {{0, 2}, {1, 3}}, 1'000'000),
                 ReplayMethod::Plan, 4, links);
  EXPECT_DOUBLE_EQ(two.link_bytes, 2 * one.link_bytes);
  EXPECT_GT(two.microseconds, one.microseconds);
}

TEST(MessageReplay, EnginesSendFewMessages) {
  HostLinks links;
  links.message_microseconds = 1;
  runtime::Collective sum =
      collective(runtime::CollectiveKind::AllReduce, {}, 1024);
  // A small sum: the plan sends to all others, MPI in log2(n) rounds.
  ReplayTime plan = replay(sum, ReplayMethod::Plan, 4096, links),
             engine = replay(sum, ReplayMethod::Engine, 4096, links);
  EXPECT_DOUBLE_EQ(plan.messages, 4095);
  EXPECT_LE(engine.messages, 24);
  EXPECT_LT(engine.microseconds, plan.microseconds / 10);
}

TEST(MessageReplay, EnginesChooseTheAlgorithmBySize) {
  HostLinks links;
  links.devices_per_host = 1;
  auto gathered = [&](int64_t floats) {
    return replay(collective(runtime::CollectiveKind::AllGather, {}, floats),
                  ReplayMethod::Engine, 16, links);
  };
  EXPECT_DOUBLE_EQ(gathered(1).messages, 4);
  EXPECT_DOUBLE_EQ(gathered(1).link_bytes, 15 * 4);
  EXPECT_DOUBLE_EQ(gathered(10'000'000).link_bytes, 15 * 40 * kMega);
}

TEST(MessageReplay, NothingIsSentWithinADevice) {
  for (runtime::CollectiveKind kind :
       {runtime::CollectiveKind::AllReduce, runtime::CollectiveKind::AllGather,
        runtime::CollectiveKind::Permute, runtime::CollectiveKind::Infeed})
    for (ReplayMethod method :
         {ReplayMethod::Plan, ReplayMethod::Hierarchical, ReplayMethod::Engine})
      EXPECT_EQ(replay(collective(kind, {{0}, {1}}, 1000), method, 2, {})
                    .microseconds,
                0);
}

} // namespace
} // namespace xlac::cli
