// Shape rules of constants, normalization, linear algebra, transforms and
// random numbers.
#include "rule.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// Checks that an operand is a vector with one element for each feature.
Status check_feature(const Rule &rule, size_t i, int64_t feature_index,
                     std::string_view element_label,
                     std::string_view size_label) {
  const TensorType &operand = rule.operand(0), &vector = rule.operand(i);
  std::string_view name = facts(rule.kind()).operands[i].name;
  XLAC_DTYPE(same_baseline_element(operand, vector), element_label,
             "operand {} and {} {} differ in element type", short_text(operand),
             name, short_text(vector));
  XLAC_SHAPE(
      vector.rank() == 1 &&
          sizes_agree(vector.dims[0], dim_of(operand, feature_index).size),
      size_label,
      "{} is {}, but one element for each feature of {} "
      "wanted",
      name, short_text(vector), short_text(operand));
  return {};
}

Status check_feature_index(const Rule &rule, int64_t index) {
  const TensorType &operand = rule.operand(0);
  XLAC_INDEX(in_range(Dims{index}, operand.rank()), "C1",
             "feature_index {} leaves the dimensions of operand {}", index,
             short_text(operand));
  XLAC_DTYPE(is_float(operand.element) || is_quantized(operand), "",
             "operand is {}, but float or quantized wanted",
             short_text(operand));
  return {};
}

/// The type of a mean or variance: a vector of features.
TensorType feature_vector(const TensorType &operand, int64_t feature_index) {
  TensorType type = scalar_like(operand);
  append_dim(type, dim_of(operand, feature_index));
  return type;
}

bool is_float_or_complex(const TensorType &type) {
  return !is_quantized(type) &&
         (is_float(type.element) || is_complex(type.element));
}

} // namespace

