// torch_xla.runtime. Nothing starts before the first use of an xla device or of
// a count that needs one.
#pragma once

#include "xlac/tensor.h"

namespace xlac::runtime {

/// "CPU".
XLAC_API std::optional<std::string> device_type();
/// As CPU_NUM_DEVICES=n; UserError once the runtime has started.
XLAC_API void set_num_devices(int n);
XLAC_API bool is_initialized();

/// Devices on this host, of this process, of the job: the same in one process.
XLAC_API int local_device_count();
XLAC_API int addressable_device_count();
XLAC_API int global_device_count();
XLAC_API int global_runtime_device_count();
XLAC_API int addressable_runtime_device_count();
/// Replicas of the job: 1 in one process.
XLAC_API int world_size();
/// Of this thread's device.
XLAC_API int global_ordinal();
XLAC_API int local_ordinal();
XLAC_API int process_index();
XLAC_API int process_count();
XLAC_API int local_process_count();
/// Graphs that this process holds compiled.
XLAC_API int64_t get_num_cached_compilation_graph();

} // namespace xlac::runtime

namespace xlac {
namespace xr = runtime;
}
