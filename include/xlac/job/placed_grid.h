// A grid whose processes are replicas of a job in any order: rows and columns
// of a program's device assignment, which may leave replicas out.
#pragma once

#include "xlac/job/job.h"

#include <memory>
#include <vector>

namespace xlac::job {

/// Process i of the grid is replica `ordinals[i]` of the job. The same grid for
/// the same shape and ordinals: its runs count on, and its failure stays. User
/// unless there is one replica of the job for each process of the shape.
Result<std::shared_ptr<runtime::Communicator>>
place_grid(Job &job, runtime::GridShape shape, std::vector<int> ordinals);

} // namespace xlac::job
