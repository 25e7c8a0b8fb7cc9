// xla_model.h: devices, ordinals, steps, programs and memory. Its collectives
// are in collectives.cpp.
#include "xlac/xla_model.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/replica_groups.h"
#include "xlac/lazy/replication.h"
#include "xlac/runtime/device.h"
#include "xlac/stablehlo.h"
#include "xlac/support/target_profile.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <sys/utsname.h>

namespace xlac::xla_model {

using namespace frontend;

//===- Devices ------------------------------------------------------------===//

Device xla_device(std::optional<int> n, std::optional<std::string> devkind) {
  XLAC_CALL("xla_device");
  if (devkind && *devkind != "CPU")
    raise<DeviceError>("no devices of kind " + *devkind +
                       ", only CPU devices are available");
  return xlac::device(n);
}

std::vector<Device>
get_xla_supported_devices(std::optional<std::string> devkind,
                          std::optional<int> max_devices) {
  XLAC_CALL("get_xla_supported_devices");
  if (devkind && *devkind != "CPU")
    return {};
  std::vector<Device> list = xlac::devices();
  if (max_devices && *max_devices >= 0 &&
      static_cast<size_t>(*max_devices) < list.size())
    list.resize(*max_devices);
  return list;
}

/// Throws DeviceError unless this is an xla device of this process.
static Device checked(Device device) {
  if (device.type != kXLA || device.index >= lazy::device_count())
    raise<DeviceError>("wanted an xla device of this process, got " +
                       device.str());
  return lazy::resolve(device);
}

std::string xla_device_hw(Device device) {
  XLAC_CALL("xla_device_hw");
  checked(device);
  return "CPU";
}

std::string xla_device_kind(std::optional<Device> device) {
  XLAC_CALL("xla_device_kind");
  checked(device.value_or(Device(kXLA)));
  utsname system{};
  uname(&system);
  return std::string(system.machine) + " " + host_profile().name;
}

static std::string real_name(Device device) {
  return "CPU:" + std::to_string(lazy::first_device() + checked(device).index);
}

std::vector<std::string> xla_real_devices(std::vector<Device> list) {
  XLAC_CALL("xla_real_devices");
  if (list.empty())
    list = xlac::devices();
  std::vector<std::string> names;
  for (Device device : list)
    names.push_back(real_name(device));
  return names;
}

static void check_all_devices(const std::vector<Device> &list) {
  size_t count = static_cast<size_t>(lazy::device_count());
  if (list.size() != count)
    raise<UserError>("Cannot replicate if number of devices (" +
                     std::to_string(list.size()) + ") is different from " +
                     std::to_string(count));
}

std::vector<std::string>
xla_replication_devices(std::vector<Device> local_devices) {
  XLAC_CALL("xla_replication_devices");
  check_all_devices(local_devices);
  for (Device device : local_devices)
    checked(device);
  std::vector<std::string> names;
  for (int i = 0; i < runtime::global_device_count(); ++i)
    names.push_back("CPU:" + std::to_string(i));
  return names;
}

void set_replication(Device device, std::vector<Device> list) {
  XLAC_CALL("set_replication");
  if (list.empty()) {
    lazy::set_replication({});
    return;
  }
  check_all_devices(list);
  Device own = checked(device);
  for (Device &each : list)
    each = checked(each);
  auto found = std::find(list.begin(), list.end(), own);
  if (found == list.end())
    raise<ValueError>(own.str() + " is not among the devices");
  auto ordinal = static_cast<int>(found - list.begin());
  lazy::set_current_device(own.index);
  lazy::join_local_replicas(std::move(list), ordinal);
}

bool is_xla_tensor(const Tensor &tensor) {
  XLAC_CALL("is_xla_tensor");
  return impl_of(tensor).device().type == kXLA;
}

//===- Ordinals and world size --------------------------------------------===//

int xrt_world_size(int defval) {
  return lazy::is_replica() ? runtime::world_size() : defval;
}

int get_ordinal(int defval) {
  return lazy::is_replica() ? runtime::global_ordinal() : defval;
}

int get_local_ordinal(int defval) {
  return lazy::is_replica() ? runtime::local_ordinal() : defval;
}

bool is_master_ordinal(bool local) {
  return (local ? get_local_ordinal() : get_ordinal()) == 0;
}

//===- Steps --------------------------------------------------------------===//

void mark_step(bool wait) {
  XLAC_CALL("mark_step");
  xlac::sync(wait);
}

void wait_device_ops(std::vector<Device> list) {
  XLAC_CALL("wait_device_ops");
  if (list.empty())
    list = xlac::devices();
  for (Device device : list)
    lazy::wait_for(checked(device).index);
}

//===- Programs and memory ------------------------------------------------===//

std::string get_stablehlo(const std::vector<Tensor> &tensors) {
  XLAC_CALL("get_stablehlo");
  return stablehlo::from_tensors(tensors).text();
}

Bytes get_stablehlo_bytecode(const std::vector<Tensor> &tensors) {
  XLAC_CALL("get_stablehlo_bytecode");
  return stablehlo::from_tensors(tensors).bytecode();
}

void optimization_barrier_(const std::vector<Tensor> &tensors) {
  XLAC_CALL("optimization_barrier_");
  NoGradGuard guard;
  std::vector<Tensor> held = optimization_barrier(tensors);
  // Written through data(), so that autograd does not count it as a change of
  // saved tensors.
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i].data().copy_(held[i]);
}

std::vector<Tensor>
send_cpu_data_to_device(const std::vector<Tensor> &tensors, Device device,
                        std::optional<spmd::ShardingSpec> input_sharding) {
  XLAC_CALL("send_cpu_data_to_device");
  device = checked(device);
  std::vector<Tensor> sent;
  for (const Tensor &tensor : tensors)
    sent.push_back(input_sharding ? spmd::send_sharded(tensor, *input_sharding)
                                  : tensor.detach().to(device));
  return sent;
}

MemoryInfo get_memory_info(std::optional<Device> device) {
  XLAC_CALL("get_memory_info");
  int index = checked(device.value_or(Device(kXLA))).index;
  runtime::AllocatorStats stats =
      unwrap(runtime::find_device(index))->memory().allocator;
  return {stats.in_use, stats.limit, stats.peak};
}

} // namespace xlac::xla_model
