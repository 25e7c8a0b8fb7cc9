// Datasets, transforms of their samples, samplers, and loaders that make
// batches.
#pragma once

#include "xlac/data/datasets.h"
#include "xlac/data/loader.h"
#include "xlac/data/random.h"
#include "xlac/data/samplers.h"
#include "xlac/data/synthetic_digits.h"
#include "xlac/data/transforms.h"
