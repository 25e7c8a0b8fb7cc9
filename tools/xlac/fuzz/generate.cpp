#include "fuzz/generate.h"

#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

const std::vector<Plan> &plans() {
  static const std::vector<Plan> all = [] {
    std::vector<Plan> list;
    for (auto part :
         {elementwise_plans(), broadcasting_plans(), movement_plans(),
          indexing_plans(), reduction_plans(), contraction_plans(),
          control_plans(), quantized_plans(), other_plans()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

bool add_random_op(Builder &builder) {
  static const std::vector<uint32_t> weights = [] {
    std::vector<uint32_t> list;
    for (const Plan &plan : plans())
      list.push_back(plan.weight);
    return list;
  }();
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Plan &plan = plans()[builder.random.weighted(weights)];
    if (builder.blind() && !plan.in_regions)
      continue;
    if (plan.make(builder, plan))
      return true;
  }
  return false;
}

Case make_case(const Terms &results) {
  Case made;
  std::vector<graph::Value> roots;
  for (const Term &term : results) {
    roots.push_back(term.value);
    made.expected.push_back(term.checked);
  }
  made.program = graph::make_program(roots);
  for (const graph::NodeRef &argument :
       made.program.entry_function()->body.arguments)
    made.inputs.push_back(
        static_cast<const host::HostData &>(*argument->data()).literal);
  return made;
}

Case generate(Random random, int64_t max_ops) {
  Builder builder(random);
  // Short programs mostly: they compile fast, and a long one holds many.
  int64_t count = 1 + builder.random.below(std::min<int64_t>(
                          max_ops, builder.random.chance(20) ? max_ops : 12));
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
  Case made = make_case(results);
  made.choices = builder.random.made();
  made.steps = std::move(steps);
  return made;
}

} // namespace xlac::fuzz
