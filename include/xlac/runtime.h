// torch_xla.runtime. The runtime starts with the first use of an xla device or
// of a device count.
#pragma once

#include "xlac/tensor.h"

#include <filesystem>
#include <map>

namespace xlac {

/// Limits the threads that run one operation, including the calling thread;
/// ValueError below 1. There are never more than XLAC_NUM_THREADS or, if that
/// is unset, than cores. Results do not depend on the number.
XLAC_API void set_num_threads(int count);
/// Threads that compile and run programs.
XLAC_API int get_num_threads();
/// Whether runs that begin from now on, on all threads, treat subnormal
/// operands and results of floating-point operations as zero
/// (torch.set_flush_denormal). Processors compute subnormal numbers slowly: a
/// product of matrices that has many takes up to 60 times as long. Off unless
/// XLAC_FLUSH_DENORMAL=1. Returns true, because all supported processors can.
XLAC_API bool set_flush_denormal(bool mode);

} // namespace xlac

namespace xlac::runtime {

/// The configured type, or "CPU". Empty if PJRT_SELECT_DEFAULT_DEVICE=0 and no
/// type is configured.
XLAC_API std::optional<std::string> device_type();
/// Same as PJRT_DEVICE=type; UserError once the runtime has started.
XLAC_API void set_device_type(std::string_view type);
/// Same as CPU_NUM_DEVICES=n; UserError once the runtime has started.
XLAC_API void set_num_devices(int n);
/// Whether the runtime has started.
XLAC_API bool is_initialized();

/// Processes of the job on this host; 1 outside of a job.
XLAC_API int local_process_count();
/// Devices of the job on this host. Under SPMD each process counts as one
/// device, because xla:0 stands for all its devices; the same holds for the
/// next two counts.
XLAC_API int local_device_count();
/// Devices of this process.
XLAC_API int addressable_device_count();
/// Devices of all processes of the job.
XLAC_API int global_device_count();
/// Devices of all processes of the job, not affected by SPMD.
XLAC_API int global_runtime_device_count();
/// Devices of this process, not affected by SPMD.
XLAC_API int addressable_runtime_device_count();
/// Number of replicas of the job; 1 outside replication.
XLAC_API int world_size();
/// Ordinal of this thread's device in [0, global_device_count()); outside
/// replication the index of the current device. Ordinals are ordered by host,
/// then by process.
XLAC_API int global_ordinal();
/// Ordinal of this thread's device on its host, in [0, local_device_count());
/// outside replication the index of the current device.
XLAC_API int local_ordinal();
/// Index of this process in the job; 0 outside a job.
XLAC_API int process_index();
/// Number of processes of the job; 1 outside a job.
XLAC_API int process_count();
/// Index of this host in the job; 0 outside a job.
XLAC_API int host_index();
/// Address of host 0: MASTER_ADDR resolved, or 127.0.0.1.
XLAC_API std::string get_master_ip();

/// Enables SPMD for the rest of the process: xla:0 then stands for all devices
/// of the process. Each graph is compiled as one program and partitioned among
/// them as spmd::mark_sharding specifies. `automatic` also shards large tensors
/// without an annotation. Existing tensors become replicated, with a warning.
/// UserError in a replica.
XLAC_API void use_spmd(bool automatic = false);
/// Whether SPMD is enabled.
XLAC_API bool is_spmd();

/// Caches compiled programs in the directory `path`, which is created if
/// needed. With `readonly`, nothing is created, written or removed. UserError
/// after the first compilation, or on a second call.
XLAC_API void initialize_cache(const std::filesystem::path &path,
                               bool readonly = false);
/// Number of compiled graphs that this process holds.
XLAC_API int64_t get_num_cached_compilation_graph();

/// Attributes of a device. The keys are name, cores, isa, host and process.
using Attributes = std::map<std::string, std::string>;
/// Attributes of an xla device of this process; DeviceError for other devices.
XLAC_API Attributes runtime_device_attributes(Device device);
/// Attributes of all devices of the job, in ordinal order.
XLAC_API std::vector<Attributes> global_runtime_device_attributes();

} // namespace xlac::runtime

namespace xlac {
namespace xr = runtime;
}
