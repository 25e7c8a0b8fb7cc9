// Measures the links of the job that a launcher has started with this process.
#pragma once

#include "xlac/job/reduction_cost.h"
#include "xlac/support/result.h"

namespace xlac::cli {

/// What the first process learns.
struct MeasuredLinks {
  job::LinkCosts costs; ///< those of XLAC_LINKS where nothing was measured
  int processes_per_host = 1;
  bool has_near = false, has_far = false; ///< what was measured
  bool is_first = false; ///< the process that reports; the others have no costs
};

/// Joins the job, and adds small and large tensors between two processes of the
/// first host and between two hosts, a second in all. User failure if no
/// launcher has started this process with others.
Result<MeasuredLinks> measure_links();

} // namespace xlac::cli
