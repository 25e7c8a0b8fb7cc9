// The choices that make a program: drawn from a seed and written down, or
// played back from such a list, shortened or lowered. So a failing program is
// shrunk by editing its list, whatever ops it is made of. In every question
// the choice 0 is the simplest answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace xlac::fuzz {

/// splitmix64: the same numbers on every machine.
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
  /// Plays `choices` back; behind their end every choice is 0.
  explicit Random(Choices choices)
      : stream_(0), replays_(true), played_(std::move(choices)) {}

  /// A number below `bound`, which is at least 1.
  uint32_t below(uint64_t bound) {
    uint64_t choice = 0;
    if (!replays_)
      choice = stream_.next() % bound;
    else if (made_.size() < played_.size())
      choice = played_[made_.size()] % bound;
    made_.push_back(static_cast<uint32_t>(choice));
    return made_.back();
  }
  /// True in `percent` of a hundred cases; false is the simple answer.
  bool chance(uint32_t percent) { return below(100) >= 100 - percent; }
  int64_t between(int64_t low, int64_t high) {
    return low + below(static_cast<uint64_t>(high - low + 1));
  }
  template <class Range> auto pick(const Range &range) {
    return std::data(range)[below(std::size(range))];
  }
  /// An entry of `weights`, each as likely as it is large.
  size_t weighted(std::span<const uint32_t> weights) {
    uint32_t total = 0;
    for (uint32_t weight : weights)
      total += weight;
    uint32_t at = below(total);
    for (size_t i = 0;; at -= weights[i++])
      if (at < weights[i])
        return i;
  }

  /// The choices made until now.
  const Choices &made() const { return made_; }

private:
  Stream stream_;
  bool replays_ = false;
  Choices played_, made_;
};

} // namespace xlac::fuzz
