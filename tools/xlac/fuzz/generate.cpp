#include "fuzz/generate.h"

#include "xlac/support/program_names.h"

#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

const std::vector<Plan> &plans() {
  static const std::vector<Plan> all = [] {
    std::vector<Plan> list;
    for (auto part : {elementwise_plans(), broadcasting_plans(),
                      movement_plans(), indexing_plans(), reduction_plans(),
                      contraction_plans(), control_plans(), quantized_plans(),
                      collective_plans(), other_plans()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

static std::vector<uint32_t> weights_of(std::span<const Plan> plans) {
  std::vector<uint32_t> list;
  for (const Plan &plan : plans)
    list.push_back(plan.weight);
  return list;
}

/// Plans of ops that relate rows of a dimension: a partitioned program
/// exchanges rows for them, or each device computes its own part.
static const std::vector<Plan> &row_plans() {
  static const std::vector<Plan> all = [] {
    using enum ops::OpKind;
    static constexpr uint32_t kLeastWeight = 8;
    std::vector<Plan> list;
    for (const Plan &plan : plans())
      for (ops::OpKind kind :
           {Slice, Pad, Concatenate, Reverse, DynamicSlice, DynamicUpdateSlice,
            ReduceWindow, SelectAndScatter, Convolution, Sort, ChloTopK, Gather,
            TorchIndexSelect, Scatter, RngBitGenerator, Fft, Cholesky,
            TriangularSolve})
        if (plan.kind == kind) {
          list.push_back(plan);
          list.back().weight = std::max(plan.weight, kLeastWeight);
        }
    for (const Plan &plan : head_plans())
      list.push_back(plan);
    return list;
  }();
  return all;
}

/// Picks a plan. Collectives are rare with one process and frequent with
/// several.
static const Plan &draw_plan(Builder &builder) {
  static const std::vector<uint32_t> weights = weights_of(plans());
  static const std::vector<uint32_t> meetings = weights_of(collective_plans());
  static const std::vector<uint32_t> sums = weights_of(reduction_plans());
  static const std::vector<uint32_t> gemms = weights_of(contraction_plans());
  if (builder.processes() > 1 && !builder.blind() && builder.random.chance(30))
    return collective_plans()[builder.random.weighted(meetings)];
  static const std::vector<uint32_t> rows = weights_of(row_plans());
  if (builder.rows() && builder.random.chance(50))
    return row_plans()[builder.random.weighted(rows)];
  // The sizes of their operands determine the schedules of these kernels.
  if (builder.large() && builder.random.chance(40))
    return reduction_plans()[builder.random.weighted(sums)];
  if (builder.large() && builder.random.chance(25))
    return contraction_plans()[builder.random.weighted(gemms)];
  return plans()[builder.random.weighted(weights)];
}

bool add_random_op(Builder &builder) {
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Plan &plan = draw_plan(builder);
    if (builder.blind() && !plan.in_regions)
      continue;
    if (plan.make(builder, plan))
      return true;
  }
  return false;
}

/// Adds the number of replicas or partitions as an attribute of the program.
static void declare(graph::Program &program, const char *name, int count) {
  if (count > 1)
    program.attributes.emplace_back(name, std::to_string(count) + " : i32");
}

Case make_case(const Terms &results, runtime::GridShape grid) {
  Case made;
  made.grid = grid;
  made.peers.resize(static_cast<size_t>(grid.count()) - 1);
  std::vector<graph::Value> roots;
  for (const Term &term : results) {
    roots.push_back(term.value);
    made.expected.push_back(term.checked);
    for (size_t i = 0; i < made.peers.size(); ++i)
      made.peers[i].expected.push_back(term.peers[i]);
  }
  made.program = graph::make_program(roots);
  declare(made.program, names::kReplicaCount, grid.replicas);
  declare(made.program, names::kPartitionCount, grid.partitions);
  for (const graph::NodeRef &argument :
       made.program.entry_function()->body.arguments) {
    const auto &data = static_cast<const host::HostData &>(*argument->data());
    made.inputs.push_back(data.literal);
    for (size_t i = 0; i < made.peers.size(); ++i)
      made.peers[i].inputs.push_back(
          dynamic_cast<const GridData &>(data).each[i + 1]);
  }
  return made;
}

/// Mostly one process, otherwise up to four.
static runtime::GridShape draw_grid(Random &random) {
  static constexpr runtime::GridShape kGrids[] = {
      {1, 2}, {2, 1}, {2, 2}, {3, 1}, {1, 3}, {4, 1}, {1, 4}};
  return random.chance(6) ? random.pick(kGrids) : runtime::GridShape{};
}

Case generate(Random random, const ProgramLimits &limits) {
  runtime::GridShape grid = draw_grid(random);
  Builder builder(random, grid, limits);
  // Mostly short programs, which compile fast; a long one combines many ops.
  int64_t most = builder.random.chance(20) ? limits.max_ops : 12;
  int64_t count =
      1 + builder.random.below(std::min<int64_t>(limits.max_ops, most));
  std::vector<size_t> steps;
  for (int64_t i = 0; i < count; ++i) {
    steps.push_back(builder.random.made().size());
    add_random_op(builder);
  }
  steps.push_back(builder.random.made().size());
  Terms results;
  for (const Term &term : builder.terms()) {
    bool is_made = term.value.node->kind() != graph::NodeKind::Parameter &&
                   term.value.type().is_tensor() && !term.type().quantization;
    if (is_made && (!builder.is_used(term) || builder.random.chance(8)))
      results.push_back(term);
  }
  if (results.empty())
    results.push_back(builder.fresh({ElementType::F32, {}, {}, {}}));
  Case made = make_case(results, grid);
  made.choices = builder.random.made();
  made.steps = std::move(steps);
  return made;
}

} // namespace xlac::fuzz
