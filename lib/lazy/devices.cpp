#include "xlac/lazy/devices.h"

#include "xlac/lazy/setting_values.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/runtime/device.h"
#include "xlac/support/cores.h"
#include "xlac/support/fork.h"
#include "xlac/support/machine_memory.h"
#include "xlac/support/raise.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <optional>
#include <thread>

namespace xlac::lazy {

namespace {

struct Runtime {
  ForkMutex mutex;
  std::optional<int> wanted;
  std::optional<std::string> type;  ///< set by set_device_type
  int processes = 1;                ///< that share the host equally
  bool (*is_suspended)() = nullptr; ///< child processes own the devices
  int count = 0;                    ///< 0 until started
};

Runtime &runtime_state() {
  static auto *instance = new Runtime; // outlives static destructors
  return *instance;
}

int count_from_environment() {
  return static_cast<int>(
      checked_setting(read_integer(SettingId::CpuNumDevices)).value_or(1));
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::optional<std::string> type_locked(const Runtime &state) {
  if (state.type)
    return state.type;
  if (auto type = text_setting(SettingId::PjrtDevice))
    return upper_case(*type);
  if (!flag_setting(SettingId::SelectDefaultDevice, true))
    return std::nullopt;
  return "CPU";
}

int64_t memory_limit(int devices) {
  return checked_setting(read_integer(SettingId::DeviceMemory))
      .value_or(memory_of_machine() / devices);
}

int threads_of_device(int devices) {
  if (auto threads = integer_setting(SettingId::NumThreads))
    return static_cast<int>(*threads);
  return std::max(1, available_cores() / devices);
}

thread_local int current = 0;

} // namespace

std::optional<std::string> device_type() {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  return type_locked(state);
}

void set_device_type(std::string_view type) {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  if (state.count != 0)
    raise<UserError>("the runtime is already initialized");
  state.type = upper_case(std::string(type));
}

/// DeviceError unless the device type is available.
static void check_type_locked(const Runtime &state) {
  auto type = type_locked(state);
  if (!type)
    raise<DeviceError>("no device type: PJRT_DEVICE is not set and "
                       "PJRT_SELECT_DEFAULT_DEVICE is off");
  if (*type != "CPU")
    raise<DeviceError>("PJRT_DEVICE=" + *type +
                       ": only CPU devices are available");
}

static int planned_count_locked(const Runtime &state) {
  check_type_locked(state);
  return state.wanted ? *state.wanted : count_from_environment();
}

int planned_device_count() {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  return state.count != 0 ? state.count : planned_count_locked(state);
}

int runtime_device_count() {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  if (state.count != 0)
    return state.count;
  runtime::DeviceOptions options;
  options.count = planned_count_locked(state);
  if (state.is_suspended && state.is_suspended())
    raise<UserError>("XLA devices are owned by the processes of xmp.spawn");
  int on_host = options.count * state.processes;
  options.memory_limit = memory_limit(on_host);
  options.threads = threads_of_device(on_host);
  unwrap(configure_devices(options));
  state.count = options.count;
  return state.count;
}

int threads_of_process() {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  return threads_of_device(state.processes);
}

int device_count() {
  int count = runtime_device_count();
  return is_spmd() ? 1 : count;
}

void share_host(int devices, int processes) {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  if (state.count != 0 && state.count != devices)
    raise<UserError>("the runtime is already initialized with " +
                     std::to_string(state.count) + " devices");
  state.wanted = devices;
  state.processes = processes;
  state.is_suspended = nullptr;
}

void suspend_runtime(bool (*is_suspended)()) {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  state.is_suspended = is_suspended;
}

void set_device_count(int count) {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  if (state.count != 0)
    raise<UserError>("the runtime is already initialized");
  if (count < 1)
    raise<ValueError>("wanted a positive number of devices, got " +
                      std::to_string(count));
  state.wanted = count;
}

bool runtime_started() {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  return state.count != 0;
}

static void check_index(int index) {
  int count = device_count();
  if (index < 0 || index >= count) {
    std::string list;
    for (int i = 0; i < count; ++i)
      list += (i ? ", xla:" : "xla:") + std::to_string(i);
    raise<IndexError>("Device index " + std::to_string(index) +
                      " out of range in [" + list + "]");
  }
}

void reset_device_settings() {
  Runtime &state = runtime_state();
  std::lock_guard lock(state.mutex);
  if (state.count == 0) {
    state.wanted.reset();
    state.type.reset();
  }
  current = 0;
}

int current_device() { return is_spmd() ? 0 : current; }

void set_current_device(int index) {
  check_index(index);
  current = index;
}

Device resolve(Device device) {
  if (device.type == kCPU)
    return Device(kCPU);
  if (device.index < 0)
    device.index = current_device();
  check_index(device.index);
  return device;
}

} // namespace xlac::lazy
