#include "kernel_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

namespace xlac::cli {
namespace {

/// The cost of one kernel in one run.
struct RunCost {
  double launches = 0, flops = 0, bytes = 0;
  std::vector<double> phase_ms;
};

/// Accumulates the events of one kernel.
struct Sum {
  KernelTime time;
  std::vector<RunCost> runs;

  RunCost &of_run(size_t run) {
    if (runs.size() <= run)
      runs.resize(run + 1);
    return runs[run];
  }

  void add(size_t phase, size_t run, double ms) {
    std::vector<double> &phases = of_run(run).phase_ms;
    if (phases.size() <= phase)
      phases.resize(phase + 1);
    phases[phase] += ms;
  }
};

/// Returns the numbers of the runs in the middle half by duration.
std::vector<size_t> middle_half(const std::vector<double> &run_ms) {
  std::vector<size_t> order(run_ms.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t run) { return run_ms[run]; });
  auto outside = static_cast<ptrdiff_t>((order.size() + 1) / 4);
  return {order.begin() + outside, order.end() - outside};
}

/// Accumulates events over runs. The index of a phase is its distance from the
/// kernel's first phase.
class Summary {
public:
  explicit Summary(const runtime::ExecutableImage &image)
      : image_(image), first_(first_phases(image)) {}

  void add(const runtime::LaunchEvent &event, size_t run) {
    double ms = static_cast<double>(event.end - event.begin) * 1e-6;
    switch (event.kind) {
    case runtime::LaunchEvent::Kind::Kernel:
      if (event.number < image_.kernels.size())
        add_kernel(event.number, run, ms);
      break;
    case runtime::LaunchEvent::Kind::Copy: {
      Sum &sum = other("copies", "copy");
      sum.add(0, run, ms);
      sum.of_run(run).launches += 1;
      sum.of_run(run).bytes += 2 * static_cast<double>(event.amount);
      break;
    }
    case runtime::LaunchEvent::Kind::Collective: {
      std::string name = event.number < image_.collectives.size()
                             ? describe(image_.collectives[event.number])
                             : std::string("collective");
      Sum &sum = other(name, "collective");
      sum.add(0, run, ms);
      sum.of_run(run).launches += 1;
      break;
    }
    case runtime::LaunchEvent::Kind::Run:
    case runtime::LaunchEvent::Kind::Piece:
      return;
    }
    in_run_ms_ += ms;
  }

  void end_run(size_t run, double ms) {
    other("driver", "driver").add(0, run, std::max(0.0, ms - in_run_ms_));
    in_run_ms_ = 0;
    run_ms_.push_back(ms);
  }

  RunProfile profile() const {
    RunProfile result;
    std::vector<size_t> chosen = middle_half(run_ms_);
    for (size_t run : chosen)
      result.run_ms += run_ms_[run] / static_cast<double>(chosen.size());
    result.runs = chosen.size();
    result.recorded_runs = run_ms_.size();
    for (const auto &[number, sum] : kernels_)
      result.kernels.push_back(mean_of(sum, chosen));
    for (const auto &[name, sum] : others_)
      result.kernels.push_back(mean_of(sum, chosen));
    std::sort(result.kernels.begin(), result.kernels.end(),
              [](const KernelTime &a, const KernelTime &b) {
                return a.ms != b.ms ? a.ms > b.ms : a.name < b.name;
              });
    return result;
  }

private:
  void add_kernel(size_t number, size_t run, double ms) {
    size_t first = first_[number];
    const runtime::KernelEntry &entry = image_.kernels[first];
    Sum &sum = kernels_[first];
    if (sum.time.kind.empty()) {
      sum.time.name = entry.name.empty() ? entry.symbol : entry.name;
      sum.time.symbol = entry.symbol;
      sum.time.kind = entry.kind;
      sum.time.source_ops = entry.source_ops;
      sum.time.signature = entry.signature;
    }
    sum.add(number - first, run, ms);
    RunCost &cost = sum.of_run(run);
    cost.launches += number == first;
    cost.flops += static_cast<double>(image_.kernels[number].flops);
    cost.bytes += static_cast<double>(image_.kernels[number].bytes);
  }

  Sum &other(const std::string &name, const char *kind) {
    Sum &sum = others_[name];
    sum.time.name = name;
    sum.time.kind = kind;
    return sum;
  }

