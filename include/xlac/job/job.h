// The processes of a job and their communication. Processes of one host use
// abstract sockets and shared memory, those of different hosts TCP or MPI. If a
// process dies, leaves or deviates, the processes that wait for it get an
// error.
#pragma once

#include "xlac/runtime/communicator.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::job {

/// What carries messages between the hosts of a job.
enum class HostTransport { Tcp, Mpi };

/// What carries out the collectives of a job: the plan, whose sums keep the
/// order of the group; MPI's own collectives, which add in any order; or the
/// plan with an all_reduce that may add the operands of each host first.
enum class CollectiveMethod { Plan, Engine, Hierarchical };

/// The position of this process in a job. All hosts have the same number of
/// processes, all processes the same number of devices. Each device of the job
/// is a replica. Ordinals are ordered by host, then by process.
struct Topology {
  int hosts = 1, host = 0;
  int processes_per_host = 1, local_process = 0;
  int devices_per_process = 1;
  std::string master_address = "127.0.0.1"; ///< address of host 0
  int master_port = 12355;                  ///< of its first process
  /// The secret by which the hosts of the job authenticate each other; if it is
  /// empty, that of the setting XLAC_JOB_SECRET.
  std::string secret;
  /// Distinguishes the job from others on the host; all its processes there use
  /// the same name. It names sockets, which leave no files behind.
  std::string name;
  /// With Mpi, the processes are those that a launcher of MPI has started, in
  /// the order of their ranks. They need neither address, secret nor name.
  HostTransport transport = HostTransport::Tcp;
  /// Engine needs Mpi. If MPI does not let all threads call it, the plan is
  /// used.
  CollectiveMethod collectives = CollectiveMethod::Plan;

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
  /// How long processes wait for one another.
  virtual std::chrono::milliseconds deadline() const = 0;

  /// Waits until each of `ordinals`, or every replica if it is empty, has
  /// called with this tag. Returns their payloads in the order of `ordinals`.
  /// `ordinal` is the caller; the list must contain it, and all members must
  /// pass the same list. Call n with a tag and a list matches call n of the
  /// others. Collective failure if a member has left, has failed, or does not
  /// arrive within the deadline.
  virtual Result<std::vector<std::string>>
  rendezvous(int ordinal, std::string_view tag, std::string_view payload,
             std::span<const int> ordinals = {}) = 0;

  /// The grid of all replicas, one for the whole job; a process of the grid is
  /// an ordinal. Only ordinals of this process may run here.
  virtual std::shared_ptr<runtime::Communicator> grid() = 0;
  /// The same processes as partitions of one replica.
  virtual std::shared_ptr<runtime::Communicator> partitions() = 0;
  /// Another grid like partitions(), with runs and a failure of its own: one
  /// for each name, the same in all processes. Some of the replicas may never
  /// run there.
  virtual Result<std::shared_ptr<runtime::Communicator>>
  named_grid(std::string_view name) = 0;

  /// Ends this process's part in the job. A failure is sent to the other
  /// processes, which fail at once. Without one, they fail when they wait for
  /// this process. Dropping the last reference does the same without a failure.
  virtual void leave(const Status &why = {}) = 0;
};

/// Joins a job of several processes. Blocks until all have joined, in any
/// order. User failure for an invalid topology. Collective failure if not all
/// join within `deadline`, or if their topologies differ. `deadline` is also
/// the deadline of the job. `listening`, if set, is called in the first process
/// of a job of several hosts with its port, once it listens there. The
/// master_port of that process may then be 0, which chooses a free port. It is
/// not called if the transport is MPI.
Result<std::shared_ptr<Job>>
join_job(const Topology &topology, std::chrono::milliseconds deadline,
         const std::function<Status(int port)> &listening = {});

/// Whether this process can join jobs over MPI. User failure if libxlac_mpi.so,
/// or the MPI that it needs, cannot be opened.
Status check_mpi();

/// A job whose replicas are threads of this process. User failure without
/// replicas.
Result<std::shared_ptr<Job>> make_local_job(int replicas,
                                            std::chrono::milliseconds deadline);

} // namespace xlac::job
