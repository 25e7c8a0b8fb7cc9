// Datasets, what is done to their samples, the order in which they are read,
// and loaders that make batches of them.
#pragma once

#include "xlac/data/datasets.h"
#include "xlac/data/loader.h"
#include "xlac/data/random.h"
#include "xlac/data/samplers.h"
#include "xlac/data/synthetic_digits.h"
#include "xlac/data/transforms.h"
