#include "job_text.h"

#include <algorithm>
#include <numeric>

namespace xlac::job {

std::string replica_text(int first, int count) {
  return count == 1 ? "replica " + std::to_string(first)
                    : "replicas " + std::to_string(first) + " to " +
                          std::to_string(first + count - 1);
}

std::string shape_text(int hosts, int processes_per_host,
                       int devices_per_process) {
  return std::to_string(hosts) + " hosts of " +
         std::to_string(processes_per_host) + " processes with " +
         std::to_string(devices_per_process) + " devices";
}

Failure other_shape(int process, const std::string &theirs,
                    const std::string &own) {
  return failure(FailureKind::Collective,
                 "process " + std::to_string(process) + " is of a job of " +
                     theirs + ", but process 0 of one of " + own);
}

Result<std::vector<int>> participants(int ordinal, std::string_view tag,
                                      std::span<const int> ordinals,
                                      int replicas) {
  std::vector<int> all(ordinals.begin(), ordinals.end());
  if (all.empty()) {
    all.resize(replicas);
    std::iota(all.begin(), all.end(), 0);
  }
  std::string name = "rendezvous '" + std::string(tag) + "': ";
  std::vector<int> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] < 0 || sorted[i] >= replicas ||
        (i > 0 && sorted[i] == sorted[i - 1]))
      return failure(FailureKind::User,
                     name + "got replica " + std::to_string(sorted[i]) +
                         ", expected each of " + std::to_string(replicas) +
                         " replicas at most once");
  if (!std::binary_search(sorted.begin(), sorted.end(), ordinal))
    return failure(FailureKind::User,
                   name + replica_text(ordinal, 1) +
                       " calls it and is not among those it is "
                       "for");
  return all;
}

} // namespace xlac::job
