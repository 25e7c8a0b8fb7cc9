// Names of counters and metrics that torch_xla's users look for, so that its
// reports and xlac's have the same rows.
#pragma once

namespace xlac::lazy {

/// Counters: programs that came from a cache, and syncs.
inline constexpr char kCachedCompileCounter[] = "CachedCompile";
inline constexpr char kMarkStepCounter[] = "MarkStep";

/// Metrics in nanoseconds: compiling, running, running on several devices, and
/// copying to and from a device.
inline constexpr char kCompileTime[] = "CompileTime";
inline constexpr char kExecuteTime[] = "ExecuteTime";
inline constexpr char kExecuteReplicatedTime[] = "ExecuteReplicatedTime";
inline constexpr char kTransferToDeviceTime[] = "TransferToDeviceTime";
inline constexpr char kTransferFromDeviceTime[] = "TransferFromDeviceTime";

} // namespace xlac::lazy
