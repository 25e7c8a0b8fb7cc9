// Seeds: the functions of lazy.h for the states of the generators.
#include "xlac/lazy.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/random.h"
#include "xlac/tensor/access.h"

namespace xlac {

void manual_seed(int64_t seed) {
  XLAC_CALL("manual_seed");
  lazy::set_all_rng_states(static_cast<uint64_t>(seed));
}

void manual_seed(int64_t seed, Device device) {
  XLAC_CALL("manual_seed");
  lazy::set_rng_state(lazy::resolve(device), static_cast<uint64_t>(seed));
}

} // namespace xlac
