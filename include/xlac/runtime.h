// torch_xla.runtime. Nothing starts before the first use of an xla device or of
// a count that needs one.
#pragma once

#include "xlac/tensor.h"

#include <filesystem>
#include <map>

namespace xlac::runtime {

/// The configured type, else "CPU"; nothing with PJRT_SELECT_DEFAULT_DEVICE=0.
XLAC_API std::optional<std::string> device_type();
/// As PJRT_DEVICE=type; UserError once the runtime has started.
XLAC_API void set_device_type(std::string_view type);
/// As CPU_NUM_DEVICES=n; UserError once the runtime has started.
XLAC_API void set_num_devices(int n);
XLAC_API bool is_initialized();

/// Processes of the job on this host.
XLAC_API int local_process_count();
/// Devices on this host, of this process, of the job: the same in one process.
XLAC_API int local_device_count();
XLAC_API int addressable_device_count();
XLAC_API int global_device_count();
XLAC_API int global_runtime_device_count();
XLAC_API int addressable_runtime_device_count();
/// Replicas of the job: 1 outside replication.
XLAC_API int world_size();
/// Of this thread's device.
XLAC_API int global_ordinal();
XLAC_API int local_ordinal();
XLAC_API int process_index();
XLAC_API int process_count();
XLAC_API int host_index();
/// Of host 0: MASTER_ADDR resolved, else 127.0.0.1.
XLAC_API std::string get_master_ip();

/// Keeps compiled programs in the folder `path`, made if need be; `readonly`
/// writes, makes and removes nothing. UserError after the first compilation, or
/// a second time.
XLAC_API void initialize_cache(const std::filesystem::path &path,
                               bool readonly = false);
/// Graphs that this process holds compiled.
XLAC_API int64_t get_num_cached_compilation_graph();

/// name, cores, isa, host, process.
using Attributes = std::map<std::string, std::string>;
XLAC_API Attributes runtime_device_attributes(Device device);
XLAC_API std::vector<Attributes> global_runtime_device_attributes();

} // namespace xlac::runtime

namespace xlac {
namespace xr = runtime;
}
