// Modules with PyTorch's names, defaults and initialization, one header per
// family, and the helpers of torch.nn.
#pragma once

#include "xlac/nn/activations.h"
#include "xlac/nn/containers.h"
#include "xlac/nn/convolution.h"
#include "xlac/nn/distance.h"
#include "xlac/nn/dropout.h"
#include "xlac/nn/embedding.h"
#include "xlac/nn/images.h"
#include "xlac/nn/init.h"
#include "xlac/nn/layers.h"
#include "xlac/nn/losses.h"
#include "xlac/nn/module.h"
#include "xlac/nn/normalization.h"
#include "xlac/nn/pooling.h"
#include "xlac/nn/recurrent.h"
#include "xlac/nn/transformer.h"
#include "xlac/nn/utils.h"
#include "xlac/nn_functional.h"
