#include "xlac/graph/program.h"

#include <gtest/gtest.h>

namespace xlac::graph {
namespace {

const Type kVector(TensorType{ElementType::F32, {4}, {}, {}});

Value parameter() { return {Node::make_parameter(kVector), 0}; }

Value op(ops::OpKind kind, std::vector<Value> operands) {
  return {Node::make_op(kind, {}, std::move(operands), {kVector}), 0};
}

TEST(Node, LongChainsDieAndAreWalkedWithoutRecursion) {
  Value value = parameter();
  for (int i = 0; i < 1'000'000; ++i)
    value = op(ops::OpKind::Negate, {value});
  EXPECT_EQ(post_order(std::span(&value, 1)).size(), 1'000'001u);
  value = {};
}

TEST(Node, PostOrderListsSharedNodesOnce) {
  Value a = parameter();
  Value b = op(ops::OpKind::Negate, {a});
  Value c = op(ops::OpKind::Add, {b, b});
  std::vector<NodeRef> order = post_order(std::span(&c, 1));
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order[0], a.node);
  EXPECT_EQ(order[2], c.node);
}

TEST(Program, ArgumentsComeInTheOrderOfTheWalk) {
  Value a = parameter(), b = parameter();
  Value sum = op(ops::OpKind::Add, {b, a});
  Program program = make_program(std::span(&sum, 1));
  const Function *entry = program.entry_function();
  ASSERT_NE(entry, nullptr);
  ASSERT_EQ(entry->body.arguments.size(), 2u);
  EXPECT_EQ(entry->body.arguments[0], b.node);
  EXPECT_EQ(node_count(program), 1u);
  EXPECT_NE(to_text(program).find("stablehlo.add(%0, %1)"), std::string::npos);
}

TEST(Program, HoldsWhatIsCalledFromRegions) {
  auto inner = std::make_shared<Function>(),
       outer = std::make_shared<Function>();
  inner->name = "inner";
  inner->body.results = {parameter()};
  inner->body.arguments = {inner->body.results[0].node};
  outer->name = "outer";
  Value x = parameter();
  outer->body.arguments = {x.node};
  Block region;
  region.nodes = {Node::make_call(inner, {x})};
  region.results = {{region.nodes[0], 0}};
  outer->body.nodes = {
      Node::make_op(ops::OpKind::Case, {}, {x}, {kVector}, {region})};
  outer->body.results = {{outer->body.nodes[0], 0}};
  Block branch;
  Value y = parameter();
  branch.nodes = {Node::make_call(outer, {y})};
  branch.results = {{branch.nodes[0], 0}};
  Value result = {
      Node::make_op(ops::OpKind::Case, {}, {y}, {kVector}, {branch}), 0};
  Program program = make_program(std::span(&result, 1));
  ASSERT_EQ(program.functions.size(), 3u);
  EXPECT_EQ(program.functions[0], inner);
  EXPECT_EQ(program.functions[1], outer);
}

} // namespace
} // namespace xlac::graph
