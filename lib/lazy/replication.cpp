#include "xlac/lazy/replication.h"

#include "xlac/job/job.h"
#include "xlac/lazy/setting_values.h"
#include "xlac/support/raise.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <cstdlib>

namespace xlac::lazy {

namespace {

/// The replication set on a thread. The thread leaves its group before the
/// replication is cleared.
struct ThreadReplication {
  Replication replication;
  std::shared_ptr<void> membership;
};

thread_local ThreadReplication own;

Replication &of_process() {
  static auto *instance = new Replication; // outlives threads
  return *instance;
}

} // namespace

const Replication &replication() {
  return own.replication.devices.empty() ? of_process() : own.replication;
}

void set_replication(Replication replication,
                     std::shared_ptr<void> membership) {
  own.membership.reset();
  own.replication = std::move(replication);
  own.membership = std::move(membership);
}

void set_process_replication(Replication replication) {
  of_process() = std::move(replication);
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
                       " is not a device of a replica");
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
