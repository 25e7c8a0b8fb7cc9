// Recording options of a thread: step scopes, compiled functions and eager
// mode.
#pragma once

#include "xlac/support/fast_hash.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>

namespace xlac::lazy {

/// The different graphs that one function has been traced to.
class TracedGraphs {
public:
  /// Records `graph`; false if there would be more than `most` graphs.
  bool admit(const Hash128 &graph, int most);

private:
  std::mutex mutex_;
  std::unordered_set<Hash128> seen_;
};

struct ScopeOptions {
  bool full_graph = false; ///< reading a value inside is an error
  std::string name;        ///< name of its programs; may be empty
  std::optional<int> max_different_graphs;
  std::shared_ptr<TracedGraphs> traced; ///< required for max_different_graphs
};

/// Makes this thread record lazily while it lives, also in eager mode.
class RecordingScope {
public:
  explicit RecordingScope(ScopeOptions options);
  ~RecordingScope();
  RecordingScope(const RecordingScope &) = delete;
  RecordingScope &operator=(const RecordingScope &) = delete;

  const ScopeOptions &options() const { return options_; }
  /// The innermost scope of this thread, or null.
  static const RecordingScope *current();

private:
  ScopeOptions options_;
  const RecordingScope *outer_;
};

/// Throws the UserError if a program is about to run in a full_graph scope.
void reject_inside_full_graph();

/// Sets eager mode for the process.
void set_eager_mode(bool enabled);
/// Sets eager mode for this thread instead of the process's, until the next
/// call. Returns the previous value.
std::optional<bool> set_thread_eager_mode(std::optional<bool> enabled);
/// The eager mode of this thread, ignoring scopes.
bool is_eager_mode();
/// Whether operations of this thread execute eagerly.
bool runs_at_once();

} // namespace xlac::lazy
