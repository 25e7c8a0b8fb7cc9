// SPMD: xla:0 stands for all devices of the process. A graph is compiled as one
// program that is cut up for them, and values lie on them as their shardings
// say.
#pragma once

#include "xlac/lazy/execute.h"
#include "xlac/runtime/collective.h"

namespace xlac::lazy {

/// Turns SPMD on for good; `automatic` shards large values without an
/// annotation. With XLAC_NUM_HOSTS of more than 1 the processes of these
/// hosts meet, one each, and their devices are those of SPMD; so are the
/// devices of spawned processes that have one each. UserError in any other
/// replica.
void use_spmd(bool automatic);
/// Also with XLA_USE_SPMD=1.
bool is_spmd();
bool is_automatic_spmd();
/// Devices that one program is cut up for, 1 without SPMD, and those that it
/// would be.
int partition_count();
int devices_of_job();
/// Which of them this process's first device is, and whether it has all.
int first_partition();
bool has_all_partitions();
/// Where the partitions of several processes meet, else null.
std::shared_ptr<Communicator> grid_of_processes();
/// True if programs of xla device `device` are those of SPMD.
inline bool is_partitioned(int device) { return device == 0 && is_spmd(); }

/// `value`, which is to lie as `layout` says: itself where it does or was asked
/// to, else as a pending value.
graph::Value laid_out(graph::Value value, const Layout &layout);
/// What the node of a value was asked by laid_out.
std::optional<Sharding> asked_sharding(const graph::Node &node);

/// A parameter that holds `literal` on the devices of SPMD, cut up now.
graph::Value distributed_value(host::Literal literal, Layout layout);
/// What each device holds, or would, of a value that lies as `sharding` says;
/// waits for it.
std::vector<host::Literal> read_shards(DeviceData &data,
                                       const Sharding &sharding);
/// A parameter that holds the shards, one a device, of a value of type `type`.
graph::Value value_of_shards(const TensorType &type, Layout layout,
                             const std::vector<host::Literal> &shards);
/// The elements of a computed value of xla:0. Where other processes have parts
/// of it, all processes must ask for them. With `stored` in the element type
/// that the device stores.
host::Literal whole_of(const graph::Value &value, bool stored = false);
/// The data that a computed value of xla:0 names, else null.
std::shared_ptr<DeviceData> data_behind(const graph::Value &value);

/// One buffer for each device of this process: its part of `whole`, zeros at
/// its end where the dimensions do not divide. Devices with equal parts share a
/// buffer.
std::vector<BufferRef> shard_literal(const host::Literal &whole,
                                     const Sharding &sharding);
/// A parameter that holds a value of type `whole` of which this process has the
/// rows `literal` from `first_row` on. UserError if its devices need others.
graph::Value value_of_rows(const TensorType &whole, int64_t first_row,
                           const host::Literal &literal, Layout layout);
/// The whole of type `type` whose parts all lie in `shards`; waits for them.
host::Literal put_together(const TensorType &type, const Sharding &sharding,
                           const std::vector<BufferRef> &shards);
/// What lies as `from` says, cut up as `to` says. Waits where these differ.
std::vector<BufferRef> rearranged(const TensorType &type, const Sharding &from,
                                  const Sharding &to,
                                  std::vector<BufferRef> shards);

/// The sharding of `layout`, which may be null.
const Sharding &sharding_in(const Layout &layout);

} // namespace xlac::lazy
