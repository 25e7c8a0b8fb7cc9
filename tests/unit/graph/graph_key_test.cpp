#include "xlac/graph/graph_key.h"
#include "xlac/graph/program.h"

#include <gtest/gtest.h>

namespace xlac::graph {
namespace {

using ops::OpKind;

Type vector(int64_t size = 4) {
  return Type(TensorType{ElementType::F32, {size}, {}, {}});
}
Value parameter(int64_t size = 4) {
  return {Node::make_parameter(vector(size)), 0};
}
Value op(OpKind kind, std::vector<Value> operands, ops::OpAttributes a = {},
         std::vector<Block> regions = {}) {
  Type type = operands[0].type();
  return {Node::make_op(kind, std::move(a), std::move(operands), {type},
                        std::move(regions)),
          0};
}
Hash128 key(std::vector<Value> roots) { return hash_graph(roots).key; }

TEST(GraphKey, SeesOperandsAttributesTypesAndResults) {
  Value a = parameter(), b = parameter();
  Value both = op(OpKind::Add, {a, b});
  Hash128 forward = key({both, op(OpKind::Subtract, {a, b})});
  EXPECT_EQ(forward, key({both, op(OpKind::Subtract, {a, b})}));
  EXPECT_FALSE(forward == key({both, op(OpKind::Subtract, {b, a})}));
  EXPECT_FALSE(forward == key({both, op(OpKind::Subtract, {a, a})}));
  EXPECT_FALSE(forward == key({both, op(OpKind::Divide, {a, b})}));
  ops::ReverseAttributes reverse;
  reverse.dimensions = {0};
  EXPECT_FALSE(key({op(OpKind::Reverse, {a}, reverse)}) ==
               key({op(OpKind::Reverse, {a})}));
  EXPECT_FALSE(key({op(OpKind::Negate, {a})}) ==
               key({op(OpKind::Negate, {parameter(5)})}));
  EXPECT_FALSE(key({a, b}) == key({a, a}));
  EXPECT_FALSE(key({both}) == key({both, both}));
}

Block adding(const Value &addend) {
  Value argument = parameter();
  Value sum = op(OpKind::Add, {argument, addend});
  return {{argument.node}, {sum.node}, {sum}};
}

TEST(GraphKey, SeesWhatRegionsUseFromOutside) {
  Value a = parameter(), b = parameter();
  auto with = [&](const Value &addend) {
    return key({a, b, op(OpKind::Reduce, {a}, {}, {adding(addend)})});
  };
  EXPECT_EQ(with(a), with(a));
  EXPECT_FALSE(with(a) == with(b));
}

TEST(GraphKey, ListsArgumentsAsProgramsDo) {
  Value a = parameter(), b = parameter(), c = parameter();
  std::vector<Value> roots{op(OpKind::Subtract, {b, op(OpKind::Add, {c, a})}),
                           op(OpKind::Reduce, {a}, {}, {adding(c)})};
  HashedGraph walked = hash_graph(roots);
  Program program = make_program(roots);
  const auto &arguments = program.entry_function()->body.arguments;
  ASSERT_EQ(walked.arguments.size(), arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    EXPECT_EQ(walked.arguments[i], arguments[i].get());
  EXPECT_EQ(walked.nodes, 3u);
}

TEST(GraphKey, WalksLongChains) {
  Value value = parameter();
  for (int i = 0; i < 1'000'000; ++i)
    value = op(OpKind::Negate, {value});
  EXPECT_EQ(hash_graph(std::span(&value, 1)).nodes, 1'000'000u);
}

} // namespace
} // namespace xlac::graph
