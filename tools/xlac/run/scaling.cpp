#include "scaling.h"

#include "kernel_threads.h"
#include "xlac/runtime/work_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <queue>
#include <utility>

namespace xlac::cli {
namespace {

using runtime::LaunchEvent;

double milliseconds(int64_t begin, int64_t end) {
  return static_cast<double>(end - begin) * 1e-6;
}

/// Pieces that no worker has taken yet, in one part for each worker.
class Parts {
public:
  Parts(int64_t pieces, int64_t parts) {
    for (int64_t part = 0; part < parts; ++part)
      ranges_.push_back({pieces * part / parts, pieces * (part + 1) / parts});
  }

  /// The piece that this worker takes next, or -1 if none is left.
  int64_t take(size_t worker) {
    for (size_t i = 0; i < ranges_.size(); ++i) {
      Range &range = ranges_[(worker + i) % ranges_.size()];
      if (range.begin < range.end)
        return i == 0 ? range.begin++ : --range.end;
    }
    return -1;
  }

private:
  struct Range {
    int64_t begin, end;
  };
  std::vector<Range> ranges_;
};

/// A launch: its kernel and the durations of its pieces on one thread.
struct Launch {
  uint32_t kernel;
  std::vector<double> pieces;
};

/// A complete run: its launches, and the time outside of them.
struct Recording {
  std::vector<Launch> launches;
  double serial_ms = 0;

