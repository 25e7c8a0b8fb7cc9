// How a thread records: what a step scope or a compiled function asks of its
// graphs, eager mode, and which replica the thread is.
#pragma once

#include "xlac/support/fast_hash.h"
#include "xlac/support/result.h"
#include "xlac/types.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace xlac::job {
class Job;
}

namespace xlac::lazy {

/// The different graphs that one function has traced to.
class TracedGraphs {
public:
  /// Takes note of `graph`; false when it would be one more than `most`.
  bool admit(const Hash128 &graph, int most);

private:
  std::mutex mutex_;
  std::unordered_set<Hash128> seen_;
};

struct ScopeOptions {
  bool full_graph = false; ///< a value asked for inside is an error
  std::string name;        ///< of its programs; may be empty
  std::optional<int> max_different_graphs;
  std::shared_ptr<TracedGraphs> traced; ///< needed for max_different_graphs
};

/// While it lives, this thread records lazily, also in eager mode.
class RecordingScope {
public:
  explicit RecordingScope(ScopeOptions options);
  ~RecordingScope();
  RecordingScope(const RecordingScope &) = delete;
  RecordingScope &operator=(const RecordingScope &) = delete;

  const ScopeOptions &options() const { return options_; }
  /// The innermost one of this thread, or null.
  static const RecordingScope *current();

private:
  ScopeOptions options_;
  const RecordingScope *outer_;
};

/// UserError in a scope of full_graph: something is about to run there.
void refuse_inside_full_graph();

/// Eager mode of the process.
void set_eager_mode(bool enabled);
/// Eager mode of this thread instead of the process's; nothing ends that.
/// Gives what was there before.
std::optional<bool> set_thread_eager_mode(std::optional<bool> enabled);
/// The mode that holds in this thread, scopes aside.
bool is_eager_mode();
/// Operations of this thread run at once.
bool runs_at_once();

//===- Replicas -----------------------------------------------------------===//

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
/// devices.
void set_replication(Replication replication);
/// What threads are that have no replication of their own: those of a process
/// that is one of a job's.
void set_process_replication(Replication replication);
/// This thread is a replica among other threads of the process: meets those
/// that join with the same devices, each as another one of them.
void join_local_replicas(std::vector<Device> devices, int ordinal);

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