  /// Returns the mean cost of the kernel in the chosen runs.
  static KernelTime mean_of(const Sum &sum, const std::vector<size_t> &chosen) {
    KernelTime time = sum.time;
    auto count = static_cast<double>(std::max<size_t>(1, chosen.size()));
    for (size_t run : chosen) {
      if (run >= sum.runs.size())
        continue;
      const RunCost &cost = sum.runs[run];
      time.launches += cost.launches / count;
      time.flops += cost.flops / count;
      time.bytes += cost.bytes / count;
      if (time.phase_ms.size() < cost.phase_ms.size())
        time.phase_ms.resize(cost.phase_ms.size());
      for (size_t i = 0; i < cost.phase_ms.size(); ++i)
        time.phase_ms[i] += cost.phase_ms[i] / count;
    }
    time.ms = std::accumulate(time.phase_ms.begin(), time.phase_ms.end(), 0.0);
    if (time.phase_ms.size() < 2)
      time.phase_ms.clear();
    return time;
  }

  const runtime::ExecutableImage &image_;
  std::vector<size_t> first_;
  std::map<size_t, Sum> kernels_;
  std::map<std::string, Sum> others_;
  double in_run_ms_ = 0;
  std::vector<double> run_ms_;
};

double bound_ms(const KernelTime &kernel, const MachinePeaks &peaks) {
  if (kernel.launches <= 0)
    return 0;
  bool is_bf16 =
      kernel.kind == "contraction" &&
      kernel.signature.substr(0, kernel.signature.find(" -> ")).find("bf16") !=
          std::string::npos;
  return kernel.launches * peaks.bound_ms(kernel.flops / kernel.launches,
                                          kernel.bytes / kernel.launches,
                                          is_bf16);
}

} // namespace

double KernelTime::percent_of_bound(const MachinePeaks &peaks) const {
  return ms > 0 ? 100 * bound_ms(*this, peaks) / ms : 0;
}

double RunProfile::total_ms() const {
  double total = 0;
  for (const KernelTime &kernel : kernels)
    total += kernel.ms;
  return total;
}

double RunProfile::percent_of_bound(const MachinePeaks &peaks) const {
  double bound = 0;
  for (const KernelTime &kernel : kernels)
    bound += bound_ms(kernel, peaks);
  return run_ms > 0 ? 100 * bound / run_ms : 0;
}

std::vector<size_t> first_phases(const runtime::ExecutableImage &image) {
  std::vector<size_t> result;
  for (size_t i = 0; i < image.kernels.size(); ++i) {
    const std::string &name = image.kernels[i].name;
    bool is_later =
        i > 0 && !name.empty() && name == image.kernels[result.back()].name;
    result.push_back(is_later ? result.back() : i);
  }
  return result;
}

RunProfile profile_runs(const runtime::ExecutableImage &image,
                        const std::vector<runtime::LaunchEvent> &events) {
  Summary summary(image);
  std::vector<runtime::LaunchEvent> pending;
  size_t run = 0;
  for (const runtime::LaunchEvent &event : events) {
    if (event.kind != runtime::LaunchEvent::Kind::Run) {
      pending.push_back(event);
      continue;
    }
    for (const runtime::LaunchEvent &one : pending)
      summary.add(one, run);
    pending.clear();
    summary.end_run(run++, static_cast<double>(event.end - event.begin) * 1e-6);
  }
  return summary.profile();
}

std::vector<std::string> counted_ops(const std::string &source_ops) {
  std::vector<std::pair<std::string, int>> counted;
  std::istringstream words(source_ops);
  for (std::string word; words >> word;) {
    auto found =
        std::find_if(counted.begin(), counted.end(),
                     [&](const auto &one) { return one.first == word; });
    if (found != counted.end())
      ++found->second;
    else
      counted.emplace_back(word, 1);
  }
  std::vector<std::string> texts;
  for (const auto &[word, count] : counted)
    texts.push_back(count > 1 ? fmt::format("{}×{}", word, count) : word);
  return texts;
}

std::string shortened_ops(const std::string &source_ops, size_t most) {
  std::string text;
  size_t length = 0;
  for (std::string one : counted_ops(source_ops)) {
    if (!text.empty())
      one = " " + one;
    // A multiplication sign has two bytes.
    size_t more = one.size() - (one.find("×") != std::string::npos);
    if (length + more + 2 > most)
      return text + " …";
    text += one;
    length += more;
  }
  return text;
}

