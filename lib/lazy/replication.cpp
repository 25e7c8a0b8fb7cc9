// Which replica a thread is, and where replicas that are threads of one process
// find each other.
#include "xlac/job/job.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/setting_values.h"
#include "xlac/support/fork.h"
#include "xlac/support/raise.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <cstdlib>

namespace xlac::lazy {

namespace {

/// Threads that become replicas of one another as they come.
struct ReplicaGroup {
  std::vector<Device> devices;
  std::shared_ptr<job::Job> job;
  std::vector<bool> joined; ///< by ordinal
  int present = 0;          ///< those that have not left
};

struct ReplicaGroups {
  ForkMutex mutex;
  std::vector<std::shared_ptr<ReplicaGroup>> open; ///< oldest first
};

ReplicaGroups &replica_groups() {
  static auto *instance = new ReplicaGroups; // outlives threads
  return *instance;
}

/// Made before there are threads: a child of a fork could not wait for them.
[[maybe_unused]] const auto &groups_made_early = replica_groups();

/// What a thread has set for itself; leaves its gathering when it ends.
class ThreadReplication {
public:
  ~ThreadReplication() { leave(); }

  Replication replication;

  void join(std::shared_ptr<ReplicaGroup> replica_group, Device device) {
    replica_group_ = std::move(replica_group);
    device_ = device;
  }
  void leave() {
    std::shared_ptr<ReplicaGroup> left = std::move(replica_group_);
    if (!left)
      return;
    drop_collectives(device_.index);
    std::lock_guard lock(replica_groups().mutex);
    if (--left->present == 0)
      std::erase(replica_groups().open, left);
  }

private:
  std::shared_ptr<ReplicaGroup> replica_group_;
  Device device_ = Device(kXLA, 0); ///< the thread's in it
};

thread_local ThreadReplication own;

Replication &of_process() {
  static auto *instance = new Replication; // outlives threads
  return *instance;
}

/// The oldest gathering on these devices without a member `ordinal`.
std::shared_ptr<ReplicaGroup>
find_replica_group(const std::vector<Device> &devices, int ordinal) {
  std::lock_guard lock(replica_groups().mutex);
  std::shared_ptr<ReplicaGroup> found;
  for (const std::shared_ptr<ReplicaGroup> &open : replica_groups().open)
    if (!found && open->devices == devices && !open->joined[ordinal])
      found = open;
  if (!found) {
    found = std::make_shared<ReplicaGroup>();
    found->devices = devices;
    found->joined.resize(devices.size());
    found->job = unwrap(job::make_local_job(static_cast<int>(devices.size()),
                                            collective_deadline()));
    replica_groups().open.push_back(found);
  }
  found->joined[ordinal] = true;
  ++found->present;
  return found;
}

} // namespace

const Replication &replication() {
  return own.replication.devices.empty() ? of_process() : own.replication;
}

void set_replication(Replication replication) {
  own.leave();
  own.replication = std::move(replication);
}

void set_process_replication(Replication replication) {
  of_process() = std::move(replication);
}

void join_local_replicas(std::vector<Device> devices, int ordinal) {
  set_replication({});
  Replication joined;
  joined.world = static_cast<int>(devices.size());
  joined.ordinal = ordinal;
  std::shared_ptr<ReplicaGroup> replica_group;
  if (joined.world > 1) {
    replica_group = find_replica_group(devices, ordinal);
    joined.job = replica_group->job;
  }
  joined.devices = std::move(devices);
  Device device = joined.devices[ordinal];
  set_replication(std::move(joined));
  own.join(std::move(replica_group), device);
}

int local_ordinal() {
  const Replication &here = replication();
  if (!here.job)
    return here.ordinal;
  const job::Topology &topology = here.job->topology();
  return here.ordinal %
         (topology.processes_per_host * topology.devices_per_process);
}

bool is_master_replica(bool of_the_job) {
  return (of_the_job ? replication().ordinal : local_ordinal()) == 0;
}

int first_device() {
  const std::shared_ptr<job::Job> &job = of_process().job;
  return job ? job->topology().first_replica() : 0;
}

int ordinal_of(int device) {
  const Replication &here = replication();
  auto found =
      std::find(here.devices.begin(), here.devices.end(), Device(kXLA, device));
  if (found == here.devices.end())
    raise<DeviceError>("xla:" + std::to_string(device) +
                       " is no device of a replica");
  int first = here.job ? here.job->topology().first_replica() : 0;
  return first + static_cast<int>(found - here.devices.begin());
}

void fail_replication(const Status &why) {
  if (const std::shared_ptr<job::Job> &job = replication().job)
    job->leave(why);
}

std::chrono::milliseconds collective_deadline() {
  constexpr double kDefault = 600;
  double seconds = checked_setting(read_seconds(SettingId::CollectiveTimeout))
                       .value_or(kDefault);
  return std::chrono::milliseconds(
      std::max<int64_t>(1, static_cast<int64_t>(1e3 * seconds)));
}

} // namespace xlac::lazy
