#include "fuzz/bodies.h"
#include "fuzz/plans.h"

#include <algorithm>
#include <numeric>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// Picks a value of the type, mostly integers, whose sums are exact.
Term factor(Builder &b, const TensorType &type) {
  if (!b.random.chance(60))
    if (auto term = b.existing([&](const Term &term) {
          return term.type() == type && (!b.blind() || term.checked.exact());
        }))
      return *term;
  return b.fresh(type, b.random.chance(30) ? ValueKind::Moderate
                                           : ValueKind::SmallIntegers);
}

/// Picks the result's element type: mostly that of the operands.
ElementType sum_element(Builder &b, ElementType element) {
  using enum ElementType;
  if (!b.random.chance(15))
    return element;
  if (is_float(element))
    return bit_width(element) < 32 ? F32 : F64;
  return element == I8 ? I32 : element;
}

/// A matrix of 64 Ki elements or more times one to eight columns, on either
/// side. The matrix may be transposed before, or have a narrower type.
bool thin_product(Builder &b, const Plan &plan) {
  using enum ElementType;
  static constexpr int64_t kDepths[] = {16, 64, 65, 192, 257, 512, 1024};
  int64_t depth = b.random.pick(kDepths);
  int64_t rows = (1 << 16) / depth + 1 + b.random.below(9);
  ElementType element = b.element(plan.elements);
  bool transposed = b.random.chance(40), exchanged = b.random.chance(40);
  bool converted = element == F32 && b.random.chance(30);
  static constexpr ElementType kNarrow[] = {I8, BF16, F16};
  Dims dims = transposed ? Dims{depth, rows} : Dims{rows, depth};
  std::optional<Terms> matrix = Terms{
      factor(b, {converted ? b.random.pick(kNarrow) : element, dims, {}, {}})};
  if (converted)
    matrix = b.add(OpKind::Convert, {}, *matrix,
                   {TensorType{element, dims, {}, {}}});
  if (matrix && transposed)
    matrix =
        b.add(OpKind::Transpose, ops::TransposeAttributes{{1, 0}}, *matrix);
  if (!matrix)
    return false;
  int64_t columns = 1 + b.random.below(8);
  bool along = b.random.chance(50); // the depth is contiguous
  TensorType right{
      element, along ? Dims{columns, depth} : Dims{depth, columns}, {}, {}};
  ops::DotGeneralAttributes attributes;
  ops::DotDimensionNumbers &numbers = attributes.dot_dimension_numbers;
  numbers.lhs_contracting_dimensions = {1};
  numbers.rhs_contracting_dimensions = {along ? 1 : 0};
  Dims sizes{rows, columns};
  Terms operands{matrix->front(), factor(b, right)};
  if (exchanged) {
    std::swap(numbers.lhs_contracting_dimensions,
              numbers.rhs_contracting_dimensions);
    std::swap(sizes[0], sizes[1]);
    std::swap(operands[0], operands[1]);
  }
  TensorType result{sum_element(b, element), sizes, {}, {}};
  return b.add(plan.kind, attributes, operands, {result}).has_value();
}

/// A product of the matrices of a batch. Either operand's matrices may be
/// transposed.
std::optional<Term> batched_product(Builder &b, const Term &x, const Term &y,
                                    bool turns_x, bool turns_y) {
  ops::DotGeneralAttributes attributes;
  ops::DotDimensionNumbers &numbers = attributes.dot_dimension_numbers;
  int64_t batch = x.type().rank() - 2;
  numbers.lhs_batching_dimensions.resize(batch);
  std::iota(numbers.lhs_batching_dimensions.begin(),
            numbers.lhs_batching_dimensions.end(), 0);
  numbers.rhs_batching_dimensions = numbers.lhs_batching_dimensions;
  numbers.lhs_contracting_dimensions = {turns_x ? batch : batch + 1};
  numbers.rhs_contracting_dimensions = {turns_y ? batch + 1 : batch};
  Dims dims(x.type().dims.begin(), x.type().dims.end() - 2);
  dims.push_back(x.type().dims[turns_x ? batch + 1 : batch]);
  dims.push_back(y.type().dims[turns_y ? batch : batch + 1]);
  auto made = b.add(OpKind::DotGeneral, attributes, {x, y},
                    {TensorType{x.element(), dims, {}, {}}});
  return made ? std::optional(made->front()) : std::nullopt;
}

