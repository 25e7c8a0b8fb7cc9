// Default seeds.
#pragma once

#include <cstdint>

namespace xlac::data {

/// Takes a seed from the cpu's generator, which manual_seed sets.
uint64_t draw_seed();

} // namespace xlac::data
