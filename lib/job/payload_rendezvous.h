// Collects payloads of ordinals under a tag until all expected ones have
// arrived. Ordinals of this process wait here; payloads of other processes are
// added with bring().
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
  /// Identifies a rendezvous: its tag and its participants.
  struct Key {
    std::string tag;
    std::vector<int> ordinals;
    auto operator<=>(const Key &) const = default;
  };

  /// `count` ordinals from `first` are local and wait here.
  PayloadRendezvous(int first, int count) : first_(first), count_(count) {}

  /// Adds the payload of an ordinal's next call with this key.
  void bring(const Key &key, int ordinal, std::string_view payload);
  /// The payloads of the next rendezvous of the local `ordinal`, in the order
  /// of the key.
  Result<std::vector<std::string>> collect(const Key &key, int ordinal,
                                           std::chrono::milliseconds deadline);
  /// Fails all present and future waiters; the first failure is kept.
  void fail(const Failure &failure);
  /// Fails processes that wait for one of these ordinals, except in rendezvous
  /// that they have reached.
  void forget(int first, int count, const std::string &why);

private:
  struct Rendezvous {
    std::map<int, std::string> payloads;
    int collected = 0;
  };

  /// Number of local ordinals in the key.
  int locals(const Key &key) const;
  /// The reason why waiting cannot succeed, if there is one.
  std::optional<Failure> trouble(const Rendezvous &meeting,
                                 const Key &key) const;

  const int first_, count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  /// Counts of calls.
  std::map<std::pair<Key, int>, uint64_t> brought_, collected_;
  std::map<std::pair<Key, uint64_t>, Rendezvous> rendezvous_points_;
  std::map<int, std::string> departed_; ///< ordinals that have left, and why
  std::optional<Failure> failure_;
};

} // namespace xlac::job
