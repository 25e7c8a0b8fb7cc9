// The functions of xla_model.h for the states of random generators.
#include "xlac/lazy/devices.h"
#include "xlac/lazy/random.h"
#include "xlac/tensor/access.h"
#include "xlac/xla_model.h"

namespace xlac::xla_model {

static Device device_or_current(std::optional<Device> device) {
  return lazy::resolve(device.value_or(Device(kXLA)));
}

void set_rng_state(int64_t seed, std::optional<Device> device) {
  XLAC_CALL("set_rng_state");
  lazy::set_rng_state(device_or_current(device), static_cast<uint64_t>(seed));
}

int64_t get_rng_state(std::optional<Device> device) {
  XLAC_CALL("get_rng_state");
  return static_cast<int64_t>(lazy::rng_state(device_or_current(device)));
}

ForkRng::ForkRng(std::optional<Device> device)
    : device_(device_or_current(device)), state_(get_rng_state(device_)) {}

ForkRng::~ForkRng() {
  lazy::set_rng_state(device_, static_cast<uint64_t>(state_));
}

} // namespace xlac::xla_model
