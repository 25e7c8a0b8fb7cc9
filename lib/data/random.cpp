#include "xlac/data/random.h"

#include <cmath>
#include <numbers>

namespace xlac::data {

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014).
static uint64_t mixed(uint64_t state) {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

Random::Random(uint64_t seed, uint64_t part)
    : state_(mixed(mixed(seed + 0x9e3779b97f4a7c15) + part)) {}

uint64_t Random::operator()() { return mixed(state_ += 0x9e3779b97f4a7c15); }

double Random::uniform() {
  return static_cast<double>((*this)() >> 11) * 0x1p-53;
}

double Random::normal() {
  // Box-Muller. The second number is dropped, so that each call takes the same
  // number of random bits.
  double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

uint64_t Random::below(uint64_t end) {
  if (end == 0)
    return 0;
  // Numbers after the last whole multiple of `end` would bias the result
  // towards small numbers.
  uint64_t excess = (max() % end + 1) % end;
  for (;;)
    if (uint64_t drawn = (*this)(); drawn <= max() - excess)
      return drawn % end;
}

Random &random() {
  static thread_local Random own(0);
  return own;
}

SampleScope::SampleScope(uint64_t seed, uint64_t sample) : before_(random()) {
  random() = Random(seed, sample);
}

SampleScope::~SampleScope() { random() = before_; }

} // namespace xlac::data
