// Jobs of real processes, forked from the test. The test waits for them, ends
// those that take too long, and collects their results.
#pragma once

#include "xlac/job/job.h"
#include "xlac/support/clock.h"

#include <functional>
#include <string>
#include <vector>

namespace xlac::test {

struct JobShape {
  int hosts = 1, processes_per_host = 2, devices_per_process = 1;
  int processes() const { return hosts * processes_per_host; }
};

struct Outcome {
  std::string text;   ///< returned by the process; empty: success
  double seconds = 0; ///< from the common start to its end
  int signal = 0;     ///< that ended it
  bool late = false;  ///< it was ended by the test
};

struct JobOptions {
  JobShape shape;
  std::chrono::milliseconds deadline = std::chrono::seconds(30);
  /// The delay of a process's start.
  std::function<std::chrono::milliseconds(int process)> delay = nullptr;
  /// Modifies the topology that the process uses.
  std::function<void(job::Topology &)> edit = nullptr;
  /// Is told where the first process listens.
  std::function<Status(int port)> listening = nullptr;
  std::string master_address = "127.0.0.1";
  std::chrono::seconds patience{60};
};

/// Returns a name that is unique on the machine, and a free port.
std::string unique_name();
int free_port();

/// Runs `body` in every process of a job. The outcome's text is its result, or
/// the error message if joining fails.
std::vector<Outcome>
run_job(const JobOptions &options,
        const std::function<std::string(job::Job &job)> &body);

/// Runs `body` for each replica of this process on a separate thread. Returns
/// the concatenated texts.
std::string on_replicas(job::Job &job,
                        const std::function<std::string(int ordinal)> &body);

/// One run of the grid: enter, body, leave.
std::string in_run(runtime::Communicator &grid, int ordinal,
                   const std::function<Status()> &body);

} // namespace xlac::test
