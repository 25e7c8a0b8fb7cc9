#include "xlac/graph/program.h"

#include <gtest/gtest.h>

namespace xlac::graph {
namespace {

using ops::OpKind;

const Type kVector(TensorType{ElementType::F32, {4}, {}, {}});

Value parameter() { return {Node::make_parameter(kVector), 0}; }

Value op(OpKind kind, std::vector<Value> operands, ops::OpAttributes a = {}) {
  return {Node::make_op(kind, std::move(a), std::move(operands), {kVector}), 0};
}

std::string key(std::vector<Value> results) {
  return *program_key(make_program(results));
}

TEST(ProgramKey, TellsOperandsApart) {
  Value a = parameter(), b = parameter();
  // All three use both arguments in the same order.
  Value both = op(OpKind::Add, {a, b});
  std::string same = key({both, op(OpKind::Subtract, {a, a})});
  std::string forward = key({both, op(OpKind::Subtract, {a, b})});
  std::string backward = key({both, op(OpKind::Subtract, {b, a})});
  EXPECT_NE(same, forward);
  EXPECT_NE(forward, backward);
  EXPECT_NE(same, backward);
  EXPECT_EQ(same.size(), 64u);
}

TEST(ProgramKey, DoesNotSeeWhoMadeIt) {
  auto build = [] {
    Value a = parameter(), b = parameter();
    return op(OpKind::Multiply, {op(OpKind::Negate, {a}), b});
  };
  EXPECT_EQ(key({build()}), key({build()}));
}

TEST(ProgramKey, SeesAttributesResultsAndAliases) {
  Value a = parameter();
  ops::ReverseAttributes first, second;
  first.dimensions = {0};
  EXPECT_NE(key({op(OpKind::Reverse, {a}, first)}),
            key({op(OpKind::Reverse, {a}, second)}));
  Value n = op(OpKind::Negate, {a}), s = op(OpKind::Sign, {a});
  EXPECT_NE(key({n, s}), key({s, n}));
  EXPECT_NE(key({n}), key({n, n}));
  Program plain = make_program(std::span(&n, 1)), aliased = plain;
  aliased.aliases = {{0, 0}};
  EXPECT_NE(*program_key(plain), *program_key(aliased));
}

TEST(ProgramKey, SeesPartitionsAndShardings) {
  Program program = make_program({{op(OpKind::Negate, {parameter()})}});
  std::string whole = *program_key(program);
  program.partitions = 4;
  std::string cut = *program_key(program);
  EXPECT_NE(cut, whole);
  program.argument_shardings = {std::nullopt};
  program.result_shardings = {Sharding()};
  std::string asked = *program_key(program);
  EXPECT_NE(asked, cut);
  program.argument_shardings[0] = *parse_sharding("{devices=[4]0,1,2,3}");
  EXPECT_NE(*program_key(program), asked);
  EXPECT_NE(to_text(program).find("argument 0 lies as {devices=[4]0,1,2,3}"),
            std::string::npos);
  std::swap(program.argument_shardings, program.result_shardings);
  EXPECT_NE(*program_key(program), asked);
}

TEST(ProgramKey, SharedAndRepeatedNodesDiffer) {
  Value a = parameter();
  Value n = op(OpKind::Negate, {a});
  Value shared = op(OpKind::Add, {n, n});
  Value repeated =
      op(OpKind::Add, {op(OpKind::Negate, {a}), op(OpKind::Negate, {a})});
  EXPECT_NE(key({shared}), key({repeated}));
}

TEST(ProgramKey, RegionsCountAndMayCapture) {
  Value a = parameter(), outer = op(OpKind::Negate, {a});
  auto with_region = [&](OpKind inner, bool capture) {
    Value x = parameter();
    Value y = op(inner, {capture ? outer : x});
    Block block;
    block.arguments = {x.node};
    block.nodes = {y.node};
    block.results = {y};
    return Value{Node::make_op(OpKind::Map, {}, {a}, {kVector}, {block}), 0};
  };
  EXPECT_NE(key({with_region(OpKind::Sign, false)}),
            key({with_region(OpKind::Sign, true)}));
  EXPECT_NE(key({with_region(OpKind::Sign, false)}),
            key({with_region(OpKind::Negate, false)}));
  Value captured = with_region(OpKind::Sign, true);
  EXPECT_EQ(post_order(std::span(&captured, 1)).size(), 3u);
}

} // namespace
} // namespace xlac::graph
