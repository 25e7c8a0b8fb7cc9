// Compiles code for any size on a thread of its own, while programs run code
// for their own sizes.
#pragma once

#include "xlac/compiler.h"
#include "xlac/support/fork.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <string>
#include <unordered_map>

namespace xlac {

/// One thread that compiles for families of programs (CompilerOptions::family),
/// one after the other. A fork and the end of the process cancel what it
/// compiles. The thread lives while there is work.
class BackgroundCompiler final : public ForkStep {
public:
  static BackgroundCompiler &process();

  enum class Family : uint8_t {
    New,     ///< this process has not compiled a program of it
    Known,   ///< it has compiled one
    Visited, ///< the background thread has compiled for it, or tried to
  };
  /// Called before a program of the family is compiled. Waits if the thread
  /// does awaited work for the family. Awaited work that has not begun is
  /// dropped, because the caller can do it at once.
  Family enter(const std::string &family);
  /// Called after the first program of the family has been compiled, with the
  /// sizes of its arguments.
  void note(const std::string &family, ArgumentSizes sizes);
  /// The sizes that note() was called with; empty if it was not.
  ArgumentSizes first_sizes(const std::string &family);
  /// Work that should end soon after its argument becomes true.
  using Work = std::function<void(const std::atomic<bool> &is_cancelled)>;
  /// Queues work for a family. Does nothing if no thread can be created.
  void add(const std::string &family, Work work, bool is_awaited = true);
  /// Queues work that compiles code for the sizes of one program of the family.
  /// Returns false if `most` were queued before, or no thread can be created.
  bool add_specialization(const std::string &family, int64_t most, Work work);
  /// Waits until no work is left.
  void wait();

  bool try_hold(Clock::time_point end) override;
  void release(bool in_child) override;

private:
  BackgroundCompiler();
  static void *run(void *self);
  void work();
  void stop();
  bool start();

  std::mutex mutex_;
  std::condition_variable changed_;
  struct Visit {
    Family state = Family::Known;
    ArgumentSizes first_sizes = {};
    int64_t specializations = 0;
  };
  std::unordered_map<std::string, Visit> families_;
  struct Entry {
    std::string family;
    Work work;
    bool is_awaited;
  };
  std::deque<Entry> queue_;
  std::string running_; ///< the family of awaited work that the thread does
  std::atomic<bool> is_cancelled_{false};
  bool is_held_ = false; ///< a fork waits or takes place
  bool is_stopped_ = false;
  bool has_thread_ = false;   ///< thread_ is valid and not joined
  bool thread_works_ = false; ///< the thread has not decided to end
  pthread_t thread_{};
};

} // namespace xlac
