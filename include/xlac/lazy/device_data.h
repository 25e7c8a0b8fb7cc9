// What the parameters of graphs on xla devices hold: device memory, promises of
// it, and host memory that becomes some.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/layout.h"
#include "xlac/runtime/buffer.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace xlac::lazy {

/// What a parameter on an xla device stands for: a buffer of that device; host
/// memory that becomes one when a program first needs it; under SPMD a buffer
/// on each device; or the result of a launch that is just being made.
class DeviceData : public graph::ParameterData {
public:
  DeviceData(int device, host::Literal literal);
  DeviceData(int device, TensorType type, runtime::BufferRef buffer);
  /// Promised: a reader of the buffer waits until it is fulfilled.
  DeviceData(int device, TensorType type);
  /// Of all devices of SPMD, one buffer each; promised without any.
  DeviceData(TensorType type, Layout layout,
             std::vector<runtime::BufferRef> shards);
  ~DeviceData() override;

  int device() const { return device_; }
  const TensorType &type() const { return type_; }
  /// Unique in the process.
  uint64_t number() const { return number_; }
  void fulfill(runtime::BufferRef buffer);
  void fulfill(std::vector<runtime::BufferRef> shards);
  /// The buffer; host memory is lent to it without a copy. What lies on several
  /// devices is put together.
  runtime::BufferRef buffer();
  Layout layout() const;
  /// One buffer for each device of SPMD; one that all of them read where every
  /// device has the whole.
  std::vector<runtime::BufferRef> shards();
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
  runtime::BufferRef buffer_;
  bool is_split_ = false; ///< shards_ hold it, or will
  Layout layout_;
  std::vector<runtime::BufferRef> shards_;
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

/// What `parameter` holds, which must be data of `device`.
DeviceData &data_of(const graph::Node &parameter, int device);
/// The data that a computed value names, else null.
std::shared_ptr<DeviceData> data_behind(const graph::Value &value);

} // namespace xlac::lazy
