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

/// Processes of the job on this host; 1 outside of a job.
XLAC_API int local_process_count();
/// Devices of the job on this host, of this process, of all processes and
/// hosts. The last two are counted by what there is to run on. Under
/// SPMD a process has one that stands for all.
XLAC_API int local_device_count();
XLAC_API int addressable_device_count();
XLAC_API int global_device_count();
/// Devices of the job and of this process, also under SPMD.
XLAC_API int global_runtime_device_count();
XLAC_API int addressable_runtime_device_count();
/// Replicas of the job: 1 outside replication.
XLAC_API int world_size();
/// Of this thread's device in [0, global_device_count()), and on its host in
/// [0, local_device_count()); outside replication the index of the current
/// device. Ordinals go host by host, then process by process.
XLAC_API int global_ordinal();
XLAC_API int local_ordinal();
/// Of this process in the job; 0 of 1 outside of a job.
XLAC_API int process_index();
XLAC_API int process_count();
XLAC_API int host_index();
/// Of host 0: MASTER_ADDR resolved, else 127.0.0.1.
XLAC_API std::string get_master_ip();

/// From now on, for good, xla:0 stands for all devices of the process: each
/// graph is compiled as one program that is cut up for them as
/// spmd::mark_sharding asks. `automatic` also shards large tensors without an
/// annotation. Tensors made before become replicated, with a
/// warning. UserError in a replica.
XLAC_API void use_spmd(bool automatic = false);
XLAC_API bool is_spmd();

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
