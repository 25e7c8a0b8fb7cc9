#include "xlac/lazy/trace_inputs.h"

#include "xlac/lazy/device_data.h"

#include <atomic>

namespace xlac::lazy {

namespace {

std::atomic<int64_t> live_inputs{0};

class TraceInput final : public DeviceData {
public:
  TraceInput(int device, const TensorType &type)
      : DeviceData(device, type, nothing()) {
    ++live_inputs;
  }
  ~TraceInput() override { --live_inputs; }

private:
  static runtime::BufferRef nothing() {
    runtime::BufferRef buffer = runtime::Buffer::pending(nullptr, 0);
    buffer->set_failed({FailureKind::User, std::string(kNoTraceValues)});
    return buffer;
  }
};

} // namespace

graph::Value trace_input(int device, const TensorType &type) {
  return {graph::Node::make_parameter(
              Type(type), std::make_shared<TraceInput>(device, type)),
          0};
}

bool has_trace_inputs() { return live_inputs > 0; }

bool is_trace_input(const graph::Node &node) {
  return dynamic_cast<const TraceInput *>(node.data().get());
}

} // namespace xlac::lazy
