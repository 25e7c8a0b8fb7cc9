#include "xlac/lazy/session.h"

#include "xlac/support/fork.h"
#include "xlac/support/raise.h"

#include <atomic>

namespace xlac::lazy {

bool TracedGraphs::admit(const Hash128 &graph, int most) {
  ForkSection section;
  std::lock_guard lock(mutex_);
  if (seen_.contains(graph))
    return true;
  if (seen_.size() >= static_cast<size_t>(most < 0 ? 0 : most))
    return false;
  seen_.insert(graph);
  return true;
}

namespace {
thread_local const RecordingScope *innermost = nullptr;
std::atomic<bool> process_is_eager{false};
thread_local std::optional<bool> thread_is_eager;
} // namespace

RecordingScope::RecordingScope(ScopeOptions options)
    : options_(std::move(options)), outer_(innermost) {
  innermost = this;
}

RecordingScope::~RecordingScope() { innermost = outer_; }

const RecordingScope *RecordingScope::current() { return innermost; }

void reject_inside_full_graph() {
  if (innermost && innermost->options().full_graph)
    raise<UserError>("Unexpected execution happens inside the compiled "
                     "function, exiting");
}

void set_eager_mode(bool enabled) { process_is_eager = enabled; }

std::optional<bool> set_thread_eager_mode(std::optional<bool> enabled) {
  return std::exchange(thread_is_eager, enabled);
}

bool is_eager_mode() { return thread_is_eager.value_or(process_is_eager); }

bool runs_at_once() { return !innermost && is_eager_mode(); }

} // namespace xlac::lazy
