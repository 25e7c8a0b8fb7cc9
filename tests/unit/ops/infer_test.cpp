// Shape rules by family: a valid case, and cases that violate a constraint,
// which the message must name.
#include "xlac/ops/infer.h"

#include <gtest/gtest.h>

namespace xlac::ops {
namespace {

TensorType tensor(std::vector<int64_t> dims,
                  ElementType element = ElementType::F32) {
  TensorType type;
  type.element = element;
  type.dims = std::move(dims);
  return type;
}

struct Call {
  OpKind kind;
  std::vector<Type> operands;
  OpAttributes attributes = {};
  std::vector<RegionSignature> regions = {};
  std::vector<Type> declared = {};

  Result<std::vector<Type>> run() const {
    std::vector<const Type *> places = places_of(operands);
    InferContext context;
    context.operands = places;
    context.attributes = attributes;
    context.regions = regions;
    context.declared = declared;
    context.declares_results = !declared.empty();
    return infer(kind, context);
  }
};

void expect_types(const Call &call, const std::string &wanted) {
  auto types = call.run();
  ASSERT_TRUE(types) << types.error().message;
  std::string text;
  for (const Type &type : *types)
    text += (text.empty() ? "" : " ") + short_text(type);
  EXPECT_EQ(text, wanted);
}

void expect_failure(const Call &call, const std::string &part) {
  auto types = call.run();
  ASSERT_FALSE(types) << op_name(call.kind);
  EXPECT_NE(types.error().message.find(part), std::string::npos)
      << types.error().message;
}

RegionSignature reducer(ElementType element = ElementType::F32) {
  Type scalar = tensor({}, element);
  return {{scalar, scalar}, {scalar}};
}

TEST(Infer, Elementwise) {
  expect_types({OpKind::Add, {tensor({2, kDynamic}), tensor({kDynamic, 3})}},
               "f32[2,3]");
  expect_failure({OpKind::Add, {tensor({2}), tensor({3})}},
                 "add: lhs f32[2] and rhs f32[3] differ in shape (C1)");
  expect_failure({OpKind::Add, {tensor({2}), tensor({2}, ElementType::F64)}},
                 "(C1)");
  expect_failure({OpKind::Add, {tensor({2})}}, "has 1 operands, 2 expected");
  expect_failure({OpKind::Tanh, {tensor({2}, ElementType::I32)}}, "float");
  expect_types({OpKind::Abs, {tensor({2}, ElementType::Complex64)}}, "f32[2]");
  expect_types({OpKind::Compare, {tensor({2}), tensor({2})}}, "i1[2]");
  expect_failure({OpKind::Compare,
                  {tensor({2}), tensor({2})},
                  CompareAttributes{.comparison_direction = {},
                                    .compare_type = ComparisonType::SIGNED}},
                 "(C3)");
  expect_failure({OpKind::Select,
                  {tensor({3}, ElementType::I1), tensor({2}), tensor({2})}},
                 "(C1)");
  expect_failure({OpKind::Convert, {tensor({2})}}, "must be given");
  expect_failure({OpKind::Convert, {tensor({2})}, {}, {}, {tensor({3})}},
                 "(C1)");
}

TEST(Infer, Movement) {
  Call transpose{OpKind::Transpose,
                 {tensor({2, 3})},
                 TransposeAttributes{.permutation = {1, 0}}};
  expect_types(transpose, "f32[3,2]");
  transpose.attributes = TransposeAttributes{.permutation = {1, 1}};
  expect_failure(transpose, "(C2)");
  expect_failure({OpKind::Reshape, {tensor({2, 3})}, {}, {}, {tensor({5})}},
                 "(C2)");
  expect_failure({OpKind::BroadcastInDim,
                  {tensor({2})},
                  BroadcastInDimAttributes{.broadcast_dimensions = {0}},
                  {},
                  {tensor({3, 2})}},
                 "(C5)");
  Call slice{OpKind::Slice,
             {tensor({10})},
             SliceAttributes{
                 .start_indices = {1}, .limit_indices = {10}, .strides = {2}}};
  expect_types(slice, "f32[5]");
  slice.operands = {tensor({9})};
  expect_failure(slice, "(C3)");
  expect_types({OpKind::Pad,
                {tensor({3}), tensor({})},
                PadAttributes{.edge_padding_low = {1},
                              .edge_padding_high = {-1},
                              .interior_padding = {2}}},
               "f32[7]");
  expect_failure({OpKind::Concatenate, {tensor({2, 3}), tensor({3, 4})}},
                 "(C2)");
  expect_types({OpKind::Concatenate, {tensor({2, 3}), tensor({kDynamic, 3})}},
               "f32[?,3]");
}

TEST(Infer, Contraction) {
  DotGeneralAttributes dot;
  dot.dot_dimension_numbers.lhs_contracting_dimensions = {1};
  dot.dot_dimension_numbers.rhs_contracting_dimensions = {0};
  expect_types({OpKind::DotGeneral, {tensor({2, 3}), tensor({3, 4})}, dot},
               "f32[2,4]");
  expect_failure({OpKind::DotGeneral, {tensor({2, 3}), tensor({5, 4})}, dot},
                 "(C10)");
  dot.dot_dimension_numbers.rhs_contracting_dimensions = {2};
  expect_failure({OpKind::DotGeneral, {tensor({2, 3}), tensor({3, 4})}, dot},
                 "(C8)");
}

TEST(Infer, Convolution) {
  ConvolutionAttributes conv;
  conv.dimension_numbers = {0, 3, {1, 2}, 2, 3, {0, 1}, 0, 3, {1, 2}};
  conv.feature_group_count = conv.batch_group_count = 1;
  conv.window_strides = {{2, 2}};
  conv.padding = IntElements::matrix(2, {1, 1, 1, 1});
  Call call{
      OpKind::Convolution, {tensor({1, 8, 8, 3}), tensor({3, 3, 3, 16})}, conv};
  expect_types(call, "f32[1,4,4,16]");
  conv.feature_group_count = 0;
  call.attributes = conv;
  expect_failure(call, "(C21)");
}

TEST(Infer, Reduction) {
  Call reduce{OpKind::Reduce,
              {tensor({2, 3}), tensor({})},
              ReduceAttributes{.dimensions = {1}},
              {reducer()}};
  expect_types(reduce, "f32[2]");
  reduce.regions = {reducer(ElementType::F64)};
  expect_types(reduce, "f64[2]");
  reduce.regions = {reducer(ElementType::F16)};
  expect_failure(reduce, "(C6)");
  reduce.attributes = ReduceAttributes{.dimensions = {2}};
  expect_failure(reduce, "(C4)");
  expect_types({OpKind::ReduceWindow,
                {tensor({5}), tensor({})},
                ReduceWindowAttributes{.window_dimensions = {2},
                                       .window_strides = {},
                                       .base_dilations = {},
                                       .window_dilations = {},
                                       .padding = {}},
                {reducer()}},
               "f32[4]");
}

TEST(Infer, GatherAndScatter) {
  GatherAttributes gather;
  gather.dimension_numbers.offset_dims = {1};
  gather.dimension_numbers.collapsed_slice_dims = {0};
  gather.dimension_numbers.start_index_map = {0};
  gather.dimension_numbers.index_vector_dim = 1;
  gather.slice_sizes = {1, 4};
  Call call{OpKind::Gather,
            {tensor({10, 4}), tensor({7, 1}, ElementType::I32)},
            gather};
  expect_types(call, "f32[7,4]");
  gather.slice_sizes = {2, 4};
  call.attributes = gather;
  expect_failure(call, "(C9)");
  gather.slice_sizes = {0, 4};
  call.attributes = gather;
  expect_failure(call, "from dimension 0, which has none");
  call.operands[1] = tensor({0, 1}, ElementType::I32);
  expect_types(call, "f32[0,4]");

  ScatterAttributes scatter;
  scatter.scatter_dimension_numbers.update_window_dims = {1};
  scatter.scatter_dimension_numbers.inserted_window_dims = {0};
  scatter.scatter_dimension_numbers.scatter_dims_to_operand_dims = {0};
  scatter.scatter_dimension_numbers.index_vector_dim = 1;
  Call into{OpKind::Scatter,
            {tensor({10, 4}), tensor({7, 1}, ElementType::I32), tensor({7, 4})},
            scatter,
            {reducer()}};
  expect_types(into, "f32[10,4]");
  into.operands[2] = tensor({7, 5});
  expect_failure(into, "(C4)");
}

TEST(Infer, Control) {
  Type state = tensor({2});
  Type flag = tensor({}, ElementType::I1);
  Call loop{
      OpKind::While, {state}, {}, {{{state}, {flag}}, {{state}, {state}}}};
  expect_types(loop, "f32[2]");
  loop.regions[1].results = {tensor({3})};
  expect_failure(loop, "(C2)");
  Call branch{OpKind::If, {flag}, {}, {{{}, {state}}, {{}, {flag}}}};
  expect_failure(branch, "(C2)");
  expect_failure({OpKind::GetTupleElement,
                  {Type::tuple({state})},
                  GetTupleElementAttributes{.index = 1}},
                 "(C1)");
}

TEST(Infer, Collective) {
  AllGatherAttributes gather;
  gather.replica_groups.groups = IntElements::matrix(2, {0, 1});
  expect_types({OpKind::AllGather, {tensor({2, 3})}, gather}, "f32[4,3]");
  gather.replica_groups.groups = IntElements::matrix(2, {0, 0});
  expect_failure({OpKind::AllGather, {tensor({2, 3})}, gather}, "(C2)");
}

TEST(Infer, Chlo) {
  expect_types({OpKind::ChloBroadcastAdd, {tensor({2, 1}), tensor({3})}},
               "f32[2,3]");
  expect_failure({OpKind::ChloBroadcastAdd, {tensor({2}), tensor({3})}},
                 "do not broadcast");
  expect_types({OpKind::ChloTopK,
                {tensor({2, 9})},
                ChloTopKAttributes{.k = 4, .is_stable = true}},
               "f32[2,4] i32[2,4]");
}

// Artifacts contain types that StableHLO's own verifier accepts.
TEST(Infer, DeclaredTypesMayBeThoseOfArtifacts) {
  Call compare{OpKind::Compare,
               {tensor({2}), tensor({2})},
               CompareAttributes{.comparison_direction = {},
                                 .compare_type = ComparisonType::SIGNED},
               {},
               {tensor({2}, ElementType::I1)}};
  expect_types(compare, "i1[2]");
  compare.declared = {};
  expect_failure(compare, "(C3)");

  AllGatherAttributes groups;
  groups.replica_groups.groups = IntElements::matrix(1, {0, 1});
  Call gather{OpKind::AllGather, {tensor({2, 3})}, groups};
  expect_types(gather, "f32[2,3]");
  gather.declared = {tensor({4, 3})};
  expect_types(gather, "f32[4,3]");
  gather.declared = {tensor({5, 3})};
  expect_failure(gather, "(C6)");

  expect_types(
      {OpKind::RngBitGenerator,
       {tensor({1, 2})},
       RngBitGeneratorAttributes{.rng_algorithm = RngAlgorithm::PHILOX},
       {},
       {tensor({1, 2}), tensor({2})}},
      "f32[1,2] f32[2]");

  Type row = tensor({4});
  Call reduce{OpKind::Reduce,
              {tensor({3, 4}), row},
              ReduceAttributes{.dimensions = {0}},
              {{{row, row}, {row}}}};
  expect_types(reduce, "f32[4]");
  reduce.operands[1] = tensor({});
  expect_failure(reduce, "(C2)");
  reduce.attributes = ReduceAttributes{.dimensions = {1}};
  expect_failure(reduce, "(C6)");

  expect_types({OpKind::ChloBroadcastAdd,
                {tensor({2, 3}), tensor({1, 3})},
                ChloBroadcastAddAttributes{.broadcast_dimensions = {{1}}}},
               "f32[2,3]");
  expect_types({OpKind::TorchIndexSelect,
                {tensor({2, 3, 4}), tensor({2, 5}, ElementType::I32)},
                TorchIndexSelectAttributes{.dim = -2, .batch_dims = -1}},
               "f32[2,5,4]");
  expect_failure({OpKind::TorchIndexSelect,
                  {tensor({2, 0}), tensor({5}, ElementType::I32)},
                  TorchIndexSelectAttributes{.dim = 1, .batch_dims = 0}},
                 "from dimension 1, which has none");
}

TEST(Infer, DynamicOpsUseConstants) {
  InferContext context;
  std::vector<Type> operands = {tensor({6}), tensor({2}, ElementType::I64)};
  std::vector<std::optional<std::vector<int64_t>>> constants = {
      std::nullopt, std::vector<int64_t>{2, 3}};
  std::vector<const Type *> places = places_of(operands);
  context.operands = places;
  auto unknown = infer(OpKind::DynamicReshape, context);
  ASSERT_TRUE(unknown) << unknown.error().message;
  EXPECT_EQ(short_text(unknown->front()), "f32[?,?]");
  context.constants = constants;
  auto known = infer(OpKind::DynamicReshape, context);
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_EQ(short_text(known->front()), "f32[2,3]");
}

TEST(Infer, Fft) {
  using Dims = std::vector<int64_t>;
  auto fft = [](FftType type, TensorType operand, Dims length) {
    FftAttributes attributes;
    attributes.fft_type = type;
    attributes.fft_length = std::move(length);
    return Call{OpKind::Fft, {std::move(operand)}, attributes};
  };
  auto complex = [](std::vector<int64_t> dims) {
    return tensor(std::move(dims), ElementType::Complex64);
  };
  for (FftType type : {FftType::FFT, FftType::IFFT}) {
    expect_types(fft(type, complex({3, 4, 8}), {4, 8}), "complex<f32>[3,4,8]");
    expect_types(fft(type, complex({3, 0}), {0}), "complex<f32>[3,0]");
    expect_types(fft(type, complex({3, kDynamic}), {8}), "complex<f32>[3,?]");
    for (Dims length : {Dims{4, 512}, Dims{2, 8}, Dims{8, 4}, Dims{4, 7},
                        Dims{4, 0}, Dims{65536}})
      expect_failure(fft(type, complex({3, 4, 8}), length),
                     "are not the last sizes of operand complex<f32>[3,4,8]");
    expect_failure(fft(type, complex({3, kDynamic}), {-1}), "is negative");
  }
  expect_types(fft(FftType::RFFT, tensor({4, 8}), {4, 8}), "complex<f32>[4,5]");
  expect_failure(fft(FftType::RFFT, tensor({4, 8}), {4, 9}), "(C4)");
  expect_types(fft(FftType::IRFFT, complex({4, 5}), {4, 9}), "f32[4,9]");
  expect_failure(fft(FftType::IRFFT, complex({4, 5}), {3, 9}), "(C4)");
  expect_failure(fft(FftType::IRFFT, complex({4, 5}), {4, 10}), "(C5)");
  expect_failure(fft(FftType::IRFFT, complex({1}), {-1}), "is negative");
}

TEST(Infer, RefusesSizesThatOverflow) {
  constexpr int64_t large = INT64_MAX, third = 6148914691236517206;
  constexpr auto limit = "a tensor has at most 2^56 elements";
  BroadcastInDimAttributes none;
  for (std::vector<int64_t> dims : {std::vector<int64_t>{3, third},
                                    {int64_t(1) << 62},
                                    {int64_t(1) << 33, int64_t(1) << 31},
                                    {0, int64_t(1) << 60},
                                    {(int64_t(1) << 56) + 1}})
    expect_failure(
        {OpKind::BroadcastInDim, {tensor({})}, none, {}, {tensor(dims)}},
        limit);
  std::vector<int64_t> most{int64_t(1) << 28, 0, int64_t(1) << 28};
  expect_types({OpKind::BroadcastInDim, {tensor({})}, none, {}, {tensor(most)}},
               "f32[268435456,0,268435456]");
  ConcatenateAttributes along;
  Type half = tensor({int64_t(1) << 55}),
       rest = tensor({(int64_t(1) << 55) + 1});
  expect_types({OpKind::Concatenate, {half, half}, along},
               "f32[72057594037927936]");
  expect_failure({OpKind::Concatenate, {half, rest}, along}, limit);
  for (int64_t number : {large, INT64_MIN, INT64_MIN + 1, third})
    for (bool low : {false, true}) {
      PadAttributes pad;
      pad.edge_padding_low = {low ? number : 0};
      pad.edge_padding_high = {low ? 0 : number};
      pad.interior_padding = {0};
      expect_failure({OpKind::Pad, {tensor({4}), tensor({})}, pad},
                     "which is beyond 2^56");
      ReduceWindowAttributes window;
      window.window_dimensions = {2};
      window.padding =
          IntElements{{1, 2}, {low ? number : 0, low ? 0 : number}};
      expect_failure({OpKind::ReduceWindow,
                      {tensor({4}), tensor({})},
                      window,
                      {reducer()}},
                     "which is beyond 2^56");
    }
}

// No rule may crash on any operands.
TEST(Infer, EveryOpAnswersToAnyOperands) {
  const std::vector<Type> samples[] = {
      {},
      {tensor({})},
      {tensor({2, 0})},
      {tensor({kDynamic}, ElementType::I32)},
      {Type(TokenType{})},
      {Type::tuple({}), tensor({2})},
      {tensor({2}), tensor({2})},
      {tensor({2}), tensor({}, ElementType::I32)},
      {tensor({4, 4}), tensor({4, 4}), tensor({4, 4})},
      {tensor({4}), tensor({4}), tensor({4}), tensor({4}), tensor({4})},
  };
  for (int i = 0; i < kOpKindCount; ++i)
    for (const std::vector<Type> &operands : samples)
      for (size_t regions : {0, 1, 2})
        for (bool declares : {false, true}) {
          auto kind = static_cast<OpKind>(i);
          Call call{kind, operands, {}, std::vector<RegionSignature>(regions)};
          if (declares)
            call.declared = {tensor({3}, ElementType::I8)};
          auto types = call.run();
          if (!types) {
            EXPECT_TRUE(types.error().message.starts_with(short_name(kind)));
          }
        }
}

} // namespace
} // namespace xlac::ops
