#include "trace.h"

#include "json.h"

#include "xlac/support/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unistd.h>

namespace xlac::tool {
namespace {

using Kind = LaunchEvent::Kind;

TraceSpan span_of(const ExecutableImage &image, const LaunchEvent &event) {
  TraceSpan span{{}, {}, event.thread, event.begin, event.end, {}};
  switch (event.kind) {
  case Kind::Run:
    span.name = "run";
    span.category = "run";
    break;
  case Kind::Kernel:
  case Kind::Piece: {
    bool is_piece = event.kind == Kind::Piece;
    span.category = is_piece ? "piece" : "kernel";
    if (event.number < image.kernels.size()) {
      const KernelEntry &kernel = image.kernels[event.number];
      span.name = (kernel.name.empty() ? kernel.symbol : kernel.name) + " " +
                  kernel.kind;
      if (!is_piece)
        span.details = kernel.source_ops + "; " + kernel.signature + "; " +
                       kernel.symbol + "; ";
    }
    span.details += fmt::format("{} tasks", event.amount);
    break;
  }
  case Kind::Copy:
    span.name = span.category = "copy";
    span.details = fmt::format("{} bytes", event.amount);
    break;
  case Kind::Collective:
    span.category = "collective";
    span.name = event.number < image.collectives.size()
                    ? describe(image.collectives[event.number])
                    : "collective";
    break;
  }
  return span;
}

} // namespace

int64_t clock_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             Clock::now().time_since_epoch())
      .count();
}

int32_t thread_number() { return static_cast<int32_t>(gettid()); }

void Trace::add(const CompileReport &report) {
  for (const auto *phases : {&report.phases, &report.batches})
    for (const PhaseTime &phase : *phases)
      add({phase.phase,
           "compile",
           phase.thread,
           phase.begin,
           phase.begin + static_cast<int64_t>(phase.milliseconds * 1e6),
           {}});
}

void Trace::add(const ExecutableImage &image,
                const std::vector<LaunchEvent> &events) {
  for (const LaunchEvent &event : events)
    add(span_of(image, event));
}

std::string Trace::json(int32_t main_thread) const {
  int64_t start = INT64_MAX;
  std::set<int32_t> threads{main_thread};
  std::set<int32_t> compiling;
  for (const TraceSpan &span : spans_) {
    start = std::min(start, span.begin);
    threads.insert(span.thread);
    if (span.category == "compile")
      compiling.insert(span.thread);
  }
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  int process = static_cast<int>(getpid());
  int order = 0;
  for (int32_t thread : threads) {
    const char *name = thread == main_thread     ? "main"
                       : compiling.count(thread) ? "compiler"
                                                 : "worker";
    text += fmt::format(
        "{{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": {0}, \"tid\": "
        "{1}, \"args\": {{\"name\": \"{2}\"}}}},\n"
        "{{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": {0}, "
        "\"tid\": {1}, \"args\": {{\"sort_index\": {3}}}}},\n",
        process, thread, name, thread == main_thread ? 0 : ++order);
  }
  // Bars that hold others come before them.
  std::vector<const TraceSpan *> sorted;
  for (const TraceSpan &span : spans_)
    sorted.push_back(&span);
  std::sort(
      sorted.begin(), sorted.end(), [](const TraceSpan *a, const TraceSpan *b) {
        return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
      });
  for (size_t i = 0; i < sorted.size(); ++i) {
    const TraceSpan &span = *sorted[i];
    text += fmt::format(
        "{{\"ph\": \"X\", \"pid\": {}, \"tid\": {}, \"ts\": {:.3f}, \"dur\": "
        "{:.3f}, \"cat\": {}, \"name\": {}, \"args\": {{{}}}}}{}\n",
        process, span.thread, static_cast<double>(span.begin - start) * 1e-3,
        static_cast<double>(span.end - span.begin) * 1e-3,
        quoted(span.category), quoted(span.name),
        span.details.empty() ? "" : "\"details\": " + quoted(span.details),
        i + 1 < sorted.size() ? "," : "");
  }
  return text + "]}\n";
}

} // namespace xlac::tool
