// torch_xla.distributed: loaders that feed devices, and replicas as threads or
// processes.
#pragma once

#include "xlac/data.h"
#include "xlac/distributed/data_parallel.h"
#include "xlac/distributed/multiprocessing.h"
#include "xlac/distributed/parallel_loader.h"
#include "xlac/xla_model.h"

namespace xlac {
namespace pl = distributed;
namespace xmp = distributed;
namespace dp = distributed;
} // namespace xlac
