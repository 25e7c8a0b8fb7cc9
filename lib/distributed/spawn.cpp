// xmp::spawn and xlac::launch.
#include "process_plan.h"
#include "processes.h"

#include "xlac/lazy/devices.h"
#include "xlac/support/fork.h"
#include "xlac/tensor/access.h"
#include "xlac/tensor/process_state.h"

#include <algorithm>
#include <cstdlib>

namespace xlac::distributed {

using namespace frontend;

namespace {

/// True in a daemon process of a spawn.
bool is_daemon = false;

/// Spawns whose processes may still run. They are kept until exit, which waits
/// for them.
struct Spawned {
  ForkMutex mutex;
  std::vector<std::shared_ptr<ProcessContext::Children>> all;
};

Spawned &spawned() {
  static auto *instance = new Spawned; // outlives static destructors
  return *instance;
}

std::vector<std::shared_ptr<ProcessContext::Children>> all_spawned() {
  std::lock_guard lock(spawned().mutex);
  return spawned().all;
}

bool do_children_run() {
  bool running = false;
  for (const auto &children : all_spawned())
    running |= children->are_running();
  return running;
}

void finish_at_exit() {
  for (const auto &children : all_spawned())
    children->finish();
}

void keep(const std::shared_ptr<ProcessContext::Children> &children) {
  std::lock_guard lock(spawned().mutex);
  static const int once = std::atexit(finish_at_exit);
  static_cast<void>(once);
  std::erase_if(spawned().all,
                [](const auto &known) { return !known->are_running(); });
  spawned().all.push_back(children);
}

struct Plan {
  job::Topology topology;
  ReplicaFunction fn;
  SpawnOptions options;
};

/// The main function of process `local` of the plan. Returns its exit status.
int run_process(const Plan &plan, int local, int reports) {
  // The parent's processes are not children of this one.
  lazy::suspend_runtime(nullptr);
  is_daemon = plan.options.daemon;
  job::Topology topology = plan.topology;
  topology.local_process = local;
  bool has_reported = false;
  auto report = [&](const ReplicaFailure &failure) {
    has_reported = true;
    write_report(reports, failure);
  };
  // Reports a failure that occurred before any replica ran.
  auto report_early = [&](std::string message, bool is_consequence) {
    if (!has_reported)
      report({topology.first_replica(), std::move(message), is_consequence});
  };
  try {
    if (plan.options.start_method == "spawn")
      reset_process_state();
    run_in_job(topology, plan.fn, report);
    return 0;
  } catch (const CollectiveError &error) {
    report_early(error.what(), true);
  } catch (const std::exception &error) {
    report_early(error.what(), false);
  } catch (...) {
    report_early("failed", false);
  }
  return 1;
}

ProcessContext start(const Plan &plan) {
  auto children =
      std::make_shared<ProcessContext::Children>(plan.options.daemon);
  lazy::suspend_runtime(do_children_run);
  try {
    for (int i = 0; i < plan.topology.processes_per_host; ++i) {
      job::Topology place = plan.topology;
      place.local_process = i;
      children->add(fork_process([&](int reports) {
                      return run_process(plan, i, reports);
                    }),
                    place.first_replica());
    }
  } catch (...) {
    children->end_all();
    throw;
  }
  keep(children);
  return ProcessContext(children);
}

void check_method(const std::string &method) {
  if (method != "spawn" && method != "fork")
    raise<ValueError>("start_method is '" + method +
                      "', wanted 'spawn' or 'fork'");
}

/// Returns the number of processes from the options and the environment.
int process_count(const SpawnOptions &options) {
  int devices = lazy::planned_device_count();
  if (options.nprocs == 1)
    return 1;
  if (options.nprocs && *options.nprocs != devices)
    raise<ValueError>("Unsupported nprocs (" + std::to_string(*options.nprocs) +
                      "). Please use nprocs=1 or None (default). If None, "
                      "spawn will use all " +
                      std::to_string(devices) + " devices");
  int each = devices_per_process();
  if (devices % each != 0)
    raise<ValueError>("XLAC_DEVICES_PER_PROCESS (" + std::to_string(each) +
                      ") must divide the number of devices (" +
                      std::to_string(devices) + ")");
  return devices / each;
}

} // namespace

std::optional<ProcessContext> spawn(std::function<void(int)> fn,
                                    SpawnOptions options) {
  // XLAC_CALL covers only the planning: errors of fn must not be named after
  // spawn.
  auto planned = [&]() -> std::pair<job::Topology, bool> {
    XLAC_CALL("spawn");
    check_method(options.start_method);
    if (is_daemon)
      raise<UserError>("daemonic processes are not allowed to have children");
    if (std::optional<job::Topology> place = launched_topology())
      return {std::move(*place), true};
    int processes = process_count(options);
    if (options.nprocs == 1)
      return {spawned_topology(1, 1), true};
    if (lazy::runtime_started())
      raise<UserError>("Runtime is already initialized. Do not use the XLA "
                       "device before calling xmp.spawn.");
    return {spawned_topology(processes, devices_per_process()), false};
  };
  auto [topology, is_here] = planned();
  if (is_here) {
    if (topology.replicas() == 1)
      fn(0);
    else
      run_in_job(topology, fn);
    return std::nullopt;
  }
  ProcessContext context = start({topology, std::move(fn), options});
  if (!options.join)
    return context;
  context.join();
  return std::nullopt;
}

void launch(std::function<void(int)> fn, LaunchOptions options) {
  if (options.debug_single_process) {
    fn(0);
    return;
  }
  SpawnOptions spawning;
  spawning.start_method = std::move(options.start_method);
  spawn(std::move(fn), std::move(spawning));
}

} // namespace xlac::distributed
