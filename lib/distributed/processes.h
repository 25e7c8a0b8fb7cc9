// The child processes of one spawn, from the parent's side.
#pragma once

#include "process_plan.h"
#include "xlac/distributed/multiprocessing.h"

#include <mutex>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace xlac::distributed {

/// Runs `body` in a forked process. `body` gets the write end of a pipe for
/// reports and returns the exit status. The process is killed when the calling
/// thread ends.
struct Fork {
  pid_t pid = -1;
  int reports = -1; ///< read end of the pipe, which the owner closes
};
Fork fork_process(const std::function<int(int reports)> &body);

/// Reports a failure to the parent. A process may send several reports.
void write_report(int to, const ReplicaFailure &failure);

class ProcessContext::Children {
public:
  explicit Children(bool daemon) : daemon_(daemon) {}
  ~Children();
  Children(const Children &) = delete;
  Children &operator=(const Children &) = delete;

  void add(Fork fork, int ordinal);
  std::vector<int> pids() const;
  /// As ProcessContext::join.
  bool join(std::optional<double> timeout);
  bool are_running();
  /// Called before this process exits: see SpawnOptions::daemon.
  void finish();
  /// Terminates the processes that still run.
  void end_all();

private:
  struct Child {
    pid_t pid;
    int reports;
    int ordinal;
    std::string said;       ///< its reports
    bool is_ended = false;  ///< and waited for
    bool is_killed = false; ///< by this process
    int status = 0;
  };

  void look();
  void read_reports(Child &child);
  bool has_failed(const Child &child) const;
  void end_locked();
  [[noreturn]] void raise_failure() const;

  mutable std::mutex mutex_;
  std::vector<Child> children_;
  const bool daemon_;
  const pid_t parent_ = getpid();
};

} // namespace xlac::distributed
