// Rarely used ops: special functions, bit ops, quantized tensors and CHLO ops.
#include "values.h"

#include <cmath>
#include <limits>

namespace xlac::host {
namespace {

using graph::Block;
using graph::Node;
using graph::Value;
using ops::OpKind;

Numbers unary(OpKind op, const Numbers &x) {
  TensorType type = tensor(ElementType::F64, {static_cast<int64_t>(x.size())});
  return run(make(op, {floats(type, x)}, type));
}

//===- Special functions --------------------------------------------------===//

TEST(RareOps, ErfInvTurnsErfRound) {
  Numbers x{0.0, 0.25, 0.5, -0.75, 0.999, 1e-20, 1 - 0x1p-40};
  Numbers y = unary(OpKind::ChloErfInv, x);
  for (size_t i = 0; i + 1 < x.size(); ++i)
    EXPECT_NEAR(std::erf(y[i]), x[i], 1e-15 * std::fabs(x[i]) + 1e-35) << x[i];
  // Near 1 erf is flat, but its complement is not.
  EXPECT_NEAR(std::erfc(y.back()), 0x1p-40, 0x1p-90);
}

TEST(RareOps, ErfInvAtItsEdges) {
  Numbers y = unary(OpKind::ChloErfInv, {1, -1, 1.5, -0.0});
  EXPECT_EQ(y[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(y[1], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_TRUE(y[3] == 0 && std::signbit(y[3]));
}

/// The integral of exp(x cos t - |x|) cos t over half a period. For periodic
/// functions the trapezoidal rule is almost exact.
double bessel_by_integral(double x) {
  constexpr int kSteps = 4000;
  double sum = 0, pi = std::acos(-1.0);
  for (int i = 0; i < kSteps; ++i) {
    double t = 2 * pi * i / kSteps;
    sum += std::exp(x * std::cos(t) - std::fabs(x)) * std::cos(t);
  }
  return sum / kSteps;
}

TEST(RareOps, ComplexLogisticKeepsItsDigitsBesideThePoles) {
  // Near the pole -i pi; the expected value was computed with 50 digits.
  TensorType type = tensor(ElementType::Complex128, {});
  Literal operand = *Literal::allocate(type);
  std::complex<double> x(0.001, -3.1426660502800674);
  store(operand, 0, 1, &x);
  graph::Value y = make(OpKind::Logistic, {argument(operand)}, type);
  auto results = evaluate(std::span(&y, 1));
  ASSERT_TRUE(results);
  std::complex<double> got, want(465.14513566624129, 498.74837187668399);
  load((*results)[0], 0, 1, &got);
  EXPECT_LT(std::abs(got - want), 4 * 0x1p-53 * std::abs(want));
}

TEST(RareOps, BesselOfSmallAndLargeNumbers) {
  Numbers x{0.125, 1, -7.5, 29.5, 30.5, 700, -2000};
  Numbers y = unary(OpKind::ChloBesselI1e, x);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i] / bessel_by_integral(x[i]), 1, 1e-12) << x[i];
  // Halving a denormal is exact and keeps its sign.
  EXPECT_EQ(unary(OpKind::ChloBesselI1e, {-0x1p-1070})[0], -0x1p-1071);
}

TEST(RareOps, ZetaReflectsWhatLiesFarBelowZero) {
  Numbers x{3, 2, 2, 4}, q{-70.25, -70.25, -1e15 - 0.5, -1000.5};
  Numbers wanted{-62.0124534767143245, 19.7250747618533704, 9.86960440108935762,
                 32.4696970110018106};
  TensorType type = tensor(ElementType::F64, {4});
  Numbers y =
      run(make(OpKind::ChloZeta, {floats(type, x), floats(type, q)}, type));
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i] / wanted[i], 1, 1e-12) << x[i] << ", " << q[i];
}

//===- Bits ---------------------------------------------------------------===//

TEST(RareOps, NarrowElementsAreExtendedAsTheirSignSays) {
  auto as = [](ElementType from, std::vector<int64_t> values, ElementType to) {
    auto count = static_cast<int64_t>(values.size());
    return run(make(OpKind::BitcastConvert,
                    {integers(tensor(from, {count}), values)},
                    tensor(to, {count})));
  };
  EXPECT_EQ(as(ElementType::I4, {-1, 3, -8}, ElementType::UI4),
            (Numbers{15, 3, 8}));
  EXPECT_EQ(as(ElementType::UI4, {15, 3, 8}, ElementType::I4),
            (Numbers{-1, 3, -8}));
  EXPECT_EQ(as(ElementType::UI2, {3, 1}, ElementType::I2), (Numbers{-1, 1}));
  // The bits of 6 and of -0.5 in f4E2M1FN.
  EXPECT_EQ(as(ElementType::I4, {7, -7}, ElementType::F4E2M1FN),
            (Numbers{6, -0.5}));
}

TEST(RareOps, NarrowElementsMakeUpWiderOnes) {
  // The first element has the lowest bits.
  Value nibbles = integers(tensor(ElementType::UI4, {2, 2}), {1, 2, 15, 0});
  EXPECT_EQ(run(make(OpKind::BitcastConvert, {nibbles},
                     tensor(ElementType::UI8, {2}))),
            (Numbers{0x21, 0x0F}));
  Value byte = integers(tensor(ElementType::UI8, {1}), {0x9C});
  EXPECT_EQ(run(make(OpKind::BitcastConvert, {byte},
                     tensor(ElementType::I2, {1, 4}))),
            (Numbers{0, -1, 1, -2}));
  Value pairs = integers(tensor(ElementType::I2, {2}), {1, -1});
  EXPECT_EQ(
      run(make(OpKind::BitcastConvert, {pairs}, tensor(ElementType::I4, {}))),
      (Numbers{-3}));
}

/// The words that an algorithm generates for a key and a counter of zeros, and
/// the new state.
std::vector<std::vector<uint64_t>> draw(ops::RngAlgorithm algorithm) {
  ops::RngBitGeneratorAttributes attributes;
  attributes.rng_algorithm = algorithm;
  TensorType words = tensor(ElementType::UI64, {2});
  graph::NodeRef node =
      Node::make_op(OpKind::RngBitGenerator, attributes,
                    {integers(words, {0, 0})}, {Type(words), Type(words)});
  std::vector<Value> roots{{node, 0}, {node, 1}};
  Result<std::vector<Literal>> results = evaluate(roots);
  std::vector<std::vector<uint64_t>> made;
  if (results)
    for (const Literal &literal : *results)
      made.push_back({static_cast<uint64_t>(as_integer(literal, 0)),
                      static_cast<uint64_t>(as_integer(literal, 1))});
  return made;
}

TEST(RareOps, RandomBitsFollowThePublishedVectors) {
  using Words = std::vector<std::vector<uint64_t>>;
  // One block of Philox has two words.
  EXPECT_EQ(draw(ops::RngAlgorithm::PHILOX),
            (Words{{0, 1}, {0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c}}));
  Words threefry = draw(ops::RngAlgorithm::THREE_FRY);
  ASSERT_EQ(threefry.size(), 2u);
  EXPECT_EQ(threefry[0], (std::vector<uint64_t>{0, 2}));
  EXPECT_EQ(threefry[1][0], 0x99ba4efe6b200159);
}

//===- CHLO ---------------------------------------------------------------===//

TEST(RareOps, BroadcastsAsNumPyDoesOrAlongDimensions) {
  TensorType wide = tensor(ElementType::F32, {2, 3});
  Value rows = floats(tensor(ElementType::F32, {2, 1}), {10, 20});
  Value row = floats(tensor(ElementType::F32, {3}), {1, 2, 3});
  EXPECT_EQ(run(make(OpKind::ChloBroadcastSubtract, {rows, row}, wide)),
            (Numbers{9, 8, 7, 19, 18, 17}));
  ops::ChloBroadcastAddAttributes first;
  first.broadcast_dimensions = {0};
  Value column = floats(tensor(ElementType::F32, {2}), {10, 20});
  Value zeros = floats(wide, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(run(make(OpKind::ChloBroadcastAdd, {zeros, column}, wide, first)),
            (Numbers{10, 11, 12, 23, 24, 25}));
  ops::ChloBroadcastCompareAttributes less;
  less.comparison_direction = ops::ComparisonDirection::LT;
  EXPECT_EQ(run(make(OpKind::ChloBroadcastCompare, {row, rows},
                     tensor(ElementType::I1, {2, 3}), less)),
            (Numbers{1, 1, 1, 1, 1, 1}));
}

TEST(RareOps, ScanHandsCarriesOn) {
  TensorType scalar = tensor(ElementType::I32, {});
  Block body;
  for (int i = 0; i < 2; ++i)
    body.arguments.push_back(Node::make_parameter(Type(scalar)));
  Value sum = make(OpKind::Add,
                   {{body.arguments[0], 0}, {body.arguments[1], 0}}, scalar);
  body.nodes = {sum.node};
  body.results = {sum, sum};
  ops::ChloScanAttributes attributes;
  attributes.is_reverse = true;
  attributes.operandSegmentSizes = attributes.resultSegmentSizes = {1, 1};
  TensorType line = tensor(ElementType::I32, {4});
  graph::NodeRef node =
      Node::make_op(OpKind::ChloScan, attributes,
                    {integers(line, {1, 2, 3, 4}), integers(scalar, {100})},
                    {Type(line), Type(scalar)}, {body});
  EXPECT_EQ(run({node, 0}), (Numbers{110, 109, 107, 104}));
  EXPECT_EQ(run({node, 1}), (Numbers{110}));
}

TEST(RareOps, RaggedDotTakesEachRowsGroup) {
  ops::ChloRaggedDotAttributes attributes;
  ops::RaggedDotDimensionNumbers &numbers =
      attributes.ragged_dot_dimension_numbers;
  numbers.dot.lhs_contracting_dimensions = {1};
  numbers.dot.rhs_contracting_dimensions = {1};
  numbers.lhs_ragged_dimensions = {0};
  numbers.rhs_group_dimensions = {0};
  Value lhs = floats(tensor(ElementType::F32, {4, 1}), {1, 2, 3, 4});
  Value rhs = floats(tensor(ElementType::F32, {2, 1, 1}), {10, 100});
  Value sizes = integers(tensor(ElementType::I32, {2}), {1, 2});
  // The last row is not in any group.
  EXPECT_EQ(run(make(OpKind::ChloRaggedDot, {lhs, rhs, sizes},
                     tensor(ElementType::F32, {4, 1}), attributes)),
            (Numbers{10, 200, 300, 0}));
}

//===- Legacy ops ---------------------------------------------------------===//

TEST(RareOps, EinsumSumsWhatTheResultLacks) {
  Value a = integers(tensor(ElementType::I32, {2, 2}), {1, 2, 3, 4});
  Value b = integers(tensor(ElementType::I32, {2}), {10, 1});
  ops::EinsumAttributes product;
  product.einsum_config = "ab,b->a";
  EXPECT_EQ(
      run(make(OpKind::Einsum, {a, b}, tensor(ElementType::I32, {2}), product)),
      (Numbers{12, 34}));
  ops::UnaryEinsumAttributes columns;
  columns.einsum_config = "ab->b";
  EXPECT_EQ(run(make(OpKind::UnaryEinsum, {a}, tensor(ElementType::I32, {2}),
                     columns)),
            (Numbers{4, 6}));
}

TEST(RareOps, IndexSelectHoldsIndicesInside) {
  Value x = integers(tensor(ElementType::I32, {2, 3}), {1, 2, 3, 4, 5, 6});
  Value indices = integers(tensor(ElementType::I32, {2, 2}), {2, 0, -5, 9});
  ops::TorchIndexSelectAttributes attributes;
  attributes.dim = attributes.batch_dims = 1;
  EXPECT_EQ(run(make(OpKind::TorchIndexSelect, {x, indices},
                     tensor(ElementType::I32, {2, 2}), attributes)),
            (Numbers{3, 1, 4, 6}));
}

TensorType quantized(std::vector<double> scales, std::vector<int64_t> zeros,
                     std::optional<int64_t> dimension = {}) {
  Quantization q;
  q.scales = std::move(scales);
  q.zero_points = std::move(zeros);
  q.quantization_dimension = dimension;
  TensorType type = tensor(ElementType::I8, {3});
  type.quantization = std::make_shared<const Quantization>(q);
  return type;
}

TEST(RareOps, QuantizedOpsComputeWhatTheNumbersStandFor) {
  TensorType type = tensor(ElementType::F32, {3});
  auto stored = [&](Value value) {
    return run(
        make(OpKind::BitcastConvert, {value}, tensor(ElementType::I8, {3})));
  };
  Value x = make(OpKind::UniformQuantize, {floats(type, {1, -0.75, 1000})},
                 quantized({0.5}, {3}));
  EXPECT_EQ(stored(x), (Numbers{5, 2, 127})) << "halves go to even";
  Value y = make(OpKind::UniformQuantize, {floats(type, {1, 1, 1})},
                 quantized({1, 0.5, 0.25}, {0, 1, 2}, 0));
  EXPECT_EQ(stored(y), (Numbers{1, 3, 6}));
  Value sum = make(OpKind::Add, {x, y}, quantized({0.25}, {0}));
  EXPECT_EQ(stored(sum), (Numbers{8, 2, 127}));
  EXPECT_EQ(run(make(OpKind::UniformDequantize, {sum}, type)),
            (Numbers{2, 0.5, 31.75}));
}

//===- Sizes that do not fit ----------------------------------------------===//

FailureKind fault_of(const Value &value) {
  Result<std::vector<Literal>> results = evaluate(std::span(&value, 1));
  return results ? FailureKind::Internal : results.error().failure_kind;
}

TEST(RareOps, SlicesOutsideTheOperandAreRefused) {
  TensorType pair = tensor(ElementType::I32, {2});
  TensorType one = tensor(ElementType::I32, {1});
  Value x = integers(tensor(ElementType::I32, {4}), {1, 2, 3, 4});
  auto slice = [&](int64_t start, int64_t step) {
    return make(
        OpKind::RealDynamicSlice,
        {x, integers(one, {start}), integers(one, {4}), integers(one, {step})},
        pair);
  };
  EXPECT_EQ(run(slice(1, 2)), (Numbers{2, 4}));
  EXPECT_EQ(fault_of(slice(3, 1)), FailureKind::Index);
  EXPECT_EQ(fault_of(slice(-1, 1)), FailureKind::Index);
  EXPECT_EQ(fault_of(slice(0, 0)), FailureKind::Index);
}

TEST(RareOps, GatheredSlicesMustBeThoseOfTheResult) {
  ops::DynamicGatherAttributes attributes;
  attributes.dimension_numbers.offset_dims = {0};
  attributes.dimension_numbers.start_index_map = {0};
  TensorType one = tensor(ElementType::I32, {1});
  Value x = integers(tensor(ElementType::I32, {4}), {1, 2, 3, 4});
  auto gather = [&](int64_t size) {
    return make(OpKind::DynamicGather,
                {x, integers(one, {3}), integers(one, {size})},
                tensor(ElementType::I32, {2}), attributes);
  };
  EXPECT_EQ(run(gather(2)), (Numbers{3, 4}));
  EXPECT_EQ(fault_of(gather(1)), FailureKind::Index);
  EXPECT_EQ(fault_of(gather(5)), FailureKind::Index);
}

} // namespace
} // namespace xlac::host
