// xlac-fuzz-api: runs random programs of public calls on every device and in
// every mode. Compares the outcomes with each other and with differences.
#include "program.h"

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace xlac;
using namespace xlac::fuzz_api;

struct Options {
  uint64_t seed = 1, count = 100;
  size_t steps = 14;
  int jobs = 1;
  bool spmd = false, automatic = false, replicas = false, cpu_only = false,
       show = false;
  std::string json;
};

/// Counts of all processes of a run, in shared memory.
struct SharedCounts {
  std::atomic<uint64_t> passed, failed, refused, smooth, random;
};

Device xla() { return Device(kXLA, 0); }

/// Compares checkpointed bodies with inlined ones on the same device, since
/// other devices have other random numbers.
std::string inlined_failure(const Program &program, Mode mode,
                            const Outcome &told) {
  mode.inline_checkpoints = true;
  std::string text = difference(program, told, outcome_of(program, mode));
  return text.empty() ? "" : mode.name + ", checkpoints inlined: " + text;
}

/// Runs the program on all devices at once, by the threads of a DataParallel.
std::string failure_of_replicas(const Program &program, const Outcome &cpu) {
  dp::DataParallel replicas{nn::Identity()};
  std::vector<Tensor> batches(replicas.devices().size(), zeros({1}));
  std::vector<Outcome> told = replicas(
      [&](nn::Identity &, auto &loader, Device device, dp::Context &) {
        for (const Tensor &batch : loader)
          (void)batch;
        return outcome_of(program, {"xla", device});
      },
      batches);
  for (size_t i = 0; i < told.size(); ++i)
    if (std::string text = difference(program, told[i], cpu); !text.empty())
      return "replica " + std::to_string(i) + ": " + text;
  return "";
}

std::string failure_on_xla(const Program &program, const Outcome &cpu,
                           const Options &options, bool random) {
  Mode mode{options.spmd ? "xla over a mesh" : "xla", xla()};
  mode.sharded = options.spmd;
  mode.automatic = options.automatic;
  Outcome told = outcome_of(program, mode);
  if (random)
    return inlined_failure(program, mode, told);
  std::string text = difference(program, told, cpu);
  if (!text.empty())
    return mode.name + ": " + text;
  if (options.spmd || program.seed % 8 != 0)
    return "";
  mode.eager = true;
  text = difference(program, outcome_of(program, mode), cpu);
  return text.empty() ? "" : "xla, eager: " + text;
}

/// Returns a description of the first failure, or an empty string.
std::string failure_of(const Program &program, const Options &options,
                       bool &refused) {
  Mode mode{"cpu", Device(kCPU)};
  Outcome cpu = outcome_of(program, mode);
  refused = !cpu.error.empty();
  if (refused)
    return "";
  bool random = program.draws_random_numbers();
  std::string text;
  if (program.kind == Kind::Smooth)
    text = check_differences(program, cpu);
  if (!text.empty())
    return "cpu: " + text;
  if (random)
    text = inlined_failure(program, mode, cpu);
  if (!text.empty() || options.cpu_only)
    return text;
  // Seeds are process-wide, so replicas use each other's generators.
  if (options.replicas)
    return random ? "" : failure_of_replicas(program, cpu);
  return failure_on_xla(program, cpu, options, random);
}

void report(const Program &program, const Options &options) {
  bool refused = false;
  std::string first = failure_of(program, options, refused);
  Program least = shrink(program, [&](const Program &shorter) {
    bool ignored = false;
    return !failure_of(shorter, options, ignored).empty();
  });
  std::string text = "seed " + std::to_string(program.seed) + ": " +
                     failure_of(least, options, refused) + "\n" + least.str() +
                     "(at first: " + first + ")\n\n";
  std::cout << text << std::flush;
}

void run_seeds(const Options &options, int job, SharedCounts &shared_counts) {
  if (options.spmd)
    runtime::use_spmd(options.automatic);
  std::ofstream json;
  if (!options.json.empty())
    json.open(options.json + (job ? "." + std::to_string(job) : ""));
  for (uint64_t i = static_cast<uint64_t>(job); i < options.count;
       i += static_cast<uint64_t>(options.jobs)) {
    Program program = generate(options.seed + i, options.steps);
    if (options.show)
      std::cout << "seed " << program.seed << "\n" << program.str() << "\n";
    if (json.is_open()) {
      Outcome cpu = outcome_of(program, {"cpu", Device(kCPU)});
      if (cpu.error.empty() && !program.draws_random_numbers())
        json << json_of(program, cpu) << "\n";
      ++(cpu.error.empty() ? shared_counts.passed : shared_counts.refused);
      continue;
    }
    bool refused = false;
    bool fails = !failure_of(program, options, refused).empty();
    ++(refused ? shared_counts.refused
       : fails ? shared_counts.failed
               : shared_counts.passed);
    shared_counts.smooth += program.kind == Kind::Smooth;
    shared_counts.random += program.draws_random_numbers();
    if (fails)
      report(program, options);
  }
}

/// Runs the seeds in `jobs` processes. Returns false if one of them terminated
/// abnormally.
bool run_jobs(const Options &options, SharedCounts &shared_counts) {
  std::vector<pid_t> children;
  for (int job = 0; job < options.jobs; ++job) {
    pid_t child = fork();
    if (child == 0) {
      try {
        run_seeds(options, job, shared_counts);
      } catch (const std::exception &error) {
        std::cout << "failed: " << error.what() << std::endl;
        _exit(1);
      }
      std::cout.flush();
      _exit(0);
    }
    children.push_back(child);
  }
  bool whole = true;
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0)
      continue;
    whole = false;
    std::cout << "a process ended with "
              << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                      : "an error")
              << "\n";
  }
  return whole;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Random programs of public calls on every device and mode.");
  app.add_option("--seed", options.seed, "the first program");
  app.add_option("--count", options.count, "how many programs");
  app.add_option("--steps", options.steps, "calls a program");
  app.add_option("--jobs", options.jobs, "processes")
      ->check(CLI::Range(1, 256));
  auto *spmd =
      app.add_flag("--spmd", options.spmd, "xla is a mesh of four devices");
  app.add_flag("--automatic", options.automatic,
               "the compiler shards every second input over the mesh")
      ->needs(spmd);
  app.add_flag("--replicas", options.replicas,
               "four xla devices run each program in parallel");
  app.add_flag("--cpu-only", options.cpu_only, "leave xla out");
  app.add_flag("--show", options.show, "print every program");
  app.add_option("--json", options.json,
                 "write programs and the cpu's results for torch_judge.py, and "
                 "judge nothing");
  CLI11_PARSE(app, argc, argv);
  if (options.spmd || options.replicas)
    setenv("CPU_NUM_DEVICES", "4", 1);
  void *shared = mmap(nullptr, sizeof(SharedCounts), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    std::cerr << "xlac-fuzz-api: no shared memory\n";
    return 1;
  }
  SharedCounts &shared_counts = *new (shared) SharedCounts();
  bool whole = run_jobs(options, shared_counts);
  uint64_t failed = shared_counts.failed + (whole ? 0 : 1);
  std::cout << shared_counts.smooth << " beside differences, "
            << shared_counts.random << " with random numbers, "
            << shared_counts.refused << " rejected by backward\n"
            << shared_counts.passed << " passed, " << failed << " failed"
            << std::endl;
  return failed || shared_counts.passed == 0 ? 1 : 0;
}
