// Looking into graphs and programs. Nothing here runs anything.
#pragma once

#include "xlac/log.h"
#include "xlac/tensor.h"

namespace xlac::debug {

/// The lazy graph of the tensors, a node a line: "xla::device_data",
/// "aten::add", …
XLAC_API std::string tensor_text(const std::vector<Tensor> &tensors);
/// Shape, device, sharding under SPMD, and whether the tensor waits for a graph
/// or holds data.
XLAC_API std::string tensor_debug_info(const Tensor &tensor);
/// Hex; the key that the caches use.
XLAC_API std::string graph_hash(const std::vector<Tensor> &tensors);
/// Nodes that live tensors of the device wait for.
XLAC_API int64_t pending_nodes(Device device);

struct ProgramInfo {
  std::string hash, name;
  int64_t kernels, temp_bytes;
  double compile_seconds;
  bool from_cache;
};
/// Compiled or loaded by this process, in order.
XLAC_API std::vector<ProgramInfo> programs();

/// Why the graph of the tensors, or all that the current device has pending,
/// would be compiled: the nearest graph that is known and the first node that
/// differs, with the source line of the call when the program has debug
/// information.
XLAC_API std::string
explain_recompilation(const std::vector<Tensor> &tensors = {});

/// Sends every later message of xlac in this process to `callback` instead of
/// standard error; an empty function restores standard error. Messages come
/// from any thread, one at a time; XLAC_LOG_LEVEL drops some before. The
/// callback must not throw and must not call xlac.
XLAC_API void set_log_callback(LogCallback callback);

} // namespace xlac::debug
