// Predictions of xlac bench --scaling from synthetic pieces.
#include "run/scaling.h"

#include <gtest/gtest.h>

#include <array>

using namespace xlac;
using namespace xlac::cli;
using Kind = runtime::LaunchEvent::Kind;

TEST(Scaling, EqualPiecesAreDividedEvenly) {
  std::vector<double> pieces(64, 0.5);
  for (int threads : {1, 2, 4, 8, 16, 32, 64}) {
    SimulatedLaunch launch = simulate_launch(pieces, threads, 0);
    EXPECT_DOUBLE_EQ(launch.duration, 32.0 / threads);
    EXPECT_DOUBLE_EQ(launch.busy, 32);
    EXPECT_EQ(launch.waking, 0);
  }
  EXPECT_DOUBLE_EQ(simulate_launch(pieces, 200, 0).duration, 0.5);
}

/// The second worker takes pieces of the first from the back.
TEST(Scaling, WorkersHelpEachOther) {
  std::vector<double> pieces = {4, 4, 4, 4, 1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(simulate_launch(pieces, 2, 0).duration, 12);
  // One long piece is the limit.
  EXPECT_DOUBLE_EQ(simulate_launch(std::array{9.0, 1.0, 1.0}, 3, 0).duration,
                   9);
}

TEST(Scaling, WorkersThatWakeLateDoLess) {
  std::vector<double> pieces(4, 1);
  SimulatedLaunch launch = simulate_launch(pieces, 2, 10);
  EXPECT_DOUBLE_EQ(launch.duration, 4);
  EXPECT_DOUBLE_EQ(launch.waking, 4);
  EXPECT_DOUBLE_EQ(simulate_launch(pieces, 2, 1).duration, 3);
  EXPECT_EQ(simulate_launch({}, 2, 1).duration, 0);
}

TEST(Scaling, PredictsRunsFromTheirLaunches) {
  constexpr int64_t ms = 1'000'000;
  runtime::ExecutableImage image;
  image.kernels = {{"k.0", 1, "loop", "add", 0, 6'000'000, "a", "s"},
                   {"k.1", 1, "loop", "add", 0, 0, "b", "s"}};
  // 4 ms in four pieces, 2 ms in one, 1 ms outside of kernels.
  std::vector<runtime::LaunchEvent> events;
  for (int64_t i = 0; i < 4; ++i)
    events.push_back({Kind::Piece, 0, 1, i * ms, (i + 1) * ms, 1});
  events.push_back({Kind::Kernel, 0, 1, 0, 4 * ms, 4});
  events.push_back({Kind::Piece, 1, 1, 4 * ms, 6 * ms, 1});
  events.push_back({Kind::Kernel, 1, 1, 4 * ms, 6 * ms, 1});
  events.push_back({Kind::Run, 0, 1, 0, 7 * ms, 0});
  // A disturbed run of the same launches, and one that is not complete.
  std::vector<runtime::LaunchEvent> disturbed = events;
  disturbed[1].end += 50 * ms;
  disturbed[4].end += 50 * ms;
  disturbed.back().end += 50 * ms;
  events.insert(events.end(), disturbed.begin(), disturbed.end());
  events.push_back({Kind::Kernel, 1, 1, 0, 90 * ms, 1});
  auto points = predict_scaling(image, events, std::array{1, 2, 4}, 0);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_DOUBLE_EQ(points[0].run_ms, 7);
  EXPECT_DOUBLE_EQ(points[1].run_ms, 5);
  EXPECT_DOUBLE_EQ(points[2].run_ms, 4);
  EXPECT_DOUBLE_EQ(points[1].busy, 0.6);
  EXPECT_DOUBLE_EQ(points[1].serial, 0.2);
  EXPECT_DOUBLE_EQ(points[1].waiting, 0.2);
  EXPECT_DOUBLE_EQ(points[2].gbytes, 1.5);
  EXPECT_EQ(points[1].limiter, "b");
  EXPECT_NE(text_table(points).find("1.75"), std::string::npos)
      << text_table(points);
  EXPECT_NE(json_table(points).text().find("\"limiter\":\"b\""),
            std::string::npos);
}

TEST(Scaling, WakeTimeIsThatOfOtherThreads) {
  std::vector<runtime::LaunchEvent> events = {{Kind::Piece, 0, 1, 100, 900, 1},
                                              {Kind::Piece, 0, 2, 500, 900, 1},
                                              {Kind::Kernel, 0, 1, 0, 1000, 2}};
  EXPECT_DOUBLE_EQ(wake_time(events), 500e-6);
  EXPECT_EQ(wake_time({}), 0);
}
