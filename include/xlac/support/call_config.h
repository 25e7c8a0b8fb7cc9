// Entries that the compiler itself adds to the configuration of a custom call,
// and a target that it partitions.
#pragma once

namespace xlac::names {

/// The positions that tokens have among the call's operands and results:
/// buffers leave them out.
inline constexpr char kOperandTokens[] = "xlac.operand_tokens";
inline constexpr char kResultTokens[] = "xlac.result_tokens";
/// Pairs of a result and the operand whose contents it begins with, by their
/// positions among all results and operands.
inline constexpr char kResultAliases[] = "xlac.result_aliases";
/// 2 or 3 for calls of XLA's untyped interface with a status. Functions see it
/// as an attribute.
inline constexpr char kApiVersion[] = "xlac.api_version";
/// The number of the partition that makes the call for all, which get its
/// results.
inline constexpr char kOnlyPartition[] = "xlac.only_partition";

/// The target by which JAX calls Python for the shards of each device.
inline constexpr char kPartitionedCallback[] =
    "xla_ffi_partitioned_python_cpu_callback";

} // namespace xlac::names
