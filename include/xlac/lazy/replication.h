// The replica of a thread.
#pragma once

#include "xlac/support/result.h"
#include "xlac/types.h"

#include <chrono>
#include <memory>
#include <vector>

namespace xlac::job {
class Job;
}

namespace xlac::lazy {

/// A thread as one of several replicas, each on a device of its own.
struct Replication {
  /// The job of the replicas; null if the thread is not a replica.
  std::shared_ptr<job::Job> job;
  std::vector<Device> devices; ///< devices of this process that are replicas
  int ordinal = 0;             ///< of this thread's device in the job
  int world = 1;               ///< number of replicas of the job
};
/// The replication of this thread, else of the process.
const Replication &replication();
/// Makes the thread a replica. Without devices it gets the process's
/// replication again. `membership` is dropped when the thread ends or becomes
/// another replica.
void set_replication(Replication replication,
                     std::shared_ptr<void> membership = nullptr);
/// Sets the replication of threads that have none of their own, for a process
/// that belongs to a job.
void set_process_replication(Replication replication);
/// Whether the thread is a replica, also the only one.
inline bool is_replica() { return !replication().devices.empty(); }
/// Index of this thread's device among the replicas of its host.
int local_ordinal();
/// True outside replication, and for ordinal 0 of each host or of the job.
bool is_master_replica(bool of_the_job = false);
/// Index in the job of this process's xla:0.
int first_device();
/// The ordinal of xla device `device` of this process; DeviceError unless it
/// belongs to a replica.
int ordinal_of(int device);
/// Reports that this replica has failed, so that others do not wait for it.
void fail_replication(const Status &why);
/// The time that a replica waits for others: XLAC_COLLECTIVE_TIMEOUT in
/// seconds, else 600 s.
std::chrono::milliseconds collective_deadline();

} // namespace xlac::lazy
