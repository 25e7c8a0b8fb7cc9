// torch_xla.core.xla_model, for one process.
#pragma once

#include "xlac/lazy.h"
#include "xlac/optim.h"
#include "xlac/runtime.h"

#include <iostream>
#include <tuple>

namespace xlac::xla_model {

//===- Devices ------------------------------------------------------------===//

/// xlac::device(n); `devkind` must be "CPU", else DeviceError.
XLAC_API Device xla_device(std::optional<int> n = {},
                           std::optional<std::string> devkind = {});
/// Of this process in order, `max_devices` at most; none of another kind than
/// "CPU".
XLAC_API std::vector<Device>
get_xla_supported_devices(std::optional<std::string> devkind = {},
                          std::optional<int> max_devices = {});
/// "CPU"; DeviceError for a device that is no xla device of this process.
XLAC_API std::string xla_device_hw(Device device);
/// "x86_64 avx512": the machine and the instructions that programs use.
XLAC_API std::string xla_device_kind(std::optional<Device> device = {});
/// All of this process when `devices` is empty.
XLAC_API std::vector<std::string>
xla_real_devices(std::vector<Device> devices = {});
/// Real names of all devices of the job; UserError unless `local_devices` are
/// all of this process.
XLAC_API std::vector<std::string>
xla_replication_devices(std::vector<Device> local_devices);
/// This thread is a replica on `device` among `devices`, all of the process;
/// none ends that.
XLAC_API void set_replication(Device device, std::vector<Device> devices);
XLAC_API bool is_xla_tensor(const Tensor &tensor);

//===- Who am I -----------------------------------------------------------===//

/// xr::world_size() in a replica, else `defval`; so the ordinals.
XLAC_API int xrt_world_size(int defval = 1);
XLAC_API int get_ordinal(int defval = 0);
XLAC_API int get_local_ordinal(int defval = 0);
/// True outside of replication.
XLAC_API bool is_master_ordinal(bool local = true);

struct PrintTo {
  std::ostream *fd = nullptr; ///< null: std::cout
  bool local = false;         ///< the master of each host prints
  bool flush = false;
};
/// Space separated, newline; on the master only.
template <class... A> void master_print(PrintTo to, const A &...args) {
  if (!is_master_ordinal(to.local))
    return;
  std::ostream &stream = to.fd ? *to.fd : std::cout;
  const char *separator = "";
  ((stream << separator << args, separator = " "), ...);
  stream << "\n";
  if (to.flush)
    stream.flush();
}
template <class... A> void master_print(const A &...args) {
  master_print(PrintTo(), args...);
}

//===- Steps --------------------------------------------------------------===//

/// sync().
XLAC_API void mark_step(bool wait = false);
/// Waits until what was launched on these devices is done; all local ones if
/// empty. Throws what failed.
XLAC_API void wait_device_ops(std::vector<Device> devices = {});
/// Runs closure(args…) once, after the launch of the next sync of this thread's
/// current device; the tensors of `args` have their values of then, however
/// late it runs. Closures run in the order queued, on the syncing thread, or on
/// one background thread with `run_async`.
template <class Fn, class... A>
void add_step_closure(Fn closure, std::tuple<A...> args = {},
                      bool run_async = false) {
  struct Call {
    Fn closure;
    std::tuple<A...> args;
  };
  auto call = std::make_shared<Call>(Call{std::move(closure), std::move(args)});
  detail::add_step_closure({[call] { detail::hold_values(call->args); },
                            [call] { std::apply(call->closure, call->args); }},
                           run_async);
}

struct OptimizerStepOptions {
  bool barrier = false; ///< ends with sync()
  optim::StepArgs optimizer_args = {};
};
/// optimizer.step(), whose result it gives. UnsupportedError in a replica among
/// several, whose gradients would have to be combined first.
XLAC_API std::optional<Tensor>
optimizer_step(optim::Optimizer &optimizer, OptimizerStepOptions options = {});

//===- Programs and memory ------------------------------------------------===//

/// StableHLO of what the tensors wait for, or all live ones of the current
/// device.
XLAC_API std::string get_stablehlo(const std::vector<Tensor> &tensors = {});
/// The same as a portable artifact of the current version.
XLAC_API Bytes get_stablehlo_bytecode(const std::vector<Tensor> &tensors = {});

/// The program computes all of these tensors before anything that is recorded
/// with them from now on. Gradients pass as if it were not there.
XLAC_API void optimization_barrier_(const std::vector<Tensor> &tensors);
/// Copies on the device, in order.
XLAC_API std::vector<Tensor>
send_cpu_data_to_device(const std::vector<Tensor> &tensors, Device device);

/// The state of the device's random numbers, of the current xla device unless
/// one is named; operations recorded from now on use it.
XLAC_API void set_rng_state(int64_t seed, std::optional<Device> device = {});
/// 101 at the start of a process; every random operation changes it.
XLAC_API int64_t get_rng_state(std::optional<Device> device = {});
/// Restores the device's random state when it goes out of scope.
class [[nodiscard]] XLAC_API ForkRng {
public:
  explicit ForkRng(std::optional<Device> device = {});
  ~ForkRng();
  ForkRng(const ForkRng &) = delete;
  ForkRng &operator=(const ForkRng &) = delete;

private:
  Device device_;
  int64_t state_;
};

struct MemoryInfo {
  int64_t bytes_used, bytes_limit, peak_bytes_used;
};
/// Bytes of device buffers now, the most allowed (XLAC_DEVICE_MEMORY, else this
/// device's share of the machine's memory), the most ever.
XLAC_API MemoryInfo get_memory_info(std::optional<Device> device = {});

} // namespace xlac::xla_model

namespace xlac {
namespace xm = xla_model;
}