  bool has_shape_of(const Recording &other) const {
    return std::ranges::equal(
        launches, other.launches, [](const Launch &a, const Launch &b) {
          return a.kernel == b.kernel && a.pieces.size() == b.pieces.size();
        });
  }
  /// Keeps the lesser of the times: other processes only add to them.
  void merge(const Recording &other) {
    serial_ms = std::min(serial_ms, other.serial_ms);
    for (size_t i = 0; i < launches.size(); ++i)
      std::ranges::transform(
          launches[i].pieces, other.launches[i].pieces,
          launches[i].pieces.begin(),
          [](double own, double others) { return std::min(own, others); });
  }
};

/// Returns the first run with the least times of all runs that have the same
/// launches.
Recording recording_of(const std::vector<LaunchEvent> &events) {
  std::optional<Recording> first;
  Recording run;
  std::map<uint32_t, std::vector<double>> pieces;
  double launched = 0;
  for (const LaunchEvent &event : events) {
    double ms = milliseconds(event.begin, event.end);
    if (event.kind == LaunchEvent::Kind::Piece)
      pieces[event.number].push_back(ms);
    if (event.kind == LaunchEvent::Kind::Kernel) {
      run.launches.push_back(
          {event.number, std::exchange(pieces[event.number], {})});
      launched += ms;
    }
    if (event.kind != LaunchEvent::Kind::Run)
      continue;
    run.serial_ms = std::max(0.0, ms - launched);
    if (!first)
      first = std::move(run);
    else if (run.has_shape_of(*first))
      first->merge(run);
    run = {}, launched = 0, pieces.clear();
  }
  return first.value_or(Recording{});
}

ScalingPoint predict(const runtime::ExecutableImage &image,
                     const Recording &recording, int threads, double wake_ms) {
  double run = recording.serial_ms, busy = 0, waking = 0, bytes = 0;
  std::map<uint32_t, double> unused;
  for (const Launch &launch : recording.launches) {
    SimulatedLaunch simulated =
        simulate_launch(launch.pieces, threads, wake_ms);
    run += simulated.duration;
    busy += simulated.busy;
    waking += simulated.waking;
    unused[launch.kernel] += simulated.duration * threads - simulated.busy;
    if (launch.kernel < image.kernels.size())
      bytes += static_cast<double>(image.kernels[launch.kernel].bytes);
  }
  ScalingPoint point;
  point.threads = threads;
  point.run_ms = run;
  if (run <= 0)
    return point;
  double all = run * threads;
  point.serial = recording.serial_ms * threads / all;
  point.busy = busy / all;
  point.waking = waking / all;
  point.waiting = std::max(0.0, 1 - point.serial - point.busy - point.waking);
  point.gbytes = bytes / run * 1e-6;
  auto worst = std::ranges::max_element(
      unused, {}, [](const auto &entry) { return entry.second; });
  if (worst != unused.end() && worst->first < image.kernels.size())
    point.limiter = image.kernels[worst->first].name;
  return point;
}

} // namespace

SimulatedLaunch simulate_launch(std::span<const double> pieces, int threads,
                                double wake_ms) {
  assert(threads >= 1 && "a launch has a caller");
  SimulatedLaunch result;
  auto count = static_cast<int64_t>(pieces.size());
  if (count == 0)
    return result;
  int64_t workers = std::min<int64_t>(threads, count);
  Parts parts(count, std::min<int64_t>(workers, runtime::WorkPool::kMostParts));
  using Free = std::pair<double, size_t>; // when a worker is free, its number
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (int64_t worker = 0; worker < workers; ++worker)
    free.push({worker == 0 ? 0 : wake_ms, static_cast<size_t>(worker)});
  while (!free.empty()) {
    auto [time, worker] = free.top();
    free.pop();
    int64_t piece = parts.take(worker);
    if (piece < 0)
      continue;
    double end = time + pieces[static_cast<size_t>(piece)];
    result.busy += end - time;
    result.duration = std::max(result.duration, end);
    free.push({end, worker});
  }
  result.waking =
      static_cast<double>(workers - 1) * std::min(wake_ms, result.duration);
  return result;
}

std::vector<ScalingPoint>
predict_scaling(const runtime::ExecutableImage &image,
                const std::vector<LaunchEvent> &events,
                std::span<const int> threads, double wake_ms) {
  Recording recording = recording_of(events);
  std::vector<ScalingPoint> points;
  for (int count : threads)
    points.push_back(predict(image, recording, count, wake_ms));
  return points;
}

double wake_time(const std::vector<LaunchEvent> &events) {
  std::map<uint32_t, std::vector<LaunchEvent>> pieces; // by kernel
  std::vector<double> times;
  for (const LaunchEvent &event : events) {
    if (event.kind == LaunchEvent::Kind::Piece)
      pieces[event.number].push_back(event);
    if (event.kind != LaunchEvent::Kind::Kernel)
      continue;
    for (const auto &[thread, begin] : first_begins(pieces[event.number]))
      if (thread != event.thread)
        times.push_back(milliseconds(event.begin, begin));
    pieces[event.number].clear();
  }
  if (times.empty())
    return 0;
  return *std::ranges::min_element(times);
}

std::string text_table(const std::vector<ScalingPoint> &points) {
  std::string text =
      fmt::format("{:>7} {:>10} {:>8} {:>6} {:>6} {:>6} {:>7} {:>8}  {}\n",
                  "threads", "ms", "speedup", "busy", "wake", "wait", "serial",
                  "GB/s", "most unused time in");
  for (const ScalingPoint &point : points)
    text += fmt::format(
        "{:>7} {:>10.4f} {:>8.2f} {:>5.0f}% {:>5.0f}% {:>5.0f}% {:>6.0f}% "
        "{:>8.1f}  {}\n",
        point.threads, point.run_ms,
        points.front().run_ms / std::max(point.run_ms, 1e-9), 100 * point.busy,
        100 * point.waking, 100 * point.waiting, 100 * point.serial,
        point.gbytes, point.threads > 1 ? point.limiter : "");
  return text;
}

Json json_table(const std::vector<ScalingPoint> &points) {
  Json table = Json::list();
  for (const ScalingPoint &point : points) {
    Json json;
    json.add("threads", int64_t{point.threads});
    json.add("run_ms", point.run_ms);
    json.add("busy", point.busy);
    json.add("waking", point.waking);
    json.add("waiting", point.waiting);
    json.add("serial", point.serial);
    json.add("gbytes", point.gbytes);
    json.add("limiter", point.limiter);
    table.push(std::move(json));
  }
  return table;
}

} // namespace xlac::cli
