#include "fuzz/error_bound.h"

#include "fuzz/error_bound_parts.h"
#include "fuzz/inputs.h"
#include "xlac/host/evaluate.h"
#include "xlac/ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace xlac::fuzz {

using host::Literal;
using ops::OpKind;

//===- Error of each op ---------------------------------------------------===//

namespace {

using ops::Accuracy;
using ops::accuracy_of;

/// Returns the maximum difference in ULP between compiled code and the
/// evaluator for one function. The evaluator rounds once to f32 and narrower
/// types.
double ulps_between(const Accuracy &accuracy, ElementType part) {
  return part == ElementType::F64
             ? std::max(accuracy.ulps64, accuracy.unfused64) +
                   accuracy.reference64
             : std::max(accuracy.ulps32, accuracy.unfused32) + 1;
}

/// Returns "add" for chlo.broadcast_add; other ops unchanged.
OpKind without_broadcasting(OpKind kind) {
  constexpr std::string_view prefix = "chlo.broadcast_";
  std::string_view name = ops::op_name(kind);
  if (!name.starts_with(prefix))
    return kind;
  std::string base(name.substr(prefix.size()));
  auto found = ops::find_op("stablehlo." + base);
  return found ? *found : ops::find_op("chlo." + base).value_or(kind);
}

bool is_batch_norm(OpKind kind) {
  return kind == OpKind::BatchNormInference ||
         kind == OpKind::BatchNormTraining || kind == OpKind::BatchNormGrad;
}

bool is_sum_of_products(OpKind kind) {
  return ops::facts(kind).op_class == ops::OpClass::Contraction ||
         kind == OpKind::UnaryEinsum;
}

bool is_movement(OpKind kind) {
  switch (kind) {
  case OpKind::Broadcast:
  case OpKind::BroadcastInDim:
  case OpKind::DynamicBroadcastInDim:
  case OpKind::Reshape:
  case OpKind::DynamicReshape:
  case OpKind::Transpose:
  case OpKind::Slice:
  case OpKind::RealDynamicSlice:
  case OpKind::Pad:
  case OpKind::DynamicPad:
  case OpKind::Concatenate:
  case OpKind::Reverse:
  case OpKind::DynamicSlice:
  case OpKind::DynamicUpdateSlice:
  case OpKind::Gather:
  case OpKind::DynamicGather:
  case OpKind::TorchIndexSelect:
  case OpKind::OptimizationBarrier:
    return true;
  default:
    return false;
  }
}

/// Complex ops whose real and imaginary parts are computed separately.
bool is_exact_on_complex(OpKind kind) {
  switch (kind) {
  case OpKind::Add:
  case OpKind::Subtract:
  case OpKind::Negate:
  case OpKind::Real:
  case OpKind::Imag:
  case OpKind::ChloConj:
  case OpKind::Complex:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Convert:
    return true;
  default:
    return is_movement(kind) ||
           ops::facts(kind).op_class != ops::OpClass::Elementwise;
  }
}

} // namespace

bool is_exact(OpKind kind, ElementType operand, ElementType result) {
  kind = without_broadcasting(kind);
  if (is_sum_of_products(kind) || kind == OpKind::Reduce ||
      kind == OpKind::ReduceWindow)
    return !is_float(result) && !is_complex(result);
  if (is_batch_norm(kind) || kind == OpKind::Fft || kind == OpKind::Cholesky ||
      kind == OpKind::TriangularSolve)
    return false;
  if (is_complex(operand) && !is_exact_on_complex(kind))
    return false;
  return !is_float(operand) || !accuracy_of(kind);
}

//===- Arithmetic on literals ---------------------------------------------===//

TensorType as_f64(TensorType type) {
  return {ElementType::F64, std::move(type.dims), {}, {}};
}

Numbers magnitudes(const Literal &literal) {
  Numbers values(literal.count());
  if (values.empty())
    return values;
  if (!is_complex(literal.type().element)) {
    host::load(literal, 0, literal.count(), values.data());
    for (double &value : values)
      value = std::fabs(value);
    return values;
  }
  std::vector<std::complex<double>> parts(literal.count());
  host::load(literal, 0, literal.count(), parts.data());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::isnan(parts[i].real()) || std::isnan(parts[i].imag())
                    ? std::nan("")
                    : std::abs(parts[i]);
  return values;
}

