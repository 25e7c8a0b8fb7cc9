// torch_xla's own top level: devices, and when pending work runs.
#pragma once

#include "xlac/ops.h"

#include <functional>
#include <utility>

namespace xlac {

/// The current xla device of this thread; an index makes that one current.
/// IndexError when there is no such device.
XLAC_API Device device(std::optional<int> index = {});
/// The devices of this process.
XLAC_API std::vector<Device> devices();
XLAC_API int device_count();
/// "CPU:0", …; the global number of each.
XLAC_API std::vector<std::string> real_devices();

/// Cuts the pending graph of the current device and runs it, then the step
/// closures. Returns once the program is launched, or finished if `wait` (or
/// XLA_SYNC_WAIT=1).
XLAC_API void sync(bool wait = false);

/// Sync at both ends.
class [[nodiscard]] XLAC_API StepScope {
public:
  StepScope();
  ~StepScope() noexcept(false);
  StepScope(const StepScope &) = delete;
  StepScope &operator=(const StepScope &) = delete;

private:
  int exceptions_;
};
inline StepScope step() { return StepScope(); }
template <class Fn> void step(Fn &&fn) {
  StepScope scope;
  std::forward<Fn>(fn)();
}

/// Sets the random state of the cpu and of every xla device of the process.
XLAC_API void manual_seed(int64_t seed);
/// Of that device only.
XLAC_API void manual_seed(int64_t seed, Device device);

namespace detail {
/// Runs `closure` at the end of this thread's next sync.
XLAC_API void add_step_closure(std::function<void()> closure);
} // namespace detail

} // namespace xlac
