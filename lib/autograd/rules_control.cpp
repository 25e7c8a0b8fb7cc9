// Gradient rules of branches and counted loops. The rule of a loop first reruns
// it and stacks the values at the start of each iteration. A second loop then
// computes gradients from the last iteration to the first.
#include "rules.h"

#include "xlac/graph/substitute.h"
#include "xlac/support/raise.h"

#include <algorithm>

namespace xlac::autograd {

namespace {

/// Returns `results` of a region with each of `names` replaced by its value.
std::vector<Value> inlined(const std::vector<Value> &results,
                           const std::vector<Value> &names,
                           const std::vector<Value> &values) {
  graph::Replacements replacements;
  for (size_t i = 0; i < names.size(); ++i)
    replacements.emplace(names[i], values[i]);
  return graph::substitute(results, std::move(replacements));
}

std::vector<Value> arguments_of(const graph::Block &block) {
  std::vector<Value> values;
  for (const graph::NodeRef &argument : block.arguments)
    values.push_back({argument, 0});
  return values;
}

//===- if -----------------------------------------------------------------===//

/// Makes an if with the same predicate whose branches compute the gradients.
Grads if_rule(const Step &step) {
  // uses[0] is the predicate; all others are captures of the branches.
  std::vector<Value> captured(step.uses.begin() + 1, step.uses.end());
  std::vector<bool> wanted(step.wanted.begin() + 1, step.wanted.end());
  std::vector<Value> seen = captured;
  for (const Value &grad : step.grads)
    if (grad)
      seen.push_back(grad);
  auto branch = [&](size_t region) {
    return [&, region](const std::vector<Value> &values) {
      std::vector<Value> inner(values.begin(),
                               values.begin() +
                                   static_cast<ptrdiff_t>(captured.size()));
      std::vector<Value> results =
          inlined(step.node.regions()[region].results, captured, inner);
      std::vector<Value> cotangents(step.grads.size());
      size_t next = captured.size();
      for (size_t i = 0; i < step.grads.size(); ++i)
        if (step.grads[i])
          cotangents[i] = values[next++];
      std::vector<Value> grads =
          differentiate(results, cotangents, inner, wanted);
      std::vector<Value> kept;
      for (size_t i = 0; i < grads.size(); ++i)
        if (wanted[i])
          kept.push_back(grads[i] ? grads[i] : number_like(inner[i], 0));
      return kept;
    };
  };
  std::vector<Value> made =
      build::if_else(step.uses[0], seen, branch(0), branch(1));
  Grads grads(step.uses.size());
  size_t next = 0;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i])
      grads[i + 1] = made[next++];
  return grads;
}

//===- while --------------------------------------------------------------===//

std::optional<int64_t> constant_number(const Value &value) {
  if (value.node->kind() != graph::NodeKind::Op ||
      value.node->op() != OpKind::Constant)
    return std::nullopt;
  auto numbers =
      value.node->attributes().get<ops::ConstantAttributes>().value.integers();
  if (!numbers || numbers->size() != 1)
    return std::nullopt;
  return (*numbers)[0];
}

/// Returns the trip count of a loop that counts its first value from 0 by 1 to
/// a constant.
std::optional<int64_t> round_count(const Step &step) {
  const graph::Block &condition = step.node.regions()[0];
  const graph::Block &body = step.node.regions()[1];
  if (constant_number(step.operand(0)) != 0)
    return std::nullopt;
  const Node &test = *condition.results[0].node;
  const Node &count = *body.results[0].node;
  auto is_op = [](const Node &node, OpKind op) {
    return node.kind() == graph::NodeKind::Op && node.op() == op;
  };
  if (!is_op(test, OpKind::Compare) || !is_op(count, OpKind::Add) ||
      test.attributes().get<ops::CompareAttributes>().comparison_direction !=
          ops::ComparisonDirection::LT ||
      test.operands()[0].node != condition.arguments[0] ||
      count.operands()[0].node != body.arguments[0] ||
      constant_number(count.operands()[1]) != 1)
    return std::nullopt;
  return constant_number(test.operands()[1]);
}

/// A counted loop and the state of its rule.
class CountedLoop {
public:
  CountedLoop(const Step &step, int64_t rounds)
      : step_(step), rounds_(rounds), carried_(step.node.operands().size()),
        body_(step.node.regions()[1]),
        captured_(step.uses.begin() + static_cast<ptrdiff_t>(carried_),
                  step.uses.end()) {}

  Grads differentiate_rounds();

private:
  std::vector<Value> stacks();
  Value continues(const Value &counter) const {
    return compare(ops::ComparisonDirection::LT, counter,
                   number_like(counter, Scalar(static_cast<long>(rounds_))));
  }
  Value next(const Value &counter) const {
    return add(counter, number_like(counter, 1));
  }
  Value put(const Value &stack, const Value &value, const Value &at) const;
  Value get(const Value &stack, const Value &at) const;
  std::vector<Value> round_back(const std::vector<Value> &stacks,
                                const std::vector<Value> &values);

  const Step &step_;
  int64_t rounds_;
  size_t carried_;
  const graph::Block &body_;
  std::vector<Value> captured_;
};

Value CountedLoop::put(const Value &stack, const Value &value,
                       const Value &at) const {
  Shape row = dims_of(stack);
  row[0] = 1;
  std::vector<Value> operands{stack, build::reshape(value, row), at};
  for (size_t i = 1; i < row.size(); ++i)
    operands.push_back(number_like(at, 0));
  return {build::emit(OpKind::DynamicUpdateSlice, {}, std::move(operands)), 0};
}

