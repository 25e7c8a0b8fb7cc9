#include "values.h"

#include <cmath>

namespace xlac::host {
namespace {

using graph::Block;
using graph::Node;
using graph::Value;
using ops::OpKind;

Value floats(std::vector<int64_t> dims, const Numbers &values) {
  return host::floats(tensor(ElementType::F32, std::move(dims)), values);
}

Block binary_body(OpKind op) {
  Type scalar(tensor(ElementType::F32, {}));
  Value a{Node::make_parameter(scalar), 0}, b{Node::make_parameter(scalar), 0};
  Value folded = make(op, {a, b}, tensor(ElementType::F32, {}));
  Block block;
  block.arguments = {a.node, b.node};
  block.nodes = {folded.node};
  block.results = {folded};
  return block;
}

TEST(Evaluate, Elementwise) {
  Value a = floats({3}, {1, -2, 4}), b = floats({3}, {2, 2, 0.5});
  TensorType type = tensor(ElementType::F32, {3});
  EXPECT_EQ(run(make(OpKind::Add, {a, b}, type)),
            (std::vector<double>{3, 0, 4.5}));
  EXPECT_EQ(run(make(OpKind::Maximum, {a, b}, type)),
            (std::vector<double>{2, 2, 4}));
  EXPECT_EQ(run(make(OpKind::Abs, {a}, type)), (std::vector<double>{1, 2, 4}));
}

TEST(Evaluate, TransposeSliceAndBroadcast) {
  Value a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  ops::TransposeAttributes order;
  order.permutation = {1, 0};
  EXPECT_EQ(run(make(OpKind::Transpose, {a}, tensor(ElementType::F32, {3, 2}),
                     order)),
            (std::vector<double>{1, 4, 2, 5, 3, 6}));
  ops::SliceAttributes part;
  part.start_indices = {0, 0};
  part.limit_indices = {2, 3};
  part.strides = {1, 2};
  EXPECT_EQ(
      run(make(OpKind::Slice, {a}, tensor(ElementType::F32, {2, 2}), part)),
      (std::vector<double>{1, 3, 4, 6}));
  ops::BroadcastInDimAttributes rows;
  rows.broadcast_dimensions = {1};
  EXPECT_EQ(run(make(OpKind::BroadcastInDim, {floats({2}, {7, 8})},
                     tensor(ElementType::F32, {2, 2}), rows)),
            (std::vector<double>{7, 8, 7, 8}));
}

TEST(Evaluate, ReduceBySimpleAndGeneralBodies) {
  Value a = floats({2, 5}, {1, 2, 3, 4, 5, 10, 20, 30, 40, 50});
  Value zero = floats({}, {0});
  ops::ReduceAttributes attributes;
  attributes.dimensions = {1};
  TensorType type = tensor(ElementType::F32, {2});
  EXPECT_EQ(run(make(OpKind::Reduce, {a, zero}, type, attributes,
                     {binary_body(OpKind::Add)})),
            (std::vector<double>{15, 150}));
  // A body of two ops is applied pairwise, in order.
  Block block = binary_body(OpKind::Add);
  Value sum = block.results[0];
  Value twice = make(OpKind::Negate, {sum}, tensor(ElementType::F32, {}));
  Value back = make(OpKind::Negate, {twice}, tensor(ElementType::F32, {}));
  block.nodes.insert(block.nodes.end(), {twice.node, back.node});
  block.results = {back};
  EXPECT_EQ(run(make(OpKind::Reduce, {a, zero}, type, attributes, {block})),
            (std::vector<double>{15, 150}));
}

TEST(Evaluate, DotGeneral) {
  Value a = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  Value b = floats({3, 2}, {1, 0, 0, 1, 1, 1});
  ops::DotGeneralAttributes attributes;
  attributes.dot_dimension_numbers.lhs_contracting_dimensions = {1};
  attributes.dot_dimension_numbers.rhs_contracting_dimensions = {0};
  EXPECT_EQ(run(make(OpKind::DotGeneral, {a, b},
                     tensor(ElementType::F32, {2, 2}), attributes)),
            (std::vector<double>{4, 5, 10, 11}));
}

TEST(Evaluate, SaysWhatItCannotDo) {
  Value a = floats({1}, {1});
  Value value = make(OpKind::CustomCall, {a}, tensor(ElementType::F32, {1}));
  Result<std::vector<Literal>> results = evaluate(std::span(&value, 1));
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().failure_kind, FailureKind::Unsupported);
  EXPECT_NE(results.error().message.find("stablehlo.custom_call"),
            std::string::npos);
}

} // namespace
} // namespace xlac::host
