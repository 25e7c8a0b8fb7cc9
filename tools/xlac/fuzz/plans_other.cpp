#include "fuzz/plans.h"

#include <algorithm>
#include <cmath>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

bool rng_bit_generator(Builder &b, const Plan &plan) {
  using enum ElementType;
  ops::RngBitGeneratorAttributes attributes;
  attributes.rng_algorithm = static_cast<ops::RngAlgorithm>(b.random.below(3));
  int64_t words = 2;
  if (attributes.rng_algorithm == ops::RngAlgorithm::PHILOX &&
      b.random.chance(50))
    words = 3;
  TensorType state{UI64, {words}, {}, {}};
  static constexpr ElementType kTypes[] = {UI32, UI64, UI8, UI16, I32};
  TensorType bits{b.random.pick(kTypes), b.dims(), {}, {}};
  return b.add(plan.kind, attributes, {b.like(state)}, {state, bits})
      .has_value();
}

/// Makes random numbers between `ends` and tests whether each is in range. The
/// numbers cannot be predicted, so only the test leaves the function.
std::optional<Terms> draw(Builder &b, const OpKind kind, const Terms &ends,
                          const TensorType &drawn) {
  ops::RngAttributes attributes;
  attributes.rng_distribution = ops::RngDistribution::UNIFORM;
  Terms operands = ends;
  host::Literal sizes =
      *host::Literal::allocate({ElementType::I64, {drawn.rank()}, {}, {}});
  host::store(sizes, 0, sizes.count(), drawn.dims.data());
  operands.push_back(b.constant(std::move(sizes)));
  auto numbers = b.add(kind, attributes, operands, {drawn});
  std::optional<Terms> inside;
  for (size_t i = 0; numbers && i < ends.size(); ++i) {
    auto end = b.add(OpKind::BroadcastInDim, ops::BroadcastInDimAttributes{},
                     {ends[i]}, {drawn});
    ops::CompareAttributes compare;
    compare.comparison_direction =
        i == 0 ? ops::ComparisonDirection::GE : ops::ComparisonDirection::LT;
    if (!end)
      return std::nullopt;
    auto fits = b.add(OpKind::Compare, compare, {(*numbers)[0], (*end)[0]});
    inside = inside && fits ? b.add(OpKind::And, {}, {(*inside)[0], (*fits)[0]})
                            : fits;
  }
  return inside;
}

bool rng(Builder &b, const Plan &plan) {
  using enum ElementType;
  static constexpr ElementType kTypes[] = {F32, F64, F16, BF16, I32,  UI32,
                                           I64, I8,  UI8, I16,  UI64, I4};
  TensorType scalar{b.random.pick(kTypes), {}, {}, {}};
  TensorType drawn{scalar.element, b.dims(), {}, {}};
  bool is_signed = !is_unsigned_integer(scalar.element);
  int64_t low = b.random.between(is_signed ? -8 : 0, 3);
  int64_t high = b.random.between(low + 1, 7);
  if (is_integer(scalar.element) && b.random.chance(30)) {
    // The full range.
    int bits = bit_width(scalar.element) - is_signed;
    high = static_cast<int64_t>(~uint64_t{0} >> (64 - bits));
    low = is_signed ? -high - 1 : 0;
  }
  Terms ends;
  for (int64_t end : {low, high}) {
    host::Literal data = *host::Literal::allocate(scalar);
    auto number = static_cast<double>(end);
    if (is_float(scalar.element))
      host::store(data, 0, 1, &number);
    else
      host::store(data, 0, 1, &end);
    ends.push_back(b.is_isolated() ? b.constant(std::move(data))
                                   : b.given(std::move(data)));
  }
  auto function = b.function({scalar, scalar}, [&](const Terms &arguments) {
    return draw(b, plan.kind, arguments, drawn);
  });
  return function && b.call(*function, ends).has_value();
}

bool fft(Builder &b, const Plan &plan) {
  auto kind = static_cast<ops::FftType>(b.random.below(4));
  bool real = kind == ops::FftType::RFFT;
  bool wide = b.random.chance(30);
  ElementType element =
      real ? (wide ? ElementType::F64 : ElementType::F32)
           : (wide ? ElementType::Complex128 : ElementType::Complex64);
  TensorType type{element, b.dims(3), {}, {}};
  if (type.dims.empty())
    type.dims.push_back(b.size());
  ops::FftAttributes attributes;
  attributes.fft_type = kind;
  int64_t transformed =
      1 + b.random.below(std::min<uint64_t>(type.dims.size(), 3));
  attributes.fft_length.assign(type.dims.end() - transformed, type.dims.end());
  if (kind == ops::FftType::IRFFT)
    attributes.fft_length.back() =
        std::max<int64_t>(2 * type.dims.back() - 2 + b.random.below(2), 0);
  return b.add(plan.kind, attributes, {b.fresh(type, ValueKind::Moderate)})
      .has_value();
}