Numbers radius_of(const Checked &value) {
  Numbers radius(value.data.count(), 0.0);
  if (value.radius && !radius.empty())
    host::load(value.radius, 0, value.radius.count(), radius.data());
  return radius;
}

Literal literal_of(TensorType type, const Numbers &values) {
  Result<Literal> literal = Literal::allocate(as_f64(std::move(type)));
  if (!literal)
    return {};
  if (!values.empty())
    host::store(*literal, 0, literal->count(), values.data());
  return *literal;
}

Result<std::vector<Literal>> evaluate(const OpUse &use) {
  std::vector<graph::Value> operands, roots;
  for (const Checked &operand : use.operands)
    operands.push_back({graph::Node::make_parameter(
                            operand.data.type(),
                            std::make_shared<host::HostData>(operand.data)),
                        0});
  graph::NodeRef node = graph::Node::make_op(
      use.kind, use.attributes, operands, {use.types.begin(), use.types.end()},
      {use.regions.begin(), use.regions.end()},
      {use.callees.begin(), use.callees.end()});
  for (uint32_t i = 0; i < use.types.size(); ++i)
    roots.push_back({node, i});
  return host::evaluate(roots);
}

std::optional<Numbers> shadow(const OpUse &use,
                              const std::vector<Literal> &operands,
                              std::span<const graph::Block> regions) {
  std::vector<Checked> checked;
  for (const Literal &operand : operands)
    checked.push_back({operand, {}});
  std::vector<Type> types{as_f64(use.types[0].tensor())};
  OpUse wide_copy{use.kind, use.attributes, checked, regions, {}, types};
  Result<std::vector<Literal>> results = evaluate(wide_copy);
  if (!results)
    return std::nullopt;
  Numbers values((*results)[0].count());
  if (!values.empty())
    host::load((*results)[0], 0, (*results)[0].count(), values.data());
  return values;
}

//===- Bounds -------------------------------------------------------------===//

namespace {

/// The result of an op while its radius is computed.
struct Bound {
  const OpUse &use;
  const Literal &result;
  ElementType part; ///< the float type of the result's parts
  Numbers size;     ///< magnitudes of the result

