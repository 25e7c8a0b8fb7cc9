// Names that programs, the compiler and the runtime share: attributes of
// programs, targets of custom calls, symbols of images. Each is part of a file
// format or of another project's convention, so changing one breaks existing
// files.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace xlac::names {

/// Module attributes of XLA: the sizes of the grid that runs the program (i32),
/// and whether the compiler may choose shardings (bool).
inline constexpr char kPartitionCount[] = "mhlo.num_partitions";
inline constexpr char kReplicaCount[] = "mhlo.num_replicas";
inline constexpr char kAutomaticPartitioning[] =
    "mhlo.use_auto_spmd_partitioning";

/// Attributes of arguments, results and custom calls: a sharding as HLO
/// OpSharding text, or as a Shardy attribute.
inline constexpr char kMhloSharding[] = "mhlo.sharding";
inline constexpr char kSdySharding[] = "sdy.sharding";

/// Argument attributes of XLA and JAX: the index of the result that reuses the
/// argument's memory, and permission for any result to reuse it.
inline constexpr char kAliasingOutput[] = "tf.aliasing_output";
inline constexpr char kBufferDonor[] = "jax.buffer_donor";

/// The attribute of arguments of the entry function that stay the same over
/// many runs, and of values that the prologue computes from them.
inline constexpr char kInvariant[] = "xlac.invariant";

/// The attribute of results with the kind of memory that they are to be in.
inline constexpr char kMemoryKind[] = "mhlo.memory_kind";

/// The attribute of arguments and results with the memory layout that their
/// caller requests: "default", "auto", or dimensions from the minor one to the
/// major one, such as "{0,1}".
inline constexpr char kLayoutMode[] = "mhlo.layout_mode";

/// Attributes of modules that the prepare pass leaves: the numbers of the
/// arguments that are given up, by result the kinds of memory, and the layout
/// modes of arguments and results.
inline constexpr char kDonatedArguments[] = "xlac.donated_arguments";
inline constexpr char kMemoryKinds[] = "xlac.memory_kinds";
inline constexpr char kArgumentLayoutModes[] = "xlac.argument_layout_modes";
inline constexpr char kResultLayoutModes[] = "xlac.result_layout_modes";

/// Module attributes of the pass that assigns layouts: by argument and result
/// the dimensions from the major one to the minor one.
inline constexpr char kArgumentLayouts[] = "xlac.argument_layouts";
inline constexpr char kResultLayouts[] = "xlac.result_layouts";

/// The configuration attribute of custom calls in older programs, from before
/// `backend_config` could be a dictionary.
inline constexpr char kMhloBackendConfig[] = "mhlo.backend_config";

/// Module attributes that the partitioning pass sets: shardings of arguments
/// and results as text, and their types before partitioning.
inline constexpr char kArgumentShardings[] = "xlac.argument_shardings";
inline constexpr char kResultShardings[] = "xlac.result_shardings";
inline constexpr char kGlobalArguments[] = "xlac.global_arguments";
inline constexpr char kGlobalResults[] = "xlac.global_results";

/// Custom call targets of XLA: its operand with the call's sharding; the shard
/// of its operand; the tensor whose shards are its operand.
inline constexpr char kShardingCall[] = "Sharding";
inline constexpr char kFullToShardCall[] = "SPMDFullToShardShape";
inline constexpr char kShardToFullCall[] = "SPMDShardToFullShape";

/// The target of custom calls that check sizes, by XLA's convention, and the
/// attribute of custom calls with the number of the operand that holds the
/// shape of each result.
inline constexpr char kShapeAssertion[] = "shape_assertion";
inline constexpr char kIndicesOfShapeOperands[] = "indices_of_shape_operands";

/// Custom call target for `interpreter.print`.
inline constexpr char kPrintCall[] = "interpreter.print";

/// Custom call targets by which JAX calls Python functions on the CPU. The
/// functions of kBufferCallback write their results in place.
inline constexpr char kBufferCallback[] = "xla_buffer_python_cpu_callback";
inline constexpr std::array<std::string_view, 4> kPythonCallbacks = {
    "xla_ffi_python_cpu_callback", "xla_ffi_partitioned_python_cpu_callback",
    kBufferCallback, "xla_python_cpu_callback"};
inline bool is_python_callback(std::string_view target) {
  return std::ranges::find(kPythonCallbacks, target) != kPythonCallbacks.end();
}

/// Symbols of a compiled program in images: the entry and the prologue.
inline constexpr char kEntrySymbol[] = "xlac_entry";
inline constexpr char kPrologueSymbol[] = "xlac_prologue";

/// The attribute of a prologue's function: the numbers of the arguments that it
/// reads.
inline constexpr char kPrologueAttribute[] = "xlac.prologue";

} // namespace xlac::names
