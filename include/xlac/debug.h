// Inspection of graphs and programs. No function here executes a program.
#pragma once

#include "xlac/log.h"
#include "xlac/tensor.h"

namespace xlac::debug {

/// The lazy graph of the tensors, one node per line: "xla::device_data",
/// "aten::add", …
XLAC_API std::string tensor_text(const std::vector<Tensor> &tensors);
/// Shape, device, sharding under SPMD, and whether the tensor is pending or
/// holds data.
XLAC_API std::string tensor_debug_info(const Tensor &tensor);
/// The key of the tensors' graph in the caches, in hexadecimal.
XLAC_API std::string graph_hash(const std::vector<Tensor> &tensors);
/// Number of pending nodes that live tensors of the device depend on.
XLAC_API int64_t pending_nodes(Device device);

/// A compiled program.
struct ProgramInfo {
  /// The key, and the name.
  std::string hash, name;
  /// Kernels, and bytes for temporaries.
  int64_t kernels, temp_bytes;
  /// The time of compilation; 0 from the cache.
  double compile_seconds;
  /// Whether no compilation was needed.
  bool from_cache;
};
/// Programs that this process compiled or loaded, in order.
XLAC_API std::vector<ProgramInfo> programs();

/// Explains why the graph of the tensors, or of all pending tensors of the
/// current device, would be compiled. It names the nearest known graph and the
/// first node that differs, with the source line of the call if the program has
/// debug information.
XLAC_API std::string
explain_recompilation(const std::vector<Tensor> &tensors = {});

/// Sends all later messages of xlac in this process to `callback` instead of
/// standard error. An empty function restores standard error. Messages come
/// from any thread, one at a time; XLAC_LOG_LEVEL filters them first. The
/// callback must not throw and must not call xlac.
XLAC_API void set_log_callback(LogCallback callback);

} // namespace xlac::debug
