#include "xlac/lazy/replica_groups.h"

#include "xlac/job/job.h"
#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/replication.h"
#include "xlac/support/fork.h"
#include "xlac/support/raise.h"

#include <memory>
#include <mutex>

namespace xlac::lazy {

namespace {

/// Threads that become replicas of one another as they join.
struct ReplicaGroup {
  std::vector<Device> devices;
  std::shared_ptr<job::Job> job;
  std::vector<bool> joined; ///< by ordinal
  int present = 0;          ///< members that have not left
};

struct ReplicaGroups {
  ForkMutex mutex;
  std::vector<std::shared_ptr<ReplicaGroup>> open; ///< oldest first
};

ReplicaGroups &replica_groups() {
  static auto *instance = new ReplicaGroups; // outlives threads
  return *instance;
}

/// The membership of a thread in a group, which the destructor ends.
class Membership {
public:
  Membership() = default;
  Membership(const Membership &) = delete;
  Membership &operator=(const Membership &) = delete;
  ~Membership() {
    if (!replica_group_)
      return;
    drop_collectives(device_.index);
    std::lock_guard lock(replica_groups().mutex);
    if (--replica_group_->present == 0)
      std::erase(replica_groups().open, replica_group_);
  }

  void join(std::shared_ptr<ReplicaGroup> replica_group, Device device) {
    replica_group_ = std::move(replica_group);
    device_ = device;
  }

private:
  std::shared_ptr<ReplicaGroup> replica_group_;
  Device device_ = Device(kXLA, 0); ///< the thread's device in the group
};

/// The oldest group on these devices without a member `ordinal`.
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

void join_local_replicas(std::vector<Device> devices, int ordinal) {
  set_replication({});
  Replication joined;
  joined.world = static_cast<int>(devices.size());
  joined.ordinal = ordinal;
  auto membership = std::make_shared<Membership>();
  if (joined.world > 1) {
    std::shared_ptr<ReplicaGroup> replica_group =
        find_replica_group(devices, ordinal);
    joined.job = replica_group->job;
    membership->join(std::move(replica_group), devices[ordinal]);
  }
  joined.devices = std::move(devices);
  set_replication(std::move(joined), std::move(membership));
}

} // namespace xlac::lazy
