// The gradient rule of scans, which makes a scan in the reverse direction. The
// rule differentiates the body symbolically. It then looks up the values that
// the gradient uses among the outputs of the scan. A scan that outputs its
// intermediate values therefore runs only once.
#include "rules.h"

#include "xlac/graph/substitute.h"
#include "xlac/support/raise.h"

#include <algorithm>

namespace xlac::autograd {

namespace {

using graph::Replacements;

//===- Sums over all steps ------------------------------------------------===//

bool contains(const std::vector<Value> &list, const Value &value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void add_once(std::vector<Value> &list, const Value &value) {
  if (!contains(list, value))
    list.push_back(value);
}

size_t place_of(const std::vector<Value> &list, const Value &value) {
  return static_cast<size_t>(std::find(list.begin(), list.end(), value) -
                             list.begin());
}

bool is_sum(const Node &node) {
  return node.op() == OpKind::Reduce && node.operands().size() == 2 &&
         only_op(node.regions()[0]) == OpKind::Add;
}

/// Lists the GEMMs and sums that `grad` is made of. Returns false if another op
/// uses them through which a sum over steps cannot be moved.
bool find_leaves(const Value &grad, std::vector<Value> &leaves) {
  const Node &node = *grad.node;
  if (node.kind() != graph::NodeKind::Op)
    return false;
  if (node.op() == OpKind::DotGeneral || is_sum(node)) {
    add_once(leaves, grad);
    return true;
  }
  switch (node.op()) {
  case OpKind::Add:
    return find_leaves(node.operands()[0], leaves) &&
           find_leaves(node.operands()[1], leaves);
  case OpKind::Negate:
  case OpKind::Transpose:
  case OpKind::Reshape:
  case OpKind::Convert:
    return find_leaves(node.operands()[0], leaves);
  default:
    return false;
  }
}

Shape moved(const Shape &dims, bool with_first) {
  Shape result;
  if (with_first)
    result.push_back(0);
  for (int64_t dim : dims)
    result.push_back(dim + 1);
  return result;
}

/// Computes the sum of the leaf over all steps with one op. `stacks` are its
/// operands, with the steps along dimension 0.
Value over_all_steps(const Value &leaf, const std::vector<Value> &stacks) {
  if (leaf.node->op() == OpKind::Reduce) {
    const Shape &dims =
        leaf.node->attributes().get<ops::ReduceAttributes>().dimensions;
    return build::reduce(OpKind::Add, stacks[0], leaf.node->operands()[1],
                         moved(dims, true));
  }
  auto attributes = leaf.node->attributes().get<ops::DotGeneralAttributes>();
  auto &n = attributes.dot_dimension_numbers;
  n.lhs_batching_dimensions = moved(n.lhs_batching_dimensions, false);
  n.rhs_batching_dimensions = moved(n.rhs_batching_dimensions, false);
  n.lhs_contracting_dimensions = moved(n.lhs_contracting_dimensions, true);
  n.rhs_contracting_dimensions = moved(n.rhs_contracting_dimensions, true);
  return {build::emit(OpKind::DotGeneral, attributes, stacks, {leaf.type()}),
          0};
}

/// Returns the operands of a leaf that differ between steps.
std::vector<Value> stacked_operands(const Value &leaf) {
  std::vector<Value> operands(leaf.node->operands().begin(),
                              leaf.node->operands().end());
  if (leaf.node->op() == OpKind::Reduce)
    operands.resize(1);
  return operands;
}

//===- The rule -----------------------------------------------------------===//

class ScanGradient {
public:
  explicit ScanGradient(const Step &step)
      : step_(step), a_(step.node.attributes().get<ops::ChloScanAttributes>()),
        body_(step.node.regions()[0]),
        inputs_(static_cast<size_t>(a_.operandSegmentSizes[0])),
        carries_(static_cast<size_t>(a_.operandSegmentSizes[1])),
        outputs_(body_.results.size() - carries_) {}

  Grads run();

private:
  Value argument(size_t i) const { return {body_.arguments[i], 0}; }
  Value carry(size_t i) const { return argument(inputs_ + i); }
  const Value &next(size_t i) const { return body_.results[outputs_ + i]; }
  /// True for a carried value that no step changes.
  bool stays(size_t i) const { return next(i) == carry(i); }
  bool turns(size_t i) const {
    return !stays(i) && is_differentiable(carry(i).type());
  }

  void differentiate_step();
  void plan_sum(size_t i);
  std::vector<Value> roots() const;
  /// A value of the body and its stack over all steps.
  struct Known {
    Value name, stack;
  };
  std::vector<Known> known_stacks();
  Value shifted_output(size_t i) const;
  void recompute(std::vector<Known> &needed);
  build::Scanned scan_back(const std::vector<Known> &known);
  Grads collected(const build::Scanned &made);

  const Step &step_;
  const ops::ChloScanAttributes &a_;
  const graph::Block &body_;
  size_t inputs_, carries_, outputs_;
  /// Parameters for the gradients of the step's outputs and of changing carried
  /// values.
  std::vector<Value> output_grads_, carry_grads_;
  std::vector<Value> grads_; ///< of the body's arguments
  std::vector<Value> rows_; ///< outputs of the reverse steps, which are stacked
  /// Unchanging carried values: `late_` are those whose gradients are sums
  /// computed from the stacks after the scan. `running_` are those whose
  /// gradients each step accumulates.
  std::vector<size_t> late_, running_;
};

/// Computes the gradients of one step in terms of the body's values.
void ScanGradient::differentiate_step() {
  std::vector<Value> cotangents;
  auto stand_for = [&](const Value &value, bool flows) {
    Value name;
    if (flows)
      name = {Node::make_parameter(value.type()), 0};
    cotangents.push_back(name);
    return name;
  };
  for (size_t i = 0; i < outputs_; ++i)
    output_grads_.push_back(
        stand_for(body_.results[i], static_cast<bool>(step_.grads[i])));
  for (size_t i = 0; i < carries_; ++i)
    carry_grads_.push_back(stand_for(next(i), turns(i)));
  std::vector<Value> arguments;
  std::vector<bool> wanted;
  for (size_t i = 0; i < inputs_ + carries_; ++i) {
    arguments.push_back(argument(i));
    wanted.push_back(i >= inputs_ && !stays(i - inputs_) ? turns(i - inputs_)
                                                         : step_.wanted[i]);
  }
  grads_ = differentiate(body_.results, cotangents, arguments, wanted);
  for (size_t i = 0; i < inputs_; ++i)
    if (grads_[i])
      add_once(rows_, grads_[i]);
  for (size_t i = 0; i < carries_; ++i) {
    Value &grad = grads_[inputs_ + i];
    if (turns(i) && !grad)
      grad = number_like(carry(i), 0);
    else if (stays(i) && grad)
      plan_sum(i);
  }
}

/// One GEMM over all steps is faster than many small ones whose results are
/// added.
void ScanGradient::plan_sum(size_t i) {
  std::vector<Value> leaves;
  if (!find_leaves(grads_[inputs_ + i], leaves)) {
    running_.push_back(i);
    return;
  }
  late_.push_back(i);
  for (const Value &leaf : leaves)
    for (const Value &operand : stacked_operands(leaf))
      add_once(rows_, operand);
}

/// All results of a reverse step: the stacked rows, then the additions to
/// changing carried values and running sums.
std::vector<Value> ScanGradient::roots() const {
  std::vector<Value> list = rows_;
  for (size_t i = 0; i < carries_; ++i)
    if (turns(i))
      list.push_back(grads_[inputs_ + i]);
  for (size_t i : running_)
    list.push_back(grads_[inputs_ + i]);
  return list;
}

/// Returns the stack of a carried value at the start of each step, if an output
/// holds its values at the end of each step.
Value ScanGradient::shifted_output(size_t i) const {
  uint32_t number = 0;
  while (number < outputs_ && !(body_.results[number] == next(i)))
    ++number;
  if (number == outputs_)
    return {};
  Value after = step_.result(number);
  const Value &init = step_.operand(inputs_ + i);
  Shape row = dims_of(init);
  row.insert(row.begin(), 1);
  Shape starts(row.size(), 0), limits = dims_of(after), steps(row.size(), 1);
  if (a_.is_reverse)
    ++starts[0];
  else
    --limits[0];
  Value first = build::reshape(init, row);
  Value rest = build::slice(after, starts, limits, steps);
  return build::concatenate(a_.is_reverse ? std::vector<Value>{rest, first}
                                          : std::vector<Value>{first, rest},
                            0);
}

/// Returns the values of the body that a reverse step uses, with their stacks.
/// They are in the order of the body, so that equal scans give equal programs.
std::vector<ScanGradient::Known> ScanGradient::known_stacks() {
  std::vector<Known> all;
  auto offer = [&](const Value &name, const Value &stack) {
    for (const Known &known : all)
      if (known.name == name)
        return;
    all.push_back({name, stack});
  };
  for (size_t i = 0; i < inputs_; ++i)
    offer(argument(i), step_.operand(i));
  for (uint32_t i = 0; i < outputs_; ++i)
    offer(body_.results[i], step_.result(i));
  for (size_t i = 0; i < carries_; ++i)
    if (!stays(i))
      offer(carry(i), {});
  std::vector<Value> targets;
  for (const Known &known : all)
    targets.push_back(known.name);
  std::vector<bool> used = used_by(roots(), targets, {});
  std::vector<Known> needed;
  for (size_t i = 0; i < all.size(); ++i)
    if (used[i])
      needed.push_back(all[i]);
  for (size_t i = 0; i < carries_; ++i)
    for (Known &known : needed)
      if (!known.stack && known.name == carry(i))
        known.stack = shifted_output(i);
  recompute(needed);
  return needed;
}

/// Reruns the scan for the starting values of steps that have no stack.
void ScanGradient::recompute(std::vector<Known> &needed) {
  auto missing = [](const Known &known) { return !known.stack; };
  if (std::none_of(needed.begin(), needed.end(), missing))
    return;
  std::vector<Value> inits, changing, after;
  Replacements constants;
  for (size_t i = 0; i < carries_; ++i) {
    const Value &init = step_.operand(inputs_ + i);
    if (stays(i)) {
      constants.emplace(carry(i), init);
      continue;
    }
    inits.push_back(init);
    changing.push_back(carry(i));
    after.push_back(next(i));
  }
  auto begun_at = [&](const Known &known) {
    return place_of(changing, known.name);
  };
  build::Scanned made = build::scan(
      {step_.uses.begin(), step_.uses.begin() + static_cast<long>(inputs_)},
      inits, a_.is_reverse,
      [&](const std::vector<Value> &rows, const std::vector<Value> &carried) {
        Replacements names = constants;
        for (size_t i = 0; i < inputs_; ++i)
          names.emplace(argument(i), rows[i]);
        for (size_t i = 0; i < changing.size(); ++i)
          names.emplace(changing[i], carried[i]);
        build::Scanned step{graph::substitute(after, std::move(names)), {}};
        for (const Known &known : needed)
          if (missing(known))
            step.outputs.push_back(carried[begun_at(known)]);
        return step;
      });
  auto next_stack = made.outputs.begin();
  for (Known &known : needed)
    if (missing(known))
      known.stack = *next_stack++;
}

build::Scanned ScanGradient::scan_back(const std::vector<Known> &known) {
  std::vector<Value> inputs, names, inits, carried_names;
  for (const auto &[value, stack] : known) {
    names.push_back(value);
    inputs.push_back(stack);
  }
  for (uint32_t i = 0; i < outputs_; ++i)
    if (output_grads_[i]) {
      names.push_back(output_grads_[i]);
      inputs.push_back(step_.grads[i]);
    }
  // A scan needs at least one input, even if the body uses none.
  if (inputs.empty()) {
    names.push_back({Node::make_parameter(argument(0).type()), 0});
    inputs.push_back(step_.operand(0));
  }
  Replacements constants;
  for (size_t i = 0; i < carries_; ++i) {
    if (stays(i))
      constants.emplace(carry(i), step_.operand(inputs_ + i));
    if (!turns(i))
      continue;
    carried_names.push_back(carry_grads_[i]);
    inits.push_back(step_.grad_or_zeros(static_cast<uint32_t>(outputs_ + i)));
  }
  for (size_t i : running_)
    inits.push_back(number_like(carry(i), 0));
  return build::scan(
      std::move(inputs), std::move(inits), !a_.is_reverse,
      [&](const std::vector<Value> &rows, const std::vector<Value> &carried) {
        Replacements replaced = constants;
        for (size_t i = 0; i < names.size(); ++i)
          replaced.emplace(names[i], rows[i]);
        for (size_t i = 0; i < carried_names.size(); ++i)
          replaced.emplace(carried_names[i], carried[i]);
        std::vector<Value> made =
            graph::substitute(roots(), std::move(replaced));
        auto border = made.begin() + static_cast<ptrdiff_t>(rows_.size());
        build::Scanned step{{border, made.end()}, {made.begin(), border}};
        for (size_t i = carried_names.size(); i < step.carried.size(); ++i)
          step.carried[i] = add(carried[i], step.carried[i]);
        return step;
      });
}

Grads ScanGradient::collected(const build::Scanned &made) {
  Grads grads(inputs_ + carries_);
  auto stack_of = [&](const Value &row) {
    return made.outputs[place_of(rows_, row)];
  };
  for (size_t i = 0; i < inputs_; ++i)
    if (grads_[i])
      grads[i] = stack_of(grads_[i]);
  size_t place = 0;
  for (size_t i = 0; i < carries_; ++i)
    if (turns(i))
      grads[inputs_ + i] = made.carried[place++];
  for (size_t i : running_)
    grads[inputs_ + i] = made.carried[place++];
  for (size_t i : late_) {
    const Value &grad = grads_[inputs_ + i];
    std::vector<Value> leaves;
    find_leaves(grad, leaves);
    Replacements sums;
    for (const Value &leaf : leaves) {
      std::vector<Value> stacks;
      for (const Value &operand : stacked_operands(leaf))
        stacks.push_back(stack_of(operand));
      sums.emplace(leaf, over_all_steps(leaf, stacks));
    }
    grads[inputs_ + i] = graph::substitute({&grad, 1}, std::move(sums))[0];
  }
  // The gradient of an unchanged carried value also includes that of its final
  // value.
  for (uint32_t i = 0; i < carries_; ++i)
    if (stays(i) && step_.grads[outputs_ + i]) {
      Value &grad = grads[inputs_ + i];
      const Value &more = step_.grads[outputs_ + i];
      grad = grad ? add(grad, more) : more;
    }
  return grads;
}

Grads ScanGradient::run() {
  differentiate_step();
  return collected(scan_back(known_stacks()));
}

Grads scan_rule(const Step &step) {
  if (step.node.attributes().get<ops::ChloScanAttributes>().dimension != 0)
    raise<UnsupportedError>("the derivative of a scan along another "
                            "dimension than the first is not "
                            "implemented");
  return ScanGradient(step).run();
}

} // namespace

void add_scan_rules(RuleTable &table) {
  table.set(OpKind::ChloScan, scan_rule);
}

} // namespace xlac::autograd
