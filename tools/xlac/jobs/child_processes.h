// Programs that run in parallel and end together: the first failure ends the
// others, and so does the end of this process.
#pragma once

#include "xlac/support/result.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace xlac::cli {

/// A command and its presentation.
struct ChildCommand {
  std::string name; ///< for messages: "process 3"
  std::vector<std::string> command;
  /// added to the environment
  std::vector<std::pair<std::string, std::string>> variables;
  /// Precedes each line of its output; if empty, it inherits stdout and stderr.
  std::string prefix;
  /// Whether it gets an input pipe, which is closed to end it. Otherwise it has
  /// no input.
  bool tied = false;
  /// The first bytes of a tied child's input; at most the capacity of a pipe.
  std::string input;
};

class ChildProcesses {
public:
  /// With `tied` the end of this process's input ends all children.
  explicit ChildProcesses(bool tied);
  ~ChildProcesses();

  Status start(const ChildCommand &member);
  /// Waits for all children. Returns 0 or the first failure: the exit code, or
  /// 128 plus the signal. All children and the processes that they started have
  /// ended then.
  int wait();

private:
  struct Running {
    std::string name, prefix;
    pid_t pid = -1;
    int input = -1;
    int outputs[2] = {-1, -1};
    std::string lines[2];
    bool ended = false;
  };

  void end_all(int status);
  void kill_all(int signal);
  void on_signal();
  void reap();
  void read_output(Running &member, int which);
  static void print_line(const Running &member, int which,
                         std::string_view line);
  bool is_done() const;
  int poll_timeout() const;

  const bool tied_;
  int signals_ = -1;
  std::vector<Running> members_;
  bool ending_ = false;
  int status_ = 0;
  std::chrono::steady_clock::time_point kill_at_;
};

} // namespace xlac::cli
