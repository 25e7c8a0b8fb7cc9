// Shape rules of CHLO ops: implicit broadcasting, scan and top_k. CHLO has no
// numbered constraints.
#include "rule.h"

#include "xlac/ops/infer.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// Broadcasts one dimension of two operands. Size 1 is expanded; an unknown
/// size may be 1 or equal to the other.
std::optional<Dim> broadcast_dim(Dim a, Dim b) {
  if (a.size == b.size)
    return merge(a, b);
  if (a.size == 1)
    return b;
  if (b.size == 1)
    return a;
  if (a.is_dynamic() || b.is_dynamic())
    return a.is_dynamic() ? b : a;
  return std::nullopt;
}

/// The broadcast shape of the operands, aligned at the last dimension as in
/// NumPy.
Result<TensorType> broadcast_shapes(const Rule &rule, const TensorType &a,
                                    const TensorType &b) {
  const TensorType &high = a.rank() >= b.rank() ? a : b;
  const TensorType &low = a.rank() >= b.rank() ? b : a;
  TensorType type = scalar_like(a);
  int64_t shift = high.rank() - low.rank();
  for (int64_t i = 0; i < high.rank(); ++i) {
    Dim dim = dim_of(high, i);
    if (i >= shift) {
      std::optional<Dim> both = broadcast_dim(dim, dim_of(low, i - shift));
      XLAC_SHAPE(both.has_value(), "",
                 "operands {} and {} do not broadcast in dimension {}",
                 short_text(a), short_text(b), i);
      dim = *both;
    }
    append_dim(type, dim);
  }
  return type;
}

/// Broadcasts the operand of lower rank along `dimensions` of the other.
Result<TensorType> broadcast_along(const Rule &rule, const TensorType &a,
                                   const TensorType &b,
                                   const Dims &dimensions) {
  const TensorType &high = a.rank() >= b.rank() ? a : b;
  const TensorType &low = a.rank() >= b.rank() ? b : a;
  XLAC_INDEX(static_cast<int64_t>(dimensions.size()) == low.rank() &&
                 in_range(dimensions, high.rank()) && is_unique(dimensions) &&
                 is_sorted(dimensions),
             "", "broadcast_dimensions {} do not place {} in {}",
             list_text(dimensions), short_text(low), short_text(high));
  TensorType type = scalar_like(a);
  type.dims = high.dims;
  type.bounds = high.bounds;
  for (int64_t i = 0; i < low.rank(); ++i) {
    int64_t axis = dimensions[static_cast<size_t>(i)];
    std::optional<Dim> both = broadcast_dim(dim_of(high, axis), dim_of(low, i));
    XLAC_SHAPE(both.has_value(), "",
               "operands {} and {} do not broadcast in dimension {}",
               short_text(a), short_text(b), axis);
    set_dim(type, axis, *both);
  }
  return type;
}

Result<TensorType> broadcast_operands(const Rule &rule,
                                      const std::optional<Dims> &dimensions) {
  const TensorType &lhs = rule.operand(0), &rhs = rule.operand(1);
  XLAC_DTYPE(same_baseline_element(lhs, rhs), "",
             "lhs {} and rhs {} differ in element type", short_text(lhs),
             short_text(rhs));
  // Operands of equal rank broadcast as in NumPy and ignore `dimensions`.
  if (dimensions && lhs.rank() != rhs.rank())
    return broadcast_along(rule, lhs, rhs, *dimensions);
  return broadcast_shapes(rule, lhs, rhs);
}

/// The `broadcast_dimensions` of any broadcasting op.
template <class... Structs>
const std::optional<Dims> &dimensions_of(const Rule &rule) {
  static const std::optional<Dims> none;
  const std::optional<Dims> *found = &none;
  auto look = [&](const auto &attributes) {
    if (attributes.broadcast_dimensions)
      found = &attributes.broadcast_dimensions;
  };
  (look(rule.attributes<Structs>()), ...);
  return *found;
}

