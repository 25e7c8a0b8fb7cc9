// Tracing: a function is recorded without being run. What it records belongs to
// the trace and to no program that runs.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/tensor_type.h"

#include <cstdint>
#include <string_view>

namespace xlac::lazy {

/// While it lives, what this thread records on xla device `device` belongs to
/// a trace: syncs of other threads leave it alone. Scopes of a thread nest.
class TraceScope {
public:
  explicit TraceScope(int device);
  ~TraceScope();
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

  /// The innermost one of this thread, or null.
  static const TraceScope *current();
  /// Not 0, unique in the process.
  uint64_t number() const { return number_; }
  const TraceScope *outer() const { return outer_; }

private:
  const int device_;
  const uint64_t number_;
  const TraceScope *const outer_;
};

/// A parameter for an input of a traced function. It has no elements: UserError
/// for a program that would need them.
graph::Value trace_input(int device, const TensorType &type);

/// What that UserError says.
inline constexpr std::string_view kNoTraceValues =
    "trace: what depends on the inputs of the function has no values";

/// True if an input of a traced function may still be part of a graph.
bool has_trace_inputs();
/// Of parameters that trace_input() made.
bool is_trace_input(const graph::Node &node);

} // namespace xlac::lazy