/// Products of the matrices of a batch with a reduction of rows between them,
/// as of the heads of an attention: their kernels may run slice by slice.
bool heads(Builder &b, const Plan &plan) {
  static constexpr int64_t kRows[] = {96, 64, 97, 120, 128},
                           kOuter[] = {4, 2, 8}, kDepths[] = {8, 16, 3},
                           kColumns[] = {16, 8, 40};
  static constexpr OpKind kWeights[] = {OpKind::Subtract, OpKind::Minimum,
                                        OpKind::Add};
  TensorType type{b.element(plan.elements), {}, {}, {}};
  type.dims = b.random.chance(50) ? Dims{16} : Dims{b.random.pick(kOuter), 4};
  int64_t m = b.random.pick(kRows), n = b.random.pick(kRows),
          k = b.random.pick(kDepths);
  bool turned = b.random.chance(50), turns_x = b.random.chance(30);
  auto matrices = [&](int64_t rows, int64_t columns) {
    TensorType all = type;
    all.dims.insert(all.dims.end(), {rows, columns});
    return all;
  };
  Term x = factor(b, turns_x ? matrices(k, m) : matrices(m, k));
  Term y = factor(b, turned ? matrices(n, k) : matrices(k, n));
  std::optional<Term> scores = batched_product(b, x, y, turns_x, turned);
  if (!scores)
    return false;
  // A value that the kernel of rows computes once and keeps in its result.
  Term kept = *scores;
  if (is_float(type.element) && b.random.chance(70)) {
    auto made = b.add(OpKind::Tanh, {}, {*scores});
    if (!made)
      return false;
    kept = made->front();
  }
  int64_t rank = scores->type().rank();
  ops::ReduceAttributes attributes;
  attributes.dimensions = {rank - 1};
  auto body = b.random.chance(50) ? sum_body(b, type.element)
                                  : simple_body(b, type.element);
  if (!body)
    return false;
  auto row = b.add(OpKind::Reduce, attributes,
                   {kept, b.like({type.element, {}, {}, {}})}, {}, {*body});
  if (!row)
    return false;
  ops::BroadcastInDimAttributes along;
  along.broadcast_dimensions.resize(rank - 1);
  std::iota(along.broadcast_dimensions.begin(),
            along.broadcast_dimensions.end(), 0);
  auto rows = b.add(OpKind::BroadcastInDim, along, *row, {scores->type()});
  if (!rows)
    return false;
  auto weights = b.add(b.random.pick(kWeights), {}, {kept, rows->front()});
  if (weights && b.random.chance(50))
    weights = b.add(OpKind::Subtract, {}, {weights->front(), *scores});
  if (!weights)
    return false;
  Term values = factor(b, matrices(n, b.random.pick(kColumns)));
  std::optional<Term> mixed =
      batched_product(b, weights->front(), values, false, false);
  if (!mixed || b.random.chance(30))
    return mixed.has_value();
  // What the slices wrote is read after all of them, and may be in memory that
  // they read.
  attributes.dimensions = {0};
  auto sums = sum_body(b, type.element);
  return sums &&
         b.add(OpKind::Reduce, attributes,
               {*mixed, b.like({type.element, {}, {}, {}})}, {}, {*sums})
             .has_value();
}

