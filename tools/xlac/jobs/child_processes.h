// Programs that run side by side and end together: the first that fails ends
// the others, and so does the end of who started them.
#pragma once

#include "xlac/support/result.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace xlac::cli {

/// What to run, and what is said about it.
struct ChildCommand {
  std::string name; ///< for messages: "process 3"
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> variables; ///< beside ours
  /// Precedes each line that it prints; without one its output is ours.
  std::string prefix;
  /// Its input ends when it shall end; else it has none.
  bool tied = false;
  /// What the input of a tied one begins with; at most a pipe full.
  std::string input;
};

class ChildProcesses {
public:
  /// With `tied` the end of our own input ends everything.
  explicit ChildProcesses(bool tied);
  ~ChildProcesses();

  Status start(const ChildCommand &member);
  /// Waits for all. 0, or the first failure: what the program returned, or 128
  /// and its signal. No child is left then, nor any process that they started.
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
