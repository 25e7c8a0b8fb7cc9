// Records what runs of programs do and when: kernel launches, copies and
// collectives and, on request, the pieces of loops on the pool's threads. Only
// runs whose RunContext has a recorder are measured; others have no overhead.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac::runtime {

struct LaunchEvent {
  enum class Kind : uint8_t {
    Run,        ///< one run of the whole program
    Kernel,     ///< one phase of a kernel, all of its pieces
    Piece,      ///< a piece of a phase, on one thread
    Copy,       ///< from buffer to buffer
    Collective, ///< a collective, transfer, feed or custom call; for a started
                ///< collective the wait for it
  };
  Kind kind = Kind::Run;
  /// Index among the image's kernels or collectives; 0 for other kinds.
  uint32_t number = 0;
  int32_t thread = 0;         ///< thread id of the operating system
  int64_t begin = 0, end = 0; ///< in nanoseconds, on Clock
  int64_t amount = 0;         ///< tasks of a kernel or piece; bytes of a copy
};

class KernelThunks;

/// Collects events of any number of runs, from any thread.
class LaunchRecorder {
public:
  /// With `pieces`, each part of a loop that a thread runs is an event of its
  /// own.
  explicit LaunchRecorder(bool pieces = false);
  ~LaunchRecorder();
  LaunchRecorder(const LaunchRecorder &) = delete;
  LaunchRecorder &operator=(const LaunchRecorder &) = delete;

  bool records_tasks() const { return pieces_; }
  void add(const LaunchEvent &event);
  /// Returns and clears the events so far, ordered by their ends.
  std::vector<LaunchEvent> take();

  /// Entry points that replace kernels; internal to the runtime.
  KernelThunks &thunks() { return *thunks_; }

private:
  const bool pieces_;
  std::unique_ptr<KernelThunks> thunks_;
  std::mutex mutex_;
  std::vector<LaunchEvent> events_;
};

} // namespace xlac::runtime
