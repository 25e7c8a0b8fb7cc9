// Processes of a grid: their groups, the results of collectives, and
// mismatching collectives.
#include "test_image.h"

#include "xlac/runtime/communicator.h"
#include "xlac/runtime/device.h"
#include "xlac/runtime/process_groups.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

using namespace xlac;
using namespace xlac::test;
using namespace std::chrono_literals;

namespace {

TensorType floats(std::vector<int64_t> dims) {
  return f32(std::move(dims)).tensor();
}

runtime::Collective sum_over(std::vector<std::vector<int64_t>> groups,
                             std::vector<int64_t> dims = {4}) {
  runtime::Collective what;
  what.kind = runtime::CollectiveKind::AllReduce;
  what.groups = std::move(groups);
  what.operands = what.results = {floats(dims)};
  return what;
}

Status add(size_t, const void *left, const void *right, void *result,
           int64_t elements) {
  for (int64_t i = 0; i < elements; ++i)
    static_cast<float *>(result)[i] = static_cast<const float *>(left)[i] +
                                      static_cast<const float *>(right)[i];
  return {};
}

std::shared_ptr<runtime::Communicator>
grid_of(runtime::GridShape shape, std::chrono::milliseconds deadline = 30s) {
  auto grid = runtime::make_local_grid({shape, deadline});
  EXPECT_TRUE(grid);
  return *grid;
}

/// Runs `program` for each process on a separate thread. Returns their
/// statuses.
std::vector<Status> run_all(runtime::Communicator &grid,
                            const std::function<Status(int process)> &program) {
  std::vector<Status> outcomes(grid.shape().count());
  std::vector<std::thread> threads;
  for (int i = 0; i < grid.shape().count(); ++i)
    threads.emplace_back([&, i] {
      grid.enter(i);
      outcomes[i] = program(i);
      grid.leave(i, outcomes[i]);
    });
  for (std::thread &thread : threads)
    thread.join();
  return outcomes;
}

struct Vector {
  float data[4] = {};
};

Status sum(runtime::Communicator &grid, int process,
           const runtime::Collective &what, const Vector &in, Vector &out) {
  const void *operands[] = {in.data};
  void *results[] = {out.data};
  return grid.run(process, {what, operands, results, add});
}

std::vector<runtime::ProcessGroup>
groups_of(runtime::ProcessGrouping grouping,
          std::vector<std::vector<int64_t>> groups, runtime::GridShape shape) {
  runtime::Collective what = sum_over(std::move(groups));
  what.grouping = grouping;
  auto found = process_groups(what, shape);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<runtime::ProcessGroup>();
}

} // namespace

