// Runs a process as a member of a job: its replicas, and the shutdown of the
// job when one of them fails.
#include "process_plan.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/replication.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/process_state.h"

#include <exception>
#include <mutex>
#include <thread>

namespace xlac::distributed {

namespace {

ReplicaFailure failure_of(int ordinal, const std::exception_ptr &problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const CollectiveError &error) {
    return {ordinal, error.what(), true};
  } catch (const std::exception &error) {
    return {ordinal, error.what(), false};
  } catch (...) {
    return {ordinal, "threw something that is not a std::exception", false};
  }
}

/// The failure of this process: the first one that is not a consequence.
class FirstFailure {
public:
  /// Records the current exception.
  void note(int ordinal,
            const std::function<void(const ReplicaFailure &)> &failed) {
    std::lock_guard lock(mutex_);
    std::exception_ptr problem = std::current_exception();
    ReplicaFailure what = failure_of(ordinal, problem);
    if (problem_ && (!is_consequence_ || what.is_consequence))
      return;
    problem_ = problem;
    is_consequence_ = what.is_consequence;
    if (failed)
      failed(what);
    lazy::fail_replication(
        failure(FailureKind::Collective, "replica " + std::to_string(ordinal) +
                                             " failed: " + what.message));
  }

  void rethrow() const {
    if (problem_)
      std::rethrow_exception(problem_);
  }

private:
  std::mutex mutex_;
  std::exception_ptr problem_;
  bool is_consequence_ = false;
};

/// Makes the process a member of a job during its lifetime.
class Membership {
public:
  explicit Membership(const job::Topology &topology) {
    lazy::Replication own;
    own.world = topology.replicas();
    own.ordinal = topology.first_replica();
    for (int i = 0; i < topology.devices_per_process; ++i)
      own.devices.emplace_back(kXLA, i);
    auto deadline = lazy::collective_deadline();
    if (topology.processes() > 1)
      own.job = unwrap(job::join_job(topology, deadline));
    else if (own.world > 1)
      own.job = unwrap(job::make_local_job(own.world, deadline));
    if (topology.processes() > 1)
      begin(*own.job);
    lazy::set_process_replication(std::move(own));
  }
  ~Membership() {
    for (Device device : lazy::replication().devices)
      lazy::drop_collectives(device.index);
    lazy::set_process_replication({});
  }
  Membership(const Membership &) = delete;
  Membership &operator=(const Membership &) = delete;

  void leave() {
    if (const std::shared_ptr<job::Job> &job = lazy::replication().job)
      job->leave();
  }

private:
  /// Waits until all replicas have joined, so that none ends before.
  static void begin(job::Job &job) {
    const job::Topology &topology = job.topology();
    std::vector<int> first_replicas;
    for (int i = 0; i < topology.processes(); ++i)
      first_replicas.push_back(i * topology.devices_per_process);
    unwrap(
        job.rendezvous(topology.first_replica(), "begin", {}, first_replicas));
  }
};

/// Calls fn as the process's i-th replica. Returns when its programs have run.
void run_replica(int i, const ReplicaFunction &fn) {
  lazy::Replication own = lazy::replication();
  own.ordinal += i;
  int ordinal = own.ordinal;
  lazy::set_replication(std::move(own));
  if (i > 0 || lazy::runtime_started())
    lazy::set_current_device(i);
  fn(ordinal);
  frontend::finish_step_closures();
  if (lazy::runtime_started())
    lazy::wait_for(i);
}

void run_replicas(int count, const ReplicaFunction &fn,
                  const std::function<void(const ReplicaFailure &)> &failed) {
  FirstFailure failure;
  auto run = [&](int i) {
    int ordinal = lazy::replication().ordinal + i;
    try {
      run_replica(i, fn);
    } catch (...) {
      failure.note(ordinal, failed);
    }
    lazy::set_replication({});
  };
  if (count == 1) {
    run(0);
  } else {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back(run, i);
    for (std::thread &thread : threads)
      thread.join();
  }
  failure.rethrow();
}

} // namespace

void run_in_job(const job::Topology &topology, const ReplicaFunction &fn,
                const std::function<void(const ReplicaFailure &)> &failed) {
  lazy::share_host(topology.devices_per_process, topology.processes_per_host);
  Membership member(topology);
  run_replicas(topology.devices_per_process, fn, failed);
  member.leave();
}

} // namespace xlac::distributed
