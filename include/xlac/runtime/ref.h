// A reference-counted pointer with a readable count: a buffer may be donated
// only by its sole owner.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace xlac::runtime {

/// Base class of the objects of Ref. The count starts at 0.
template <class T> class RefCounted {
public:
  RefCounted() = default;
  RefCounted(const RefCounted &) = delete;
  RefCounted &operator=(const RefCounted &) = delete;

private:
  template <class> friend class Ref;
  mutable std::atomic<uint32_t> count_{0};
};

/// A shared owner of a T, or null. Distinct Refs may be used from distinct
/// threads.
template <class T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T *object) : object_(object) { retain(); }
  Ref(const Ref &other) : object_(other.object_) { retain(); }
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ && object_->count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete object_;
  }

  T *get() const { return object_; }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref &other) const = default;

  /// Whether this is the only Ref to the object. If so, no other thread can
  /// copy it meanwhile.
  bool is_sole() const {
    return object_ && object_->count_.load(std::memory_order_acquire) == 1;
  }

private:
  void retain() {
    if (object_)
      object_->count_.fetch_add(1, std::memory_order_relaxed);
  }

  T *object_ = nullptr;
};

} // namespace xlac::runtime