namespace rules {

Inferred infer_constant(const Rule &rule) {
  const TensorType &type =
      rule.kind() == OpKind::Constant
          ? rule.attributes<ConstantAttributes>().value.type
          : rule.attributes<ChloConstantAttributes>().value.type;
  // MLIR represents the elements of a quantized constant in its storage type.
  if (rule.declares() && is_quantized(rule.declared(0)) &&
      !is_quantized(type)) {
    // The storage type is signless, so elements of an unsigned type may be
    // either.
    ElementType storage = rule.declared(0).quantization->storage_type;
    XLAC_SHAPE(shapes_agree(type, rule.declared(0)) && is_integral(type) &&
                   bit_width(storage) == bit_width(type.element),
               "C1", "value is {}, but output {}", short_text(type),
               short_text(rule.declared(0)));
    return rule.result("C1", rule.declared(0));
  }
  return rule.result("C1", type);
}

//===- Normalization ------------------------------------------------------===//

Inferred infer_batch_norm_training(const Rule &rule) {
  int64_t index = rule.attributes<BatchNormTrainingAttributes>().feature_index;
  XLAC_RETURN_IF_ERROR(check_feature_index(rule, index));
  XLAC_RETURN_IF_ERROR(check_feature(rule, 1, index, "C2", "C3"));
  XLAC_RETURN_IF_ERROR(check_feature(rule, 2, index, "C2", "C4"));
  TensorType vector = feature_vector(rule.operand(0), index);
  if (rule.declares()) {
    XLAC_SHAPE(shapes_agree(vector, rule.declared(1)), "C5",
               "batch_mean is {}, {} expected", short_text(rule.declared(1)),
               short_text(vector));
    XLAC_SHAPE(shapes_agree(vector, rule.declared(2)), "C6",
               "batch_var is {}, {} expected", short_text(rule.declared(2)),
               short_text(vector));
  }
  return rule.results({"C7", "C2"}, {rule.operand(0), vector, vector});
}

Inferred infer_batch_norm_inference(const Rule &rule) {
  int64_t index = rule.attributes<BatchNormInferenceAttributes>().feature_index;
  XLAC_RETURN_IF_ERROR(check_feature_index(rule, index));
  constexpr std::string_view kLabels[] = {"C3", "C4", "C5", "C6"};
  for (size_t i = 1; i <= 4; ++i)
    XLAC_RETURN_IF_ERROR(check_feature(rule, i, index, "C2", kLabels[i - 1]));
  return rule.result({"C7", "C2"}, rule.operand(0));
}

Inferred infer_batch_norm_grad(const Rule &rule) {
  int64_t index = rule.attributes<BatchNormGradAttributes>().feature_index;
  XLAC_RETURN_IF_ERROR(check_feature_index(rule, index));
  for (size_t i = 1; i <= 3; ++i)
    XLAC_RETURN_IF_ERROR(
        check_feature(rule, i, index, "C2", i == 1 ? "C5" : "C4"));
  const TensorType &operand = rule.operand(0), &grad = rule.operand(4);
  XLAC_DTYPE(same_baseline_element(operand, grad), "C2",
             "operand {} and grad_output {} differ in element type",
             short_text(operand), short_text(grad));
  XLAC_SHAPE(shapes_agree(operand, grad), "C3",
             "operand {} and grad_output {} differ in shape",
             short_text(operand), short_text(grad));
  TensorType vector = feature_vector(operand, index);
  if (rule.declares())
    for (size_t i : {1, 2})
      XLAC_SHAPE(shapes_agree(vector, rule.declared(i)), "C4",
                 "result {} is {}, {} expected", i,
                 short_text(rule.declared(i)), short_text(vector));
  return rule.results({"C3", "C2"}, {operand, vector, vector});
}

//===- Linear algebra and transforms --------------------------------------===//

Inferred infer_cholesky(const Rule &rule) {
  const TensorType &a = rule.operand(0);
  XLAC_DTYPE(is_float_or_complex(a), "", "a is {}, but float or complex wanted",
             short_text(a));
  XLAC_SHAPE(a.rank() >= 2, "C2", "a {} has fewer than 2 dimensions",
             short_text(a));
  XLAC_SHAPE(sizes_agree(a.dims[a.dims.size() - 2], a.dims.back()), "C3",
             "a {} does not hold square matrices", short_text(a));
  return rule.result("C1", a);
}

Inferred infer_triangular_solve(const Rule &rule) {
  const TensorType &a = rule.operand(0), &b = rule.operand(1);
  const auto &attributes = rule.attributes<TriangularSolveAttributes>();
  XLAC_DTYPE(is_float_or_complex(a), "", "a is {}, but float or complex wanted",
             short_text(a));
  XLAC_DTYPE(same_baseline_element(a, b), "C1",
             "a {} and b {} differ in element type", short_text(a),
             short_text(b));
  XLAC_SHAPE(a.rank() >= 2 && a.rank() == b.rank(), "C2",
             "a {} and b {} are not of one rank of at least 2", short_text(a),
             short_text(b));
  size_t rank = a.dims.size();
  for (size_t i = 0; i + 2 < rank; ++i)
    XLAC_SHAPE(sizes_agree(a.dims[i], b.dims[i]), "C3",
               "a {} and b {} differ in dimension {}", short_text(a),
               short_text(b), i);
  int64_t side = b.dims[attributes.left_side ? rank - 2 : rank - 1];
  XLAC_SHAPE(sizes_agree(a.dims[rank - 2], a.dims[rank - 1]) &&
                 sizes_agree(a.dims[rank - 1], side),
             "C3", "a {} is not square, or does not fit b {}", short_text(a),
             short_text(b));
  XLAC_USER(attributes.transpose_a != Transpose::TRANSPOSE_INVALID, "",
            "transpose_a is TRANSPOSE_INVALID");
  return rule.result("C4", b);
}

Inferred infer_fft(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  const auto &a = rule.attributes<FftAttributes>();
  const Dims &length = a.fft_length;
  size_t rank = operand.dims.size(), count = length.size();
  XLAC_SHAPE(1 <= count && count <= 3, "C3",
             "fft_length {} has not 1 to 3 entries", list_text(length));
  XLAC_SHAPE(count <= rank, "C1", "fft_length {} is longer than operand {}",
             list_text(length), short_text(operand));
  bool to_complex = a.fft_type == FftType::RFFT;
  ElementType element = operand.element;
  XLAC_DTYPE(to_complex
                 ? element == ElementType::F32 || element == ElementType::F64
                 : is_complex(element),
             "C2", "operand is {}, but {} wanted for {}", short_text(operand),
             to_complex ? "f32 or f64" : "complex", enum_name(a.fft_type));
  TensorType type = operand;
  int64_t last = operand.rank() - 1;
  for (int64_t size : length)
    XLAC_SHAPE(size >= 0, "C3", "fft_length {} is negative", list_text(length));
  bool to_real = a.fft_type == FftType::IRFFT;
  // IRFFT's operand has another last size.
  for (size_t i = 0; i + to_real < count; ++i)
    XLAC_SHAPE(sizes_agree(operand.dims[rank - count + i], length[i]), "C4",
               "fft_length {} are not the last sizes of operand {}",
               list_text(length), short_text(operand));
  if (to_complex) {
    type.element = element == ElementType::F32 ? ElementType::Complex64
                                               : ElementType::Complex128;
    set_dim(type, last, map_dim(dim_of(operand, last), [](int64_t n) {
              return n == 0 ? 0 : n / 2 + 1;
            }));
  } else if (to_real) {
    int64_t half = length.back() == 0 ? 0 : length.back() / 2 + 1;
    XLAC_SHAPE(sizes_agree(operand.dims.back(), half), "C5",
               "last dimension of operand {} is not the {} that fft_length {} "
               "needs",
               short_text(operand), half, list_text(length));
    type.element = real_part_type(element);
    set_dim(type, last, {length.back(), kDynamic});
  }
  return rule.result({"C5", "C2"}, type);
}

//===- Random numbers -----------------------------------------------------===//

Inferred infer_rng(const Rule &rule) {
  const TensorType &a = rule.operand(0), &b = rule.operand(1);
  const TensorType &shape = rule.operand(2);
  XLAC_DTYPE(a.rank() == 0 && b.rank() == 0 && same_baseline_element(a, b),
             "C1", "a {} and b {} are not scalars of one type", short_text(a),
             short_text(b));
  bool normal = rule.attributes<RngAttributes>().rng_distribution ==
                RngDistribution::NORMAL;
  XLAC_DTYPE(!normal || is_float(a.element), "C2",
             "a is {}, but float wanted for NORMAL", short_text(a));
  XLAC_SHAPE(shape.rank() == 1 && is_integral(shape), "",
             "shape is {}, but a vector of integers wanted", short_text(shape));
  TensorType type = scalar_like(a);
  const std::vector<int64_t> *sizes = rule.constant(2);
  if (sizes) {
    type.dims = *sizes;
  } else if (rule.declares()) {
    XLAC_SHAPE(sizes_agree(shape.dims[0], rule.declared(0).rank()), "C3",
               "shape is {}, but result {}", short_text(shape),
               short_text(rule.declared(0)));
    type.dims = rule.declared(0).dims;
    type.bounds = rule.declared(0).bounds;
  } else {
    return rule.needs_declared();
  }
  return rule.result({"C3", "C1"}, type);
}

Inferred infer_rng_bit_generator(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &state = rule.operand(0), &output = rule.declared(1);
  RngAlgorithm algorithm =
      rule.attributes<RngBitGeneratorAttributes>().rng_algorithm;
  // The specification requires a vector of ui64. StableHLO's own verifier
  // accepts any state, so artifacts have others, of unknown size; they cannot
  // be executed here. A ui32 state has twice as many elements.
  int64_t size = kDynamic;
  if (state.rank() == 1 && is_integral(state) && state.dims[0] != kDynamic)
    size = multiply_sizes(state.dims[0], bit_width(state.element)) / 64;
  if (algorithm == RngAlgorithm::THREE_FRY)
    XLAC_SHAPE(sizes_agree(size, 2), "C2",
               "initial_state is {}, but ui64[2] wanted for THREE_FRY",
               short_text(state));
  if (algorithm == RngAlgorithm::PHILOX)
    XLAC_SHAPE(sizes_agree(size, 2) || size == 3, "C2",
               "initial_state is {}, but ui64[2] or ui64[3] wanted for PHILOX",
               short_text(state));
  XLAC_DTYPE(is_integral(output) || is_float(output.element), "",
             "output is {}, but integer or float wanted", short_text(output));
  return rule.results("C1", {state, output});
}

} // namespace rules
} // namespace xlac::ops