bool dot_general(Builder &b, const Plan &plan) {
  if (b.large() && b.random.chance(15))
    return thin_product(b, plan);
  if (b.large() && b.random.chance(60))
    return heads(b, plan);
  Term x = b.any(plan.elements, 1);
  ops::DotGeneralAttributes attributes;
  ops::DotDimensionNumbers &numbers = attributes.dot_dimension_numbers;
  TensorType right{x.element(), {}, {}, {}};
  std::vector<std::pair<int64_t, int>> shared; // left dimension, contracted?
  for (int64_t i = 0; i < x.type().rank(); ++i) {
    uint32_t role = b.random.below(3);
    if (role < 2)
      shared.emplace_back(i, role == 0);
  }
  for (size_t i = shared.size(); i > 1; --i)
    std::swap(shared[i - 1], shared[i - 1 - b.random.below(i)]);
  for (auto [dim, contracted] : shared) {
    while (b.random.chance(30))
      right.dims.push_back(b.size(right.dims));
    (contracted ? numbers.lhs_contracting_dimensions
                : numbers.lhs_batching_dimensions)
        .push_back(dim);
    (contracted ? numbers.rhs_contracting_dimensions
                : numbers.rhs_batching_dimensions)
        .push_back(right.rank());
    right.dims.push_back(x.type().dims[dim]);
  }
  while (b.random.chance(50))
    right.dims.push_back(b.size(right.dims));
  if (right.rank() > 5 || right.element_count().value_or(0) > 1 << 13 ||
      !b.fits(right))
    return false;
  Term y = factor(b, right);
  // The rule determines the shape; the element type may be wider.
  TensorType result{sum_element(b, x.element()), {}, {}, {}};
  auto append = [&](const TensorType &type, const Dims &a, const Dims &c) {
    for (int64_t i = 0; i < type.rank(); ++i)
      if (std::find(a.begin(), a.end(), i) == a.end() &&
          std::find(c.begin(), c.end(), i) == c.end())
        result.dims.push_back(type.dims[i]);
  };
  for (int64_t dim : numbers.lhs_batching_dimensions)
    result.dims.push_back(x.type().dims[dim]);
  append(x.type(), numbers.lhs_batching_dimensions,
         numbers.lhs_contracting_dimensions);
  append(right, numbers.rhs_batching_dimensions,
         numbers.rhs_contracting_dimensions);
  return b.add(plan.kind, attributes, {x, y}, {result}).has_value();
}

/// Matrices and vectors, as stablehlo.dot takes them.
bool dot(Builder &b, const Plan &plan) {
  TensorType left{b.element(plan.elements), b.dims(2), {}, {}}, right = left;
  if (left.dims.empty())
    return false;
  right.dims = {left.dims.back()};
  if (b.random.chance(60))
    right.dims.push_back(b.size(right.dims));
  TensorType result{sum_element(b, left.element), left.dims, {}, {}};
  result.dims.pop_back();
  result.dims.insert(result.dims.end(), right.dims.begin() + 1,
                     right.dims.end());
  return b.add(plan.kind, {}, {factor(b, left), factor(b, right)}, {result})
      .has_value();
}

/// Random letters for dimensions; both operands share some. Letters that the
/// result lacks are in both operands, since sums of one operand may cancel
/// infinities.
bool einsum(Builder &b, const Plan &plan) {
  TensorType left{b.element(plan.elements), b.dims(4), {}, {}}, right = left,
                                                                result = left;
  right.dims.clear();
  result.dims.clear();
  std::string x, y, z;
  for (int64_t size : left.dims) {
    char letter = static_cast<char>('a' + x.size());
    x += letter;
    uint32_t role = b.random.below(3);
    bool kept = role != 0, shared = role != 1;
    if (shared) {
      size_t at = b.random.below(y.size() + 1);
      y.insert(y.begin() + static_cast<ptrdiff_t>(at), letter);
      right.dims.insert(right.dims.begin() + static_cast<ptrdiff_t>(at), size);
    }
    if (kept) {
      z += letter;
      result.dims.push_back(size);
    }
  }
  if (right.rank() < 4 && b.random.chance(60)) {
    y += 'z';
    z.insert(z.begin(), 'z');
    right.dims.push_back(b.size(right.dims));
    result.dims.insert(result.dims.begin(), right.dims.back());
  }
  ops::EinsumAttributes attributes;
  attributes.einsum_config = x + "," + y + "->" + z;
  return b
      .add(plan.kind, attributes, {factor(b, left), factor(b, right)}, {result})
      .has_value();
}

bool unary_einsum(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  TensorType result{x.element(), {}, {}, {}};
  std::string from, to;
  for (int64_t size : x.type().dims) {
    from += static_cast<char>('a' + from.size());
    if (b.random.chance(40))
      continue;
    bool first = b.random.chance(50);
    to.insert(first ? to.begin() : to.end(), from.back());
    result.dims.insert(first ? result.dims.begin() : result.dims.end(), size);
  }
  ops::UnaryEinsumAttributes attributes;
  attributes.einsum_config = from + "->" + to;
  return b.add(plan.kind, attributes, {x}, {result}).has_value();
}

/// Sizes of `count` groups for each batch; they may sum to less than `length`.
Term group_sizes(Builder &b, Dims batch, int64_t count, int64_t length) {
  int64_t rows = 1;
  for (int64_t size : batch)
    rows *= size;
  Dims values;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t left = length;
    for (int64_t group = 0; group < count; ++group) {
      values.push_back(b.random.between(0, left));
      left -= values.back();
    }
  }
  batch.push_back(count);
  return b.integers({size_element(b), batch, {}, {}}, values);
}

