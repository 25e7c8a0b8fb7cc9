// Where ordinals leave payloads under a tag until all that are expected have
// come. Those of this process wait here; what others bring is put in for them.
#pragma once

#include "xlac/support/result.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::job {

class PayloadRendezvous {
public:
  /// One rendezvous: its tag and who takes part.
  struct Key {
    std::string tag;
    std::vector<int> ordinals;
    auto operator<=>(const Key &) const = default;
  };

  /// Ordinals from `first` on wait here, `count` of them.
  PayloadRendezvous(int first, int count) : first_(first), count_(count) {}

  /// The payload of an ordinal's next call with this key.
  void bring(const Key &key, int ordinal, std::string_view payload);
  /// What all bring to the meeting that `ordinal`, one from here, comes to
  /// next, as the key lists them.
  Result<std::vector<std::string>> collect(const Key &key, int ordinal,
                                           std::chrono::milliseconds deadline);
  /// All who wait, now or later, fail; the first failure stays.
  void fail(const Failure &failure);
  /// A process that waits for one of these ordinals fails, except for rendezvous
  /// at which they arrived before.
  void forget(int first, int count, const std::string &why);

private:
  struct Rendezvous {
    std::map<int, std::string> payloads;
    int collected = 0;
  };

  /// Of the key's ordinals, those that wait here.
  int locals(const Key &key) const;
  /// Why waiting is in vain.
  std::optional<Failure> trouble(const Rendezvous &meeting,
                                 const Key &key) const;

  const int first_, count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<Key, int>, uint64_t> brought_, collected_; ///< calls
  std::map<std::pair<Key, uint64_t>, Rendezvous> rendezvous_points_;
  std::map<int, std::string> departed_; ///< ordinals, and why
  std::optional<Failure> failure_;
};

} // namespace xlac::job
