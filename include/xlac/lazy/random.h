// Random generators: a 64-bit state for the cpu and for each xla device. An
// operation takes the state as an argument of its program and advances it. A
// new seed therefore needs no recompilation, and recomputation gives the same
// numbers.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/types.h"

#include <memory>

namespace xlac::lazy {

/// The state of the generator; initially 101.
uint64_t rng_state(Device device);
void set_rng_state(Device device, uint64_t state);
/// Sets the state of the cpu and of every xla device, also of devices not used
/// yet.
void set_all_rng_states(uint64_t state);
/// Resets all states to those at process start.
void reset_rng_states();

/// The state of an rng_bit_generator node, ui64[2]; advances the device's
/// state.
graph::Value take_rng_state(Device device);

/// The state of the generators at one time, and the states that this thread's
/// random operations used since then.
struct DrawRecord;

/// Records the random states that this thread uses while it lives. Scopes nest.
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

/// Replays recorded states on this thread in the same order while it lives. The
/// generators appear in their recorded state, and changes to them are undone at
/// the end.
class RngReplay {
public:
  explicit RngReplay(std::shared_ptr<const DrawRecord> record);
  ~RngReplay();
  RngReplay(const RngReplay &) = delete;
  RngReplay &operator=(const RngReplay &) = delete;
};

} // namespace xlac::lazy