Inferred broadcast_as(const Rule &rule, const std::optional<Dims> &dimensions,
                      std::optional<ElementType> element) {
  Result<TensorType> type = broadcast_operands(rule, dimensions);
  if (!type)
    return type.error();
  if (element) {
    type->element = *element;
    type->quantization = nullptr;
  }
  return rule.result("", *type);
}

} // namespace

namespace rules {

Inferred infer_broadcast_binary(const Rule &rule) {
  return broadcast_as(
      rule,
      dimensions_of<
          ChloBroadcastAddAttributes, ChloBroadcastAndAttributes,
          ChloBroadcastAtan2Attributes, ChloBroadcastDivideAttributes,
          ChloBroadcastMaximumAttributes, ChloBroadcastMinimumAttributes,
          ChloBroadcastMultiplyAttributes, ChloBroadcastNextAfterAttributes,
          ChloBroadcastOrAttributes, ChloBroadcastPolygammaAttributes,
          ChloBroadcastPowerAttributes, ChloBroadcastRemainderAttributes,
          ChloBroadcastShiftLeftAttributes,
          ChloBroadcastShiftRightArithmeticAttributes,
          ChloBroadcastShiftRightLogicalAttributes,
          ChloBroadcastSubtractAttributes, ChloBroadcastXorAttributes,
          ChloBroadcastZetaAttributes>(rule),
      std::nullopt);
}

Inferred infer_broadcast_compare(const Rule &rule) {
  return broadcast_as(rule, dimensions_of<ChloBroadcastCompareAttributes>(rule),
                      ElementType::I1);
}

Inferred infer_broadcast_complex(const Rule &rule) {
  ElementType part = rule.operand(0).element;
  XLAC_DTYPE(part == ElementType::F32 || part == ElementType::F64, "",
             "lhs is {}, but f32 or f64 wanted", short_text(rule.operand(0)));
  return broadcast_as(rule, dimensions_of<ChloBroadcastComplexAttributes>(rule),
                      part == ElementType::F32 ? ElementType::Complex64
                                               : ElementType::Complex128);
}

Inferred infer_broadcast_select(const Rule &rule) {
  const TensorType &pred = rule.operand(0);
  const TensorType &on_true = rule.operand(1), &on_false = rule.operand(2);
  XLAC_DTYPE(pred.element == ElementType::I1, "", "pred is {}, but i1 wanted",
             short_text(pred));
  XLAC_DTYPE(same_baseline_element(on_true, on_false), "",
             "on_true {} and on_false {} differ in element type",
             short_text(on_true), short_text(on_false));
  Result<TensorType> type = broadcast_shapes(rule, on_true, on_false);
  if (!type)
    return type.error();
  Result<TensorType> whole = broadcast_shapes(rule, *type, pred);
  if (!whole)
    return whole.error();
  return rule.result("", *whole);
}

Inferred infer_constant_like(const Rule &rule) {
  const DenseElements &value =
      rule.attributes<ChloConstantLikeAttributes>().value;
  TensorType type = rule.operand(0);
  type.element = value.type.element;
  type.quantization = value.type.quantization;
  return rule.result("", type);
}

//===- Scan ---------------------------------------------------------------===//

/// The size of the scanned dimension, as far as inputs and attributes determine
/// it.
static Result<Dim> scanned_size(const Rule &rule, size_t inputs) {
  const auto &a = rule.attributes<ChloScanAttributes>();
  Dim size;
  XLAC_INDEX(a.dimension >= 0, "", "dimension {} is negative", a.dimension);
  if (a.scan_dim_size)
    size = {*a.scan_dim_size, kDynamic};
  for (size_t i = 0; i < inputs; ++i) {
    const TensorType &input = rule.operand(i);
    XLAC_INDEX(in_range(Dims{a.dimension}, input.rank()), "",
               "dimension {} leaves those of input {}", a.dimension,
               short_text(input));
    Dim next = dim_of(input, a.dimension);
    XLAC_SHAPE(sizes_agree(size.size, next.size), "",
               "input {} {} has not {} elements to scan", i, short_text(input),
               size.size);
    size = merge(size, next);
  }
  XLAC_SHAPE(inputs > 0 || a.scan_dim_size, "",
             "has neither inputs nor scan_dim_size");
  return size;
}

static TensorType without_dim(const TensorType &type, int64_t axis) {
  TensorType result = scalar_like(type);
  for (int64_t i = 0; i < type.rank(); ++i)
    if (i != axis)
      append_dim(result, dim_of(type, i));
  return result;
}

static TensorType with_dim(const TensorType &type, int64_t axis, Dim dim) {
  TensorType result = scalar_like(type);
  for (int64_t i = 0; i <= type.rank(); ++i)
    append_dim(result, i == axis  ? dim
                       : i < axis ? dim_of(type, i)
                                  : dim_of(type, i - 1));
  return result;
}

/// The body takes a slice of each input and the carries. It returns a slice of
/// each output and the new carries.
Inferred infer_scan(const Rule &rule) {
  const auto &a = rule.attributes<ChloScanAttributes>();
  size_t total = rule.operand_count();
  XLAC_USER(a.operandSegmentSizes.size() == 2 &&
                a.operandSegmentSizes[0] >= 0 &&
                a.operandSegmentSizes[1] >= 0 &&
                static_cast<size_t>(a.operandSegmentSizes[0]) +
                        static_cast<size_t>(a.operandSegmentSizes[1]) ==
                    total,
            "", "operandSegmentSizes do not fit {} operands", total);
  size_t inputs = static_cast<size_t>(a.operandSegmentSizes[0]);
  size_t carries = total - inputs;
  Result<Dim> size = scanned_size(rule, inputs);
  if (!size)
    return size.error();
  const RegionSignature &body = rule.region(0);
  if (!body.known) {
    return rule.as_declared();
  }
  XLAC_SHAPE(body.arguments.size() == total, "",
             "body takes {} arguments, {} wanted", body.arguments.size(),
             total);
  for (size_t i = 0; i < total; ++i) {
    Type wanted = i < inputs ? Type(without_dim(rule.operand(i), a.dimension))
                             : rule.operand_type(i);
    XLAC_SHAPE(are_compatible(wanted, body.arguments[i]), "",
               "argument {} of body is {}, but {} wanted", i,
               short_text(body.arguments[i]), short_text(wanted));
  }
  XLAC_SHAPE(body.results.size() >= carries, "",
             "body returns {} values, at least the {} carries wanted",
             body.results.size(), carries);
  size_t outputs = body.results.size() - carries;
  std::vector<Type> types;
  for (size_t i = 0; i < outputs; ++i) {
    const Type &slice = body.results[i];
    XLAC_SHAPE(slice.is_tensor() && a.dimension <= slice.tensor().rank(), "",
               "output {} of body is {}, which has no dimension {}", i,
               short_text(slice), a.dimension);
    types.push_back(with_dim(slice.tensor(), a.dimension, *size));
  }
  for (size_t i = 0; i < carries; ++i) {
    const Type &carry = body.results[outputs + i];
    XLAC_SHAPE(are_compatible(rule.operand_type(inputs + i), carry), "",
               "carry {} of body is {}, but its init is {}", i,
               short_text(carry), short_text(rule.operand_type(inputs + i)));
    types.push_back(rule.operand_type(inputs + i));
  }
  return rule.results("", std::move(types));
}

Inferred infer_top_k(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  int64_t k = rule.attributes<ChloTopKAttributes>().k;
  XLAC_SHAPE(operand.rank() >= 1, "", "operand {} has no dimension",
             short_text(operand));
  XLAC_USER(k >= 0, "", "k {} is negative", k);
  XLAC_SHAPE(operand.dims.back() == kDynamic || k <= operand.dims.back(), "",
             "k {} is above the last dimension of operand {}", k,
             short_text(operand));
  TensorType values = operand;
  set_dim(values, operand.rank() - 1, {k, kDynamic});
  TensorType indices = values;
  indices.element = ElementType::I32;
  indices.quantization = nullptr;
  return rule.results("", {values, indices});
}

} // namespace rules
} // namespace xlac::ops
