// Everything the C++ API has.
#pragma once

#include "xlac/autograd.h"
#include "xlac/control_flow.h"
#include "xlac/debug.h"
#include "xlac/error.h"
#include "xlac/lazy.h"
#include "xlac/metrics.h"
#include "xlac/nn.h"
#include "xlac/ops.h"
#include "xlac/optim.h"
#include "xlac/runtime.h"
#include "xlac/serialization.h"
#include "xlac/stablehlo.h"
#include "xlac/tensor.h"
#include "xlac/tree.h"
#include "xlac/types.h"
#include "xlac/xla_model.h"
