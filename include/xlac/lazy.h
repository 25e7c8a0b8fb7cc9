// torch_xla's own top level: devices, when pending work runs, compiled
// functions, eager mode.
#pragma once

#include "xlac/ops.h"

#include <functional>
#include <tuple>
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

struct CompileOptions {
  /// A value asked for inside is a UserError.
  bool full_graph = false;
  /// In logs, dumps and debug::programs().
  std::string name = {};
  /// UserError when there are more different graphs than this.
  std::optional<int> max_different_graphs = {};
};

namespace detail {
struct FunctionGraphs;
/// The graphs of one compiled function.
XLAC_API std::shared_ptr<FunctionGraphs> make_function_graphs();
} // namespace detail

/// Sync at both ends; lazy inside, even in eager mode.
class [[nodiscard]] XLAC_API StepScope {
public:
  explicit StepScope(CompileOptions options = {});
  /// The scope of a compiled function: counts its graph among those of
  /// `graphs`, or where that is null of the options' name.
  StepScope(CompileOptions options,
            std::shared_ptr<detail::FunctionGraphs> graphs);
  /// Throws what the sync throws, unless an exception is on its way already.
  ~StepScope() noexcept(false);
  /// Ends the scope here instead.
  void close();
  StepScope(const StepScope &) = delete;
  StepScope &operator=(const StepScope &) = delete;

private:
  struct State;
  std::unique_ptr<State> state_;
};
inline StepScope step() { return StepScope(); }
inline StepScope compile(CompileOptions options) {
  return StepScope(std::move(options), nullptr);
}
template <class Fn> void step(Fn &&fn) {
  StepScope scope;
  std::forward<Fn>(fn)();
}

/// Traces `fn` lazily, compiles it and runs it as one program on each call;
/// same arguments, same results. fn's own C++ code runs on every call; an
/// unchanged graph is not compiled again.
template <class Fn> class CompiledFunction {
public:
  CompiledFunction(Fn fn, CompileOptions options)
      : fn_(std::move(fn)), options_(std::move(options)) {}
  template <class... A>
  auto operator()(A &&...args)
      -> decltype(std::declval<Fn &>()(std::forward<A>(args)...)) {
    using Result = decltype(std::declval<Fn &>()(std::forward<A>(args)...));
    StepScope scope(options_, graphs_);
    if constexpr (std::is_void_v<Result>) {
      fn_(std::forward<A>(args)...);
      scope.close();
    } else {
      // Closed here: a result that a throwing destructor finds made is never
      // destroyed by some compilers.
      Result result = fn_(std::forward<A>(args)...);
      scope.close();
      if constexpr (std::is_reference_v<Result>)
        return static_cast<Result>(result);
      else
        return result;
    }
  }

private:
  Fn fn_;
  CompileOptions options_;
  std::shared_ptr<detail::FunctionGraphs> graphs_ =
      detail::make_function_graphs();
};

template <class Fn>
  requires(!std::is_same_v<std::decay_t<Fn>, CompileOptions>)
CompiledFunction<std::decay_t<Fn>> compile(Fn &&fn,
                                           CompileOptions options = {}) {
  return {std::forward<Fn>(fn), std::move(options)};
}

namespace experimental {
/// Operations on xla devices run at once, each a program of its own. For the
/// whole process; what is pending is synced first. Off at the start.
XLAC_API void eager_mode(bool enable);
XLAC_API bool is_eager_mode(); ///< of this thread; false inside step()
/// The mode of this thread while it lives.
class XLAC_API EagerModeGuard {
public:
  explicit EagerModeGuard(bool enable);
  ~EagerModeGuard();
  EagerModeGuard(const EagerModeGuard &) = delete;
  EagerModeGuard &operator=(const EagerModeGuard &) = delete;

private:
  std::optional<bool> before_;
};
using xlac::compile;
} // namespace experimental

/// Sets the random state of the cpu and of every xla device of the process.
XLAC_API void manual_seed(int64_t seed);
/// Of that device only.
XLAC_API void manual_seed(int64_t seed, Device device);

namespace detail {
/// What runs after a sync, and what lets its tensors keep the values that they
/// have then.
struct StepClosure {
  std::function<void()> hold, run;
};
/// Queues it for the next sync of this thread's current device.
XLAC_API void add_step_closure(StepClosure closure, bool run_async);
/// A tensor of its own with the value that `tensor` has now.
XLAC_API Tensor snapshot(const Tensor &tensor);

/// Puts snapshots in place of the tensors in `value`.
template <class T> void hold_values(T &value) {
  if constexpr (std::is_same_v<T, Tensor>) {
    if (value.defined())
      value = snapshot(value);
  } else if constexpr (std::is_same_v<T, std::vector<Tensor>>) {
    for (Tensor &tensor : value)
      hold_values(tensor);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    std::apply([](auto &...items) { (hold_values(items), ...); }, value);
  }
}
} // namespace detail

} // namespace xlac
