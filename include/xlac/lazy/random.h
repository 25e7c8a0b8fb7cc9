// The generators of random numbers: a 64-bit state for the cpu and one for each
// xla device. An operation takes the state as an argument of its program and
// moves it on, so that a new seed never compiles anew and what is computed
// again gives the same numbers.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/types.h"

namespace xlac::lazy {

/// 101 until a seed is set.
uint64_t rng_state(Device device);
void set_rng_state(Device device, uint64_t state);
/// Sets the cpu's state and that of every xla device, used already or not.
void set_all_rng_states(uint64_t state);
/// All states as at the start of the process.
void reset_rng_states();

/// The state of an rng_bit_generator node, ui64[2]; the device's state moves
/// on.
graph::Value take_rng_state(Device device);

} // namespace xlac::lazy