  Bound(const OpUse &use, const Literal &result)
      : use(use), result(result), part(real_part_type(result.type().element)),
        size(magnitudes(result)) {}
  double epsilon() const {
    return std::ldexp(0.5, -host::float_shape(part).mantissa_bits);
  }
  double least() const { return ulp_at(part, 0); }
  /// The ULP of the type at element i. Infinity counts as the number after the
  /// largest finite one.
  double ulp(size_t i) const {
    double at = std::isfinite(size[i]) ? size[i] : largest_finite(part);
    return ulp_at(part, at);
  }
  /// Sets the radius to infinity for elements that could overflow, and for
  /// uncertain elements that are not finite.
  Literal finish(Numbers radius) const {
    double limit = largest_finite(part);
    for (size_t i = 0; i < radius.size(); ++i)
      if (std::isnan(radius[i]) ||
          (radius[i] > 0 && !(size[i] + radius[i] < limit)))
        radius[i] = kInfinity;
    return literal_of(result.type(), radius);
  }
};

using Radius = std::optional<Literal>;

/// Returns element i; a single element is repeated.
double at(const Numbers &values, size_t i) {
  return values[values.size() == 1 ? 0 : i];
}

/// A function of exact operands within its stated ULPs.
Literal rounded(const Bound &bound, const Accuracy &accuracy) {
  double ulps = ulps_between(accuracy, bound.part);
  double floor = std::max(accuracy.floor64, accuracy.reference_floor64);
  double least = bound.part == ElementType::F64 && floor > 0
                     ? ulp_at(bound.part, floor)
                     : 0;
  Numbers radius(bound.size.size());
  for (size_t i = 0; i < radius.size(); ++i)
    radius[i] =
        std::isnan(bound.size[i]) ? 0 : ulps * std::max(bound.ulp(i), least);
  // Does not use finish(), since infinity is one ULP after the largest number
  // here.
  return literal_of(bound.result.type(), radius);
}

/// A complex function. Its error is bounded by norm, and only for operands of a
/// size at which no formula overflows or cancels.
Literal rounded_complex(const Bound &bound) {
  Numbers radius(bound.size.size());
  std::vector<Numbers> sizes;
  for (const Checked &operand : bound.use.operands)
    sizes.push_back(magnitudes(operand.data));
  auto tame = [](double x) { return x >= 0x1p-5 && x <= 0x1p5; };
  for (size_t i = 0; i < radius.size(); ++i) {
    bool trusted = std::isfinite(bound.size[i]);
    for (const Numbers &operand : sizes)
      trusted &= tame(at(operand, i));
    // x^y is exp(y log x): an error of the product is an error of the exponent.
    double steepness = 1;
    if (bound.use.kind == OpKind::Power)
      steepness += at(sizes[1], i) * (4 + std::fabs(std::log(at(sizes[0], i))));
    radius[i] = trusted ? 64 * steepness * bound.epsilon() * (1 + bound.size[i])
                        : kInfinity;
  }
  return literal_of(bound.result.type(), radius);
}

/// Products of complex numbers by four real products.
Literal complex_product(const Bound &bound) {
  Numbers a = magnitudes(bound.use.operands[0].data), b = a;
  if (bound.use.operands.size() > 1)
    b = magnitudes(bound.use.operands[1].data);
  Numbers radius(bound.size.size());
  for (size_t i = 0; i < radius.size(); ++i)
    radius[i] = 8 * (bound.epsilon() * a[i] * b[i] + bound.least());
  return bound.finish(radius);
}

bool every(const Numbers &values, auto holds) {
  return std::all_of(values.begin(), values.end(), holds);
}

/// Returns magnitudes, with exact infinities and NaNs replaced by 0 and inexact
/// ones by infinity. Sums of exact infinities and NaNs are certain as long as
/// the finite part cannot overflow.
Literal finite_part(const Checked &value, bool with_radius) {
  Numbers size = magnitudes(value.data), radius = radius_of(value);
  for (size_t i = 0; i < size.size(); ++i) {
    if (!std::isfinite(size[i]))
      size[i] = radius[i] > 0 ? kInfinity : 0;
    if (with_radius)
      size[i] += radius[i];
  }
  return literal_of(value.data.type(), size);
}

/// True if all sums of the operands' products are integers.
bool are_whole(std::span<const Checked> operands) {
  return std::all_of(
      operands.begin(), operands.end(), [](const Checked &value) {
        if (!value.exact() || is_complex(value.data.type().element))
          return false;
        return every(magnitudes(value.data), [](double x) {
          return !std::isfinite(x) || x == std::floor(x);
        });
      });
}

/// The radius of a sum of `terms` in any order. `largest` is the sum of
/// magnitudes, and `spread` the contribution of the operands' radii.
Literal summed(const Bound &bound, double terms, const Numbers &largest,
               const Numbers &spread, bool whole) {
  Numbers radius(bound.size.size());
  double exact_below =
      std::ldexp(2.0, host::float_shape(bound.part).mantissa_bits);
  double limit = largest_finite(bound.part) / 2;
  for (size_t i = 0; i < radius.size(); ++i) {
    double total = largest[i] + spread[i];
    if (!(total < limit))
      radius[i] = kInfinity;
    else if (whole && total < exact_below)
      radius[i] = 0;
    else
      radius[i] = spread[i] +
                  (terms + 3) * (4 * bound.epsilon() * total + bound.least());
  }
  Literal made = bound.finish(radius);
  // Nonzero integer sums have one value and sign.
  bool certain = every(radius, [](double r) { return r == 0; }) &&
                 every(bound.size, [](double x) { return x != 0; });
  return certain ? Literal() : made;
}

double count_of(const OpUse &use, const Literal &result) {
  double count = 1;
  if (use.kind == OpKind::ReduceWindow) {
    for (int64_t size :
         use.attributes.get<ops::ReduceWindowAttributes>().window_dimensions)
      count *= static_cast<double>(size);
    return count;
  }
  bool has_factors = is_sum_of_products(use.kind) && use.operands.size() > 1;
  for (const Checked &operand : use.operands.first(has_factors ? 2 : 1))
    count = std::max(count, static_cast<double>(operand.data.count()));
  return result.count() == 0 ? 1 : count;
}

/// Makes a block that applies `kind` to two f64.
graph::Block f64_body(OpKind kind) {
  TensorType scalar{ElementType::F64, {}, {}, {}};
  graph::Block block;
  for (int i = 0; i < 2; ++i)
    block.arguments.push_back(graph::Node::make_parameter(scalar));
  block.nodes.push_back(graph::Node::make_op(
      kind, {}, {{block.arguments[0], 0}, {block.arguments[1], 0}}, {scalar}));
  block.results.push_back({block.nodes[0], 0});
  return block;
}

std::optional<OpKind> body_op(std::span<const graph::Block> regions) {
  if (regions.size() != 1 || regions[0].nodes.size() != 1 ||
      regions[0].nodes[0]->kind() != graph::NodeKind::Op)
    return std::nullopt;
  return regions[0].nodes[0]->op();
}

/// For contractions, and reductions whose body adds.
Radius sum_radius(const Bound &bound, std::span<const graph::Block> regions) {
  std::vector<Literal> sizes, reach;
  for (const Checked &operand : bound.use.operands) {
    sizes.push_back(finite_part(operand, false));
    reach.push_back(finite_part(operand, true));
  }
  auto largest = shadow(bound.use, sizes, regions);
  auto outer = shadow(bound.use, reach, regions);
  if (!largest || !outer)
    return std::nullopt;
  for (size_t i = 0; i < largest->size(); ++i)
    (*outer)[i] -= (*largest)[i];
  double terms = count_of(bound.use, bound.result);
  if (is_sum_of_products(bound.use.kind) &&
      !add_flushed(bound.use, terms, *outer))
    return std::nullopt;
  return summed(bound, terms, *largest, *outer, are_whole(bound.use.operands));
}

/// For products in any order: each multiplication rounds. No intermediate
/// product may overflow or underflow, which would depend on the order.
Radius product_radius(const Bound &bound) {
  auto spread = [&](auto part) {
    std::vector<Literal> operands;
    for (const Checked &operand : bound.use.operands) {
      Numbers size = magnitudes(operand.data);
      for (double &x : size)
        x = std::isfinite(x) && x != 0 ? part(x) : 1;
      operands.push_back(literal_of(operand.data.type(), size));
    }
    std::vector<graph::Block> body{f64_body(OpKind::Multiply)};
    return shadow(bound.use, operands, body);
  };
  auto largest = spread([](double x) { return std::max(x, 1.0); });
  auto smallest = spread([](double x) { return std::min(x, 1.0); });
  if (!largest || !smallest)
    return std::nullopt;
  double terms = count_of(bound.use, bound.result) + 3;
  double normal = std::ldexp(2.0, host::float_shape(bound.part).least_exponent);
  Numbers radius(bound.size.size());
  for (size_t i = 0; i < radius.size(); ++i) {
    bool tame = (*largest)[i] < largest_finite(bound.part) / 4 &&
                (*smallest)[i] > normal;
    if (!tame)
      radius[i] = kInfinity;
    else if (std::isfinite(bound.size[i]))
      radius[i] = 4 * terms * bound.epsilon() * bound.size[i];
  }
  return bound.finish(radius);
}

Radius reduction_radius(const Bound &bound) {
  auto body = body_op(bound.use.regions);
  bool exact = std::all_of(bound.use.operands.begin(), bound.use.operands.end(),
                           [](const Checked &value) { return value.exact(); });
  if (body == OpKind::Add) {
    std::vector<graph::Block> adder{f64_body(OpKind::Add)};
    return sum_radius(bound, adder);
  }
  if (!exact || is_complex(bound.part))
    return std::nullopt;
  if (body == OpKind::Multiply)
    return product_radius(bound);
  return Literal();
}

//===- Operands with a radius ---------------------------------------------===//

/// Applies padding, movement or selection of the op to the radii.
Radius moved(const Bound &bound) {
  std::vector<Literal> operands;
  for (const Checked &operand : bound.use.operands) {
    ElementType element = operand.data.type().element;
    bool is_index = !is_float(element) && !is_complex(element);
    if (is_index && !operand.exact())
      return std::nullopt;
    operands.push_back(
        is_index ? operand.data
                 : literal_of(operand.data.type(), radius_of(operand)));
  }
  auto values = shadow(bound.use, operands);
  if (!values)
    return std::nullopt;
  return literal_of(bound.result.type(), *values);
}

Numbers spread_elementwise(const Bound &bound, std::span<const Numbers> sizes,
                           std::span<const Numbers> radii) {
  Numbers spread(bound.size.size(), 0.0);
  for (size_t i = 0; i < spread.size(); ++i) {
    if (bound.use.kind == OpKind::Multiply) {
      double a = at(sizes[0], i), b = at(sizes[1], i);
      double ra = at(radii[0], i), rb = at(radii[1], i);
      spread[i] = (ra ? b * ra : 0) + (rb ? a * rb : 0) + ra * rb;
      continue;
    }
    for (size_t k = 0; k < radii.size(); ++k) {
      spread[i] += at(radii[k], i);
      // An infinity that could be finite may become any value.
      if (at(radii[k], i) > 0 && !std::isfinite(at(sizes[k], i)))
        spread[i] = kInfinity;
    }
  }
  return spread;
}

/// Returns the factor of the operands' radii, or nothing for an op that may
/// jump.
std::optional<double> slope_of(OpKind kind, ElementType element) {
  switch (kind) {
  case OpKind::Maximum:
  case OpKind::Minimum:
  case OpKind::Clamp:
    // Complex numbers are compared by real parts first. If those are nearly
    // equal, one ULP decides between very different imaginary parts.
    if (is_complex(element))
      return std::nullopt;
    return 1;
  case OpKind::Add:
  case OpKind::Subtract:
  case OpKind::Multiply:
  case OpKind::Negate:
  case OpKind::Abs:
  case OpKind::Real:
  case OpKind::Imag:
  case OpKind::Complex:
  case OpKind::ChloConj:
  case OpKind::Convert:
    return 1;
  default:
    const Accuracy *accuracy = accuracy_of(kind);
    if (accuracy && accuracy->slope > 0)
      return accuracy->slope;
    return std::nullopt;
  }
}

/// f8E8M0FNU has no negative numbers. Element `i`, of which the operands' radii
/// make `spread`, is NaN if it may be one before it is rounded: what is rounded
/// to 2^n is at least 0.75 * 2^n.
bool may_be_nan(const Bound &bound, size_t i, double spread) {
  OpKind kind = bound.use.kind;
  return bound.part == ElementType::F8E8M0FNU && kind != OpKind::Add &&
         kind != OpKind::Multiply && kind != OpKind::Abs &&
         spread > 0.75 * bound.size[i];
}

Radius elementwise_inexact(const Bound &bound) {
  ElementType element = bound.result.type().element;
  auto slope = slope_of(bound.use.kind, element);
  bool is_product = bound.use.kind == OpKind::Multiply;
  if (!slope || !(is_float(element) || is_complex(element)) ||
      (accuracy_of(bound.use.kind) && is_complex(element)))
    return std::nullopt;
  std::vector<Numbers> sizes, radii;
  for (const Checked &operand : bound.use.operands) {
    sizes.push_back(magnitudes(operand.data));
    radii.push_back(radius_of(operand));
  }
  const Accuracy *accuracy = accuracy_of(bound.use.kind);
  double ulps = accuracy ? std::max(ulps_between(*accuracy, ElementType::F32),
                                    ulps_between(*accuracy, ElementType::F64))
                         : 1;
  Numbers radius = spread_elementwise(bound, sizes, radii);
  for (size_t i = 0; i < radius.size(); ++i) {
    radius[i] *= *slope;
    if (may_be_nan(bound, i, radius[i]))
      radius[i] = kInfinity;
    if (is_product && is_complex(element))
      radius[i] += 8 * bound.epsilon() * at(sizes[0], i) * at(sizes[1], i);
    // A correctly rounded result stays exact where its operands are.
    if (radius[i] > 0 || accuracy)
      radius[i] += 2 * ulps * (bound.ulp(i) + bound.epsilon() * radius[i]);
  }
  return bound.finish(radius);
}

/// Each element comes from either operand.
Radius selected(const Bound &bound) {
  if (!bound.use.operands[0].exact())
    return std::nullopt;
  std::vector<Literal> operands{bound.use.operands[0].data,
                                literal_of(bound.use.operands[1].data.type(),
                                           radius_of(bound.use.operands[1])),
                                literal_of(bound.use.operands[2].data.type(),
                                           radius_of(bound.use.operands[2]))};
  auto values = shadow(bound.use, operands);
  return values ? Radius(literal_of(bound.result.type(), *values))
                : std::nullopt;
}

//===- Matrix ops ---------------------------------------------------------===//

/// Transforms and solutions of well-conditioned systems: the error is relative
/// to the largest element.
Radius by_norm(const Bound &bound) {
  double total = 0, terms = 16;
  for (const Checked &operand : bound.use.operands) {
    if (!operand.exact())
      return std::nullopt;
    for (double x : magnitudes(operand.data))
      total += x;
    terms += static_cast<double>(operand.data.count());
  }
  for (double x : bound.size)
    total = std::max(total, x);
  double radius =
      std::isfinite(total) ? terms * bound.epsilon() * total : kInfinity;
  Numbers radii(bound.size.size(), radius);
  if (bound.use.kind == OpKind::Cholesky) {
    // The specification leaves the other triangle undefined.
    bool lower = bound.use.attributes.get<ops::CholeskyAttributes>().lower;
    int64_t size = bound.result.type().dims.back();
    for (size_t i = 0; i < radii.size(); ++i) {
      auto at = static_cast<int64_t>(i);
      int64_t row = at / size % size, column = at % size;
      if (lower ? column > row : column < row)
        radii[i] = kInfinity;
    }
  }
  return bound.finish(radii);
}

Radius exact_operands(const Bound &bound) {
  OpKind kind = without_broadcasting(bound.use.kind);
  if (kind == OpKind::Reduce || kind == OpKind::ReduceWindow)
    return reduction_radius(bound);
  if (is_sum_of_products(kind))
    return sum_radius(bound, {});
  if (kind == OpKind::Fft || kind == OpKind::Cholesky ||
      kind == OpKind::TriangularSolve)
    return by_norm(bound);
  if (is_complex(bound.use.operands[0].data.type().element)) {
    if (kind == OpKind::Multiply || kind == OpKind::ChloSquare)
      return complex_product(bound);
    return rounded_complex(bound);
  }
  const Accuracy *accuracy = accuracy_of(kind);
  if (!accuracy)
    return std::nullopt;
  return rounded(bound, *accuracy);
}

Radius inexact_operands(const Bound &bound) {
  OpKind kind = bound.use.kind;
  if (kind == OpKind::Reduce || kind == OpKind::ReduceWindow)
    return reduction_radius(bound);
  if (is_sum_of_products(kind))
    return sum_radius(bound, {});
  if (kind == OpKind::Select)
    return selected(bound);
  return is_movement(kind) ? moved(bound) : elementwise_inexact(bound);
}

} // namespace

