#include "payload_rendezvous.h"

#include "job_text.h"

#include "xlac/support/clock.h"

#include <algorithm>

namespace xlac::job {

void PayloadRendezvous::bring(const Key &key, int ordinal,
                              std::string_view payload) {
  std::lock_guard lock(mutex_);
  uint64_t number = brought_[{key, ordinal}]++;
  rendezvous_points_[{key, number}].payloads[ordinal] = payload;
  changed_.notify_all();
}

int PayloadRendezvous::locals(const Key &key) const {
  return static_cast<int>(
      std::count_if(key.ordinals.begin(), key.ordinals.end(), [&](int ordinal) {
        return ordinal >= first_ && ordinal < first_ + count_;
      }));
}

std::optional<Failure> PayloadRendezvous::trouble(const Rendezvous &meeting,
                                                  const Key &key) const {
  if (failure_)
    return failure_;
  for (int other : key.ordinals)
    if (auto found = departed_.find(other);
        found != departed_.end() && !meeting.payloads.contains(other))
      return failure(FailureKind::Collective, found->second);
  return std::nullopt;
}

Result<std::vector<std::string>>
PayloadRendezvous::collect(const Key &key, int ordinal,
                           std::chrono::milliseconds deadline) {
  auto end = std::chrono::steady_clock::now() + deadline;
  std::string at =
      replica_text(ordinal, 1) + " at rendezvous '" + key.tag + "'";
  std::unique_lock lock(mutex_);
  std::pair number{key, collected_[{key, ordinal}]++};
  Rendezvous &meeting = rendezvous_points_[number];
  while (meeting.payloads.size() < key.ordinals.size()) {
    if (std::optional<Failure> found = trouble(meeting, key))
      return failure(found->failure_kind, at + ": " + found->message);
    if (std::chrono::steady_clock::now() >= end) {
      std::string missing;
      for (int other : key.ordinals)
        if (!meeting.payloads.contains(other))
          missing += (missing.empty() ? "" : ", ") + replica_text(other, 1);
      return failure(FailureKind::Collective, at + " waited " +
                                                  duration_text(deadline) +
                                                  "; not there: " + missing);
    }
    changed_.wait_until(lock, end);
  }
  std::vector<std::string> payloads;
  for (int other : key.ordinals)
    payloads.push_back(meeting.payloads[other]);
  if (++meeting.collected == locals(key))
    rendezvous_points_.erase(number);
  return payloads;
}

void PayloadRendezvous::fail(const Failure &failure) {
  std::lock_guard lock(mutex_);
  if (!failure_)
    failure_ = failure;
  changed_.notify_all();
}

void PayloadRendezvous::forget(int first, int count, const std::string &why) {
  std::lock_guard lock(mutex_);
  for (int ordinal = first; ordinal < first + count; ++ordinal)
    departed_.emplace(ordinal, why);
  changed_.notify_all();
}

} // namespace xlac::job