/// [batch, m, k] and [group, batch, k, n]; without the group dimension if the
/// ragged dimension is k or the batch.
bool ragged_dot(Builder &b, const Plan &plan) {
  int64_t batch = b.random.between(1, 3), m = b.random.between(0, 7),
          k = b.random.between(1, 7), n = b.random.between(1, 5),
          groups = b.random.between(1, 4);
  bool batched = b.random.chance(50);
  // The ragged dimension of the left operand.
  int64_t ragged = b.random.below(batched ? 3 : 2);
  bool has_groups = ragged == (batched ? 1 : 0);
  bool contracts = ragged == (batched ? 2 : 1);
  ElementType element = b.element(plan.elements);
  // Elements outside of groups are 0, which this type lacks.
  if (element == ElementType::F8E8M0FNU)
    return false;
  TensorType left{element, {m, k}, {}, {}}, right{element, {k, n}, {}, {}};
  TensorType result{element, {m, n}, {}, {}};
  ops::ChloRaggedDotAttributes attributes;
  ops::RaggedDotDimensionNumbers &numbers =
      attributes.ragged_dot_dimension_numbers;
  int64_t shift = batched ? 1 : 0, group = has_groups ? 1 : 0;
  if (batched) {
    for (TensorType *type : {&left, &right, &result})
      type->dims.insert(type->dims.begin(), batch);
    numbers.dot.lhs_batching_dimensions = {0};
    numbers.dot.rhs_batching_dimensions = {group};
  }
  if (has_groups) {
    right.dims.insert(right.dims.begin(), groups);
    numbers.rhs_group_dimensions = {0};
  }
  if (contracts)
    result.dims.insert(result.dims.begin(), groups);
  numbers.dot.lhs_contracting_dimensions = {1 + shift};
  numbers.dot.rhs_contracting_dimensions = {shift + group};
  numbers.lhs_ragged_dimensions = {ragged};
  // The sizes of groups may be common to all batches.
  Dims rows;
  if (batched && ragged != 0 && b.random.chance(50))
    rows = {batch};
  Term sizes = group_sizes(b, rows, groups, left.dims[ragged]);
  return b
      .add(plan.kind, attributes, {factor(b, left), factor(b, right), sizes},
           {result})
      .has_value();
}

