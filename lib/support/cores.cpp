#include "xlac/support/cores.h"

#include "xlac/support/settings.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <sched.h>

namespace xlac {

namespace {

int affinity_count() {
  // Machines with more CPUs than cpu_set_t has bits need a larger set.
  for (int cpus = 1024; cpus <= 1 << 18; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      return 1;
    size_t size = CPU_ALLOC_SIZE(cpus);
    int count =
        sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0)
      return count;
  }
  return 1;
}

/// Number of CPUs of the cgroup's quota, or INT_MAX without a quota.
int cgroup_count() {
  double quota = -1, period = 100000;
  if (FILE *file = std::fopen("/sys/fs/cgroup/cpu.max", "re")) {
    if (std::fscanf(file, "%lf %lf", &quota, &period) != 2)
      quota = -1;
    std::fclose(file);
  } else if (FILE *file =
                 std::fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re")) {
    if (std::fscanf(file, "%lf", &quota) != 1)
      quota = -1;
    std::fclose(file);
    if (FILE *file = std::fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "re")) {
      if (std::fscanf(file, "%lf", &period) != 1)
        period = 100000;
      std::fclose(file);
    }
  }
  if (!(quota > 0) || !(period > 0))
    return INT_MAX;
  return static_cast<int>(std::clamp(std::ceil(quota / period), 1.0, 1e6));
}

} // namespace

int available_cores() {
  static const int count =
      std::max(1, std::min(affinity_count(), cgroup_count()));
  return count;
}

int default_thread_count() {
  static const int count = static_cast<int>(
      integer_setting(SettingId::NumThreads).value_or(available_cores()));
  return count;
}

} // namespace xlac
