// Optimizers, which change parameters in place by their gradients, and the
// schedulers that change an optimizer's learning rate as training goes on.
// Hyper-parameters and step counts enter programs as data: changing them never
// compiles anew.
#pragma once

#include "xlac/optim/adam.h"
#include "xlac/optim/adaptive.h"
#include "xlac/optim/descent.h"
#include "xlac/optim/lbfgs.h"
#include "xlac/optim/optimizer.h"
#include "xlac/optim/schedulers.h"
