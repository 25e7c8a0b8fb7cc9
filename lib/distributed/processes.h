// The processes of one spawn, as the one that made them sees them.
#pragma once

#include "process_plan.h"
#include "xlac/distributed/multiprocessing.h"

#include <mutex>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace xlac::distributed {

/// Runs `body` in a forked process, whose exit status is what it gives, and
/// with the end of a pipe that it reports to. The process ends with the thread
/// that called this.
struct Fork {
  pid_t pid = -1;
  int reports = -1; ///< to be read from, and closed
};
Fork fork_process(const std::function<int(int reports)> &body);

/// Tells the parent of a failure; a process may tell of several.
void write_report(int to, const ReplicaFailure &failure);

class ProcessContext::Children {
public:
  explicit Children(bool daemon) : daemon_(daemon) {}
  ~Children();
  Children(const Children &) = delete;
  Children &operator=(const Children &) = delete;

  void add(Fork fork, int ordinal);
  std::vector<int> pids() const;
  /// See ProcessContext::join.
  bool join(std::optional<double> timeout);
  bool are_running();
  /// This process is about to end: see SpawnOptions::daemon.
  void finish();
  /// Ends what still runs.
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
