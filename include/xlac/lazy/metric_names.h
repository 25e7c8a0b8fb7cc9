// Names of counters and metrics, equal to those of torch_xla, so that reports
// have the same rows.
#pragma once

namespace xlac::lazy {

/// Counters: programs found in a cache, and syncs.
inline constexpr char kCachedCompileCounter[] = "CachedCompile";
inline constexpr char kMarkStepCounter[] = "MarkStep";

/// Metrics in nanoseconds: compilation, execution, execution on several
/// devices, and copies to and from a device.
inline constexpr char kCompileTime[] = "CompileTime";
inline constexpr char kExecuteTime[] = "ExecuteTime";
inline constexpr char kExecuteReplicatedTime[] = "ExecuteReplicatedTime";
inline constexpr char kTransferToDeviceTime[] = "TransferToDeviceTime";
inline constexpr char kTransferFromDeviceTime[] = "TransferFromDeviceTime";

} // namespace xlac::lazy
