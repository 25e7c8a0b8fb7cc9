// Seeds: lazy.h's and xla_model.h's names for the states of the generators.
#include "access.h"

#include "xlac/lazy/random.h"
#include "xlac/xla_model.h"

namespace xlac {

void manual_seed(int64_t seed) {
  XLAC_CALL("manual_seed");
  lazy::set_all_rng_states(static_cast<uint64_t>(seed));
}

void manual_seed(int64_t seed, Device device) {
  XLAC_CALL("manual_seed");
  lazy::set_rng_state(lazy::resolve(device), static_cast<uint64_t>(seed));
}

namespace xla_model {

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

} // namespace xla_model
} // namespace xlac
