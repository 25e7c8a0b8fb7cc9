// Collectives that go on beside the program that started them: a thread carries
// them out, one after the other. Private to the component.
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

/// Those of one run; called by the run's own thread.
class StartedCollectives {
public:
  /// Does collective `number` over operands, then results; gives a status.
  using Function = std::function<int32_t(int32_t number, void *const *buffers)>;

  explicit StartedCollectives(Function function)
      : function_(std::move(function)) {}
  /// Waits for all that were started.
  ~StartedCollectives() { finish(); }
  StartedCollectives(const StartedCollectives &) = delete;
  StartedCollectives &operator=(const StartedCollectives &) = delete;

  /// Puts a collective behind those started before, or does it at once where
  /// that is all there is to do: not `beside` the program. What the buffers
  /// hold must stay until it is awaited; the list itself is copied.
  void start(int32_t number, std::vector<void *> buffers, bool beside);

  /// Waits for the collective of that number and gives its status. Where one
  /// has failed those behind it fail too, unasked. Nothing for a number that
  /// was not started or has been awaited.
  std::optional<int32_t> await(int32_t number);

  /// True if a started collective was not awaited.
  bool busy() const { return !all_.empty(); }

  /// Waits for all that were started; the thread ends.
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
  /// The first that is not done, or null; with the mutex held.
  Started *next();

  const Function function_;
  std::mutex mutex_;
  std::condition_variable started_, done_;
  std::list<Started> all_; ///< changed by the run's thread, with the mutex held
  int32_t failed_ = 0;     ///< status of the first that failed
  bool finishing_ = false;
  bool has_thread_ = false;
  pthread_t thread_{};
};

} // namespace xlac::runtime