Value CountedLoop::get(const Value &stack, const Value &at) const {
  ops::DynamicSliceAttributes attributes;
  attributes.slice_sizes = dims_of(stack);
  attributes.slice_sizes[0] = 1;
  std::vector<Value> operands{stack, at};
  for (size_t i = 1; i < dims_of(stack).size(); ++i)
    operands.push_back(number_like(at, 0));
  Value row{build::emit(OpKind::DynamicSlice, attributes, std::move(operands)),
            0};
  Shape dims(dims_of(stack).begin() + 1, dims_of(stack).end());
  return build::reshape(row, dims);
}

/// Returns the stacked values at the start of each iteration, except for the
/// counter.
std::vector<Value> CountedLoop::stacks() {
  std::vector<Value> inits(step_.uses.begin(),
                           step_.uses.begin() +
                               static_cast<ptrdiff_t>(carried_));
  for (size_t i = 1; i < carried_; ++i) {
    Shape dims = dims_of(inits[i]);
    dims.insert(dims.begin(), rounds_);
    inits.push_back(build::constant(element_of(inits[i]), dims, 0));
  }
  std::vector<Value> made = build::while_loop(
      std::move(inits),
      [&](const std::vector<Value> &values) { return continues(values[0]); },
      [&](const std::vector<Value> &values) {
        std::vector<Value> begun(
            values.begin(), values.begin() + static_cast<ptrdiff_t>(carried_));
        std::vector<Value> results =
            inlined(body_.results, arguments_of(body_), begun);
        for (size_t i = 1; i < carried_; ++i)
          results.push_back(
              put(values[carried_ + i - 1], values[i], values[0]));
        return results;
      });
  return {made.begin() + static_cast<ptrdiff_t>(carried_), made.end()};
}

/// Computes the backward pass of one iteration. `values` are a counter, the
/// gradients of carried values and the accumulated gradients of captures, where
/// they exist.
std::vector<Value> CountedLoop::round_back(const std::vector<Value> &stacks,
                                           const std::vector<Value> &values) {
  const Value &counter = values[0];
  Value at = sub(number_like(counter, Scalar(static_cast<long>(rounds_ - 1))),
                 counter);
  std::vector<Value> begun{build::convert(at, element_of(step_.operand(0)))};
  for (const Value &stack : stacks)
    begun.push_back(get(stack, at));
  std::vector<Value> results =
      inlined(body_.results, arguments_of(body_), begun);
  std::vector<Value> operands = begun, cotangents(carried_);
  std::vector<bool> wanted(carried_, false);
  size_t place = 1;
  for (size_t i = 1; i < carried_; ++i)
    if (is_differentiable(begun[i].type())) {
      cotangents[i] = values[place++];
      wanted[i] = true;
    }
  operands.insert(operands.end(), captured_.begin(), captured_.end());
  wanted.insert(wanted.end(),
                step_.wanted.begin() + static_cast<ptrdiff_t>(carried_),
                step_.wanted.end());
  std::vector<Value> grads =
      differentiate(results, cotangents, operands, wanted);
  std::vector<Value> next_values{next(counter)};
  for (size_t i = 1; i < carried_; ++i)
    if (wanted[i])
      next_values.push_back(grads[i] ? grads[i] : number_like(begun[i], 0));
  for (size_t i = carried_; i < grads.size(); ++i)
    if (wanted[i]) {
      const Value &sum = values[next_values.size()];
      next_values.push_back(grads[i] ? add(sum, grads[i]) : sum);
    }
  return next_values;
}

Grads CountedLoop::differentiate_rounds() {
  std::vector<Value> kept = stacks();
  std::vector<Value> inits{number_like(step_.operand(0), 0)};
  for (uint32_t i = 1; i < carried_; ++i)
    if (is_differentiable(step_.node.types()[i]))
      inits.push_back(step_.grad_or_zeros(i));
  for (size_t i = carried_; i < step_.uses.size(); ++i)
    if (step_.wanted[i])
      inits.push_back(number_like(step_.uses[i], 0));
  std::vector<Value> made = build::while_loop(
      std::move(inits),
      [&](const std::vector<Value> &values) { return continues(values[0]); },
      [&](const std::vector<Value> &values) {
        return round_back(kept, values);
      });
  Grads grads(step_.uses.size());
  size_t place = 1;
  for (size_t i = 1; i < carried_; ++i)
    if (is_differentiable(step_.node.types()[i]))
      grads[i] = made[place++];
  for (size_t i = carried_; i < step_.uses.size(); ++i)
    if (step_.wanted[i])
      grads[i] = made[place++];
  return grads;
}

Grads while_rule(const Step &step) {
  std::optional<int64_t> rounds = round_count(step);
  if (!rounds)
    raise<UnsupportedError>(
        "the derivative of a loop whose number of rounds is not known is not "
        "implemented: use fori_loop or scan");
  if (*rounds > 0)
    return CountedLoop(step, *rounds).differentiate_rounds();
  return step.grads;
}

} // namespace

void add_control_rules(RuleTable &table) {
  table.set(OpKind::If, if_rule);
  table.set(OpKind::While, while_rule);
}

} // namespace xlac::autograd
