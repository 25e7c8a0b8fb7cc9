// Components of the fuzzer: programs are reproducible, and bounds are correct.
#include "fuzz/error_bound.h"
#include "fuzz/generate.h"
#include "fuzz/plans.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace xlac::fuzz {
namespace {

host::Literal floats(std::vector<float> values) {
  TensorType type{
      ElementType::F32, {static_cast<int64_t>(values.size())}, {}, {}};
  return *host::Literal::copy_of(type, values.data());
}

std::span<const std::byte> bytes_of(const host::Literal &literal) {
  return {literal.data(), static_cast<size_t>(literal.byte_count())};
}

TEST(Fuzz, SeedMakesTheSameProgramAndInputs) {
  for (uint64_t seed = 1; seed < 30; ++seed) {
    Case a = generate(Random(seed), {.max_ops = 12}),
         b = generate(Random(seed), {.max_ops = 12});
    EXPECT_EQ(graph::to_text(a.program), graph::to_text(b.program));
    ASSERT_EQ(a.inputs.size(), b.inputs.size());
    for (size_t i = 0; i < a.inputs.size(); ++i)
      EXPECT_EQ(std::memcmp(a.inputs[i].data(), b.inputs[i].data(),
                            a.inputs[i].byte_count()),
                0);
  }
}

TEST(Fuzz, ChoicesPlayedBackMakeTheProgramAgain) {
  for (uint64_t seed = 1; seed < 30; ++seed) {
    Case a = generate(Random(seed), {.max_ops = 12}),
         b = generate(Random(a.choices), {.max_ops = 12});
    EXPECT_EQ(graph::to_text(a.program), graph::to_text(b.program));
    EXPECT_EQ(a.choices, b.choices);
  }
}

TEST(Fuzz, EveryPlanIsAcceptedAtTimes) {
  std::map<ops::OpKind, bool> made;
  for (const Plan &plan : plans())
    made[plan.kind] = false;
  for (const Plan &plan : plans())
    for (uint64_t seed = 0; seed < 60 && !made[plan.kind]; ++seed) {
      Random random(seed);
      Builder builder(random);
      made[plan.kind] = plan.make(builder, plan);
    }
  for (auto [kind, accepted] : made)
    EXPECT_TRUE(accepted) << ops::op_name(kind);
}

TEST(Fuzz, ProgramsOfGridsHaveInputsAndResultsForEachProcess) {
  int grids = 0, meetings = 0;
  for (uint64_t seed = 1; seed < 200; ++seed) {
    Case one = generate(Random(seed), {.max_ops = 12});
    ASSERT_EQ(static_cast<int>(one.peers.size()), one.grid.count() - 1);
    std::string text = graph::to_text(one.program);
    if (one.peers.empty())
      continue;
    ++grids;
    for (const char *op : {"all_", "collective_", "reduce_scatter", "_id"})
      meetings += text.find(op) != std::string::npos;
    for (const Process &peer : one.peers) {
      EXPECT_EQ(peer.inputs.size(), one.inputs.size());
      EXPECT_EQ(peer.expected.size(), one.expected.size());
    }
  }
  EXPECT_GT(grids, 3);
  EXPECT_GT(meetings, 3);
}

/// Returns the result of each process of the grid when each passes its number.
std::vector<float> numbers_after(ops::OpKind kind, ops::OpAttributes attributes,
                                 runtime::GridShape grid,
                                 std::vector<graph::Block> regions = {}) {
  ByProcess operands;
  for (int i = 0; i < grid.count(); ++i)
    operands.push_back({{floats({static_cast<float>(i)}), {}}});
  std::vector<Type> types{operands[0][0].data.type()};
  OpUse use{kind, attributes, {}, regions, {}, types};
  auto results = exchanged(use, operands, grid);
  std::vector<float> numbers;
  for (const std::vector<Checked> &process : *results)
    for (int64_t i = 0; i < process[0].data.count(); ++i)
      numbers.push_back(
          static_cast<float>(host::as_double(process[0].data, i)));
  return numbers;
}

TEST(Fuzz, GatheredValuesStandInTheOrderOfTheGroup) {
  ops::AllGatherAttributes attributes;
  attributes.replica_groups.groups = ops::IntElements::matrix(2, {1, 0});
  // Two replicas of two partitions, numbered as in the specification.
  EXPECT_EQ(numbers_after(ops::OpKind::AllGather, attributes, {2, 2}),
            (std::vector<float>{2, 0, 3, 1, 2, 0, 3, 1}));
  attributes.channel_handle = {.handle = 1, .type = 1};
  EXPECT_EQ(numbers_after(ops::OpKind::AllGather, attributes, {2, 1}),
            (std::vector<float>{1, 0, 1, 0}));
  attributes.replica_groups.groups = ops::IntElements::matrix(1, {1, 0});
  EXPECT_EQ(numbers_after(ops::OpKind::AllGather, attributes, {2, 2}),
            (std::vector<float>{0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(Fuzz, WhoIsSentNothingHasZeros) {
  ops::CollectivePermuteAttributes attributes;
  attributes.source_target_pairs = ops::IntElements::matrix(2, {0, 2, 2, 1});
  EXPECT_EQ(numbers_after(ops::OpKind::CollectivePermute, attributes, {3, 1}),
            (std::vector<float>{0, 2, 0}));
  attributes.source_target_pairs = ops::IntElements::matrix(2, {1, 0});
  attributes.channel_handle = {.handle = 1, .type = 1};
  EXPECT_EQ(numbers_after(ops::OpKind::CollectivePermute, attributes, {2, 2}),
            (std::vector<float>{1, 0, 3, 0}));
}

TEST(Fuzz, SumsGoToAllOrToTheRoot) {
  ops::CrossReplicaSumAttributes sum;
  sum.replica_groups = ops::IntElements::matrix(2, {2, 1, 0, 3});
  EXPECT_EQ(numbers_after(ops::OpKind::CrossReplicaSum, sum, {4, 1}),
            (std::vector<float>{3, 3, 3, 3}));
  TensorType scalar{ElementType::F32, {}, {}, {}};
  graph::Block body;
  for (int i = 0; i < 2; ++i)
    body.arguments.push_back(graph::Node::make_parameter(scalar));
  body.nodes = {graph::Node::make_op(
      ops::OpKind::Subtract, {},
      {{body.arguments[0], 0}, {body.arguments[1], 0}}, {scalar})};
  body.results = {{body.nodes[0], 0}};
  ops::CollectiveReduceAttributes reduce;
  reduce.replica_groups.groups = ops::IntElements::matrix(2, {3, 0, 1, 2});
  EXPECT_EQ(
      numbers_after(ops::OpKind::CollectiveReduce, reduce, {4, 1}, {body}),
      (std::vector<float>{0, -1, 0, 3}));
}

TEST(Fuzz, ExactValuesMustHaveTheSameBits) {
  Checked expected{floats({0.0f, 1.0f}), {}};
  EXPECT_FALSE(difference(expected, bytes_of(floats({0.0f, 1.0f}))));
  EXPECT_TRUE(difference(expected, bytes_of(floats({-0.0f, 1.0f}))));
  EXPECT_TRUE(difference(expected, bytes_of(floats({0.0f, 1.0000001f}))));
}

TEST(Fuzz, NansAreAlike) {
  float other;
  uint32_t bits = 0xFFC00001;
  std::memcpy(&other, &bits, 4);
  Checked expected{floats({std::numeric_limits<float>::quiet_NaN()}), {}};
  EXPECT_FALSE(difference(expected, bytes_of(floats({other}))));
  EXPECT_TRUE(difference(expected, bytes_of(floats({1.0f}))));
}

/// Returns the radius of the bounds for exp of `x`.
double radius_of_exp(float x) {
  Checked operand{floats({x}), {}};
  std::vector<Type> types{operand.data.type()};
  ops::OpAttributes none;
  OpUse use{ops::OpKind::Exponential, none, {&operand, 1}, {}, {}, types};
  auto results = evaluate(use);
  auto bounds = radii(use, *results);
  return host::as_double((*bounds)[0]);
}

TEST(Fuzz, RadiusIsAFewUlps) {
  EXPECT_GT(radius_of_exp(1.0f), 0);
  EXPECT_LT(radius_of_exp(1.0f), 4 * 0x1p-22);
}

TEST(Fuzz, WholeSumsAreExact) {
  std::vector<Checked> operands{{floats({1, 2, 3}), {}},
                                {floats({4, 5, 6}), {}}};
  ops::DotGeneralAttributes attributes;
  attributes.dot_dimension_numbers.lhs_contracting_dimensions = {0};
  attributes.dot_dimension_numbers.rhs_contracting_dimensions = {0};
  ops::OpAttributes held(attributes);
  std::vector<Type> types{TensorType{ElementType::F32, {}, {}, {}}};
  OpUse use{ops::OpKind::DotGeneral, held, operands, {}, {}, types};
  auto results = evaluate(use);
  ASSERT_TRUE(results);
  auto bounds = radii(use, *results);
  ASSERT_TRUE(bounds);
  EXPECT_FALSE((*bounds)[0]) << "32 has no error";
}

/// Returns the radius of the product of all `values`.
double radius_of_product(std::vector<float> values) {
  TensorType scalar{ElementType::F32, {}, {}, {}};
  graph::Block body;
  for (int i = 0; i < 2; ++i)
    body.arguments.push_back(graph::Node::make_parameter(scalar));
  body.nodes = {graph::Node::make_op(
      ops::OpKind::Multiply, {},
      {{body.arguments[0], 0}, {body.arguments[1], 0}}, {scalar})};
  body.results = {{body.nodes[0], 0}};
  float one = 1;
  std::vector<Checked> operands{{floats(std::move(values)), {}},
                                {*host::Literal::copy_of(scalar, &one), {}}};
  ops::ReduceAttributes attributes;
  attributes.dimensions = {0};
  ops::OpAttributes held(attributes);
  std::vector<Type> types{scalar};
  OpUse use{ops::OpKind::Reduce, held, operands, {&body, 1}, {}, types};
  auto results = evaluate(use);
  return host::as_double((*radii(use, *results))[0]);
}

TEST(Fuzz, ProductsAreBoundedWhereNoPartVanishes) {
  EXPECT_GT(radius_of_product({3, 0.3f}), 0);
  EXPECT_LT(radius_of_product({3, 0.3f}), 64 * 0x1p-24);
  // In another order the product of the first two is infinity or 0.
  EXPECT_TRUE(std::isinf(radius_of_product({1e30f, 1e30f, 1e-30f})));
  EXPECT_TRUE(std::isinf(radius_of_product({1e-30f, 1e-30f, 1e30f})));
}

/// Returns the radii of batch_norm_training on one feature.
std::vector<host::Literal> radii_of_training(std::vector<float> data) {
  TensorType type{
      ElementType::F32, {static_cast<int64_t>(data.size()), 1}, {}, {}};
  std::vector<Checked> operands{{floats(std::move(data)).with_type(type), {}},
                                {floats({1}), {}},
                                {floats({0}), {}}};
  ops::BatchNormTrainingAttributes attributes;
  attributes.epsilon = 0x1p-10f;
  attributes.feature_index = 1;
  ops::OpAttributes held(attributes);
  std::vector<Type> types{operands[0].data.type(), operands[1].data.type(),
                          operands[1].data.type()};
  OpUse use{ops::OpKind::BatchNormTraining, held, operands, {}, {}, types};
  return *radii(use, *evaluate(use));
}

TEST(Fuzz, BatchNormIsBoundedWhereItsDataDiffer) {
  for (const host::Literal &radius : radii_of_training({1, -2, 3})) {
    EXPECT_GT(host::as_double(radius), 0);
    EXPECT_LT(host::as_double(radius), 1e-3);
  }
  // Equal except for rounding: the variance is noise.
  EXPECT_TRUE(std::isinf(
      host::as_double(radii_of_training({1000, 1000.0001f, 1000})[0])));
}

/// The radius of `kind` on two f8E8M0FNU values, the first of them within
/// `radius`.
double radius_of_unsigned(ops::OpKind kind, double first, double second,
                          double radius) {
  TensorType type{ElementType::F8E8M0FNU, {1}, {}, {}};
  auto literal = [](const TensorType &type, double value) {
    host::Literal made = *host::Literal::allocate(type);
    host::store(made, 0, 1, &value);
    return made;
  };
  std::vector<Checked> operands{
      {literal(type, first), literal({ElementType::F64, {1}, {}, {}}, radius)},
      {literal(type, second), {}}};
  std::vector<Type> types{type};
  ops::OpAttributes none;
  OpUse use{kind, none, operands, {}, {}, types};
  return host::as_double((*radii(use, *evaluate(use)))[0]);
}

TEST(Fuzz, DifferencesWithoutSignMayBeNan) {
  using ops::OpKind;
  // A sum rounded to 4 here may be 2 elsewhere, and 2 - 4 is NaN.
  EXPECT_TRUE(std::isinf(radius_of_unsigned(OpKind::Subtract, 4, 4, 2)));
  EXPECT_LT(radius_of_unsigned(OpKind::Subtract, 1024, 1, 2), 4096);
  EXPECT_LT(radius_of_unsigned(OpKind::Add, 4, 4, 2), 64);
}

TEST(Fuzz, JumpsAreRefusedOnInexactValues) {
  Checked operand{floats({1.0f}),
                  *host::Literal::copy_of({ElementType::F64, {1}, {}, {}},
                                          std::vector<double>{1e-6}.data())};
  std::vector<Type> types{operand.data.type()};
  ops::OpAttributes none;
  OpUse use{ops::OpKind::Floor, none, {&operand, 1}, {}, {}, types};
  auto results = evaluate(use);
  EXPECT_FALSE(radii(use, *results));
}

} // namespace
} // namespace xlac::fuzz
