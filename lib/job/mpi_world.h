// MPI in this process: the library, opened once, and the thread that
// initializes MPI, lets it progress and finalizes it when the process exits.
// All calls of MPI hold one lock. If MPI was granted only to the thread that
// initialized it, that thread makes all calls.
#pragma once

#include "xlac/job/mpi_interface.h"
#include "xlac/support/clock.h"
#include "xlac/support/result.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace xlac::job {

/// A user of MPI whose requests progress on the thread.
class MpiClient {
public:
  virtual ~MpiClient() = default;
  /// Tests the requests. Called with MPI locked. Returns the time after which
  /// it wants to be called again.
  virtual std::chrono::microseconds progress() = 0;
  /// Passes on what has arrived. Called on the thread, without the lock.
  virtual void deliver() = 0;
  /// MPI cannot be used any more. Called with MPI locked.
  virtual void on_failure(const std::string &why) = 0;
  /// The process exits, or MPI is finalized with the reason `why`; the client
  /// must remove itself. MPI can still be used.
  virtual void on_end(const std::string &why) = 0;
};

class MpiWorld {
public:
  /// Opens libxlac_mpi.so and initializes MPI, or returns the result of the
  /// first call. Blocks until all processes that the launcher started do so.
  /// User failure if the library or its MPI cannot be used. Collective failure
  /// after `deadline`.
  static Result<MpiWorld *> open(std::chrono::milliseconds deadline);
  /// Whether the library and the MPI that it needs can be opened.
  static Status check_library();

  const MpiInterface &api() const { return *api_; }
  const MpiPlace &place() const { return place_; }
  /// Lets another thread run, unless the thread has waited since `start` for a
  /// short time only and no other rank needs its core.
  void pause(Clock::time_point start) const;
  /// False in a forked child of this process.
  bool is_ours() const;
  /// The text of an error code of MPI.
  std::string error_text(int code) const;

  /// Locks MPI for calls of this thread. Empty if another thread has it, if
  /// this thread may not call MPI, or if MPI cannot be used.
  std::unique_lock<std::timed_mutex> try_lock();
  /// Calls `fn` with MPI locked, on a thread that may call MPI. Runtime
  /// failure, without a call, if MPI cannot be used.
  Status call(const std::function<void()> &fn);
  /// Calls `fn`, which may block, with MPI locked on a thread of its own. MPI
  /// must have granted MpiThreads::Serialized.
  void call_apart(std::function<void()> fn);
  /// A call of call_apart() may never return: from now on MPI cannot be used,
  /// and nobody waits for the lock.
  void give_up() { failed_ = is_stuck_ = true; }
  /// Makes the thread call the clients now.
  void wake();

  /// From now on the thread serves the client. It must not be the thread of
  /// MPI that removes it.
  void add(MpiClient &client);
  void remove(MpiClient &client);
  /// MPI is not finalized at exit, because another process may never do so.
  void mark_failed() { failed_ = true; }

private:
  MpiWorld(const MpiInterface *api, std::chrono::milliseconds deadline)
      : api_(api), deadline_(deadline) {}

  Status start();
  /// Waits for the lock of MPI; empty if MPI is stuck.
  std::unique_lock<std::timed_mutex> lock_mpi();
  std::vector<MpiClient *> clients();
  bool may_call() const {
    return place_.threads >= MpiThreads::Serialized ||
           std::this_thread::get_id() == thread_.get_id();
  }
  void run();
  void serve();
  /// Whether MPI can be used; called with it locked.
  bool is_usable() const {
    return failure_.empty() && api_->phase() == MpiPhase::Active;
  }
  /// Runs the calls of other threads and the clients; returns the time to the
  /// next round.
  std::chrono::microseconds work();
  void deliver();
  /// Ends the thread; finalizes MPI if that cannot wait for a failed process.
  void finish(int status);
  static void at_exit(int status, void *world);
  /// The program finalizes MPI.
  void on_finalize();
  void end_clients(const std::string &why);
  /// Ends the thread; false if it has not ended after `time`.
  bool end_thread(std::chrono::milliseconds time);

  const MpiInterface *const api_;
  const std::chrono::milliseconds deadline_;
  MpiPlace place_;
  bool has_cores_ = false; ///< one for each rank of the node
  int64_t owner_ = 0;      ///< the process that initialized MPI
  std::thread thread_;

  std::timed_mutex mutex_; ///< locks MPI
  std::string failure_;    ///< why MPI cannot be used; guarded by mutex_
  std::mutex clients_mutex_;
  /// Changed with both locked, unless MPI is stuck.
  std::vector<MpiClient *> clients_;
  std::mutex delivery_; ///< held while clients deliver

  std::mutex state_mutex_; ///< guards the members below
  std::condition_variable changed_;
  bool started_ = false, woken_ = false, stopping_ = false, ended_ = false;
  std::string start_failure_;
  struct Call {
    const std::function<void()> &fn;
    bool is_usable = false, is_done = false;
  };
  std::vector<Call *> calls_; ///< of other threads

  std::atomic<bool> failed_ = false;
  std::atomic<bool> is_stuck_ = false;
  std::atomic<int> apart_ = 0; ///< threads of call_apart() that still call
};

} // namespace xlac::job
