// The choices that make a program. They are generated from a seed and recorded,
// or replayed from such a list. A failing program is shrunk by removing or
// lowering choices in its list, independently of its ops. The choice 0 is
// always the simplest one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace xlac::fuzz {

/// SplitMix64: the same numbers on every platform.
class Stream {
public:
  explicit Stream(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }

private:
  uint64_t state_;
};

using Choices = std::vector<uint32_t>;

class Random {
public:
  explicit Random(uint64_t seed) : stream_(seed) {}
  /// Replays `choices`; all choices after their end are 0.
  explicit Random(Choices choices)
      : stream_(0), replays_(true), played_(std::move(choices)) {}

  /// Returns a number below `bound`, which is at least 1.
  uint32_t below(uint64_t bound) {
    uint64_t choice = 0;
    if (!replays_)
      choice = stream_.next() % bound;
    else if (made_.size() < played_.size())
      choice = played_[made_.size()] % bound;
    made_.push_back(static_cast<uint32_t>(choice));
    return made_.back();
  }
  /// Returns true with a probability of `percent` percent; false is the
  /// simplest choice.
  bool chance(uint32_t percent) { return below(100) >= 100 - percent; }
  int64_t between(int64_t low, int64_t high) {
    return low + below(static_cast<uint64_t>(high - low + 1));
  }
  template <class Range> auto pick(const Range &range) {
    return std::data(range)[below(std::size(range))];
  }
  /// Returns an index of `weights` with a probability proportional to its
  /// weight.
  size_t weighted(std::span<const uint32_t> weights) {
    uint32_t total = 0;
    for (uint32_t weight : weights)
      total += weight;
    uint32_t at = below(total);
    for (size_t i = 0;; at -= weights[i++])
      if (at < weights[i])
        return i;
  }

  /// The choices made so far.
  const Choices &made() const { return made_; }

private:
  Stream stream_;
  bool replays_ = false;
  Choices played_, made_;
};

} // namespace xlac::fuzz
