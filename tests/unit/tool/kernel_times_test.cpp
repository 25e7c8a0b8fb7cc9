// Sums of synthetic events, as printed by xlac bench --kernels.
#include "run/kernel_threads.h"
#include "run/kernel_times.h"
#include "run/machine_peaks.h"

#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::cli;
using Kind = runtime::LaunchEvent::Kind;

namespace {

constexpr int64_t kMillisecond = 1'000'000;

/// Kernel "a" with two phases, then kernel "b".
runtime::ExecutableImage image() {
  runtime::ExecutableImage made;
  made.kernels = {
      {"ka.0", 1, "contraction", "dot_general add", 4'000'000, 100, "a", "s"},
      {"ka.1", 1, "contraction", "dot_general add", 0, 0, "a", "s"},
      {"kb.0", 1, "loop", "add", 0, 3'000'000, "b", "t"}};
  return made;
}

/// 2 GFLOP/s; 4 GB/s from a cache of one megabyte, 1 GB/s from memory.
MachinePeaks peaks() {
  MachinePeaks made;
  made.f32_gflops = 2;
  made.bandwidth = {{1 << 20, 4}, {1 << 30, 1}};
  return made;
}

struct Recording {
  std::vector<runtime::LaunchEvent> events;
  int64_t now = 0;

  void add(Kind kind, uint32_t number, int64_t ms, int64_t amount = 0) {
    events.push_back({kind, number, 1, now, now + ms * kMillisecond, amount});
    now += ms * kMillisecond;
  }
  void end_run(int64_t ms) {
    events.push_back({Kind::Run, 0, 1, 0, ms * kMillisecond, 0});
  }
};

const KernelTime &find(const RunProfile &profile, const std::string &name) {
  for (const KernelTime &one : profile.kernels)
    if (one.name == name)
      return one;
  static const KernelTime none;
  ADD_FAILURE() << "no kernel " << name;
  return none;
}

} // namespace

