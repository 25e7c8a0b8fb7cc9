// Where the time of a program's runs went: recorded launches summed up by
// kernel. Works on events alone, so it can be tried on made-up ones.
#pragma once

#include "json.h"
#include "machine_peaks.h"
#include "xlac/runtime/image.h"
#include "xlac/runtime/launch_recorder.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// What one kernel costs in a run of its program; copies, each collective and
/// the driver's own time count as kernels of the kinds "copy", "collective" and
/// "driver".
struct KernelTime {
  std::string name;
  std::string symbol; ///< of its first phase, as profilers show it
  std::string kind, source_ops, signature;
  double ms = 0;                ///< of a run: median of the runs
  std::vector<double> phase_ms; ///< of each phase, where there are several
  double launches = 0;          ///< of a run: mean
  double flops = 0, bytes = 0;  ///< of a run

  /// The least time that the machine needs for one launch's work, against the
  /// time taken; 0 where no work was counted.
  double percent_of_bound(const MachinePeaks &peaks) const;

  double gflops() const { return ms > 0 ? flops / ms * 1e-6 : 0; }
  double gbytes() const { return ms > 0 ? bytes / ms * 1e-6 : 0; }
};

struct RunProfile {
  double run_ms = 0;               ///< median of the runs
  std::vector<KernelTime> kernels; ///< the dearest first
  /// Likewise for the whole program, kernel by kernel.
  double percent_of_bound(const MachinePeaks &peaks) const;
  double share(const KernelTime &kernel) const {
    return run_ms > 0 ? kernel.ms / run_ms : 0;
  }
};

/// The profile of the runs that `events` hold whole. Kernels that never ran are
/// left out.
RunProfile profile_runs(const runtime::ExecutableImage &image,
                        const std::vector<runtime::LaunchEvent> &events);

/// A table with a line a kernel.
std::string text_table(const RunProfile &profile, const MachinePeaks &peaks);

/// A JSON array with an object a kernel.
Json json_table(const RunProfile &profile, const MachinePeaks &peaks);

/// "add×2 multiply" for "add multiply add", no longer than `most` characters.
std::string shortened_ops(const std::string &source_ops, size_t most);

} // namespace xlac::cli
