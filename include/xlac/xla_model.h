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
/// Gathers `data` of every replica in ordinal order, with the tensors on the
/// cpu.
XLAC_API std::vector<Value> gather_from_replicas(std::string_view tag,
                                                 const Value &data);
} // namespace xlac::detail

namespace xlac::xla_model {

//===- Devices ------------------------------------------------------------===//

/// Same as xlac::device(n); `devkind` must be "CPU", else DeviceError.
XLAC_API Device xla_device(std::optional<int> n = {},
                           std::optional<std::string> devkind = {});
/// Up to `max_devices` devices of this process, in order. Empty for a kind
/// other than "CPU".
XLAC_API std::vector<Device>
get_xla_supported_devices(std::optional<std::string> devkind = {},
                          std::optional<int> max_devices = {});
/// "CPU"; DeviceError unless `device` is an xla device of this process.
XLAC_API std::string xla_device_hw(Device device);
/// "x86_64 avx512": the machine and the instruction set that programs use.
XLAC_API std::string xla_device_kind(std::optional<Device> device = {});
/// Global names of `devices`; of all devices of the process if it is empty.
XLAC_API std::vector<std::string>
xla_real_devices(std::vector<Device> devices = {});
/// Global names of all devices of the job in ordinal order. UserError unless
/// `local_devices` are all devices of this process.
XLAC_API std::vector<std::string>
xla_replication_devices(std::vector<Device> local_devices);
/// Makes this thread a replica on `device`. `devices` must be all devices of
/// the process (else UserError); an empty list ends replication. Threads that
/// pass the same devices are replicas of one another, for collectives and
/// rendezvous. They wait for missing replicas until XLAC_COLLECTIVE_TIMEOUT.
XLAC_API void set_replication(Device device, std::vector<Device> devices);
/// Whether the tensor is on an xla device.
XLAC_API bool is_xla_tensor(const Tensor &tensor);

//===- Replicas and ordinals ----------------------------------------------===//

/// xr::world_size() in a replica, else `defval`.
XLAC_API int xrt_world_size(int defval = 1);
/// xr::global_ordinal() in a replica, else `defval`.
XLAC_API int get_ordinal(int defval = 0);
/// xr::local_ordinal() in a replica, else `defval`.
XLAC_API int get_local_ordinal(int defval = 0);
/// True outside of replication.
XLAC_API bool is_master_ordinal(bool local = true);

/// Where master_print prints.
struct PrintTo {
  std::ostream *fd = nullptr; ///< null means std::cout
  bool local = false;         ///< the master of each host prints
  bool flush = false;         ///< flushes the stream
};
/// Prints the arguments, separated by spaces, and a newline; only on the
/// master.
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
/// Prints to std::cout, as above.
template <class... A> void master_print(const A &...args) {
  master_print(PrintTo(), args...);
}

//===- Steps --------------------------------------------------------------===//

/// Same as sync().
XLAC_API void mark_step(bool wait = false);
/// Waits until all work launched on these devices is done; on all local devices
/// if empty. Throws the exception of failed work.
XLAC_API void wait_device_ops(std::vector<Device> devices = {});
/// Runs closure(args…) once, after the launch of the next sync of this thread's
/// current device. The tensors of `args` keep their values of that sync, even
/// if the closure runs later. Closures run in queue order, on the syncing
/// thread or, with `run_async`, on one background thread.
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
// Collectives are recorded like other operations and execute as part of the
// program. Every replica must record the same collectives in the same order. If
// one fails or deviates, the others throw CollectiveError. With one replica
// they move no data. Tensors must be on the replica's own device (else
// DeviceError) and have the same shapes on all replicas of a group.

/// Ways of reducing in collectives.
enum class ReduceType { Sum, Mul, And, Or, Min, Max };
/// The names of torch_xla for ways of reducing.
inline constexpr ReduceType REDUCE_SUM = ReduceType::Sum,
                            REDUCE_MUL = ReduceType::Mul,
                            REDUCE_AND = ReduceType::And,
                            REDUCE_OR = ReduceType::Or,
                            REDUCE_MIN = ReduceType::Min,
                            REDUCE_MAX = ReduceType::Max;
/// "sum", "mul", "and", "or", "min" or "max"; else ValueError.
XLAC_API ReduceType reduce_type(std::string_view name);

/// Replica groups: lists of ordinals.
using Groups = std::vector<std::vector<int64_t>>;
/// Options of collectives.
struct CollectiveOptions {
  /// The replica groups; one group of all if empty. ValueError unless each
  /// replica is in exactly one group.
  Groups groups = {};
  bool pin_layout = true; ///< has no effect: buffers have one layout
};

/// A new tensor: the reduction of `input` over the replicas in group order,
/// times `scale` (integers are rounded towards zero). f16 and bf16 are reduced
/// in f32. And and Or are logical for bool, bitwise for integers. Min and Max
/// propagate NaN. DtypeError for And and Or of floats, for Min and Max of
/// complex numbers, and for a scaled bool. With one replica the result is a
/// clone. Gradients do not flow through it.
XLAC_API Tensor all_reduce(ReduceType type, const Tensor &input,
                           double scale = 1.0, CollectiveOptions options = {});
/// The same in place; returns `inputs`. Tensors of one dtype are sent together.
XLAC_API std::vector<Tensor> all_reduce(ReduceType type,
                                        std::vector<Tensor> inputs,
                                        double scale = 1.0,
                                        CollectiveOptions options = {});
/// Concatenates the values of the group along `dim`, in group order. ShapeError
/// for a tensor of rank 0, ValueError for groups of different sizes.
XLAC_API Tensor all_gather(const Tensor &value, int64_t dim = 0,
                           CollectiveOptions options = {});
/// The same into `output`, which is returned; ShapeError unless it has the
/// shape of the result.
XLAC_API Tensor all_gather(const Tensor &value, int64_t dim, Tensor output,
                           CollectiveOptions options = {});
/// Gathers each of the values, in one operation.
XLAC_API std::vector<Tensor> all_gather(const std::vector<Tensor> &values,
                                        int64_t dim = 0,
                                        CollectiveOptions options = {});
/// Splits `value` into `split_count` blocks along `split_dimension`. Block j of
/// the group's i-th replica becomes block i of its j-th replica along
/// `concat_dimension`. ValueError unless groups have `split_count` members,
/// ShapeError unless it divides the dimension.
XLAC_API Tensor all_to_all(const Tensor &value, int64_t split_dimension,
                           int64_t concat_dimension, int64_t split_count,
                           CollectiveOptions options = {});
/// All-reduces, and gives the group's i-th replica the i-th of `shard_count`
/// blocks along `scatter_dim`. Errors as in all_to_all.
XLAC_API Tensor reduce_scatter(ReduceType type, const Tensor &input,
                               double scale, int64_t scatter_dim,
                               int64_t shard_count,
                               CollectiveOptions options = {});
/// Sends the value of each pair's first replica to its second. Replicas that
/// receive nothing get zeros. ValueError for ordinals that do not exist, or
/// that occur twice as first or as second.
XLAC_API Tensor collective_permute(
    const Tensor &value, const std::vector<std::pair<int64_t, int64_t>> &pairs);
/// Overwrites the tensors with their values on replica `root_ordinal`; with
/// groups only in its group. ValueError if there is no such replica.
XLAC_API void collective_broadcast(const std::vector<Tensor> &tensors,
                                   int64_t root_ordinal = 0,
                                   CollectiveOptions options = {});
/// Overwrites the parameters and buffers of `module` with the values of replica
/// 0, and syncs.
XLAC_API void broadcast_master_param(nn::Module &module);
/// Sends the parameters of replica 0 to all replicas.
template <class Holder, class Impl>
void broadcast_master_param(const nn::ModuleHolder<Holder, Impl> &module) {
  broadcast_master_param(*module);
}

/// Options of optimizer_step.
struct OptimizerStepOptions {
  bool barrier = false;                ///< ends with sync()
  optim::StepArgs optimizer_args = {}; ///< arguments of step()
  Groups groups = {};                  ///< groups of replicas; empty means all
  bool pin_layout = true;              ///< has no effect
};
/// Calls reduce_gradients, then optimizer.step(), and returns the result of
/// step().
XLAC_API std::optional<Tensor>
optimizer_step(optim::Optimizer &optimizer, OptimizerStepOptions options = {});
/// Replaces existing gradients of the optimizer's parameters by their sum over
/// the replicas of a group, divided by world_size(). Gradients of one dtype are
/// sent in one operation.
XLAC_API void reduce_gradients(optim::Optimizer &optimizer,
                               CollectiveOptions options = {});

//===- Rendezvous on the host ---------------------------------------------===//

/// Syncs, then waits until all replicas call it with this tag, or all of
/// `replicas`, which must include the caller (else ValueError). Returns their
/// payloads in ordinal order. Outside replication it returns its own payload.
XLAC_API std::vector<Bytes> rendezvous(std::string_view tag,
                                       const Bytes &payload = {},
                                       std::vector<int64_t> replicas = {});
/// The same with the bytes of a text as payload.
XLAC_API std::vector<Bytes> rendezvous(std::string_view tag,
                                       std::string_view payload,
                                       std::vector<int64_t> replicas = {});

/// Returns reduce_fn(every replica's `data` in ordinal order), on every
/// replica. Tensors arrive on the cpu.
template <class T, class Fn>
auto mesh_reduce(std::string_view tag, const T &data, Fn reduce_fn)
    -> decltype(reduce_fn(std::vector<T>{})) {
  std::vector<T> all;
  for (const Value &value : detail::gather_from_replicas(tag, to_value(data)))
    all.push_back(from_value<T>(value));
  return reduce_fn(all);
}

//===- Programs and memory ------------------------------------------------===//

/// StableHLO text of the pending graph of the tensors, or of all live tensors
/// of the current device.
XLAC_API std::string get_stablehlo(const std::vector<Tensor> &tensors = {});
/// The same as a portable artifact of the current version.
XLAC_API Bytes get_stablehlo_bytecode(const std::vector<Tensor> &tensors = {});

/// Makes the program compute all of these tensors before operations that are
/// recorded on them afterwards. It does not affect gradients.
XLAC_API void optimization_barrier_(const std::vector<Tensor> &tensors);
/// Copies the tensors to the device, in order. Under SPMD, tensors with the
/// rank of `input_sharding` get its sharding; others are replicated.
XLAC_API std::vector<Tensor>
send_cpu_data_to_device(const std::vector<Tensor> &tensors, Device device,
                        std::optional<spmd::ShardingSpec> input_sharding = {});

/// Sets the state of the random generator of the device, or of the current xla
/// device. Operations that are recorded afterwards use it.
XLAC_API void set_rng_state(int64_t seed, std::optional<Device> device = {});
/// The state of the generator: 101 at process start; every random operation
/// changes it.
XLAC_API int64_t get_rng_state(std::optional<Device> device = {});
/// Restores the device's random state when it goes out of scope.
class [[nodiscard]] XLAC_API ForkRng {
public:
  /// Keeps the state of the device, or of the current one.
  explicit ForkRng(std::optional<Device> device = {});
  ~ForkRng();
  ForkRng(const ForkRng &) = delete;
  ForkRng &operator=(const ForkRng &) = delete;

private:
  Device device_;
  int64_t state_;
};

/// The memory of a device, in bytes.
struct MemoryInfo {
  /// In buffers now, the limit, and the largest so far.
  int64_t bytes_used, bytes_limit, peak_bytes_used;
};
/// Memory in bytes: used by device buffers now, the limit (XLAC_DEVICE_MEMORY,
/// or this device's share of the machine's memory), and the peak.
XLAC_API MemoryInfo get_memory_info(std::optional<Device> device = {});

} // namespace xlac::xla_model

namespace xlac {
namespace xm = xla_model;
}
