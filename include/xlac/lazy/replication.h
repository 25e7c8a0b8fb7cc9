// Which replica a thread is.
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

/// The thread as one of several replicas, each on a device of its own.
struct Replication {
  /// Where the replicas meet; null when the thread is alone.
  std::shared_ptr<job::Job> job;
  std::vector<Device> devices; ///< of this process that are replicas
  int ordinal = 0;             ///< of this thread's device in the job
  int world = 1;               ///< replicas of the job
};
/// This thread's, else the process's.
const Replication &replication();
/// The thread is a replica, or again what the process is if there are no
/// devices. `membership` is dropped when the thread ends or is made another
/// replica.
void set_replication(Replication replication,
                     std::shared_ptr<void> membership = nullptr);
/// What threads are that have no replication of their own: those of a process
/// that is one of a job's.
void set_process_replication(Replication replication);
/// True for a thread that is a replica, if of one.
inline bool is_replica() { return !replication().devices.empty(); }
/// The place of this thread's device among the replicas of its host.
int local_ordinal();
/// True outside of replication and on ordinal 0 of each host, or of the job.
bool is_master_replica(bool of_the_job = false);
/// The number in the job of this process's xla:0.
int first_device();
/// The ordinal of xla device `device` of this process; DeviceError unless it is
/// a replica's.
int ordinal_of(int device);
/// This replica has failed: the others shall not wait for it.
void fail_replication(const Status &why);
/// XLAC_COLLECTIVE_TIMEOUT in seconds, else 600 s: how long a replica waits
/// for the others.
std::chrono::milliseconds collective_deadline();

} // namespace xlac::lazy