/// A diagonally dominant matrix: well-conditioned, and positive definite if it
/// is Hermitian.
Term diagonal_matrix(Builder &b, ElementType element, Dims batch,
                     int64_t size) {
  batch.insert(batch.end(), 2, size);
  host::Literal data = *random_literal(
      {element, batch, {}, {}}, ValueKind::Eighths, b.random.below(1 << 20));
  for (int64_t i = 0; i < data.count(); ++i) {
    int64_t row = i / size % size, column = i % size,
            base = i - i % (size * size);
    std::complex<double> value;
    if (row == column)
      value = 4.0 * static_cast<double>(size);
    else if (row > column)
      host::load(data, base + column * size + row, 1, &value);
    else
      host::load(data, i, 1, &value);
    if (row > column)
      value = std::conj(value);
    double real = value.real();
    if (is_complex(element))
      host::store(data, i, 1, &value);
    else
      host::store(data, i, 1, &real);
  }
  return b.given(std::move(data));
}

ElementType matrix_element(Builder &b) {
  using enum ElementType;
  static constexpr ElementType kTypes[] = {F32, F64, F32, Complex64,
                                           Complex128};
  return b.random.pick(kTypes);
}

bool cholesky(Builder &b, const Plan &plan) {
  ops::CholeskyAttributes attributes;
  attributes.lower = b.random.chance(50);
  Term x =
      diagonal_matrix(b, matrix_element(b), b.dims(1), b.random.between(1, 9));
  auto factor = b.add(plan.kind, attributes, {x});
  return factor.has_value();
}

bool triangular_solve(Builder &b, const Plan &plan) {
  ops::TriangularSolveAttributes attributes;
  attributes.left_side = b.random.chance(50);
  attributes.lower = b.random.chance(50);
  attributes.unit_diagonal = false;
  attributes.transpose_a = static_cast<ops::Transpose>(1 + b.random.below(3));
  ElementType element = matrix_element(b);
  Dims batch = b.dims(1), right = batch;
  int64_t size = b.random.between(1, 9), columns = b.random.between(1, 5);
  Term a = diagonal_matrix(b, element, batch, size);
  right.push_back(attributes.left_side ? size : columns);
  right.push_back(attributes.left_side ? columns : size);
  TensorType type{element, right, {}, {}};
  if (!b.fits(type))
    return false;
  Term x = b.fresh(type, ValueKind::Moderate);
  return b.add(plan.kind, attributes, {a, x}).has_value();
}

/// Data, and the statistics of each feature with positive variances.
bool batch_norm(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  if (!x.checked.exact() || bit_width(x.element()) < 16)
    return false;
  auto feature = static_cast<int64_t>(b.random.below(x.type().dims.size()));
  auto epsilon = static_cast<float>(std::ldexp(1.0, -b.random.between(3, 17)));
  TensorType type{x.element(), {x.type().dims[feature]}, {}, {}};
  auto with = [&](auto attributes, Terms operands) {
    attributes.feature_index = feature;
    attributes.epsilon = epsilon;
    return b.add(plan.kind, attributes, operands).has_value();
  };
  auto moderate = [&] { return b.fresh(type, ValueKind::Moderate); };
  Term scale = moderate();
  if (plan.kind == OpKind::BatchNormTraining)
    return with(ops::BatchNormTrainingAttributes{}, {x, scale, moderate()});
  Term offset = moderate(), mean = moderate(),
       variance = values_above(b, type, 0);
  if (plan.kind == OpKind::BatchNormInference)
    return with(ops::BatchNormInferenceAttributes{},
                {x, scale, offset, mean, variance});
  Term gradient = b.fresh(x.type(), ValueKind::Moderate);
  return with(ops::BatchNormGradAttributes{},
              {x, scale, mean, variance, gradient});
}

constexpr Plan kOtherPlans[] = {
    {OpKind::RngBitGenerator, 6, rng_bit_generator},
    {OpKind::Rng, 3, rng},
    {OpKind::Fft, 4, fft, kAll, false},
    {OpKind::Cholesky, 3, cholesky, kAll, false},
    {OpKind::TriangularSolve, 3, triangular_solve, kAll, false},
    {OpKind::BatchNormInference, 3, batch_norm, kFloats, false},
    {OpKind::BatchNormTraining, 4, batch_norm, kFloats, false},
    {OpKind::BatchNormGrad, 3, batch_norm, kFloats, false},
};

} // namespace

std::span<const Plan> other_plans() { return kOtherPlans; }

} // namespace xlac::fuzz