Dims permuted(const Dims &dims, const Dims &order) {
  Dims result(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    result[order[i]] = dims[i];
  return result;
}

/// Returns 0 … n - 1 in random order.
Dims draw_order(Builder &b, size_t count) {
  Dims order(count);
  for (size_t i = 0; i < count; ++i)
    order[i] = static_cast<int64_t>(i);
  if (b.random.chance(50))
    for (size_t i = count; i > 1; --i)
      std::swap(order[i - 1], order[i - 1 - b.random.below(i)]);
  return order;
}

/// Returns 1 … `most`, or rarely 0.
int64_t size_or_none(Builder &b, int64_t most) {
  return b.random.chance(2) ? 0 : b.random.between(1, most);
}

struct ConvolutionSizes {
  Dims input, kernel, output; ///< batch, feature, spatial…, and likewise
};

/// Draws the dimensions of an image, which has at least `least` places in each,
/// and its window.
void draw_window(Builder &b, size_t spatial, int64_t least,
                 ops::ConvolutionAttributes &a, ConvolutionSizes &sizes) {
  Dims strides, padding, lhs, rhs;
  std::vector<bool> reversal;
  for (size_t i = 0; i < spatial; ++i) {
    // Rows longer than vectors are rare, since the reference implementation is
    // slow.
    int64_t input =
        std::max(least, size_or_none(b, b.random.chance(10) ? 40 : 9));
    int64_t window = b.random.between(1, 3);
    // In the gradient of a kernel, the window is as large as the input.
    if (b.rows() && b.random.chance(25))
      window = std::max<int64_t>(input - b.random.between(0, 2), 1);
    sizes.input.push_back(input);
    sizes.kernel.push_back(window);
    strides.push_back(b.random.chance(30) ? 2 : 1);
    lhs.push_back(b.random.chance(15) ? 2 : 1);
    rhs.push_back(b.random.chance(15) ? 2 : 1);
    reversal.push_back(b.random.chance(15));
    for (int side = 0; side < 2; ++side)
      padding.push_back(b.random.chance(40) ? b.random.between(0, 2) : 0);
    if (b.random.chance(5))
      padding.back() = -1;
    int64_t dilated = input == 0 ? 0 : (input - 1) * lhs[i] + 1;
    int64_t padded = dilated + padding[2 * i] + padding[2 * i + 1];
    int64_t reach = (window - 1) * rhs[i] + 1;
    sizes.output.push_back(padded < reach ? 0
                                          : (padded - reach) / strides[i] + 1);
  }
  a.window_strides = strides;
  a.padding = ops::IntElements::matrix(2, padding);
  a.lhs_dilation = lhs;
  a.rhs_dilation = rhs;
  a.window_reversal = reversal;
}

bool convolution(Builder &b, const Plan &plan) {
  // Weights that many images of channels first read are packed in another way.
  bool many = b.large() && b.random.chance(20);
  size_t spatial = many ? 2 : b.random.below(4);
  int64_t feature_groups = 1, batch_groups = 1;
  if (b.random.chance(20))
    feature_groups = b.random.between(2, 3);
  else if (b.random.chance(15))
    batch_groups = 2;
  int64_t images = many ? b.random.between(16, 40) : size_or_none(b, 4);
  int64_t batch = images * batch_groups;
  bool depthwise = feature_groups > 1 && b.random.chance(50);
  int64_t in = depthwise ? 1 : size_or_none(b, 8);
  int64_t out = depthwise ? 1 : size_or_none(b, 9);
  if (depthwise)
    feature_groups = b.random.between(2, 20);
  out *= feature_groups * batch_groups;
  ops::ConvolutionAttributes a;
  a.feature_group_count = feature_groups;
  a.batch_group_count = batch_groups;
  ConvolutionSizes sizes{
      {batch, in * feature_groups}, {in, out}, {batch / batch_groups, out}};
  draw_window(b, spatial, many ? 6 : 0, a, sizes);
  Dims input = draw_order(b, spatial + 2), kernel = draw_order(b, spatial + 2),
       output = draw_order(b, spatial + 2);
  if (many)
    std::iota(output.begin(), output.end(), 0);
  a.dimension_numbers = {
      input[0],  input[1],  {input.begin() + 2, input.end()},
      kernel[0], kernel[1], {kernel.begin() + 2, kernel.end()},
      output[0], output[1], {output.begin() + 2, output.end()}};
  ElementType element = b.element(plan.elements);
  TensorType result{
      sum_element(b, element), permuted(sizes.output, output), {}, {}};
  TensorType left{element, permuted(sizes.input, input), {}, {}};
  TensorType right{element, permuted(sizes.kernel, kernel), {}, {}};
  if (!b.fits(left) || !b.fits(right))
    return false;
  Term x = factor(b, left), y = factor(b, right);
  if (plan.kind == OpKind::Convolution)
    return b.add(plan.kind, a, {x, y}, {result}).has_value();
  ops::DynamicConvAttributes dynamic;
  dynamic.window_strides = a.window_strides;
  dynamic.lhs_dilation = a.lhs_dilation;
  dynamic.rhs_dilation = a.rhs_dilation;
  dynamic.window_reversal = a.window_reversal;
  dynamic.dimension_numbers = a.dimension_numbers;
  dynamic.feature_group_count = feature_groups;
  dynamic.batch_group_count = batch_groups;
  Term padding = b.integers({size_element(b), a.padding->shape, {}, {}},
                            a.padding->values);
  return b.add(plan.kind, dynamic, {x, y, padding}, {result}).has_value();
}

constexpr Plan kContractionPlans[] = {
    {OpKind::DotGeneral, 35, dot_general, kNumbers},
    {OpKind::Convolution, 15, convolution, kNumbers},
    {OpKind::DynamicConv, 5, convolution, kNumbers},
    {OpKind::Dot, 6, dot, kNumbers},
    {OpKind::Einsum, 5, einsum, kNumbers},
    {OpKind::UnaryEinsum, 4, unary_einsum, kNumbers},
    {OpKind::ChloRaggedDot, 6, ragged_dot, kNumbers},
};

} // namespace

std::span<const Plan> contraction_plans() { return kContractionPlans; }

} // namespace xlac::fuzz
