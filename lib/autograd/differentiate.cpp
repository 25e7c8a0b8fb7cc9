#include "differentiate.h"

#include "values.h"

#include "xlac/graph/substitute.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/operand_values.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace xlac::autograd {

using graph::Node;
using graph::NodeRef;
using graph::Value;
using graph::ValueOrder;

namespace {

/// The nodes between some values and the borders in topological order: each
/// node follows the nodes that it uses.
class Piece {
public:
  template <class IsBorder>
  Piece(std::span<const Value> roots, const IsBorder &is_border) {
    struct Frame {
      const Node *node;
      std::vector<Value> uses;
      size_t next = 0;
    };
    std::vector<Frame> stack;
    auto enter = [&](const Value &value) {
      if (value && !is_border(value) && seen_.insert(value.node.get()).second)
        stack.push_back({value.node.get(), uses_of(*value.node), 0});
    };
    for (const Value &root : roots) {
      enter(root);
      while (!stack.empty()) {
        Frame &frame = stack.back();
        if (frame.next < frame.uses.size()) {
          Value use = frame.uses[frame.next++];
          enter(use);
          continue;
        }
        order.push_back({frame.node, std::move(frame.uses)});
        stack.pop_back();
      }
    }
  }

  struct Entry {
    const Node *node;
    std::vector<Value> uses;
  };
  std::vector<Entry> order;

private:
  std::unordered_set<const Node *> seen_;
};

using ValueMap = std::map<Value, Value, ValueOrder>;

void accumulate(ValueMap &adjoints, const Value &value, const Value &grad) {
  auto [found, added] = adjoints.try_emplace(value, grad);
  if (!added)
    found->second = add(found->second, grad);
}

/// What `own` says of the operands of its node.
std::vector<Value> own_gradients(const Step &step,
                                 const frontend::OwnGradient &own) {
  if (own.failure)
    std::rethrow_exception(own.failure);
  graph::Replacements actual;
  for (size_t i = 0; i < own.operands.size(); ++i)
    actual.emplace(own.operands[i], step.uses[i]);
  for (uint32_t i = 0; i < own.results.size(); ++i) {
    actual.emplace(own.results[i], step.result(i));
    actual.emplace(own.cotangents[i], step.grad_or_zeros(i));
  }
  std::vector<Value> present;
  for (const Value &gradient : own.gradients)
    if (gradient)
      present.push_back(gradient);
  present = graph::substitute(present, std::move(actual));
  std::vector<Value> grads(own.gradients.size());
  for (size_t i = 0, next = 0; i < grads.size(); ++i)
    if (own.gradients[i])
      grads[i] = present[next++];
  return grads;
}

/// Computes the gradients of the values that a node uses and adds them to
/// `adjoints`.
void differentiate_node(const Node &node, std::vector<Value> uses,
                        const std::vector<bool> &wanted, ValueMap &adjoints) {
  Step step{node, std::vector<Value>(node.types().size()), std::move(uses),
            wanted};
  bool any = false;
  for (uint32_t i = 0; i < node.types().size(); ++i) {
    auto found = adjoints.find({NodeRef(&node), i});
    if (found == adjoints.end())
      continue;
    step.grads[i] = found->second;
    any = true;
  }
  if (!any)
    return;
  const frontend::OwnGradient *own = frontend::own_gradient(node);
  Rule rule = node.kind() == graph::NodeKind::Op ? rule_of(node.op()) : nullptr;
  if (!own && !rule)
    raise<UnsupportedError>("the derivative of " + node.name() +
                            " is not implemented");
  std::vector<Value> grads = own ? own_gradients(step, *own) : rule(step);
  for (size_t i = 0; i < grads.size(); ++i)
    if (grads[i] && wanted[i])
      accumulate(adjoints, step.operand(i),
                 build::convert(grads[i], step.operand(i).tensor().element));
}

} // namespace

