// Seeds for what has none of its own.
#pragma once

#include <cstdint>

namespace xlac::data {

/// Drawn from the cpu's generator, which manual_seed sets.
uint64_t draw_seed();

} // namespace xlac::data
