// Collectives that a replica has recorded but not executed. They are part of
// the next program of the device, in recording order, even if their results are
// unused. Replicas that record the same collectives thus execute them in the
// same order, also if only one of them, for example the master, reads the
// results.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/result.h"

#include <vector>

namespace xlac::lazy {

/// Registers a result of a collective that xla device `device` has recorded.
/// Collectives of a traced function are not executed.
void add_pending_collective(int device, graph::Value result);
/// Drops the device's collectives after their job has failed. Tensors that wait
/// for one get their previous values again. Tensors without a previous value,
/// or overwritten without being read, fail with `why`.
void abandon_collectives(int device, const Failure &why);
/// Drops the device's collectives after their job has ended.
void drop_collectives(int device);
/// Results of the collectives of `device` that are not executed yet, in order.
std::vector<graph::Value> pending_collectives(int device);
/// Removes the collectives that `roots` depend on, which are about to run.
void forget_collectives_of(const std::vector<graph::Value> &roots, int device);

} // namespace xlac::lazy
