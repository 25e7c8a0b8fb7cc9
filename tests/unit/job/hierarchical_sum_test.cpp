// All_reduces that add the operands of each host first.
#include "collective_cases.h"
#include "forked_job.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

using namespace xlac;
using namespace xlac::job;
using namespace xlac::test;

namespace {

/// Links for which the model chooses each of the algorithms.
constexpr const char *kSlowBetweenHosts = "0,1000,1,0.001",
                     *kSlowWithinHosts = "0,0.001,1,1000";

std::vector<Outcome> run_with(const JobShape &shape, CollectiveMethod method,
                              const char *links,
                              const std::function<std::string(Job &)> &body) {
  setenv("XLAC_LINKS", links, 1);
  return run_job(
      {.shape = shape,
       .edit = [&](Topology &topology) { topology.collectives = method; }},
      body);
}

void expect_text(const std::vector<Outcome> &outcomes,
                 const std::string &text) {
  for (size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].text, text) << "process " << i;
    EXPECT_EQ(outcomes[i].signal, 0) << "process " << i;
  }
}

/// Adds floats whose sum depends on the order: 1 from left to right, 0 if the
/// sums of pairs are added.
std::string sum_of_orders(Job &job) {
  constexpr float kValues[] = {1e8f, 1, -1e8f, 1};
  constexpr int64_t kCount = 100'000;
  int ordinal = job.topology().first_replica();
  std::vector<float> in(kCount, kValues[ordinal]), out(kCount);
  runtime::Collective what;
  what.kind = runtime::CollectiveKind::AllReduce;
  what.operands.resize(1);
  what.operands[0].dims = {kCount};
  what.results = what.operands;
  const void *operands[] = {in.data()};
  void *results[] = {out.data()};
  std::string text = in_run(*job.grid(), ordinal, [&] {
    return job.grid()->run(ordinal,
                           {what, operands, results,
                            [](size_t, const void *left, const void *right,
                               void *result, int64_t elements) {
                              return add_elements(ElementType::F32, left, right,
                                                  result, elements);
                            }});
  });
  for (float value : out)
    if (value != out[0])
      return "elements differ";
  return text.empty() ? std::to_string(static_cast<int>(out[0])) : text;
}

} // namespace

TEST(HierarchicalSum, EveryKindOverSeveralHosts) {
  accept_any_order();
  for (JobShape shape : {JobShape{2, 2, 1}, {3, 2, 2}, {2, 3, 1}, {2, 1, 2}})
    for (int64_t elements : {100, 9'000, 60'000})
      expect_text(
          run_with(shape, CollectiveMethod::Hierarchical, kSlowBetweenHosts,
                   [&](Job &job) {
                     return on_replicas(job, [&](int ordinal) {
                       return run_kinds(*job.grid(), ordinal,
                                        {ElementType::F32, ElementType::I8,
                                         ElementType::Complex128},
                                        elements);
                     });
                   }),
          "");
}

TEST(HierarchicalSum, SumsOfManyRounds) {
  accept_any_order();
  for (JobShape shape : {JobShape{2, 2, 1}, {3, 2, 2}})
    expect_text(
        run_with(shape, CollectiveMethod::Hierarchical, kSlowBetweenHosts,
                 [](Job &job) {
                   return on_replicas(job, [&](int ordinal) {
                     auto grid = job.grid();
                     return in_run(*grid, ordinal, [&]() -> Status {
                       for (int64_t elements : {1'500'000, 1'000'001}) {
                         std::string text = run_collective(
                             *grid, ordinal,
                             make_collective(runtime::CollectiveKind::AllReduce,
                                             ElementType::F32,
                                             job.topology().replicas(), 1,
                                             elements));
                         if (!text.empty())
                           return failure(FailureKind::Internal, text);
                       }
                       return {};
                     });
                   });
                 }),
        "");
}

TEST(HierarchicalSum, AddsTheOperandsOfAHostFirst) {
  expect_text(run_with({2, 2, 1}, CollectiveMethod::Hierarchical,
                       kSlowBetweenHosts, sum_of_orders),
              "0");
  expect_text(run_with({2, 2, 1}, CollectiveMethod::Plan, kSlowBetweenHosts,
                       sum_of_orders),
              "1");
}

TEST(HierarchicalSum, KeepsTheOrderWhereThePlanIsFaster) {
  expect_text(run_with({2, 2, 1}, CollectiveMethod::Hierarchical,
                       kSlowWithinHosts, sum_of_orders),
              "1");
  // One process on each host.
  expect_text(run_with({4, 1, 1}, CollectiveMethod::Hierarchical,
                       kSlowBetweenHosts, sum_of_orders),
              "1");
}
