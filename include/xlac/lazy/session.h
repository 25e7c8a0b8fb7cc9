// How a thread records: what a step scope or a compiled function asks of its
// graphs, and eager mode.
#pragma once

#include "xlac/support/fast_hash.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>

namespace xlac::lazy {

/// The different graphs that one function has traced to.
class TracedGraphs {
public:
  /// Takes note of `graph`; false when it would be one more than `most`.
  bool admit(const Hash128 &graph, int most);

private:
  std::mutex mutex_;
  std::unordered_set<Hash128> seen_;
};

struct ScopeOptions {
  bool full_graph = false; ///< a value asked for inside is an error
  std::string name;        ///< of its programs; may be empty
  std::optional<int> max_different_graphs;
  std::shared_ptr<TracedGraphs> traced; ///< needed for max_different_graphs
};

/// While it lives, this thread records lazily, also in eager mode.
class RecordingScope {
public:
  explicit RecordingScope(ScopeOptions options);
  ~RecordingScope();
  RecordingScope(const RecordingScope &) = delete;
  RecordingScope &operator=(const RecordingScope &) = delete;

  const ScopeOptions &options() const { return options_; }
  /// The innermost one of this thread, or null.
  static const RecordingScope *current();

private:
  ScopeOptions options_;
  const RecordingScope *outer_;
};

/// UserError in a scope of full_graph: something is about to run there.
void refuse_inside_full_graph();

/// Eager mode of the process.
void set_eager_mode(bool enabled);
/// Eager mode of this thread instead of the process's; nothing ends that.
/// Gives what was there before.
std::optional<bool> set_thread_eager_mode(std::optional<bool> enabled);
/// The mode that holds in this thread, scopes aside.
bool is_eager_mode();
/// Operations of this thread run at once.
bool runs_at_once();

} // namespace xlac::lazy
