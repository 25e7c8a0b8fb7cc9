// lazy.h, runtime.h and xla_model.h: devices, syncs, waits.
#include "xlac/tensor/access.h"

#include "xlac/runtime/device.h"
#include "xlac/stablehlo.h"

#include <algorithm>
#include <exception>

namespace xlac {

using namespace front;

namespace {
thread_local std::vector<std::function<void()>> closures;

void run_closures() {
  // A closure may add others, which belong to the next step.
  std::vector<std::function<void()>> due = std::exchange(closures, {});
  for (const std::function<void()> &closure : due)
    closure();
}
} // namespace

Device device(std::optional<int> index) {
  XLAC_CALL("device");
  if (index)
    lazy::set_current_device(*index);
  return lazy::resolve(Device(kXLA));
}

std::vector<Device> devices() {
  XLAC_CALL("devices");
  std::vector<Device> list;
  for (int i = 0; i < lazy::device_count(); ++i)
    list.emplace_back(kXLA, i);
  return list;
}

int device_count() {
  XLAC_CALL("device_count");
  return lazy::device_count();
}

std::vector<std::string> real_devices() {
  XLAC_CALL("real_devices");
  return xm::xla_real_devices();
}

void sync(bool wait) {
  XLAC_CALL("sync");
  lazy::sync(lazy::resolve(Device(kXLA)).index, wait);
  run_closures();
}

StepScope::StepScope() : exceptions_(std::uncaught_exceptions()) { sync(); }

StepScope::~StepScope() noexcept(false) {
  if (std::uncaught_exceptions() > exceptions_)
    return;
  sync();
}

namespace detail {
void add_step_closure(std::function<void()> closure) {
  closures.push_back(std::move(closure));
}
} // namespace detail

//===- runtime.h ----------------------------------------------------------===//

namespace runtime {

std::optional<std::string> device_type() { return "CPU"; }

void set_num_devices(int n) {
  XLAC_CALL("set_num_devices");
  lazy::set_device_count(n);
}

bool is_initialized() { return lazy::runtime_started(); }
int local_device_count() { return lazy::device_count(); }
int addressable_device_count() { return lazy::device_count(); }
int global_device_count() { return lazy::device_count(); }
int global_runtime_device_count() { return lazy::device_count(); }
int addressable_runtime_device_count() { return lazy::device_count(); }
int world_size() { return 1; }
int global_ordinal() { return lazy::current_device(); }
int local_ordinal() { return lazy::current_device(); }
int process_index() { return 0; }
int process_count() { return 1; }
int local_process_count() { return 1; }
int64_t get_num_cached_compilation_graph() { return lazy::counters().compiled; }

} // namespace runtime

//===- xla_model.h --------------------------------------------------------===//

namespace xla_model {

static void check_kind(const std::optional<std::string> &kind) {
  if (kind && *kind != "CPU")
    raise<DeviceError>("no devices of kind " + *kind +
                       ", only CPU devices are available");
}

Device xla_device(std::optional<int> n, std::optional<std::string> devkind) {
  XLAC_CALL("xla_device");
  check_kind(devkind);
  return xlac::device(n);
}

std::vector<Device>
get_xla_supported_devices(std::optional<std::string> devkind,
                          std::optional<int> max_devices) {
  XLAC_CALL("get_xla_supported_devices");
  check_kind(devkind);
  std::vector<Device> list = xlac::devices();
  if (max_devices && *max_devices >= 0 &&
      static_cast<size_t>(*max_devices) < list.size())
    list.resize(*max_devices);
  return list;
}

std::string xla_device_hw(Device) { return "CPU"; }

std::vector<std::string> xla_real_devices(std::vector<Device> list) {
  XLAC_CALL("xla_real_devices");
  if (list.empty())
    list = xlac::devices();
  std::vector<std::string> names;
  for (Device device : list)
    names.push_back("CPU:" + std::to_string(lazy::resolve(device).index));
  return names;
}

bool is_xla_tensor(const Tensor &tensor) { return tensor.is_xla(); }

int get_ordinal(int) { return runtime::global_ordinal(); }
int get_local_ordinal(int) { return runtime::local_ordinal(); }
int xrt_world_size(int) { return runtime::world_size(); }
bool is_master_ordinal(bool) { return runtime::global_ordinal() == 0; }

void mark_step(bool wait) {
  XLAC_CALL("mark_step");
  xlac::sync(wait);
}

void wait_device_ops(std::vector<Device> list) {
  XLAC_CALL("wait_device_ops");
  if (list.empty())
    list = xlac::devices();
  for (Device device : list)
    lazy::wait_for(lazy::resolve(device).index);
}

std::string get_stablehlo(const std::vector<Tensor> &tensors) {
  XLAC_CALL("get_stablehlo");
  return stablehlo::from_tensors(tensors).text();
}

Bytes get_stablehlo_bytecode(const std::vector<Tensor> &tensors) {
  XLAC_CALL("get_stablehlo_bytecode");
  return stablehlo::from_tensors(tensors).bytecode();
}

MemoryInfo get_memory_info(std::optional<Device> device) {
  XLAC_CALL("get_memory_info");
  int index = lazy::resolve(device.value_or(Device(kXLA))).index;
  AllocatorStats stats = lazy::unwrap(find_device(index))->memory().allocator;
  return {stats.in_use, stats.limit, stats.peak};
}

} // namespace xla_model
} // namespace xlac
