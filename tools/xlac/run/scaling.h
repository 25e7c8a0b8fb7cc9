// Predicts the run time on other numbers of threads: the recorded pieces of
// each launch are distributed among virtual workers as WorkPool does it.
#pragma once

#include "json.h"
#include "xlac/runtime/image.h"
#include "xlac/runtime/launch_recorder.h"

#include <span>
#include <string>
#include <vector>

namespace xlac::cli {

/// One launch on a number of workers, in milliseconds.
struct SimulatedLaunch {
  double duration = 0;
  double busy = 0;   ///< sum over the workers
  double waking = 0; ///< sum over the workers, before they may start
};

/// Distributes pieces with these durations among `threads` workers: each takes
/// the pieces of its own part from the front, then those of the others from the
/// back. The first worker starts at once, the others after `wake_ms`.
SimulatedLaunch simulate_launch(std::span<const double> pieces, int threads,
                                double wake_ms);

/// The prediction for one number of threads.
struct ScalingPoint {
  int threads = 1;
  double run_ms = 0;
  /// Parts of the time of all threads; with `busy` they add up to 1.
  double busy = 0, waking = 0, waiting = 0, serial = 0;
  double gbytes = 0;   ///< GB/s that the program needs at this speed
  std::string limiter; ///< kernel that leaves the most time unused
};

/// Predicts runs from the events of runs on one thread, recorded with pieces.
/// `serial` is time outside of launches: the driver, copies and collectives.
/// Memory bandwidth is not a limit in the prediction.
std::vector<ScalingPoint>
predict_scaling(const runtime::ExecutableImage &image,
                const std::vector<runtime::LaunchEvent> &events,
                std::span<const int> threads, double wake_ms);

/// Returns the least time that a thread other than the caller took until its
/// first piece in the launches of `events`, recorded with pieces on several
/// threads: that of a thread which spins. 0 if no launch had two threads.
double wake_time(const std::vector<runtime::LaunchEvent> &events);

/// Formats a table with a line per number of threads.
std::string text_table(const std::vector<ScalingPoint> &points);

/// Returns a JSON array with an object per number of threads.
Json json_table(const std::vector<ScalingPoint> &points);

} // namespace xlac::cli
