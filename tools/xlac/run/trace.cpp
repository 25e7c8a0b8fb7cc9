#include "trace.h"

#include "json.h"

#include "xlac/support/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unistd.h>

namespace xlac::cli {
namespace {

using Kind = runtime::LaunchEvent::Kind;

TraceSpan span_of(const runtime::ExecutableImage &image,
                  const runtime::LaunchEvent &event) {
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
      const runtime::KernelEntry &kernel = image.kernels[event.number];
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

void Trace::add(const runtime::ExecutableImage &image,
                const std::vector<runtime::LaunchEvent> &events) {
  for (const runtime::LaunchEvent &event : events)
    add(span_of(image, event));
}

/// Makes an event that describes a thread.
static Json metadata(const char *name, int64_t process, int32_t thread,
                     Json arguments) {
  Json event;
  event.add("ph", "M");
  event.add("name", name);
  event.add("pid", process);
  event.add("tid", int64_t{thread});
  event.add("args", std::move(arguments));
  return event;
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
  Json events = Json::list();
  int64_t process = getpid();
  int order = 0;
  for (int32_t thread : threads) {
    const char *name = thread == main_thread     ? "main"
                       : compiling.count(thread) ? "compiler"
                                                 : "worker";
    Json label, position;
    label.add("name", name);
    position.add("sort_index", int64_t{thread == main_thread ? 0 : ++order});
    events.push(metadata("thread_name", process, thread, std::move(label)));
    events.push(
        metadata("thread_sort_index", process, thread, std::move(position)));
  }
  // Enclosing spans must precede the spans inside of them.
  std::vector<const TraceSpan *> sorted;
  for (const TraceSpan &span : spans_)
    sorted.push_back(&span);
  std::sort(
      sorted.begin(), sorted.end(), [](const TraceSpan *a, const TraceSpan *b) {
        return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
      });
  for (const TraceSpan *span : sorted) {
    Json event, details;
    if (!span->details.empty())
      details.add("details", span->details);
    event.add("ph", "X");
    event.add("pid", process);
    event.add("tid", int64_t{span->thread});
    event.add("ts", static_cast<double>(span->begin - start) / 1000);
    event.add("dur", static_cast<double>(span->end - span->begin) / 1000);
    event.add("cat", span->category);
    event.add("name", span->name);
    event.add("args", std::move(details));
    events.push(std::move(event));
  }
  Json trace;
  trace.add("displayTimeUnit", "ns");
  trace.add("traceEvents", std::move(events));
  return trace.text() + "\n";
}

} // namespace xlac::cli
