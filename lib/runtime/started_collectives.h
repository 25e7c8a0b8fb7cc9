// Collectives that run in parallel with the program that started them: one
// thread executes them in order. Private to the component.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <vector>

namespace xlac::runtime {

/// The started collectives of one run; used by the run's own thread.
class StartedCollectives {
public:
  /// Executes collective `number` on operands, then results; returns a status.
  using Function = std::function<int32_t(int32_t number, void *const *buffers)>;

  explicit StartedCollectives(Function function)
      : function_(std::move(function)) {}
  /// Waits for all started collectives.
  ~StartedCollectives() { finish(); }
  StartedCollectives(const StartedCollectives &) = delete;
  StartedCollectives &operator=(const StartedCollectives &) = delete;

  /// Queues a collective on the thread, after those started before. If there is
  /// no thread yet, `beside` starts one; otherwise the collective is executed
  /// at once. The contents of the buffers must stay unchanged until it is
  /// awaited; the list is copied.
  void start(int32_t number, std::vector<void *> buffers, bool beside);

  /// Waits for the collective with that number and returns its status. After a
  /// failure, later collectives fail without being executed. Empty for a number
  /// that was not started or has been awaited.
  std::optional<int32_t> await(int32_t number);

  /// Whether a started collective was not awaited.
  bool busy() const { return !all_.empty(); }

  /// Waits for all started collectives and ends the thread.
  void finish();

private:
  struct Started {
    int32_t number;
    std::vector<void *> buffers;
    bool done = false;
    int32_t status = 0;
  };

  bool start_thread();
  void work();
  /// The first that is not done, or null; the caller holds the mutex.
  Started *next();

  const Function function_;
  std::mutex mutex_;
  std::condition_variable started_, done_;
  std::list<Started> all_; ///< changed by the run's thread, with the mutex held
  int32_t failed_ = 0;     ///< status of the first failure
  bool finishing_ = false;
  bool has_thread_ = false;
  pthread_t thread_{};
};

} // namespace xlac::runtime
