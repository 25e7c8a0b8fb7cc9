// Names by which programs, the compiler and the runtime agree on something:
// attributes of programs, targets of custom calls, symbols of images. Each is
// part of a file format or of another project's convention, so a new value
// changes what old files mean.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace xlac::names {

/// Attributes of modules, by XLA's convention: the sizes of the grid that runs
/// the program (i32), and whether the compiler may choose shardings (bool).
inline constexpr char kPartitionCount[] = "mhlo.num_partitions";
inline constexpr char kReplicaCount[] = "mhlo.num_replicas";
inline constexpr char kAutomaticPartitioning[] =
    "mhlo.use_auto_spmd_partitioning";

/// Attributes of arguments, results and custom calls: a sharding as the text of
/// HLO's OpSharding, or as an attribute of Shardy.
inline constexpr char kMhloSharding[] = "mhlo.sharding";
inline constexpr char kSdySharding[] = "sdy.sharding";

/// Attributes of arguments, by the conventions of XLA and JAX: the number of
/// the result that takes the argument's memory, and that any result may.
inline constexpr char kAliasingOutput[] = "tf.aliasing_output";
inline constexpr char kBufferDonor[] = "jax.buffer_donor";

/// The attribute of custom calls with their configuration in programs that were
/// written before `backend_config` could be a dictionary.
inline constexpr char kMhloBackendConfig[] = "mhlo.backend_config";

/// Attributes of modules that the partition pass leaves: texts of shardings of
/// arguments and results, and their types before partitioning.
inline constexpr char kArgumentShardings[] = "xlac.argument_shardings";
inline constexpr char kResultShardings[] = "xlac.result_shardings";
inline constexpr char kGlobalArguments[] = "xlac.global_arguments";
inline constexpr char kGlobalResults[] = "xlac.global_results";

/// Targets of custom calls, by XLA's convention: the operand with the sharding
/// of the call; the shard of the operand; the tensor whose shards the operand
/// has.
inline constexpr char kShardingCall[] = "Sharding";
inline constexpr char kFullToShardCall[] = "SPMDFullToShardShape";
inline constexpr char kShardToFullCall[] = "SPMDShardToFullShape";

/// The target of the custom call that stands for `interpreter.print`.
inline constexpr char kPrintCall[] = "interpreter.print";

/// Targets by which JAX calls Python functions on the CPU.
inline constexpr std::array<std::string_view, 3> kPythonCallbacks = {
    "xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback",
    "xla_python_cpu_callback"};
inline bool is_python_callback(std::string_view target) {
  return std::ranges::find(kPythonCallbacks, target) != kPythonCallbacks.end();
}

/// Symbols of a compiled program: its entry and its prologue, which images and
/// shared objects have, and the table of kernels, which shared objects have.
inline constexpr char kEntrySymbol[] = "xlac_entry";
inline constexpr char kPrologueSymbol[] = "xlac_prologue";
inline constexpr char kKernelTableSymbol[] = "xlac_kernels";

} // namespace xlac::names
