// What a process of xlac did as a trace that Chrome and Perfetto show: a row a
// thread.
#pragma once

#include "xlac/compiler.h"
#include "xlac/runtime/launch_recorder.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// One bar of a trace.
struct TraceSpan {
  std::string name, category;
  int32_t thread = 0;
  int64_t begin = 0, end = 0; ///< nanoseconds of Clock
  std::string details;        ///< shown when the bar is chosen
};

/// Collects spans; times are shown from the earliest on.
class Trace {
public:
  void add(TraceSpan span) { spans_.push_back(std::move(span)); }
  /// The compiler's phases and what its threads did.
  void add(const CompileReport &report);
  /// Runs of the image's program, their launches and pieces.
  void add(const runtime::ExecutableImage &image,
           const std::vector<runtime::LaunchEvent> &events);
  /// In the Trace Event Format, as one JSON object. `main_thread` is the row
  /// above the others.
  std::string json(int32_t main_thread) const;

private:
  std::vector<TraceSpan> spans_;
};

/// Nanoseconds of Clock.
int64_t clock_nanoseconds();

/// This thread as the operating system numbers it.
int32_t thread_number();

} // namespace xlac::cli
