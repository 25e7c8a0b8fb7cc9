// The top-level namespace of torch_xla: devices, sync, compiled functions and
// eager mode.
#pragma once

#include "xlac/ops.h"

#include <functional>
#include <tuple>
#include <utility>

namespace xlac {

/// Returns the current xla device of this thread. With an index it first makes
/// that device current. IndexError if the device does not exist.
XLAC_API Device device(std::optional<int> index = {});
/// The devices of this process.
XLAC_API std::vector<Device> devices();
/// Number of xla devices of this process; 1 under SPMD.
XLAC_API int device_count();
/// Global device names of all devices of the process: "CPU:0", …
XLAC_API std::vector<std::string> real_devices();

/// Executes the pending graph of the current device, then runs the step
/// closures. Returns once the program is launched, or once it is finished if
/// `wait` or XLA_SYNC_WAIT=1 is set.
XLAC_API void sync(bool wait = false);

/// The sizes that a dimension may have.
struct DynamicSize {
  /// Bounds of the size.
  int64_t min = 0, max = INT64_MAX;
  int64_t divisor = 1; ///< every size is a multiple of it
};

/// Announces that later tensors in the place of this one have other sizes in
/// dimension `dim`, such as batches of other sizes. The first program that
/// takes the tensor is compiled for its sizes and, on another thread, for any
/// size; programs that differ from it in marked sizes then use that code. The
/// mark has no influence on results. It remains on the tensor, and on its
/// copies that `to` makes, but not on other values that are computed from it.
/// ValueError if the size of `tensor` is not in the range; UserError for views.
XLAC_API void mark_dynamic(const Tensor &tensor, int64_t dim,
                           DynamicSize range = {});

/// Options of compile().
struct CompileOptions {
  /// Reading a tensor value inside the function is a UserError.
  bool full_graph = false;
  /// Name in logs, dumps and debug::programs().
  std::string name = {};
  /// More different graphs than this are a UserError.
  std::optional<int> max_different_graphs = {};
};

namespace detail {
/// Announces that dimension `dim` of tensors in the place of this one may have
/// one of the sizes `others`, the most likely first.
XLAC_API void mark_other_size(const Tensor &tensor, int64_t dim,
                              std::vector<int64_t> others);

struct FunctionGraphs;
/// Creates the set of graphs of one compiled function.
XLAC_API std::shared_ptr<FunctionGraphs> make_function_graphs();
} // namespace detail

/// Syncs at both ends. Operations inside are lazy, even in eager mode.
class [[nodiscard]] XLAC_API StepScope {
public:
  /// Begins a step.
  explicit StepScope(CompileOptions options = {});
  /// The scope of a compiled function. It counts its graph in `graphs`, or
  /// under the options' name if `graphs` is null.
  StepScope(CompileOptions options,
            std::shared_ptr<detail::FunctionGraphs> graphs);
  /// Throws the exception of the sync, unless another exception is being
  /// handled.
  ~StepScope() noexcept(false);
  /// Ends the scope before the destructor does.
  void close();
  StepScope(const StepScope &) = delete;
  StepScope &operator=(const StepScope &) = delete;

private:
  struct State;
  std::unique_ptr<State> state_;
};
/// A scope that is one step.
inline StepScope step() { return StepScope(); }
/// A scope or function that is compiled as a whole.
inline StepScope compile(CompileOptions options) {
  return StepScope(std::move(options), nullptr);
}
/// A scope that is one step.
template <class Fn> void step(Fn &&fn) {
  StepScope scope;
  std::forward<Fn>(fn)();
}

/// Traces `fn` lazily and executes it as one program on each call. The C++ code
/// of `fn` runs on every call; an unchanged graph is not compiled again.
/// Arguments and results are those of `fn`.
template <class Fn> class CompiledFunction {
public:
  /// Wraps the function.
  CompiledFunction(Fn fn, CompileOptions options)
      : fn_(std::move(fn)), options_(std::move(options)) {}
  /// Runs `fn` as one program.
  template <class... A>
  auto operator()(A &&...args)
      -> decltype(std::declval<Fn &>()(std::forward<A>(args)...)) {
    using Result = decltype(std::declval<Fn &>()(std::forward<A>(args)...));
    StepScope scope(options_, graphs_);
    if constexpr (std::is_void_v<Result>) {
      fn_(std::forward<A>(args)...);
      scope.close();
    } else {
      // close() runs before the return: if a destructor throws after the result
      // was constructed, some compilers never destroy the result.
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

/// A scope or function that is compiled as a whole.
template <class Fn>
  requires(!std::is_same_v<std::decay_t<Fn>, CompileOptions>)
CompiledFunction<std::decay_t<Fn>> compile(Fn &&fn,
                                           CompileOptions options = {}) {
  return {std::forward<Fn>(fn), std::move(options)};
}

namespace experimental {
/// Executes each operation on xla devices eagerly, as a program of its own.
/// Applies to the whole process and syncs pending work first. Default: off.
XLAC_API void eager_mode(bool enable);
XLAC_API bool is_eager_mode(); ///< of this thread; false inside step()
/// Sets eager mode for this thread while it lives.
class XLAC_API EagerModeGuard {
public:
  /// Sets the mode until the guard is destroyed.
  explicit EagerModeGuard(bool enable);
  ~EagerModeGuard();
  EagerModeGuard(const EagerModeGuard &) = delete;
  EagerModeGuard &operator=(const EagerModeGuard &) = delete;

private:
  std::optional<bool> before_;
};
using xlac::compile;
} // namespace experimental

/// Seeds the generators of the cpu and of every xla device of the process.
XLAC_API void manual_seed(int64_t seed);
/// Seeds the generator of `device` only.
XLAC_API void manual_seed(int64_t seed, Device device);

namespace detail {
/// A function `run` to call after a sync. Before that, `hold` saves the current
/// values of its tensors.
struct StepClosure {
  std::function<void()> hold, run;
};
/// Queues the closure for the next sync of this thread's current device.
XLAC_API void add_step_closure(StepClosure closure, bool run_async);
/// A new tensor with the current value of `tensor`.
XLAC_API Tensor snapshot(const Tensor &tensor);

/// Replaces the tensors in `value` by snapshots.
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
