#include "automatic_plans.h"

#include "xlac/support/recently_used.h"

#include <algorithm>

namespace xlac::lazy {

namespace {

/// Most programs of one graph to remember. They differ in the shardings that
/// the data of earlier programs has.
constexpr size_t kMostPlans = 16;

struct Plan {
  RequestedShardings requested;
  std::vector<Sharding> chosen;

  bool serves(const RequestedShardings &held) const {
    if (held.size() != chosen.size())
      return false;
    for (size_t i = 0; i < held.size(); ++i)
      if (held[i] ? !(*held[i] == chosen[i]) : requested[i].has_value())
        return false;
    return true;
  }
};

RecentlyUsed<Hash128, std::vector<Plan>> &plans() {
  // Outlives static destructors.
  static auto *table = new RecentlyUsed<Hash128, std::vector<Plan>>(2048);
  return *table;
}

} // namespace

RequestedShardings planned_shardings(const Hash128 &graph,
                                     RequestedShardings held) {
  for (Plan &plan : plans().find(graph))
    if (plan.serves(held))
      return std::move(plan.requested);
  return held;
}

void keep_plan(const Hash128 &graph, const RequestedShardings &requested,
               const runtime::Executable &executable) {
  Plan plan{requested, executable.image().argument_shardings};
  // A program that the compiler does not partition lists no shardings.
  plan.chosen.resize(requested.size());
  std::vector<Plan> known = plans().find(graph);
  std::erase_if(
      known, [&](const Plan &old) { return old.requested == plan.requested; });
  if (known.size() == kMostPlans)
    known.erase(known.begin());
  known.push_back(std::move(plan));
  plans().replace(graph, std::move(known));
}

} // namespace xlac::lazy