TEST(KernelTimes, SumsPhasesAndLaunchesOfTheRunsInTheMiddle) {
  Recording recording;
  for (int64_t extra : {0, 50, 1}) { // one run was disturbed
    recording.add(Kind::Kernel, 0, 2 + extra);
    recording.add(Kind::Kernel, 1, 1);
    recording.add(Kind::Kernel, 2, 4);
    recording.add(Kind::Kernel, 2, 4);
    recording.add(Kind::Copy, 0, 1, 500'000);
    recording.end_run(14 + extra);
  }
  RunProfile profile = profile_runs(image(), recording.events);
  EXPECT_DOUBLE_EQ(profile.run_ms, 15);
  EXPECT_EQ(profile.runs, 1u);
  EXPECT_EQ(profile.recorded_runs, 3u);
  ASSERT_EQ(profile.kernels.size(), 4u);

  EXPECT_EQ(profile.kernels[0].name, "b");
  EXPECT_DOUBLE_EQ(profile.kernels[0].ms, 8);
  EXPECT_DOUBLE_EQ(profile.kernels[0].launches, 2);
  EXPECT_DOUBLE_EQ(profile.kernels[0].bytes, 6'000'000);
  EXPECT_DOUBLE_EQ(profile.kernels[0].gbytes(), 0.75);
  EXPECT_TRUE(profile.kernels[0].phase_ms.empty());

  EXPECT_EQ(profile.kernels[1].name, "a");
  EXPECT_DOUBLE_EQ(profile.kernels[1].ms, 4);
  EXPECT_DOUBLE_EQ(profile.kernels[1].launches, 1);
  EXPECT_DOUBLE_EQ(profile.kernels[1].gflops(), 1);
  EXPECT_EQ(profile.kernels[1].phase_ms, (std::vector<double>{3, 1}));
  EXPECT_DOUBLE_EQ(profile.share(profile.kernels[1]), 4.0 / 15);

  EXPECT_DOUBLE_EQ(find(profile, "copies").bytes, 1'000'000);
  EXPECT_DOUBLE_EQ(find(profile, "driver").ms, 2);
}

/// Task events are part of their kernels, and an incomplete run is not counted.
TEST(KernelTimes, LeavesOutPiecesAndRunsWithoutEnd) {
  Recording recording;
  recording.add(Kind::Piece, 2, 3);
  recording.add(Kind::Kernel, 2, 3);
  recording.end_run(3);
  recording.add(Kind::Kernel, 2, 100);
  RunProfile profile = profile_runs(image(), recording.events);
  EXPECT_DOUBLE_EQ(find(profile, "b").ms, 3);
  EXPECT_DOUBLE_EQ(find(profile, "driver").ms, 0);
  EXPECT_TRUE(profile_runs(image(), {}).kernels.empty());
}

/// A kernel that only some runs launch costs nothing in the others.
TEST(KernelTimes, CountsRunsWithoutALaunch) {
  Recording recording;
  recording.end_run(6);
  recording.add(Kind::Kernel, 2, 6);
  recording.end_run(7);
  RunProfile profile = profile_runs(image(), recording.events);
  EXPECT_EQ(profile.runs, 2u);
  EXPECT_DOUBLE_EQ(profile.run_ms, 6.5);
  EXPECT_DOUBLE_EQ(find(profile, "b").ms, 3);
  EXPECT_DOUBLE_EQ(find(profile, "b").launches, 0.5);
}

/// Kernels vary from run to run, each in its own way: the sum of their medians
/// would differ from the median of the sums.
TEST(KernelTimes, SharesAddUpToTheRun) {
  for (int runs : {1, 2, 3, 4, 7, 20}) {
    Recording recording;
    for (int i = 0; i < runs; ++i) {
      int64_t first = 1 + i * 7 % 5, second = 2 + i * 3 % 11;
      recording.add(Kind::Kernel, 0, first);
      recording.add(Kind::Kernel, 1, second);
      recording.add(Kind::Kernel, 2, 13 - second);
      recording.add(Kind::Copy, 0, i % 2, 100);
      recording.end_run(first + 13 + i % 2 + i % 3);
    }
    RunProfile profile = profile_runs(image(), recording.events);
    EXPECT_EQ(profile.recorded_runs, static_cast<size_t>(runs));
    EXPECT_GE(2 * profile.runs + 1, static_cast<size_t>(runs));
    EXPECT_NEAR(profile.total_ms(), profile.run_ms, 1e-9);
    double shares = 0;
    for (const KernelTime &kernel : profile.kernels) {
      shares += profile.share(kernel);
      double phases = 0;
      for (double ms : kernel.phase_ms)
        phases += ms;
      if (!kernel.phase_ms.empty()) {
        EXPECT_NEAR(phases, kernel.ms, 1e-9);
      }
    }
    EXPECT_NEAR(shares, 1, 1e-9) << runs;
  }
}

TEST(KernelTimes, SaysHowTheSumDiffersFromTheMedian) {
  Recording recording;
  for (int64_t ms : {4, 5, 90}) {
    recording.add(Kind::Kernel, 2, ms);
    recording.end_run(ms);
  }
  RunProfile profile = profile_runs(image(), recording.events);
  EXPECT_EQ(total_text(profile, 4),
            "times are means of the middle 1 of 3 timed runs, 5.000 ms, which "
            "is 25.0% more than the median of 4.000 ms without timing");
  EXPECT_NE(total_text(profile, 10).find("50.0% less"), std::string::npos);
  EXPECT_EQ(total_text({}, 4), "");
  // A launch within a launch counts in both.
  profile.kernels.push_back(profile.kernels.front());
  EXPECT_NE(total_text(profile, 4).find("count twice, 5.000 ms"),
            std::string::npos);
}

TEST(KernelTimes, TablesNameEveryKernel) {
  Recording recording;
  recording.add(Kind::Kernel, 0, 2);
  recording.add(Kind::Kernel, 1, 2);
  recording.end_run(4);
  RunProfile profile = profile_runs(image(), recording.events);
  std::string text = text_table(profile, peaks());
  EXPECT_NE(text.find("a            contraction  dot_general add  s  phases "
                      "2.000 2.000"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("100.0%"), std::string::npos) << text;
  EXPECT_NE(text.find(" 4.0000 100.0%                                total"),
            std::string::npos)
      << text;
  std::string json = json_table(profile, peaks()).text();
  EXPECT_NE(json.find("\"name\":\"a\",\"symbol\":\"ka.0\""), std::string::npos)
      << json;
  EXPECT_NE(json.find("\"phase_ms\":[2.0,2.0]"), std::string::npos) << json;
}

/// Compares each kernel with the tighter of its two limits, launch by launch.
TEST(KernelTimes, HoldsKernelsAgainstTheMachine) {
  Recording recording;
  recording.add(Kind::Kernel, 0, 4); // 4e6 flops: at least 2 ms
  recording.add(Kind::Kernel, 1, 4);
  recording.add(Kind::Kernel, 2, 6); // 3e6 bytes from memory: at least 3 ms
  recording.add(Kind::Kernel, 2, 4);
  recording.add(Kind::Copy, 0, 2, 500'000); // 1e6 from the cache: 0.25 ms
  recording.end_run(20);
  RunProfile profile = profile_runs(image(), recording.events);
  EXPECT_DOUBLE_EQ(find(profile, "a").percent_of_bound(peaks()), 25);
  EXPECT_DOUBLE_EQ(find(profile, "b").percent_of_bound(peaks()), 60);
  EXPECT_DOUBLE_EQ(find(profile, "copies").percent_of_bound(peaks()), 12.5);
  EXPECT_DOUBLE_EQ(profile.percent_of_bound(peaks()), 41.25);
  EXPECT_EQ(profile.percent_of_bound({}), 0);
}

TEST(KernelTimes, ProductsOfBf16HaveALimitOfTheirOwn) {
  runtime::ExecutableImage made = image();
  made.kernels[0].signature = "(8x8xbf16, 8x8xbf16) -> 8x8xf32";
  Recording recording;
  recording.add(Kind::Kernel, 0, 4);
  recording.end_run(4);
  RunProfile profile = profile_runs(made, recording.events);
  MachinePeaks both = peaks();
  EXPECT_DOUBLE_EQ(find(profile, "a").percent_of_bound(both), 50);
  both.bf16_gflops = 4;
  EXPECT_DOUBLE_EQ(find(profile, "a").percent_of_bound(both), 25);
}

/// A probe that the optimizer had removed would exceed any machine's rates.
TEST(MachinePeaks, ArePossible) {
  MachinePeaks measured = measure_peaks(host_profile());
  double threads = measured.threads;
  EXPECT_GT(measured.f32_gflops, 0.1);
  EXPECT_LT(measured.f32_gflops, 400 * threads);
  ASSERT_GE(measured.bandwidth.size(), 4u);
  for (size_t i = 0; i < measured.bandwidth.size(); ++i) {
    EXPECT_GT(measured.bandwidth[i].second, 0.1);
    EXPECT_LT(measured.bandwidth[i].second, 1200 * threads);
    if (i > 0) {
      EXPECT_LT(measured.bandwidth[i - 1].first, measured.bandwidth[i].first);
      EXPECT_GE(measured.bandwidth[i - 1].second, measured.bandwidth[i].second);
    }
  }
  MachinePeaks baseline = measure_peaks(*find_profile("baseline"));
  EXPECT_GT(baseline.f32_gflops, 0.1);
  EXPECT_EQ(baseline.bf16_gflops, 0);
}

TEST(KernelTimes, ShortensOps) {
  EXPECT_EQ(shortened_ops("add multiply add", 60), "add×2 multiply");
  EXPECT_EQ(shortened_ops("", 60), "");
  EXPECT_EQ(shortened_ops("exponential logistic tanh", 16), "exponential …");
}

/// One launch of 10 ms on two threads: the second wakes after 4 ms and ends
/// after 7, the first works all the time. A second launch has no helper.
TEST(KernelTimes, SharesOfThreads) {
  constexpr int64_t ms = kMillisecond;
  std::vector<runtime::LaunchEvent> events = {
      {Kind::Piece, 2, 1, 0, 5 * ms, 1},
      {Kind::Piece, 2, 2, 4 * ms, 7 * ms, 1},
      {Kind::Piece, 2, 1, 5 * ms, 10 * ms, 1},
      {Kind::Kernel, 2, 1, 0, 10 * ms, 3},
      {Kind::Piece, 0, 1, 10 * ms, 20 * ms, 1},
      {Kind::Kernel, 0, 1, 10 * ms, 20 * ms, 1},
      {Kind::Run, 0, 1, 0, 20 * ms, 0}};
  RunProfile profile = profile_runs(image(), events);
  Recording alone;
  alone.add(Kind::Kernel, 2, 13);
  alone.add(Kind::Kernel, 0, 10);
  alone.end_run(23);
  add_threads(profile, 2, profile_runs(image(), alone.events), image(), events);
  const KernelTime &both = find(profile, "b"), &one = find(profile, "a");
  EXPECT_DOUBLE_EQ(both.one_thread_ms, 13);
  EXPECT_DOUBLE_EQ(both.threads.busy, 13.0 / 20);
  EXPECT_DOUBLE_EQ(both.threads.waking, 4.0 / 20);
  EXPECT_DOUBLE_EQ(both.threads.waiting, 3.0 / 20);
  EXPECT_DOUBLE_EQ(one.threads.busy, 0.5);
  EXPECT_DOUBLE_EQ(one.threads.waking, 0.5);
  EXPECT_DOUBLE_EQ(profile.efficiency(), 23.0 / 40);
  std::string text = text_table(profile, peaks());
  EXPECT_NE(text.find("  13.0000   65%   20%   15%"), std::string::npos)
      << text;
  EXPECT_NE(
      total_text(profile, 20)
          .find("on one thread 23.000 ms: the parallel efficiency of 2 threads "
                "is 0.57"),
      std::string::npos)
      << total_text(profile, 20);
  std::string json = json_table(profile, peaks()).text();
  EXPECT_NE(json.find("\"one_thread_ms\":13.0"), std::string::npos) << json;
}
