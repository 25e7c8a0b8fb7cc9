// The time of an all_reduce over processes on several hosts by a model of
// latency and bandwidth, which docs/scaling.md describes.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>
#include <string>

namespace xlac::job {

/// Latencies in microseconds and bandwidths in GB/s: between two processes of a
/// host, and of the link of a host in each direction.
struct LinkCosts {
  double near_latency = 1, near_bandwidth = 4;
  double far_latency = 10, far_bandwidth = 12;
};

/// The costs of XLAC_LINKS, "NEAR_LATENCY,NEAR_BANDWIDTH,FAR_LATENCY,
/// FAR_BANDWIDTH", or the default. User failure for other text.
Result<LinkCosts> link_costs();

/// The processes of a group: equally many on each host.
struct GroupShape {
  int64_t hosts = 1, per_host = 1;
  int64_t processes() const { return hosts * per_host; }
};

/// Microseconds of an all_reduce of `bytes` bytes: each process adds a part and
/// sends it to all others.
double flat_sum_time(const GroupShape &group, int64_t bytes,
                     const LinkCosts &links);
/// The same with hosts as a stage of its own.
double hierarchical_sum_time(const GroupShape &group, int64_t bytes,
                             const LinkCosts &links);

} // namespace xlac::job
