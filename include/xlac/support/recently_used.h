// A bounded table that evicts the least recently used entry. Thread-safe.
#pragma once

#include "xlac/support/fork.h"

#include <cstddef>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace xlac {

template <class Key, class Value> class RecentlyUsed {
public:
  explicit RecentlyUsed(size_t limit) : limit_(limit) {}

  /// The value of `key`, or a default-constructed one.
  Value find(const Key &key) {
    std::lock_guard lock(mutex_);
    auto found = index_.find(key);
    if (found == index_.end())
      return {};
    order_.splice(order_.begin(), order_, found->second);
    return found->second->second;
  }

  /// Inserts `value` unless `key` has a value.
  void keep(const Key &key, Value value) {
    std::lock_guard lock(mutex_);
    if (!index_.contains(key))
      insert(key, std::move(value));
  }

  /// Inserts `value` in place of the value that `key` may have.
  void replace(const Key &key, Value value) {
    std::lock_guard lock(mutex_);
    if (auto found = index_.find(key); found != index_.end()) {
      order_.erase(found->second);
      index_.erase(found);
    }
    insert(key, std::move(value));
  }

  size_t size() {
    std::lock_guard lock(mutex_);
    return order_.size();
  }

private:
  void insert(const Key &key, Value value) {
    order_.emplace_front(key, std::move(value));
    index_[key] = order_.begin();
    if (order_.size() > limit_) {
      index_.erase(order_.back().first);
      order_.pop_back();
    }
  }

  const size_t limit_;
  ForkMutex mutex_;
  std::list<std::pair<Key, Value>> order_;
  std::unordered_map<Key, typename decltype(order_)::iterator> index_;
};

} // namespace xlac
