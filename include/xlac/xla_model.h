// torch_xla.core.xla_model.
#pragma once

#include "xlac/lazy.h"
#include "xlac/optim.h"
#include "xlac/runtime.h"
#include "xlac/spmd.h"
#include "xlac/tree.h"

#include <iostream>
#include <tuple>

namespace xlac::detail {
/// Every replica's `data` with its tensors on the cpu, in ordinal order.
XLAC_API std::vector<Value> gather_from_replicas(std::string_view tag,
                                                 const Value &data);
} // namespace xlac::detail

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
/// Real names of all devices of the job in ordinal order; UserError unless
/// `local_devices` are all of this process.
XLAC_API std::vector<std::string>
xla_replication_devices(std::vector<Device> local_devices);
/// This thread is a replica on `device` among `devices`, which are all of the
/// process (else UserError); no devices end that. Threads that name the same
/// devices are replicas of one another: collectives and rendezvous go between
/// them. The others wait for one that does not come until
/// XLAC_COLLECTIVE_TIMEOUT.
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

//===- Collectives --------------------------------------------------------===//
//
// Recorded like any operation and run with what they are part of. Every replica
// records the same ones in the same order; one that fails, or does something
// else, makes the others throw CollectiveError. They move nothing in a world of
// one. Tensors must live on the replica's own device (else DeviceError), and
// have the same shapes on all replicas of a group.

enum class ReduceType { Sum, Mul, And, Or, Min, Max };
inline constexpr ReduceType REDUCE_SUM = ReduceType::Sum,
                            REDUCE_MUL = ReduceType::Mul,
                            REDUCE_AND = ReduceType::And,
                            REDUCE_OR = ReduceType::Or,
                            REDUCE_MIN = ReduceType::Min,
                            REDUCE_MAX = ReduceType::Max;
/// "sum", "mul", "and", "or", "min" or "max"; else ValueError.
XLAC_API ReduceType reduce_type(std::string_view name);

/// Rows of ordinals.
using Groups = std::vector<std::vector<int64_t>>;
struct CollectiveOptions {
  /// Who takes part with whom; one group of all if empty. ValueError unless
  /// each replica is in exactly one.
  Groups groups = {};
  bool pin_layout = true; ///< changes nothing: buffers have one layout
};

/// A new tensor: `input` folded over the replicas in the order of the group,
/// times `scale` (integers are rounded towards zero). f16 and bf16 are folded
/// in f32. And and Or are logical for bool, bitwise for integers; Min and Max
/// give NaN where there is one. DtypeError for And and Or of floats, for Min
/// and Max of complex numbers, and for a scaled bool. A world of one gives a
/// clone. Gradients do not pass.
XLAC_API Tensor all_reduce(ReduceType type, const Tensor &input,
                           double scale = 1.0, CollectiveOptions options = {});
/// The same in place; gives `inputs`. Those of one dtype travel together.
XLAC_API std::vector<Tensor> all_reduce(ReduceType type,
                                        std::vector<Tensor> inputs,
                                        double scale = 1.0,
                                        CollectiveOptions options = {});
/// The values of the group side by side along `dim`, in its order. ShapeError
/// for a tensor without dimensions, ValueError for groups of different sizes.
XLAC_API Tensor all_gather(const Tensor &value, int64_t dim = 0,
                           CollectiveOptions options = {});
/// The same, into `output`, which it gives; ShapeError unless it has the shape
/// of the result.
XLAC_API Tensor all_gather(const Tensor &value, int64_t dim, Tensor output,
                           CollectiveOptions options = {});
/// Each of them gathered, in one operation.
XLAC_API std::vector<Tensor> all_gather(const std::vector<Tensor> &values,
                                        int64_t dim = 0,
                                        CollectiveOptions options = {});
/// Cuts `value` into `split_count` blocks along `split_dimension`; block j of
/// the group's i-th replica becomes block i of its j-th along
/// `concat_dimension`. ValueError unless groups have `split_count` members,
/// ShapeError unless it divides the dimension.
XLAC_API Tensor all_to_all(const Tensor &value, int64_t split_dimension,
                           int64_t concat_dimension, int64_t split_count,
                           CollectiveOptions options = {});
