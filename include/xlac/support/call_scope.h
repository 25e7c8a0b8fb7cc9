// The public API call that runs on a thread. Errors start with its name, and
// the nodes that it records have its caller's address as origin.
#pragma once

#include <cstdint>

namespace xlac {

/// Lives while a public function runs. The outermost scope of a thread provides
/// the name for messages and the origin of nodes; nested scopes have no effect.
class CallScope {
public:
  CallScope(const char *name, void *return_address)
      : outermost_(current_name == nullptr) {
    if (outermost_) {
      current_name = name;
      current_origin = reinterpret_cast<uintptr_t>(return_address);
      has_recorded = false;
      if (++calls % kTimedCalls == 0)
        start_timing();
    }
  }
  ~CallScope() {
    if (outermost_) {
      if (is_timed)
        end_timing();
      current_name = nullptr;
    }
  }
  CallScope(const CallScope &) = delete;
  CallScope &operator=(const CallScope &) = delete;

  static const char *name() { return current_name; }
  static uintptr_t origin() { return current_name ? current_origin : 0; }
  /// Records that the running public call recorded an operation on an xla
  /// device. The first time in a call, it is counted as "xla::<name>".
  static void set_current_operation() {
    if (current_name && !has_recorded)
      count_operation();
  }

private:
  /// One of so many calls is timed for the metric LazyTracing.
  static constexpr uint32_t kTimedCalls = 64;

  static void count_operation();
  static void start_timing();
  static void end_timing();

  inline static thread_local bool has_recorded = false, is_timed = false;
  inline static thread_local uint32_t calls = 0;
  inline static thread_local const char *current_name = nullptr;
  inline static thread_local uintptr_t current_origin = 0;
  bool outermost_;
};

} // namespace xlac
