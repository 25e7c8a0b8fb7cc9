// Traces of a process of xlac in the format of Chrome and Perfetto, with one
// row per thread.
#pragma once

#include "xlac/compiler.h"
#include "xlac/runtime/launch_recorder.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// One span of a trace.
struct TraceSpan {
  std::string name, category;
  int32_t thread = 0;
  int64_t begin = 0, end = 0; ///< nanoseconds of Clock
  std::string details;        ///< shown when the span is selected
};

/// Collects spans; times are relative to the earliest one.
class Trace {
public:
  void add(TraceSpan span) { spans_.push_back(std::move(span)); }
  /// Adds the compiler's phases and the activity of its threads.
  void add(const CompileReport &report);
  /// Adds runs of the image's program with their launches and tasks.
  void add(const runtime::ExecutableImage &image,
           const std::vector<runtime::LaunchEvent> &events);
  /// Returns the Trace Event Format as one JSON object. `main_thread` is the
  /// first row.
  std::string json(int32_t main_thread) const;

private:
  std::vector<TraceSpan> spans_;
};

/// Returns the time of Clock in nanoseconds.
int64_t clock_nanoseconds();

/// Returns the operating system's id of this thread.
int32_t thread_number();

} // namespace xlac::cli
