#include "xlac/lazy/random.h"

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/host_values.h"
#include "xlac/support/fork.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace xlac::lazy {

namespace {

using Generator = std::pair<DeviceType, int>;
Generator generator_of(Device device) { return {device.type, device.index}; }

struct States {
  uint64_t unused = 101; ///< state of devices that are not in the map
  std::map<Generator, uint64_t> used;

  uint64_t &of(Device device) {
    return used.try_emplace(generator_of(device), unused).first->second;
  }
};

struct SharedStates {
  ForkMutex mutex;
  States states;
};

SharedStates &process() {
  static auto *instance = new SharedStates; // outlives static destructors
  return *instance;
}

} // namespace

struct DrawRecord {
  States states;
  std::map<Generator, std::vector<uint64_t>> taken;
};

namespace {

/// States that a thread records, or replays from a record.
struct Scope {
  DrawRecord *recorded = nullptr;
  std::shared_ptr<const DrawRecord> repeated;
  States states; ///< while replaying
  std::map<Generator, size_t> next;
};
/// The innermost scope is the last.
thread_local std::vector<Scope> scopes;

/// The innermost scope that replays; null if states are new.
Scope *repeating() {
  auto found = std::find_if(scopes.rbegin(), scopes.rend(),
                            [](const Scope &scope) { return scope.repeated; });
  return found == scopes.rend() ? nullptr : &*found;
}

/// Calls `use` with the states that this thread sees.
template <class Use> auto with_states(const Use &use) {
  if (Scope *scope = repeating())
    return use(scope->states);
  std::lock_guard lock(process().mutex);
  return use(process().states);
}

/// The state that the next random operation of the innermost replay used.
std::optional<uint64_t> recorded_state(Device device) {
  Scope *scope = repeating();
  if (!scope)
    return std::nullopt;
  auto found = scope->repeated->taken.find(generator_of(device));
  size_t &next = scope->next[generator_of(device)];
  if (found == scope->repeated->taken.end() || next == found->second.size())
    return std::nullopt;
  return found->second[next++];
}

/// Adds to the records that are open inside the innermost replay.
void record_draw(Device device, uint64_t state) {
  for (size_t i = scopes.size(); i-- > 0 && scopes[i].recorded;)
    scopes[i].recorded->taken[generator_of(device)].push_back(state);
}

} // namespace

RngRecorder::RngRecorder() : record_(std::make_shared<DrawRecord>()) {
  record_->states = with_states([](const States &states) { return states; });
  scopes.emplace_back().recorded = record_.get();
}

RngRecorder::~RngRecorder() { scopes.pop_back(); }

RngReplay::RngReplay(std::shared_ptr<const DrawRecord> record) {
  Scope &scope = scopes.emplace_back();
  scope.states = record->states;
  scope.repeated = std::move(record);
}

RngReplay::~RngReplay() { scopes.pop_back(); }

uint64_t rng_state(Device device) {
  return with_states([&](States &states) { return states.of(device); });
}

void set_rng_state(Device device, uint64_t state) {
  with_states([&](States &states) { states.of(device) = state; });
}

void set_all_rng_states(uint64_t state) {
  with_states([&](States &states) { states = {state, {}}; });
}

void reset_rng_states() { set_all_rng_states(States().unused); }

graph::Value take_rng_state(Device device) {
  // Key and counter: each operation has its own key and counts from 0.
  uint64_t words[2] = {0, 0};
  std::optional<uint64_t> recorded = recorded_state(device);
  with_states([&](States &states) {
    uint64_t &state = states.of(device);
    words[0] = state = recorded.value_or(state);
    // Knuth's linear congruential generator, with period 2^64.
    state = state * 6364136223846793005u + 1442695040888963407u;
  });
  record_draw(device, words[0]);
  host::Literal literal = unwrap(host::Literal::copy_of(
      TensorType{ElementType::UI64, {2}, {}, {}}, words));
  return device.type == kCPU ? host_value(std::move(literal))
                             : carried_value(device.index, std::move(literal));
}

} // namespace xlac::lazy