std::optional<std::vector<Literal>> radii(const OpUse &use,
                                          std::span<const Literal> results) {
  bool exact = std::all_of(use.operands.begin(), use.operands.end(),
                           [](const Checked &value) { return value.exact(); });
  ElementType first = use.operands.empty()
                          ? ElementType::I32
                          : use.operands[0].data.type().element;
  std::vector<Literal> made;
  if (exact && is_exact(use.kind, first, results[0].type().element)) {
    made.resize(results.size());
    return made;
  }
  if (is_batch_norm(use.kind) && exact)
    return batch_norm_radii(use, results);
  if (results.size() != 1)
    return std::nullopt;
  Bound bound(use, results[0]);
  Radius radius = exact ? exact_operands(bound) : inexact_operands(bound);
  if (!radius)
    return std::nullopt;
  made.push_back(*radius);
  return made;
}

//===- Comparison ---------------------------------------------------------===//

/// Returns `value`, with infinity replaced by the number after the largest
/// finite one.
static double clamped(ElementType part, double value) {
  if (!std::isinf(value))
    return value;
  double largest = largest_finite(part);
  return std::copysign(largest + ulp_at(part, largest), value);
}

static bool part_fits(ElementType part, double expected, double actual,
                      double radius) {
  if (std::isinf(radius))
    return true;
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) && std::isinf(actual))
    return expected == actual;
  if (radius == 0)
    return expected == actual;
  if (part == ElementType::F64 && std::isinf(clamped(part, expected)))
    return std::fabs(actual) >= largest_finite(part) * (1 - 0x1p-44);
  return std::fabs(clamped(part, expected) - clamped(part, actual)) <= radius;
}