// The examples of the specification, "Collective ops".
TEST(ProcessGroups, FollowTheSpecification) {
  using Groups = std::vector<runtime::ProcessGroup>;
  EXPECT_EQ(groups_of(runtime::ProcessGrouping::CrossReplica, {{0, 1}, {2, 3}},
                      {4, 2}),
            (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(
      groups_of(runtime::ProcessGrouping::CrossPartition, {{0, 1}}, {4, 2}),
      (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(groups_of(runtime::ProcessGrouping::CrossReplicaAndPartition,
                      {{0, 1}, {2, 3}}, {4, 2}),
            (Groups{{0, 2, 1, 3}, {4, 6, 5, 7}}));
  EXPECT_EQ(groups_of(runtime::ProcessGrouping::FlattenedIds,
                      {{0, 1, 2, 3}, {4, 5, 6, 7}}, {4, 2}),
            (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(ProcessGroups, ShortRowsAndNone) {
  using Groups = std::vector<runtime::ProcessGroup>;
  EXPECT_EQ(groups_of(runtime::ProcessGrouping::CrossReplica, {{0, 1}, {2, -1}},
                      {3, 1}),
            (Groups{{0, 1}, {2}}));
  EXPECT_EQ(groups_of(runtime::ProcessGrouping::CrossReplica, {}, {3, 1}),
            (Groups{{0, 1, 2}}));
  runtime::Collective what = sum_over({{0, 7}});
  auto refused = process_groups(what, {2, 1});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("hold 7"), std::string::npos);
}

TEST(Grid, FloatsAreAddedInTheOrderOfTheGroup) {
  // The sum is 1 only in this order: 1e30 and -1e30 cancel before 0.5 is added.
  runtime::Collective what = sum_over({{2, 0, 1, 3}});
  const float values[] = {-1e30f, 0.5f, 1e30f, 0.5f};
  for (int round = 0; round < 20; ++round) {
    auto grid = grid_of({4, 1});
    Vector out[4];
    auto outcomes = run_all(*grid, [&](int process) {
      std::this_thread::sleep_for(
          std::chrono::microseconds((process * 7 + round) % 4 * 200));
      Vector in;
      std::fill(in.data, in.data + 4, values[process]);
      return sum(*grid, process, what, in, out[process]);
    });
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(outcomes[i]) << outcomes[i].error().message;
      EXPECT_EQ(out[i].data[0], 1.0f);
    }
  }
}

TEST(Grid, RunsMeetTheRunsOfTheSameNumber) {
  auto grid = grid_of({2, 1});
  runtime::Collective what = sum_over({{0, 1}});
  for (int run = 0; run < 3; ++run) {
    Vector out[2];
    auto outcomes = run_all(*grid, [&](int process) -> Status {
      for (int step = 0; step < 5; ++step) {
        Vector in{{1, 2, 3, float(step)}};
        XLAC_RETURN_IF_ERROR(sum(*grid, process, what, in, out[process]));
        EXPECT_EQ(out[process].data[3], 2 * step);
      }
      return {};
    });
    EXPECT_TRUE(outcomes[0]);
    EXPECT_TRUE(outcomes[1]);
  }
}

TEST(Grid, DifferentCollectivesAreReported) {
  auto grid = grid_of({2, 1});
  runtime::Collective here = sum_over({{0, 1}}),
                      there = sum_over({{0, 1}}, {2, 2});
  auto outcomes = run_all(*grid, [&](int process) {
    Vector in, out;
    return sum(*grid, process, process == 0 ? here : there, in, out);
  });
  for (const Status &outcome : outcomes) {
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("programs differ"),
              std::string::npos);
    EXPECT_NE(outcome.error().message.find("tensor<2x2xf32>"),
              std::string::npos);
    EXPECT_NE(outcome.error().message.find("tensor<4xf32>"), std::string::npos);
  }
}

TEST(Grid, AProgramThatEndedIsReported) {
  auto grid = grid_of({2, 1});
  runtime::Collective what = sum_over({{0, 1}});
  auto outcomes = run_all(*grid, [&](int process) -> Status {
    Vector in, out;
    if (process == 1)
      return {};
    return sum(*grid, process, what, in, out);
  });
  EXPECT_TRUE(outcomes[1]);
  ASSERT_FALSE(outcomes[0]);
  EXPECT_NE(
      outcomes[0].error().message.find("replica 1, partition 0 has ended"),
      std::string::npos);
}

TEST(Grid, FailureOfOneReleasesTheOthers) {
  auto grid = grid_of({3, 1});
  runtime::Collective what = sum_over({{0, 1, 2}});
  auto outcomes = run_all(*grid, [&](int process) -> Status {
    Vector in, out;
    if (process == 1) {
      std::this_thread::sleep_for(20ms);
      return failure(FailureKind::Runtime, "out of luck");
    }
    return sum(*grid, process, what, in, out);
  });
  for (int process : {0, 2}) {
    ASSERT_FALSE(outcomes[process]);
    EXPECT_EQ(outcomes[process].error().message,
              "all_reduce of tensor<4xf32>, number 0 of its group: replica 1, "
              "partition 0 failed: out of luck");
  }
  EXPECT_FALSE(grid->status());
}

TEST(Grid, DeadlineNamesWhoIsMissing) {
  auto grid = grid_of({3, 1}, 50ms);
  runtime::Collective what = sum_over({{0, 1, 2}});
  grid->enter(2);
  Vector in, out;
  grid->enter(0);
  Status status = sum(*grid, 0, what, in, out);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find(
                "waited 50 ms at all_reduce of tensor<4xf32>"),
            std::string::npos)
      << status.error().message;
  EXPECT_NE(status.error().message.find(
                "not there: replica 1, partition 0; replica 2, partition 0"),
            std::string::npos);
}

TEST(Grid, ReducersThatFailFailAll) {
  auto grid = grid_of({2, 1});
  runtime::Collective what = sum_over({{0, 1}});
  auto outcomes = run_all(*grid, [&](int process) {
    Vector in, out;
    const void *operands[] = {in.data};
    void *results[] = {out.data};
    return grid->run(
        process,
        {what, operands, results,
         [](size_t, const void *, const void *, void *, int64_t) -> Status {
           return failure(FailureKind::Runtime, "cannot add");
         }});
  });
  for (const Status &outcome : outcomes) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message, "cannot add");
  }
}

TEST(Grid, GathersAndExchangesBlocks) {
  runtime::Collective gather;
  gather.kind = runtime::CollectiveKind::AllGather;
  gather.groups = {{1, 0}};
  gather.dimension = 1;
  gather.operands = {floats({2, 2})};
  gather.results = {floats({2, 4})};
  runtime::Collective exchange = gather;
  exchange.kind = runtime::CollectiveKind::AllToAll;
  exchange.dimension = 1;
  exchange.concat_dimension = 0;
  exchange.operands = {floats({2, 2})};
  exchange.results = {floats({4, 1})};
  auto grid = grid_of({2, 1});
  float gathered[2][8], exchanged[2][4];
  auto outcomes = run_all(*grid, [&](int process) -> Status {
    Vector in{{0, 1, 2, 3}};
    for (float &value : in.data)
      value += 10 * process;
    const void *operands[] = {in.data};
    void *first[] = {gathered[process]}, *second[] = {exchanged[process]};
    XLAC_RETURN_IF_ERROR(grid->run(process, {gather, operands, first, add}));
    return grid->run(process, {exchange, operands, second, add});
  });
  ASSERT_TRUE(outcomes[0]) << outcomes[0].error().message;
  ASSERT_TRUE(outcomes[1]);
  const float all[] = {10, 11, 0, 1, 12, 13, 2, 3};
  EXPECT_TRUE(std::equal(all, all + 8, gathered[0]));
  EXPECT_TRUE(std::equal(all, all + 8, gathered[1]));
  // Process 1 is first in the group, so it gets the first columns.
  const float second[] = {11, 13, 1, 3}, first[] = {10, 12, 0, 2};
  EXPECT_TRUE(std::equal(second, second + 4, exchanged[0]));
  EXPECT_TRUE(std::equal(first, first + 4, exchanged[1]));
}

TEST(Grid, SizesThatDoNotFitTheGroup) {
  runtime::Collective gather;
  gather.kind = runtime::CollectiveKind::AllGather;
  gather.groups = {{0, 1, 2}};
  gather.operands = {floats({2})};
  gather.results = {floats({4})};
  auto grid = grid_of({3, 1});
  auto outcomes = run_all(*grid, [&](int process) {
    Vector in, out;
    const void *operands[] = {in.data};
    void *results[] = {out.data};
    return grid->run(process, {gather, operands, results, add});
  });
  ASSERT_FALSE(outcomes[0]);
  EXPECT_NE(outcomes[0].error().message.find("group of 3 processes"),
            std::string::npos);
}

TEST(Grid, HostChannels) {
  auto grid = grid_of({1, 1}, 50ms);
  runtime::Collective recv;
  recv.kind = runtime::CollectiveKind::Recv;
  recv.channel = 5;
  recv.host = true;
  recv.results = {floats({4})};
  runtime::Collective send = recv;
  send.kind = runtime::CollectiveKind::Send;
  send.operands = std::exchange(send.results, {});
  grid->push(5, {std::vector<std::byte>(16, std::byte{1})});
  grid->enter(0);
  Vector got;
  void *results[] = {got.data};
  const void *operands[] = {got.data};
  ASSERT_TRUE(grid->run(0, {recv, {}, results, add}));
  EXPECT_EQ(reinterpret_cast<const std::byte *>(got.data)[7], std::byte{1});
  ASSERT_TRUE(grid->run(0, {send, operands, {}, add}));
  auto back = grid->pop(5);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->front().size(), 16u);
  Status status = grid->run(0, {recv, {}, results, add});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("nothing was sent"), std::string::npos);
}

