// The generators of random numbers: a 64-bit state for the cpu and one for each
// xla device. An operation takes the state as an argument of its program and
// moves it on, so that a new seed never compiles anew and what is computed
// again gives the same numbers.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/types.h"

#include <memory>

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

/// The generators as they were at some time, and the states that draws of a
/// thread took since.
struct DrawRecord;

/// While it lives, the draws of this thread are recorded. Scopes nest.
class RngRecorder {
public:
  RngRecorder();
  ~RngRecorder();
  RngRecorder(const RngRecorder &) = delete;
  RngRecorder &operator=(const RngRecorder &) = delete;
  std::shared_ptr<const DrawRecord> record() const { return record_; }

private:
  std::shared_ptr<DrawRecord> record_;
};

/// While it lives, this thread draws what was recorded, in the same order, and
/// sees the generators as they were; nothing that it does to them lasts.
class RngReplay {
public:
  explicit RngReplay(std::shared_ptr<const DrawRecord> record);
  ~RngReplay();
  RngReplay(const RngReplay &) = delete;
  RngReplay &operator=(const RngReplay &) = delete;
};

} // namespace xlac::lazy
