#include "kernel_threads.h"

#include <algorithm>

namespace xlac::cli {
namespace {

using runtime::LaunchEvent;

/// Sums over launches, in nanoseconds of all threads.
struct ThreadTimes {
  double busy = 0, waking = 0, all = 0;

  void add(const LaunchEvent &launch, const std::vector<LaunchEvent> &pieces,
           int threads) {
    auto duration = static_cast<double>(launch.end - launch.begin);
    for (const LaunchEvent &piece : pieces)
      busy += static_cast<double>(piece.end - piece.begin);
    std::map<int32_t, int64_t> first_begin = first_begins(pieces);
    for (const auto &[thread, begin] : first_begin)
      waking += static_cast<double>(begin - launch.begin);
    auto absent = threads - static_cast<int64_t>(first_begin.size());
    waking += duration * static_cast<double>(std::max<int64_t>(0, absent));
    all += duration * threads;
  }

  ThreadShares shares() const {
    if (all <= 0)
      return {};
    return {busy / all, waking / all,
            std::max(0.0, 1 - busy / all - waking / all)};
  }
};

/// The times of each kernel, by the symbol of its first phase. The events are
/// ordered by their ends, so that pieces precede their launch.
std::map<std::string, ThreadTimes>
times_of(const runtime::ExecutableImage &image,
         const std::vector<LaunchEvent> &events, int threads) {
  std::vector<size_t> first = first_phases(image);
  std::map<uint32_t, std::vector<LaunchEvent>> pieces;
  std::map<std::string, ThreadTimes> times;
  for (const LaunchEvent &event : events) {
    if (event.number >= first.size())
      continue;
    if (event.kind == LaunchEvent::Kind::Piece)
      pieces[event.number].push_back(event);
    if (event.kind != LaunchEvent::Kind::Kernel)
      continue;
    times[image.kernels[first[event.number]].symbol].add(
        event, pieces[event.number], threads);
    pieces[event.number].clear();
  }
  return times;
}

} // namespace

std::map<int32_t, int64_t>
first_begins(const std::vector<LaunchEvent> &pieces) {
  std::map<int32_t, int64_t> first;
  for (const LaunchEvent &piece : pieces) {
    auto [found, is_new] = first.try_emplace(piece.thread, piece.begin);
    if (!is_new)
      found->second = std::min(found->second, piece.begin);
  }
  return first;
}

void add_threads(RunProfile &profile, int threads, const RunProfile &one_thread,
                 const runtime::ExecutableImage &image,
                 const std::vector<LaunchEvent> &events) {
  profile.threads = threads;
  profile.one_thread_ms = one_thread.run_ms;
  std::map<std::string, ThreadTimes> times = times_of(image, events, threads);
  for (KernelTime &kernel : profile.kernels) {
    auto same =
        std::ranges::find_if(one_thread.kernels, [&](const KernelTime &other) {
          return other.name == kernel.name && other.symbol == kernel.symbol;
        });
    if (same != one_thread.kernels.end())
      kernel.one_thread_ms = same->ms;
    if (auto found = times.find(kernel.symbol); found != times.end())
      kernel.threads = found->second.shares();
  }
}

} // namespace xlac::cli