static std::vector<std::complex<double>> parts_of(const Literal &literal) {
  std::vector<std::complex<double>> parts(literal.count());
  if (parts.empty())
    return parts;
  if (is_complex(literal.type().element)) {
    host::load(literal, 0, literal.count(), parts.data());
    return parts;
  }
  Numbers values(literal.count());
  host::load(literal, 0, literal.count(), values.data());
  std::copy(values.begin(), values.end(), parts.begin());
  return parts;
}

static std::string text_of(ElementType element, std::complex<double> value) {
  return is_complex(element)
             ? fmt::format("({:.17g}, {:.17g})", value.real(), value.imag())
             : fmt::format("{:.17g}", value.real());
}

std::optional<std::string> difference(const Checked &expected,
                                      std::span<const std::byte> actual) {
  const TensorType &type = expected.data.type();
  if (static_cast<int64_t>(actual.size()) != expected.data.byte_count())
    return fmt::format("got {} bytes, wanted {}", actual.size(),
                       expected.data.byte_count());
  if (actual.empty() ||
      std::memcmp(actual.data(), expected.data.data(), actual.size()) == 0)
    return std::nullopt;
  Result<Literal> got = Literal::copy_of(type, actual.data());
  if (!got)
    return got.error().message;
  auto wanted_parts = parts_of(expected.data), got_parts = parts_of(*got);
  Numbers radius = radius_of(expected);
  bool has_nan = is_float(type.element) || is_complex(type.element);
  ElementType part = real_part_type(type.element);
  size_t size = byte_size(part), step = byte_size(type.element);
  int64_t wrong = 0, first = 0;
  for (int64_t i = expected.data.count() - 1; i >= 0; --i) {
    double wanted[] = {wanted_parts[i].real(), wanted_parts[i].imag()};
    double has[] = {got_parts[i].real(), got_parts[i].imag()};
    bool fits = true;
    for (size_t k = 0; k < step / size; ++k) {
      bool same =
          std::memcmp(actual.data() + i * step + k * size,
                      expected.data.data() + i * step + k * size, size) == 0;
      bool close = expected.exact()
                       ? has_nan && std::isnan(wanted[k]) && std::isnan(has[k])
                       : part_fits(part, wanted[k], has[k], radius[i]);
      fits &= same || close;
    }
    if (!fits) {
      ++wrong;
      first = i;
    }
  }
  if (wrong == 0)
    return std::nullopt;
  return fmt::format("{} of {} elements of {} differ, first number {}: got {}, "
                     "wanted {}{}",
                     wrong, expected.data.count(), to_string(type), first,
                     text_of(type.element, got_parts[first]),
                     text_of(type.element, wanted_parts[first]),
                     expected.exact()
                         ? std::string(", exactly")
                         : fmt::format(" within {:.3g}", radius[first]));
}

} // namespace xlac::fuzz