TEST(TransferQueue, WaitsAndGivesUp) {
  runtime::TransferQueue queue;
  EXPECT_FALSE(queue.pop(1ms));
  std::thread feeder([&] {
    std::this_thread::sleep_for(5ms);
    queue.push({});
  });
  EXPECT_TRUE(queue.pop(10s));
  feeder.join();
  auto dead = queue.pop(
      10s, []() -> Status { return failure(FailureKind::Runtime, "gone"); });
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().message, "gone");
}

namespace {

/// Sums its argument over both replicas, through the service.
int32_t sum_program(const xlac_ctx *ctx, const void *const *args,
                    void *const *results, void *) {
  void *buffers[] = {const_cast<void *>(args[0]), results[0]};
  return ctx->services->collective(ctx, 0, buffers);
}

int32_t failing_program(const xlac_ctx *ctx, const void *const *, void *const *,
                        void *) {
  return ctx->services->fail(ctx, "broken", 6);
}

runtime::ExecutableImage sum_image() {
  runtime::ExecutableImage image = make_image(sum_program, 1, 1);
  image.blobs.emplace_back();
  add_jump(image.blobs[1], "add.0", adding_kernel);
  image.kernels = {{"add.0", 1, "loop", "add", 0, 0}};
  runtime::Collective what = sum_over({{0, 1}});
  what.reducers = {{0, {3}, 3}};
  image.collectives = {what};
  return image;
}

} // namespace

