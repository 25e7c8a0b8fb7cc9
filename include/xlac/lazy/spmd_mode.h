// The SPMD mode: xla:0 stands for all devices of the process, and each graph is
// compiled as one program and partitioned for them.
#pragma once

namespace xlac::lazy {

/// Also true with XLA_USE_SPMD=1.
bool is_spmd();
bool is_automatic_spmd();
/// Whether programs of xla device `device` are partitioned.
inline bool is_partitioned(int device) { return device == 0 && is_spmd(); }

/// Enables SPMD. Callers outside this component use use_spmd(), which fixes the
/// devices first.
void set_spmd();
/// Whether set_spmd() was called.
bool spmd_was_set();
/// Makes SPMD shard large values that have no annotation.
void set_automatic_spmd();

} // namespace xlac::lazy
