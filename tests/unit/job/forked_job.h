// Jobs of real processes: each is a fork of the test, which waits for all of
// them, ends those that take too long and tells what they say.
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
  std::string text;   ///< what the process returned; empty: all went well
  double seconds = 0; ///< from the start of all to its end
  int signal = 0;     ///< that ended it
  bool late = false;  ///< it was ended by the test
};

struct JobOptions {
  JobShape shape;
  std::chrono::milliseconds deadline = std::chrono::seconds(30);
  /// How much later than the first the process begins.
  std::function<std::chrono::milliseconds(int process)> delay = nullptr;
  /// Changes what the process takes for the topology.
  std::function<void(job::Topology &)> edit = nullptr;
  std::string master_address = "127.0.0.1";
  std::chrono::seconds patience{60};
};

/// A name that no other job of the machine has, and a port that is free.
std::string unique_name();
int free_port();

/// Runs `body` in every process of a job; what it returns is the outcome's
/// text, and so is the message where joining fails.
std::vector<Outcome>
run_job(const JobOptions &options,
        const std::function<std::string(job::Job &job)> &body);

/// `body` for each replica of this process, on a thread each; their texts.
std::string on_replicas(job::Job &job,
                        const std::function<std::string(int ordinal)> &body);

/// Runs of the grid: enter, body, leave.
std::string in_run(runtime::Communicator &grid, int ordinal,
                   const std::function<Status()> &body);

} // namespace xlac::test
