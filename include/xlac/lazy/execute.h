// Runs graphs: what sync() and questions for values do.
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

/// Cuts what live tensors of `device` wait for into one program and launches
/// it; `wait` waits for its end. `scope` names the program and bounds how many
/// different ones there may be: UserError past that.
void sync(int device, bool wait, const ScopeOptions *scope = nullptr);
/// Launches what is pending for `device`; no sync, nothing counts it.
void run_pending(int device);
/// Waits for all launched programs of `device`; throws what failed.
void wait_for(int device);

/// Runs in one program what `values`, which live on xla device `device`, need.
/// Gives the parameters that now hold them.
std::vector<graph::Value> compute(int device,
                                  const std::vector<graph::Value> &values);

/// Elements of `value`, which lives on xla device `device`: runs the graph it
/// needs. `computed` becomes the parameter that now holds it.
host::Literal materialize(int device, const graph::Value &value,
                          graph::Value *computed);
/// As materialize(), in the element type that the device stores.
host::Literal materialize_stored(int device, const graph::Value &value,
                                 graph::Value *computed);

/// Launches `executable` on xla device `device` with the values of parameters;
/// gives parameters that hold its results, of the types `results`. These are
/// the types of the program also where the device stores others.
std::vector<graph::Value>
run_executable(int device,
               std::shared_ptr<const runtime::Executable> executable,
               const std::vector<graph::Value> &arguments,
               const std::vector<TensorType> &results);

/// The elements of a computed value of xla:0. Where other processes have parts
/// of it, all processes must ask for them. With `stored` in the element type
/// that the device stores.
host::Literal whole_of(const graph::Value &value, bool stored = false);

/// A public call has given `storages`, of one xla device, new values. Runs them
/// at once in eager mode; past XLAC_MAX_PENDING nodes the device's graph is cut
/// by itself.
void count_recorded(std::span<const std::shared_ptr<Storage>> storages);

/// An operation, by default the running call, needs values of an xla device to
/// know its result; counted as "aten::<name>".
void record_fallback(std::string_view name = {});

/// Pending values of live tensors of `device`, oldest first.
std::vector<graph::Value> pending_values(int device);

/// The program that computes `values` as it is compiled, with the types that
/// devices store and, under SPMD, how arguments and results lie on them.
graph::Program program_of(const std::vector<graph::Value> &values);

/// Graphs that this process holds compiled.
int64_t compiled_graph_count();

} // namespace xlac::lazy
