// How many xla devices there are, and which one a thread is on.
#include "xlac/lazy/errors.h"
#include "xlac/lazy/execute.h"
#include "xlac/runtime/device.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace xlac::lazy {

namespace {

struct Runtime {
  std::mutex mutex;
  std::optional<int> wanted;
  int count = 0; ///< 0 until started
};

Runtime &runtime() {
  static auto *instance = new Runtime; // outlives static destructors
  return *instance;
}

int count_from_environment() {
  const char *text = std::getenv("CPU_NUM_DEVICES");
  if (!text || !*text)
    return 1;
  int count = 0;
  auto [end, error] = std::from_chars(text, text + std::strlen(text), count);
  if (error != std::errc() || *end || count < 1)
    raise<ValueError>("CPU_NUM_DEVICES is '" + std::string(text) +
                      "', wanted a positive number");
  return count;
}

thread_local int current = 0;

} // namespace

int device_count() {
  Runtime &state = runtime();
  std::lock_guard lock(state.mutex);
  if (state.count == 0) {
    const char *type = std::getenv("PJRT_DEVICE");
    if (type && *type && std::string_view(type) != "CPU" &&
        std::string_view(type) != "cpu")
      raise<DeviceError>("PJRT_DEVICE=" + std::string(type) +
                         ": only CPU devices are available");
    DeviceOptions options;
    options.count = state.wanted ? *state.wanted : count_from_environment();
    unwrap(configure_devices(options));
    state.count = options.count;
  }
  return state.count;
}

void set_device_count(int count) {
  Runtime &state = runtime();
  std::lock_guard lock(state.mutex);
  if (state.count != 0)
    raise<UserError>("the runtime is already initialized");
  if (count < 1)
    raise<ValueError>("wanted a positive number of devices, got " +
                      std::to_string(count));
  state.wanted = count;
}

bool runtime_started() {
  Runtime &state = runtime();
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

int current_device() { return current; }

void set_current_device(int index) {
  check_index(index);
  current = index;
}

Device resolve(Device device) {
  if (device.type == kCPU)
    return Device(kCPU);
  if (device.index < 0)
    device.index = current;
  check_index(device.index);
  return device;
}

} // namespace xlac::lazy