namespace {

/// The columns on threads; empty if there is one thread.
std::string thread_columns(const RunProfile &profile) {
  return profile.threads > 1 ? fmt::format(" {:>9} {:>5} {:>5} {:>5}",
                                           "1 thread", "busy", "wake", "wait")
                             : "";
}

std::string thread_columns(const RunProfile &profile,
                           const KernelTime &kernel) {
  if (profile.threads < 2)
    return {};
  std::string text = kernel.one_thread_ms > 0
                         ? fmt::format(" {:>9.4f}", kernel.one_thread_ms)
                         : std::string(10, ' ');
  const ThreadShares &shares = kernel.threads;
  if (shares.busy <= 0)
    return text + std::string(18, ' ');
  return text + fmt::format(" {:>4.0f}% {:>4.0f}% {:>4.0f}%", 100 * shares.busy,
                            100 * shares.waking, 100 * shares.waiting);
}

std::string described(const KernelTime &kernel) {
  std::string text = shortened_ops(kernel.source_ops, 60);
  if (!kernel.signature.empty())
    text += (text.empty() ? "" : "  ") + kernel.signature;
  if (!kernel.phase_ms.empty()) {
    text += "  phases";
    for (double ms : kernel.phase_ms)
      text += fmt::format(" {:.3f}", ms);
  }
  return text;
}

} // namespace

std::string text_table(const RunProfile &profile, const MachinePeaks &peaks) {
  size_t name_width = 12;
  for (const KernelTime &kernel : profile.kernels)
    name_width = std::max(name_width, kernel.name.size());
  std::string text = fmt::format(
      "{:>9} {:>6} {:>6} {:>8} {:>7} {:>5}{}  {:<{}} {:<12} {}\n", "ms",
      "share", "times", "GFLOP/s", "GB/s", "roof", thread_columns(profile),
      "kernel", name_width, "kind", "ops, operands -> results");
  for (const KernelTime &kernel : profile.kernels)
    text += fmt::format(
        "{:>9.4f} {:>5.1f}% {:>6.6g} {:>8.1f} {:>7.1f} {:>4.0f}%{}  {:<{}} "
        "{:<12} {}\n",
        kernel.ms, 100 * profile.share(kernel), kernel.launches,
        kernel.gflops(), kernel.gbytes(), kernel.percent_of_bound(peaks),
        thread_columns(profile, kernel), kernel.name, name_width, kernel.kind,
        described(kernel));
  text += fmt::format("{:>9.4f} {:>5.1f}% {:>{}}  total\n", profile.total_ms(),
                      100 * profile.total_ms() / std::max(profile.run_ms, 1e-9),
                      "", 29 + thread_columns(profile).size());
  return text;
}

std::string total_text(const RunProfile &profile, double median_ms) {
  if (profile.run_ms <= 0 || median_ms <= 0)
    return {};
  double more = profile.run_ms - median_ms;
  std::string text = fmt::format(
      "times are means of the middle {} of {} timed runs, {:.3f} ms, which is "
      "{:.1f}% {} than the median of {:.3f} ms without timing",
      profile.runs, profile.recorded_runs, profile.run_ms,
      100 * std::abs(more) / median_ms, more < 0 ? "less" : "more", median_ms);
  double rest = profile.total_ms() - profile.run_ms;
  if (std::abs(rest) > 0.0005 * profile.run_ms)
    text +=
        fmt::format("; launches within launches count twice, {:.3f} ms", rest);
  if (profile.efficiency() > 0)
    text += fmt::format("\non one thread {:.3f} ms: the parallel efficiency of "
                        "{} threads is {:.2f}",
                        profile.one_thread_ms, profile.threads,
                        profile.efficiency());
  return text;
}

Json json_table(const RunProfile &profile, const MachinePeaks &peaks) {
  Json table = Json::list();
  for (const KernelTime &kernel : profile.kernels) {
    Json json;
    json.add("name", kernel.name);
    json.add("symbol", kernel.symbol);
    json.add("kind", kernel.kind);
    json.add("ms", kernel.ms);
    json.add("share", profile.share(kernel));
    json.add("launches", kernel.launches);
    json.add("flops", kernel.flops);
    json.add("bytes", kernel.bytes);
    json.add("gflops", kernel.gflops());
    json.add("gbytes", kernel.gbytes());
    json.add("percent_of_roofline", kernel.percent_of_bound(peaks));
    json.add("ops", kernel.source_ops);
    json.add("signature", kernel.signature);
    Json phases = Json::list();
    for (double ms : kernel.phase_ms)
      phases.push(ms);
    json.add("phase_ms", std::move(phases));
    if (profile.threads > 1) {
      json.add("one_thread_ms", kernel.one_thread_ms);
      json.add("busy", kernel.threads.busy);
      json.add("waking", kernel.threads.waking);
      json.add("waiting", kernel.threads.waiting);
    }
    table.push(std::move(json));
  }
  return table;
}

} // namespace xlac::cli
