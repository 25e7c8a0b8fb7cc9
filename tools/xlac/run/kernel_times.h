// Profiles: recorded launches, summed by kernel. The input is events only, so
// tests can use synthetic ones.
#pragma once

#include "json.h"
#include "machine_peaks.h"
#include "xlac/runtime/image.h"
#include "xlac/runtime/launch_recorder.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// Parts of the time that all threads have in the launches of a kernel. They
/// add up to 1, or are 0 if the launches were not divided or not recorded.
struct ThreadShares {
  double busy = 0;    ///< in pieces of the launch
  double waking = 0;  ///< before a thread's first piece, or without any
  double waiting = 0; ///< after the first piece, outside of pieces
};

/// The cost of one kernel in a run of its program: the mean of the runs in the
/// middle half by duration. Copies, each collective and the driver's own time
/// are listed as kernels of the kinds "copy", "collective" and "driver".
struct KernelTime {
  std::string name;
  std::string symbol; ///< of its first phase, as profilers show it
  std::string kind, source_ops, signature;
  double ms = 0;                ///< per run
  std::vector<double> phase_ms; ///< of each phase, if there are several
  double launches = 0;          ///< per run
  double flops = 0, bytes = 0;  ///< per run
  double one_thread_ms = 0;     ///< ms on one thread; 0 if not measured
  ThreadShares threads;         ///< of the recorded launches

  /// The machine's minimum time for one launch's work as a percentage of the
  /// actual time; 0 where no work was counted.
  double percent_of_bound(const MachinePeaks &peaks) const;

  double gflops() const { return ms > 0 ? flops / ms * 1e-6 : 0; }
  double gbytes() const { return ms > 0 ? bytes / ms * 1e-6 : 0; }
};

struct RunProfile {
  /// Duration of a run: the mean of the runs in the middle half by duration.
  /// The medians of the kernels would not add up to that of the runs.
  double run_ms = 0;
  size_t runs = 0;                 ///< number of these runs
  size_t recorded_runs = 0;        ///< number of all complete runs
  int threads = 1;                 ///< that the runs used
  double one_thread_ms = 0;        ///< run_ms on one thread; 0 if not measured
  std::vector<KernelTime> kernels; ///< in descending order of time
  /// The sum over all kernels, which is run_ms unless launches contain others.
  double total_ms() const;
  /// As KernelTime's, for the sum over all kernels.
  double percent_of_bound(const MachinePeaks &peaks) const;
  double share(const KernelTime &kernel) const {
    return run_ms > 0 ? kernel.ms / run_ms : 0;
  }
  /// The speedup over one thread divided by the number of threads; 0 if runs
  /// on one thread were not measured.
  double efficiency() const {
    return run_ms > 0 ? one_thread_ms / (run_ms * threads) : 0;
  }
};

/// Returns the profile of the complete runs in `events`. Kernels that never ran
/// are left out.
RunProfile profile_runs(const runtime::ExecutableImage &image,
                        const std::vector<runtime::LaunchEvent> &events);

/// Returns for each of the image's kernels, which are phases, the number of the
/// first phase of its kernel.
std::vector<size_t> first_phases(const runtime::ExecutableImage &image);

/// Formats a table with one line per kernel and one for their sum. The times on
/// one thread and the shares of the threads are columns if they were measured.
std::string text_table(const RunProfile &profile, const MachinePeaks &peaks);

/// Returns a line on what the table's times are and how the sum differs from
/// the median of runs that were not timed, in milliseconds, and on the parallel
/// efficiency if it is known. Empty if there are no runs.
std::string total_text(const RunProfile &profile, double median_ms);

/// Returns a JSON array with one object per kernel.
Json json_table(const RunProfile &profile, const MachinePeaks &peaks);

/// Returns "add×2" and "multiply" for "add multiply add".
std::vector<std::string> counted_ops(const std::string &source_ops);

/// Formats "add multiply add" as "add×2 multiply" with at most `most`
/// characters.
std::string shortened_ops(const std::string &source_ops, size_t most);

} // namespace xlac::cli
