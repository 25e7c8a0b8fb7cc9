// The data of graph parameters on xla devices: device memory, memory of a
// pending launch, or host memory that is uploaded later.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/dynamic_sizes.h"
#include "xlac/lazy/layout.h"
#include "xlac/runtime/buffer.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac::lazy {

/// The data of a parameter on an xla device, in one of four forms: a buffer of
/// the device; host memory that becomes a buffer on first use; under SPMD one
/// buffer per device; a promise of the result of a launch.
class DeviceData : public graph::ParameterData {
public:
  DeviceData(int device, host::Literal literal);
  DeviceData(int device, TensorType type, runtime::BufferRef buffer);
  /// A promise: readers of the buffer wait until it is fulfilled.
  DeviceData(int device, TensorType type);
  /// Data on all devices of SPMD, one buffer each; a promise if `shards` is
  /// empty.
  DeviceData(TensorType type, Layout layout,
             std::vector<runtime::BufferRef> shards);
  ~DeviceData() override;

  int device() const { return device_; }
  const TensorType &type() const { return type_; }
  /// Unique in the process.
  uint64_t number() const { return number_; }
  void fulfill(runtime::BufferRef buffer);
  void fulfill(std::vector<runtime::BufferRef> shards);
  /// The buffer. Host memory is borrowed without a copy; shards on several
  /// devices are assembled.
  runtime::BufferRef buffer();
  Layout layout() const;
  /// One buffer for each device of SPMD. Replicated data may be one buffer that
  /// all devices read.
  std::vector<runtime::BufferRef> shards();
  /// The dimensions whose sizes differ between runs.
  DynamicDimensions dynamic_dimensions() const;
  void mark_dynamic(DynamicDimensions dimensions);
  /// Changes the layout to `layout`. Waits for the elements.
  void distribute(Layout layout);
  /// The elements, read-only. Waits for them and throws their failure.
  host::Literal read();
  /// The same, in the element type that the device stores.
  host::Literal read_stored();

private:
  host::Literal fetch_stored();

  const int device_;
  const TensorType type_;
  const uint64_t number_;
  mutable std::mutex mutex_;
  std::condition_variable fulfilled_;
  host::Literal literal_;
  runtime::BufferRef buffer_;
  bool is_split_ = false; ///< the data is or will be in shards_
  Layout layout_;
  std::vector<runtime::BufferRef> shards_;
  DynamicDimensions dynamic_dimensions_;
};

/// A parameter with a copy of `literal` in the memory of xla device `device`. A
/// single element is passed along with the program that uses it.
graph::Value device_value(int device, host::Literal literal);
/// Number of DeviceData objects that the process has made.
uint64_t device_data_made();
/// A parameter with `literal` itself as data, which is passed along with the
/// programs that use it. `literal` must not be written afterwards.
graph::Value carried_value(int device, host::Literal literal);
/// Same as device_value, but reuses the data of an equal upload while that is
/// alive. The counter DeviceDataCacheMiss counts new uploads.
graph::Value shared_device_value(int device, host::Literal literal);

/// The data of `parameter`, which must be on `device`.
DeviceData &data_of(const graph::Node &parameter, int device);
/// The data of a computed value, or null.
std::shared_ptr<DeviceData> data_behind(const graph::Value &value);

} // namespace xlac::lazy
