// Whether SPMD is on: xla:0 stands for all devices of the process, and a graph
// is compiled as one program that is partitioned for them.
#pragma once

namespace xlac::lazy {

/// Also with XLA_USE_SPMD=1.
bool is_spmd();
bool is_automatic_spmd();
/// True if programs of xla device `device` are those of SPMD.
inline bool is_partitioned(int device) { return device == 0 && is_spmd(); }

/// SPMD is on from now on. Programs call use_spmd(), which settles the devices
/// first.
void set_spmd();
/// True once set_spmd() was called.
bool spmd_was_set();
/// From when SPMD is on, it shards large values without an annotation.
void set_automatic_spmd();

} // namespace xlac::lazy
