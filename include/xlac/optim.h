// Optimizers, which update parameters in place from their gradients, and
// learning-rate schedulers. Hyper-parameters and step counts are program
// inputs, so that changing them needs no recompilation.
#pragma once

#include "xlac/optim/adam.h"
#include "xlac/optim/adaptive.h"
#include "xlac/optim/descent.h"
#include "xlac/optim/lbfgs.h"
#include "xlac/optim/optimizer.h"
#include "xlac/optim/schedulers.h"