TEST(Grid, DevicesMeetInCompiledPrograms) {
  runtime::VirtualDevice first(0, {}), second(1, {});
  auto program = load(sum_image());
  ASSERT_TRUE(program->may_block(/*has_peers=*/true));
  ASSERT_FALSE(program->may_block(/*has_peers=*/false));
  auto grid = grid_of({2, 1});
  float values[2][4] = {{1, 2, 3, 4}, {10, 20, 30, 40}};
  std::vector<runtime::BufferRef> results;
  for (runtime::VirtualDevice *device : {&first, &second}) {
    int i = device->ordinal();
    results.push_back(device->launch(program,
                                     {runtime::Buffer::borrow(values[i], 16)},
                                     {.place = {grid, i}})[0]);
  }
  for (const runtime::BufferRef &result : results) {
    auto data = result->read();
    ASSERT_TRUE(data) << data.error().message;
    float number;
    std::memcpy(&number, *data + 4, sizeof number);
    EXPECT_EQ(number, 22);
  }
}

TEST(Grid, ADeviceThatFailsReleasesTheOther) {
  runtime::VirtualDevice first(0, {}), second(1, {});
  auto program = load(sum_image());
  auto broken = load(make_image(failing_program, 1, 1));
  auto grid = grid_of({2, 1});
  float values[4] = {};
  auto waiting = first.launch(program, {runtime::Buffer::borrow(values, 16)},
                              {.place = {grid, 0}});
  second.launch(broken, {runtime::Buffer::borrow(values, 16)},
                {.place = {grid, 1}});
  Status status = waiting[0]->wait();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("replica 1, partition 0 failed"),
            std::string::npos)
      << status.error().message;
  EXPECT_FALSE(first.sync());
  EXPECT_FALSE(second.sync());
}

TEST(Grid, ALaunchAloneIsAGridOfOne) {
  runtime::ExecutableImage image = sum_image();
  image.collectives[0].groups = {};
  auto program = load(std::move(image));
  alignas(64) float in[4] = {1, 2, 3, 4}, out[4] = {};
  runtime::RunContext context;
  const void *args[] = {in};
  void *results[] = {out};
  Status status = program->run(context, args, results);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(out[3], 4);
}

TEST(Grid, DifferentGroupsAreReported) {
  auto grid = grid_of({3, 1});
  // Process 0 is in the same group in both, so both processes join one
  // rendezvous.
  runtime::Collective here = sum_over({{0, 1}, {2}}),
                      there = sum_over({{0, 1}});
  auto outcomes = run_all(*grid, [&](int process) -> Status {
    Vector in, out;
    if (process == 2)
      return {};
    return sum(*grid, process, process == 0 ? here : there, in, out);
  });
  ASSERT_FALSE(outcomes[0]);
  EXPECT_NE(outcomes[0].error().message.find("one with other groups"),
            std::string::npos)
      << outcomes[0].error().message;
}

// Nested boxes, large enough for several threads.
TEST(Grid, ExchangesLargeBlocks) {
  const int64_t a = 6, b = 70, c = 500, n = 2;
  runtime::Collective exchange;
  exchange.kind = runtime::CollectiveKind::AllToAll;
  exchange.dimension = 1;
  exchange.concat_dimension = 2;
  exchange.operands = {floats({a, b, c})};
  exchange.results = {floats({a, b / n, c * n})};
  auto grid = grid_of({1, 2});
  exchange.grouping = runtime::ProcessGrouping::CrossPartition;
  std::vector<float> in[2], out[2];
  for (int process = 0; process < n; ++process) {
    in[process].resize(a * b * c);
    out[process].resize(a * b * c);
    std::iota(in[process].begin(), in[process].end(), process * 1e6f);
  }
  auto outcomes = run_all(*grid, [&](int process) {
    const void *operands[] = {in[process].data()};
    void *results[] = {out[process].data()};
    return grid->run(process, {exchange, operands, results, add});
  });
  ASSERT_TRUE(outcomes[0]) << outcomes[0].error().message;
  for (int64_t receiver = 0; receiver < n; ++receiver)
    for (int64_t i = 0; i < a; ++i)
      for (int64_t j = 0; j < b / n; ++j)
        for (int64_t k = 0; k < c * n; ++k)
          ASSERT_EQ(out[receiver][(i * b / n + j) * c * n + k],
                    in[k / c][(i * b + receiver * b / n + j) * c + k % c]);
}
