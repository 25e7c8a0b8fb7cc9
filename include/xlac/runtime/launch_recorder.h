// What runs of programs did and when: launches of kernels, copies and
// collectives of their drivers and, where asked for, the pieces that the pool's
// threads took. A run records only if its RunContext has a recorder; without
// one nothing is measured and nothing is slower.
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
    Piece,      ///< a piece of one, on one thread
    Copy,       ///< from buffer to buffer
    Collective, ///< a collective, transfer, feed or custom call; of one that
                ///< goes on beside kernels the wait for it
  };
  Kind kind = Kind::Run;
  /// Of the image's kernels or collectives; 0 for the others.
  uint32_t number = 0;
  int32_t thread = 0;         ///< as the operating system numbers threads
  int64_t begin = 0, end = 0; ///< nanoseconds of Clock
  int64_t amount = 0;         ///< tasks of a kernel or piece, bytes of a copy
};

class KernelThunks;

/// Collects events of any number of runs, from any thread.
class LaunchRecorder {
public:
  /// With `pieces`, what each thread took of a loop is an event of its own.
  explicit LaunchRecorder(bool pieces = false);
  ~LaunchRecorder();
  LaunchRecorder(const LaunchRecorder &) = delete;
  LaunchRecorder &operator=(const LaunchRecorder &) = delete;

  bool wants_pieces() const { return pieces_; }
  void add(const LaunchEvent &event);
  /// The events so far, in the order of their ends, which are then forgotten.
  std::vector<LaunchEvent> take();

  /// Entry points that stand in for kernels; the runtime's own.
  KernelThunks &thunks() { return *thunks_; }

private:
  const bool pieces_;
  std::unique_ptr<KernelThunks> thunks_;
  std::mutex mutex_;
  std::vector<LaunchEvent> events_;
};

} // namespace xlac::runtime
