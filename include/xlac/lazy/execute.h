// Execution of graphs, for sync() and for reads of values.
#pragma once

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/session.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace xlac::runtime {
class Executable;
}

namespace xlac::lazy {

class Storage;

/// Executes the pending values of live tensors of `device` as one program;
/// `wait` waits for its end. `scope` names the program and limits the number of
/// different graphs: exceeding it is a UserError.
void sync(int device, bool wait, const ScopeOptions *scope = nullptr);
/// Launches the pending graph of `device`, without counting a sync.
void run_pending(int device);
/// Waits for all launched programs of `device`; throws their failure.
void wait_for(int device);

/// Computes `values`, which belong to xla device `device`, in one program.
/// Returns the parameters that now hold them.
std::vector<graph::Value> compute(int device,
                                  const std::vector<graph::Value> &values);

/// The elements of `value`, which belongs to xla device `device`; executes its
/// graph. `computed` becomes the parameter that now holds it.
host::Literal materialize(int device, const graph::Value &value,
                          graph::Value *computed);
/// Same as materialize(), in the element type that the device stores.
host::Literal materialize_stored(int device, const graph::Value &value,
                                 graph::Value *computed);

/// Launches `executable` on xla device `device` with the data of parameters.
/// Returns parameters for its results, with the types `results`. These are the
/// program's types, even if the device stores other types.
std::vector<graph::Value>
run_executable(int device,
               std::shared_ptr<const runtime::Executable> executable,
               const std::vector<graph::Value> &arguments,
               const std::vector<TensorType> &results);

/// The elements of a computed value of xla:0. If other processes have shards of
/// it, all processes must call this. With `stored`, in the element type that
/// the device stores.
host::Literal full_literal(const graph::Value &value, bool stored = false);

/// Called after a public call has set new values of `storages`, all of one xla
/// device. Executes them at once in eager mode. Beyond XLAC_MAX_PENDING nodes
/// the device's graph is executed automatically.
void count_recorded(std::span<const std::shared_ptr<Storage>> storages);

/// Counts an operation, by default the running call, as "aten::<name>" because
/// its result depends on values of an xla device.
void record_fallback(std::string_view name = {});

/// Pending values of live tensors of `device`, oldest first.
std::vector<graph::Value> pending_values(int device);

/// The program that computes `values` in the form that is compiled: with the
/// types that devices store and, under SPMD, the shardings of arguments and
/// results.
graph::Program program_of(const std::vector<graph::Value> &values);

/// Number of compiled graphs that this process holds.
int64_t compiled_graph_count();

} // namespace xlac::lazy