/// all_reduce, of which the group's i-th replica keeps the i-th of
/// `shard_count` blocks along `scatter_dim`. Errors as of all_to_all.
XLAC_API Tensor reduce_scatter(ReduceType type, const Tensor &input,
                               double scale, int64_t scatter_dim,
                               int64_t shard_count,
                               CollectiveOptions options = {});
/// The second of each pair gets the value of the first, replicas that are no
/// second get zeros. ValueError for ordinals that do not exist, or twice the
/// same first or second.
XLAC_API Tensor collective_permute(
    const Tensor &value, const std::vector<std::pair<int64_t, int64_t>> &pairs);
/// Gives the tensors the values that they have on replica `root_ordinal`; with
/// groups only in its group. ValueError when there is no such replica.
XLAC_API void collective_broadcast(const std::vector<Tensor> &tensors,
                                   int64_t root_ordinal = 0,
                                   CollectiveOptions options = {});
/// Gives the parameters and buffers of `module` the values of replica 0, and
/// syncs.
XLAC_API void broadcast_master_param(nn::Module &module);
template <class Holder, class Impl>
void broadcast_master_param(const nn::ModuleHolder<Holder, Impl> &module) {
  broadcast_master_param(*module);
}

struct OptimizerStepOptions {
  bool barrier = false; ///< ends with sync()
  optim::StepArgs optimizer_args = {};
  Groups groups = {};
  bool pin_layout = true;
};
/// reduce_gradients, then optimizer.step(), whose result it gives.
XLAC_API std::optional<Tensor>
optimizer_step(optim::Optimizer &optimizer, OptimizerStepOptions options = {});
/// Replaces the gradients of the optimizer's parameters, of those that have
/// one, by their sum over the replicas of a group, divided by world_size().
/// Those of one dtype travel in one operation.
XLAC_API void reduce_gradients(optim::Optimizer &optimizer,
                               CollectiveOptions options = {});

//===- Meeting outside of programs ----------------------------------------===//

/// Syncs, then waits until all replicas (or those listed, of which the caller
/// must be one: ValueError) call it with this tag; their payloads in ordinal
/// order. A replica alone gets its own.
XLAC_API std::vector<Bytes> rendezvous(std::string_view tag,
                                       const Bytes &payload = {},
                                       std::vector<int64_t> replicas = {});
XLAC_API std::vector<Bytes> rendezvous(std::string_view tag,
                                       std::string_view payload,
                                       std::vector<int64_t> replicas = {});

/// reduce_fn(every replica's `data` in ordinal order), on every replica.
/// Tensors arrive on the cpu.
template <class T, class Fn>
auto mesh_reduce(std::string_view tag, const T &data, Fn reduce_fn)
    -> decltype(reduce_fn(std::vector<T>{})) {
  std::vector<T> all;
  for (const Value &value : detail::gather_from_replicas(tag, to_value(data)))
    all.push_back(from_value<T>(value));
  return reduce_fn(all);
}

//===- Programs and memory ------------------------------------------------===//

/// StableHLO of what the tensors wait for, or all live ones of the current
/// device.
XLAC_API std::string get_stablehlo(const std::vector<Tensor> &tensors = {});
/// The same as a portable artifact of the current version.
XLAC_API Bytes get_stablehlo_bytecode(const std::vector<Tensor> &tensors = {});

/// The program computes all of these tensors before anything that is recorded
/// with them from now on. Gradients pass as if it were not there.
XLAC_API void optimization_barrier_(const std::vector<Tensor> &tensors);
/// Copies on the device, in order. Under SPMD those of the rank that
/// `input_sharding` is for lie as it says, others on every device.
XLAC_API std::vector<Tensor>
send_cpu_data_to_device(const std::vector<Tensor> &tensors, Device device,
                        std::optional<spmd::ShardingSpec> input_sharding = {});

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
