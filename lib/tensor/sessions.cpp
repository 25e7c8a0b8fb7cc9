// lazy.h: devices, syncs, step scopes, eager mode.
#include "step_closures.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/session.h"
#include "xlac/support/fork.h"
#include "xlac/support/metrics_report.h"
#include "xlac/tensor/access.h"

#include <exception>
#include <map>

namespace xlac {

using namespace frontend;

Device device(std::optional<int> index) {
  XLAC_CALL("device");
  if (index)
    lazy::set_current_device(*index);
  return lazy::resolve(Device(kXLA));
}

std::vector<Device> devices() {
  XLAC_CALL("devices");
  std::vector<Device> list;
  for (int i = 0; i < lazy::device_count(); ++i)
    list.emplace_back(kXLA, i);
  return list;
}

int device_count() {
  XLAC_CALL("device_count");
  return lazy::device_count();
}

std::vector<std::string> real_devices() {
  XLAC_CALL("real_devices");
  std::vector<std::string> names;
  for (int i = 0; i < lazy::device_count(); ++i)
    names.push_back("CPU:" + std::to_string(lazy::first_device() + i));
  return names;
}

//===- Syncs and scopes ---------------------------------------------------===//

static void end_step(bool wait, const lazy::ScopeOptions *scope) {
  int device = lazy::resolve(Device(kXLA)).index;
  // Inside a full_graph scope nothing may run, not even step closures.
  lazy::reject_inside_full_graph();
  StepClosureQueue closures(device);
  lazy::sync(device, wait, scope);
  closures.run();
  if (lazy::is_master_replica(/*of_the_job=*/true))
    metrics::append_report_to_file();
}

void sync(bool wait) {
  XLAC_CALL("sync");
  end_step(wait, nullptr);
}

namespace detail {
struct FunctionGraphs {
  std::shared_ptr<lazy::TracedGraphs> traced =
      std::make_shared<lazy::TracedGraphs>();
};
std::shared_ptr<FunctionGraphs> make_function_graphs() {
  return std::make_shared<FunctionGraphs>();
}
} // namespace detail

/// Returns the graphs shared by all scopes of that name; without a name, those
/// of this scope only.
static std::shared_ptr<detail::FunctionGraphs>
graphs_of(const std::string &name) {
  if (name.empty())
    return detail::make_function_graphs();
  static ForkMutex mutex;
  static auto *named =
      new std::map<std::string, std::shared_ptr<detail::FunctionGraphs>>;
  std::lock_guard lock(mutex);
  std::shared_ptr<detail::FunctionGraphs> &graphs = (*named)[name];
  if (!graphs)
    graphs = detail::make_function_graphs();
  return graphs;
}

struct StepScope::State {
  /// Syncs, then starts to record for the graphs. Errors of the scope's syncs
  /// begin with `call`.
  State(const char *call, CompileOptions options,
        std::shared_ptr<detail::FunctionGraphs> graphs)
      : call(call) {
    XLAC_CALL(call);
    end_step(false, nullptr);
    lazy::ScopeOptions scope;
    scope.full_graph = options.full_graph;
    scope.max_different_graphs = options.max_different_graphs;
    scope.traced = (graphs ? graphs : graphs_of(options.name))->traced;
    scope.name = std::move(options.name);
    recording.emplace(std::move(scope));
  }

  const char *call;
  int exceptions = std::uncaught_exceptions();
  std::optional<lazy::RecordingScope> recording;
};

StepScope::StepScope(CompileOptions options)
    : state_(std::make_unique<State>("step", std::move(options), nullptr)) {}

StepScope::StepScope(CompileOptions options,
                     std::shared_ptr<detail::FunctionGraphs> graphs)
    : state_(std::make_unique<State>("compile", std::move(options),
                                     std::move(graphs))) {}

void StepScope::close() {
  if (!state_->recording)
    return;
  XLAC_CALL(state_->call);
  lazy::ScopeOptions scope = state_->recording->options();
  state_->recording.reset();
  end_step(false, &scope);
}

StepScope::~StepScope() noexcept(false) {
  if (std::uncaught_exceptions() <= state_->exceptions) {
    close();
    return;
  }
  try {
    close();
  } catch (...) {
    // The exception in flight is the original error.
  }
}

//===- Eager mode ---------------------------------------------------------===//

namespace experimental {

void eager_mode(bool enable) {
  XLAC_CALL("eager_mode");
  if (enable && !lazy::is_eager_mode() && lazy::runtime_started())
    for (int i = 0; i < lazy::device_count(); ++i)
      lazy::run_pending(i);
  lazy::set_eager_mode(enable);
}

bool is_eager_mode() { return lazy::runs_at_once(); }

EagerModeGuard::EagerModeGuard(bool enable)
    : before_(lazy::set_thread_eager_mode(enable)) {}

EagerModeGuard::~EagerModeGuard() { lazy::set_thread_eager_mode(before_); }

} // namespace experimental
} // namespace xlac
