#include "xlac/lazy/random.h"

#include "xlac/lazy/errors.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/tensor_impl.h"

#include <cstring>
#include <map>

namespace xlac::lazy {

namespace {

constexpr uint64_t kFirstState = 101;

struct States {
  std::mutex mutex;
  uint64_t unused = kFirstState; ///< of devices that are not in the map
  std::map<std::pair<DeviceType, int>, uint64_t> used;

  uint64_t &of(Device device) {
    return used.try_emplace({device.type, device.index}, unused).first->second;
  }
};

States &states() {
  static auto *instance = new States; // outlives static destructors
  return *instance;
}

} // namespace

uint64_t rng_state(Device device) {
  std::lock_guard lock(states().mutex);
  return states().of(device);
}

void set_rng_state(Device device, uint64_t state) {
  std::lock_guard lock(states().mutex);
  states().of(device) = state;
}

void set_all_rng_states(uint64_t state) {
  std::lock_guard lock(states().mutex);
  states().used.clear();
  states().unused = state;
}

void reset_rng_states() { set_all_rng_states(kFirstState); }

graph::Value take_rng_state(Device device) {
  // Key and counter; each operation has a key of its own and counts from 0.
  uint64_t words[2] = {0, 0};
  {
    std::lock_guard lock(states().mutex);
    uint64_t &state = states().of(device);
    words[0] = state;
    // Knuth's linear congruential generator, whose period is all 2^64 states.
    state = state * 6364136223846793005u + 1442695040888963407u;
  }
  host::Literal literal = unwrap(host::Literal::copy_of(
      TensorType{ElementType::UI64, {2}, {}, {}}, words));
  return device.type == kCPU ? host_value(std::move(literal))
                             : carried_value(device.index, std::move(literal));
}

} // namespace xlac::lazy
