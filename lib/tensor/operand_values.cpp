#include "xlac/tensor/operand_values.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/tensor_impl.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <functional>

namespace xlac::frontend {

using graph::Value;
using ops::OpKind;

Value make_distinct(Value value) {
  Type type = value.type();
  return {
      build::emit(OpKind::Reshape, {}, {std::move(value)}, {std::move(type)}),
      0};
}

static constexpr char kNoGradientMark[] = "{xlac.no_gradient}";

Value without_gradient(Value value) {
  Value made = make_distinct(std::move(value));
  graph::Node::set_extra_attributes(made.node, kNoGradientMark);
  return made;
}

bool passes_no_gradient(const graph::Node &node) {
  return node.kind() == graph::NodeKind::Op && node.op() == OpKind::Reshape &&
         node.extra_attributes() == kNoGradientMark;
}

static constexpr char kOwnGradientMark[] = "{xlac.own_gradient}";

std::vector<Value>
with_own_gradient(std::vector<Value> operands,
                  std::shared_ptr<const OwnGradient> gradient) {
  size_t count = gradient->results.size();
  std::vector<Value> made = build::optimization_barrier(std::move(operands));
  graph::Node::set_extra_attributes(made[0].node, kOwnGradientMark);
  graph::Node::attach(made[0].node, std::move(gradient));
  made.resize(count);
  return made;
}

const OwnGradient *own_gradient(const graph::Node &node) {
  return dynamic_cast<const OwnGradient *>(node.attachment().get());
}

Value undistinguished(Value value) {
  while (value.node->kind() == graph::NodeKind::Op &&
         value.node->op() == OpKind::Reshape &&
         value.node->operands()[0].type() == value.type())
    value = Value(value.node->operands()[0]);
  return value;
}

graph::Replacements distinct_operands(std::span<const Value> operands,
                                      const graph::Replacements &changes) {
  graph::Replacements result;
  std::vector<Value> taken, changed;
  for (const Value &operand : operands)
    (changes.contains(undistinguished(operand)) ? changed : taken)
        .push_back(operand);
  if (changed.empty())
    return result;
  for (const Value &operand : taken)
    result.emplace(operand, operand);
  for (const Value &operand : changed) {
    auto [entry, added] = result.try_emplace(operand);
    if (!added)
      continue;
    Value now = changes.at(undistinguished(operand));
    if (std::find(taken.begin(), taken.end(), now) != taken.end())
      now = make_distinct(now);
    taken.push_back(now);
    entry->second = now;
  }
  return result;
}

static bool overlap(const host::Literal &a, const host::Literal &b) {
  std::less<const std::byte *> before;
  return before(a.data(), b.data() + b.byte_count()) &&
         before(b.data(), a.data() + a.byte_count());
}

Value SavedValues::operator()(const Value &value) {
  if (value.node->kind() != graph::NodeKind::Parameter || !value.node->data())
    return value;
  const host::Literal &shown = lazy::host_literal(value);
  if (!overlap(shown, memory_))
    return value;
  auto [copy, added] = copies_.try_emplace(value);
  if (added)
    copy->second = lazy::host_value(
        unwrap(host::Literal::copy_of(shown.type(), shown.data())));
  return copy->second;
}

} // namespace xlac::frontend
