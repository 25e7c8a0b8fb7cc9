// Cutting graphs and running them: what sync() and questions for values do.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/runtime/buffer.h"
#include "xlac/types.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac::lazy {

/// What a parameter on an xla device stands for: a buffer of that device; host
/// memory that becomes one when a program first needs it; or the result of a
/// launch that is just being made.
class DeviceData : public graph::ParameterData {
public:
  DeviceData(int device, host::Literal literal);
  /// Promised: whoever asks for the buffer waits until it is fulfilled.
  DeviceData(int device, TensorType type);

  int device() const { return device_; }
  const TensorType &type() const { return type_; }
  /// Unique in the process.
  uint64_t number() const { return number_; }
  void fulfill(BufferRef buffer);
  /// The buffer; host memory is lent to it without a copy.
  BufferRef buffer();
  /// The elements, read only; waits for them and throws what failed.
  host::Literal read();

private:
  const int device_;
  const TensorType type_;
  const uint64_t number_;
  std::mutex mutex_;
  std::condition_variable fulfilled_;
  host::Literal literal_;
  BufferRef buffer_;
};

/// A parameter that carries `literal` to xla device `device`.
graph::Value device_value(int device, host::Literal literal);
/// The same, on data that an equal upload left there while that lives. The
/// counter DeviceDataCacheMiss counts the others.
graph::Value shared_device_value(int device, host::Literal literal);

//===- Devices ------------------------------------------------------------===//

/// Number of xla devices: set_device_count, else CPU_NUM_DEVICES, else 1.
/// Asking settles it.
int device_count();
/// UserError once the runtime has started.
void set_device_count(int count);
bool runtime_started();
/// This thread's current xla device.
int current_device();
/// IndexError when there is no such device.
void set_current_device(int index);
/// `device` with its index filled in; IndexError when there is no such one.
Device resolve(Device device);

//===- Running ------------------------------------------------------------===//

/// Cuts what live tensors of `device` wait for into one program and launches
/// it; `wait` waits for its end.
void sync(int device, bool wait);
/// Waits for all launched programs of `device`; throws what failed.
void wait_for(int device);

/// Elements of `value`, which lives on xla device `device`: runs the graph it
/// needs. `computed` becomes the parameter that now holds it.
host::Literal materialize(int device, const graph::Value &value,
                          graph::Value *computed);

/// Evaluates graphs whose parameters hold host memory. Results own their
/// memory alone.
std::vector<host::Literal>
evaluate_on_host(const std::vector<graph::Value> &values);

/// Nodes recorded for `device` since its last sync; past XLAC_MAX_PENDING the
/// graph is cut by itself.
void note_recorded(int device);

/// Pending values of live tensors of `device`, oldest first.
std::vector<graph::Value> pending_values(int device);

/// What sync, waits and questions have done so far in this process.
struct Counters {
  int64_t syncs = 0, programs = 0, compiled = 0, cached = 0;
};
Counters counters();

} // namespace xlac::lazy
