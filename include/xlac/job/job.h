// Who takes part in a job and how its processes talk: those of one host over
// sockets without names on disk and memory that they share, those of different
// hosts over TCP. A job fails as a whole: once one of its processes is gone,
// leaves or does something else, the processes that wait for it get an error.
#pragma once

#include "xlac/runtime/communicator.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::job {

/// Where this process stands among those of a job. All hosts have equally many
/// processes, all processes equally many devices. A device of the job is a
/// replica; its number is its ordinal: host by host, process by process.
struct Topology {
  int hosts = 1, host = 0;
  int processes_per_host = 1, local_process = 0;
  int devices_per_process = 1;
  std::string master_address = "127.0.0.1"; ///< of host 0
  int master_port = 12355;                  ///< where its first process listens
  /// Told apart from other jobs of the host by it, and equal in the processes
  /// that the job has there. Names sockets; nothing is left on disk.
  std::string name;

  int processes() const { return hosts * processes_per_host; }
  int process() const { return host * processes_per_host + local_process; }
  int replicas() const { return processes() * devices_per_process; }
  /// The lowest ordinal of this process.
  int first_replica() const { return process() * devices_per_process; }
};

class Job {
public:
  virtual ~Job() = default;

  virtual const Topology &topology() const = 0;
  /// How long anybody waits for others.
  virtual std::chrono::milliseconds deadline() const = 0;

  /// Waits until every one of `ordinals`, or all if there are none, has called
  /// with this tag; their payloads as `ordinals` lists them. `ordinal` is the
  /// caller and among them, and its list is that of the others. The n-th call
  /// with a tag and a list meets the n-th of the others. Collective where one
  /// of them is gone, does not come within the deadline or has failed.
  virtual Result<std::vector<std::string>>
  rendezvous(int ordinal, std::string_view tag, std::string_view payload,
             std::span<const int> ordinals = {}) = 0;

  /// The grid of all replicas, which is one for the whole job; a process of it
  /// is an ordinal. Ordinals of this process alone may be run here.
  virtual std::shared_ptr<runtime::Communicator> grid() = 0;
  /// The same as partitions of one replica.
  virtual std::shared_ptr<runtime::Communicator> partitions() = 0;

  /// Ends what this process does in the job. A failure is told to the others,
  /// who fail with it at once; without one they fail when they wait for this
  /// process. Happens by itself, without a failure, with the last reference.
  virtual void leave(const Status &why = {}) = 0;
};

/// A job of several processes. Blocks until all of them have come, in any order
/// of start. User for a topology that cannot be, Collective if not all come
/// within `deadline`, which is also the job's, or their topologies differ.
Result<std::shared_ptr<Job>> join_job(const Topology &topology,
                                      std::chrono::milliseconds deadline);

/// A job whose replicas are threads of this process. User without replicas.
Result<std::shared_ptr<Job>> make_local_job(int replicas,
                                            std::chrono::milliseconds deadline);

} // namespace xlac::job
