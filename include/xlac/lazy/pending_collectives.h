// Collectives that a replica has recorded and not run. They are part of the
// next program of the device in the order of their recording, whatever has
// become of their results: replicas that record the same ones meet in the same
// order, even if only one of them, say the master, looks at the results.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/result.h"

#include <vector>

namespace xlac::lazy {

/// A result of a collective that xla device `device` has just recorded. One of
/// a traced function is not to run.
void add_pending_collective(int device, graph::Value result);
/// None of the device's is to run any more: their job has failed. Tensors that
/// wait for one hold again what they held before; those that held nothing, or
/// were overwritten without being read, fail with `why`.
void abandon_collectives(int device, const Failure &why);
/// None of the device's is to run any more: their job is over.
void drop_collectives(int device);
/// Results of the collectives that `device` has recorded and not run, in order.
std::vector<graph::Value> pending_collectives(int device);
/// Those that `roots` need are about to run.
void forget_collectives_of(const std::vector<graph::Value> &roots, int device);

} // namespace xlac::lazy
