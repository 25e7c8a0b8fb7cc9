// Cutting graphs and running them: what sync() and questions for values do.
#pragma once

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/session.h"
#include "xlac/runtime/buffer.h"
#include "xlac/support/sharding.h"
#include "xlac/types.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac {
class Executable;
}

namespace xlac::lazy {

class Storage;

/// How a value lies on the devices of SPMD; null: no sharding was requested,
/// and every device has it or can be lent it.
using Layout = std::shared_ptr<const Sharding>;

/// What a parameter on an xla device stands for: a buffer of that device; host
/// memory that becomes one when a program first needs it; under SPMD a buffer
/// on each device; or the result of a launch that is just being made.
class DeviceData : public graph::ParameterData {
public:
  DeviceData(int device, host::Literal literal);
  DeviceData(int device, TensorType type, BufferRef buffer);
  /// Promised: a reader of the buffer waits until it is fulfilled.
  DeviceData(int device, TensorType type);
  /// Of all devices of SPMD, one buffer each; promised without any.
  DeviceData(TensorType type, Layout layout, std::vector<BufferRef> shards);
  ~DeviceData() override;

  int device() const { return device_; }
  const TensorType &type() const { return type_; }
  /// Unique in the process.
  uint64_t number() const { return number_; }
  void fulfill(BufferRef buffer);
  void fulfill(std::vector<BufferRef> shards);
  /// The buffer; host memory is lent to it without a copy. What lies on several
  /// devices is put together.
  BufferRef buffer();
  Layout layout() const;
  /// One buffer for each device of SPMD; one that all of them read where every
  /// device has the whole.
  std::vector<BufferRef> shards();
  /// Lies as `layout` says from now on. Waits for the elements.
  void distribute(Layout layout);
  /// The elements, read only; waits for them and throws what failed.
  host::Literal read();
  /// The same in the element type that the device stores.
  host::Literal read_stored();

private:
  host::Literal fetch_stored();

  const int device_;
  const TensorType type_;
  const uint64_t number_;
  mutable std::mutex mutex_;
  std::condition_variable fulfilled_;
  host::Literal literal_;
  BufferRef buffer_;
  bool is_split_ = false; ///< shards_ hold it, or will
  Layout layout_;
  std::vector<BufferRef> shards_;
};

/// A parameter that holds a copy of `literal` in the memory of xla device
/// `device`. A single element travels with the program that uses it.
graph::Value device_value(int device, host::Literal literal);
/// Data made so far, in the process.
uint64_t device_data_made();
/// A parameter whose data is `literal` itself, which must not be written any
/// more: it travels with the programs that use it.
graph::Value carried_value(int device, host::Literal literal);
/// As device_value, on data that an equal upload left there while that lives.
/// The counter DeviceDataCacheMiss counts the others.
graph::Value shared_device_value(int device, host::Literal literal);

//===- Devices ------------------------------------------------------------===//

/// The device type: what was set, else PJRT_DEVICE, else "CPU"; nothing with
/// PJRT_SELECT_DEFAULT_DEVICE=0.
std::optional<std::string> device_type();
/// UserError once the runtime has started.
void set_device_type(std::string_view type);
/// What CPU_NUM_DEVICES may be at most.
inline constexpr int kMaxDevices = 4096;

/// Number of xla devices: set_device_count, else CPU_NUM_DEVICES, else 1; under
/// SPMD one that stands for all. Asking settles it.
int device_count();
/// The devices themselves, also under SPMD.
int runtime_device_count();
/// What runtime_device_count() would be; starts nothing.
int planned_device_count();
/// UserError once the runtime has started.
void set_device_count(int count);
bool runtime_started();
/// This process has `devices` devices and is one of `processes` that share the
/// host's memory and cores alike. UserError once the runtime has started with
/// another number.
void share_host(int devices, int processes);
/// As long as is_suspended() is true, which is asked whenever the runtime would
/// start, it does not: UserError.
void suspend_runtime(bool (*is_suspended)());
/// Types and counts that were set, and this thread's current device, are again
/// as in a new process; for one whose runtime has not started.
void reset_device_settings();
/// This thread's current xla device.
int current_device();
/// IndexError when there is no such device.
void set_current_device(int index);
/// `device` with its index filled in; IndexError when there is no such one.
Device resolve(Device device);

//===- Running ------------------------------------------------------------===//

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
run_executable(int device, std::shared_ptr<const Executable> executable,
               const std::vector<graph::Value> &arguments,
               const std::vector<TensorType> &results);

/// Evaluates graphs whose parameters hold host memory. Results own their
/// memory alone.
std::vector<host::Literal>
evaluate_on_host(const std::vector<graph::Value> &values);

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