std::vector<Value> uses_of(const Node &node) {
  std::vector<Value> uses(node.operands().begin(), node.operands().end());
  std::vector<Value> captures;
  for (const graph::Block &region : node.regions())
    graph::add_captures(region, captures);
  uses.insert(uses.end(), captures.begin(), captures.end());
  return uses;
}

Value Step::grad_or_zeros(uint32_t i) const {
  return grads[i] ? grads[i] : number_like(result(i), 0);
}

std::vector<Value> differentiate(std::span<const Value> values,
                                 std::span<const Value> cotangents,
                                 std::span<const Value> operands,
                                 const std::vector<bool> &wanted) {
  std::map<Value, bool, ValueOrder> borders;
  for (size_t i = 0; i < operands.size(); ++i)
    borders[operands[i]] |= wanted[i];
  Piece piece(values, [&](const Value &value) {
    return borders.contains(value) || frontend::passes_no_gradient(*value.node);
  });
  std::unordered_set<const Node *> active;
  auto matters = [&](const Value &value) {
    auto border = borders.find(value);
    return border != borders.end() ? border->second
                                   : active.contains(value.node.get());
  };
  std::vector<std::vector<bool>> wanted_of(piece.order.size());
  for (size_t i = 0; i < piece.order.size(); ++i) {
    bool any = false;
    for (const Value &use : piece.order[i].uses) {
      wanted_of[i].push_back(matters(use) && is_differentiable(use.type()));
      any |= wanted_of[i].back();
    }
    if (any)
      active.insert(piece.order[i].node);
  }
  ValueMap adjoints;
  for (size_t i = 0; i < values.size(); ++i)
    if (cotangents[i] && matters(values[i]))
      accumulate(adjoints, values[i], cotangents[i]);
  for (size_t i = piece.order.size(); i-- > 0;)
    if (active.contains(piece.order[i].node))
      differentiate_node(*piece.order[i].node, std::move(piece.order[i].uses),
                         wanted_of[i], adjoints);
  std::vector<Value> result(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    auto found = adjoints.find(operands[i]);
    if (!wanted[i] || found == adjoints.end())
      continue;
    result[i] = found->second;
    // Operands with the same value count as one operand, so only the first gets
    // the gradient.
    adjoints.erase(found);
  }
  return result;
}

std::vector<Value> independent_of(std::span<const Value> roots,
                                  std::span<const Value> names) {
  std::unordered_set<const Node *> dependent;
  for (const Value &name : names)
    dependent.insert(name.node.get());
  std::vector<Value> found;
  auto add = [&](const Value &value) {
    const Node &node = *value.node;
    bool is_constant = node.kind() == graph::NodeKind::Op &&
                       node.operands().empty() && node.regions().empty() &&
                       !node.has_effect();
    if (!is_constant && !dependent.contains(&node) &&
        std::find(found.begin(), found.end(), value) == found.end())
      found.push_back(value);
  };
  for (const NodeRef &node : graph::post_order(roots)) {
    std::vector<Value> uses = uses_of(*node);
    bool depends = std::any_of(uses.begin(), uses.end(), [&](const Value &use) {
      return dependent.contains(use.node.get());
    });
    if (!depends)
      continue;
    dependent.insert(node.get());
    for (const Value &use : uses)
      add(use);
  }
  for (const Value &root : roots)
    add(root);
  return found;
}

std::vector<bool> used_by(std::span<const Value> roots,
                          std::span<const Value> targets,
                          std::span<const Value> borders) {
  std::map<Value, size_t, ValueOrder> numbers;
  for (size_t i = 0; i < targets.size(); ++i)
    numbers.try_emplace(targets[i], i);
  std::map<Value, bool, ValueOrder> stops;
  for (const Value &border : borders)
    if (border)
      stops[border] = true;
  std::vector<bool> used(targets.size(), false);
  Piece piece(roots, [&](const Value &value) {
    auto target = numbers.find(value);
    if (target != numbers.end()) {
      used[target->second] = true;
      return true;
    }
    return stops.contains(value);
  });
  return used;
}

} // namespace xlac::autograd
