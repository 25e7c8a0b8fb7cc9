// What the members of one meeting do with each other's buffers, once all are
// there: copies of strided blocks, and compiled reducers in the group's order.
#pragma once

#include "xlac/runtime/process_groups.h"

namespace xlac {

/// A meeting with everybody present.
struct Meeting {
  ProcessGroup members;
  std::vector<const CollectiveCall *> calls; ///< as members
  /// Permute: pairs of source and target.
  std::vector<ProcessGroup> pairs;
};

/// Fills the results of all members; `leader` is the member on whose thread it
/// happens. Sizes that do not fit the group are the program's fault.
Status carry_out(const Meeting &meeting, const CollectiveCall &leader);

/// Copies what was received to the results; `name` says whose they are where
/// counts or sizes do not fit.
Status accept(const CollectiveCall &call, const Transfer &transfer,
              const std::string &name);

/// The results of a process that receives nothing.
void fill_results(const CollectiveCall &call);
void fill_result(const CollectiveCall &call, size_t number);

} // namespace xlac
