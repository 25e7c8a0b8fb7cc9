// Gradient rules of factorizations, which are custom calls: one rule per
// target. The formulas follow Walter and Lehmann (QR) and Townsend, Seeger and
// others (SVD, eigenvalues).
#include "rules.h"

#include "xlac/library/call_targets.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/matrices.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace xlac::autograd {

using ops::ComparisonDirection;

namespace {

Value adjoint(const Value &value) { return frontend::adjoint_value(value); }
Value product(const Value &a, const Value &b) {
  return frontend::matmul_value(a, b);
}
Value lower_part(const Value &value, int64_t offset = 0) {
  return frontend::keep_triangle(value, true, offset);
}
Value upper_part(const Value &value) {
  return frontend::keep_triangle(value, false);
}
int64_t rows_of(const Value &value) {
  return dims_of(value)[rank_of(value) - 2];
}
int64_t columns_of(const Value &value) { return dims_of(value).back(); }
Value first_rows(const Value &value, int64_t count) {
  return frontend::part_of(value, rank_of(value) - 2, 0, count);
}
Value first_columns(const Value &value, int64_t count) {
  return frontend::part_of(value, rank_of(value) - 1, 0, count);
}
Value last_rows(const Value &value, int64_t from) {
  return frontend::part_of(value, rank_of(value) - 2, from, rows_of(value));
}
Value last_columns(const Value &value, int64_t from) {
  return frontend::part_of(value, rank_of(value) - 1, from, columns_of(value));
}
Value beside(const Value &a, const Value &b) {
  return build::concatenate({a, b}, rank_of(a) - 1);
}
Value below(const Value &a, const Value &b) {
  return build::concatenate({a, b}, rank_of(a) - 2);
}

/// Solves op(a) x = b or x op(a) = b with one triangle of `a`.
Value solve(const Value &a, const Value &b, bool left, bool lower, bool unit,
            ops::Transpose transpose) {
  return build::triangular_solve(a, b, left, lower, unit, transpose);
}

Value is_diagonal(const Value &value) {
  return build::convert(frontend::identity(ElementType::I32, dims_of(value)),
                        ElementType::I1);
}

/// Returns the matrix with the vector on its diagonal.
Value on_diagonal(const Value &matrix, const Value &vector) {
  Value spread_out =
      frontend::broadcast_along(frontend::to_type(vector, element_of(matrix)),
                                dims_of(matrix), rank_of(matrix) - 2);
  return build::select(is_diagonal(matrix), spread_out, matrix);
}

Value zeros_like(const Value &value) { return number_like(value, 0); }

/// values[j] - values[i] in row i and column j; 1 on the diagonal.
Value differences(const Value &values, const Shape &sizes) {
  auto rank = static_cast<int64_t>(sizes.size());
  Value gap = sub(frontend::broadcast_along(values, sizes, rank - 2),
                  frontend::broadcast_along(values, sizes, rank - 1));
  return build::select(is_diagonal(gap), number_like(gap, 1), gap);
}

//===- LU -----------------------------------------------------------------===//

/// The operand is (a); the results are (L and U in one matrix, pivots,
/// permutation). The part outside of the leading square block is a triangular
/// solve with that block.
Grads lu_rule(const Step &step) {
  using ops::Transpose;
  Value factors = step.result(0), grad = step.grad_or_zeros(0);
  int64_t rows = rows_of(factors), columns = columns_of(factors);
  int64_t count = std::min(rows, columns);
  Value square = first_columns(first_rows(factors, count), count);
  Value inner = first_columns(first_rows(grad, count), count);
  Value one = frontend::identity(element_of(square), dims_of(square));
  Value l = add(lower_part(square, -1), one), u = upper_part(square);
  Value of_l = lower_part(inner, -1), of_u = upper_part(inner);
  Value rest;
  if (columns > count) {
    rest = solve(square, last_columns(grad, count), true, true, true,
                 Transpose::ADJOINT);
    of_l = sub(
        of_l,
        lower_part(product(rest, adjoint(last_columns(factors, count))), -1));
  } else if (rows > count) {
    rest = solve(square, last_rows(grad, count), false, false, false,
                 Transpose::ADJOINT);
    of_u = sub(of_u,
               upper_part(product(adjoint(last_rows(factors, count)), rest)));
  }
  Value middle = add(lower_part(product(adjoint(l), of_l), -1),
                     upper_part(product(of_u, adjoint(u))));
  Value half = solve(square, middle, true, true, true, Transpose::ADJOINT);
  Value whole = solve(square, half, false, false, false, Transpose::ADJOINT);
  if (columns > count)
    whole = beside(whole, rest);
  else if (rows > count)
    whole = below(whole, rest);
  // Row i of the product is row permutation[i] of the operand.
  Value permutation = step.result(2);
  Shape sizes = dims_of(permutation);
  sizes.push_back(rows);
  int64_t rank = rank_of(factors);
  Value chosen = frontend::broadcast_along(permutation, sizes, rank - 2);
  Value row = build::iota(element_of(permutation), sizes, rank - 2);
  Value moves = build::convert(compare(ComparisonDirection::EQ, chosen, row),
                               element_of(factors));
  return {product(moves, whole)};
}

//===- QR -----------------------------------------------------------------===//

Grads qr_rule(const Step &step) {
  Value q = step.result(0), r = step.result(1);
  int64_t count = columns_of(q);
  if (count > std::min(rows_of(q), columns_of(r)))
    raise<UnsupportedError>("qr has no gradient in mode 'complete' where "
                            "there are more rows than columns");
  Value of_q = step.grad_or_zeros(0), of_r = step.grad_or_zeros(1), rest;
  if (columns_of(r) > count) {
    Value right = last_columns(of_r, count);
    rest = product(q, right);
    Value columns = last_columns(step.operand(0), count);
    of_q = add(of_q, product(columns, adjoint(right)));
    of_r = first_columns(of_r, count);
    r = first_columns(r, count);
  }
  Value inner =
      upper_part(sub(product(of_r, adjoint(r)), product(adjoint(q), of_q)));
  inner = add(inner, adjoint(inner));
  inner = build::select(is_diagonal(inner), mul(inner, 0.5), inner);
  Value grad = solve(r, add(of_q, product(q, inner)), false, false, false,
                     ops::Transpose::ADJOINT);
  return {rest ? beside(grad, rest) : grad};
}

//===- Eigenvalues --------------------------------------------------------===//

/// Eigh: the operand is (a), the results are (vectors, values).
Grads eigh_rule(const Step &step) {
  Value vectors = step.result(0), values = step.result(1);
  Value inner;
  if (step.grads[0]) {
    inner = product(adjoint(vectors), step.grads[0]);
    Value gaps = differences(values, dims_of(inner));
    inner = div(inner, frontend::to_type(gaps, element_of(inner)));
  } else {
    inner = zeros_like(vectors);
  }
  inner = on_diagonal(inner, step.grad_or_zeros(1));
  return {product(product(vectors, inner), adjoint(vectors))};
}

/// Solves a x = b for the rules, without a check for singular matrices.
Value solve_any(const Value &a, const Value &b) {
  using ops::Transpose;
  Shape rows = dims_of(a);
  rows.pop_back();
  TensorType places{ElementType::I32, rows, {}, {}};
  std::vector<Value> lu = build::custom_call(library::kLuTarget, "", {a},
                                             {a.tensor(), places, places});
  Value ordered =
      frontend::permute_rows(b, build::convert(lu[2], ElementType::I64));
  Value half = solve(lu[0], ordered, true, true, true, Transpose::NO_TRANSPOSE);
  return solve(lu[0], half, true, false, false, Transpose::NO_TRANSPOSE);
}

/// xlac.eig: the operand is (a), the results are (values, vectors of norm 1).
Grads eig_rule(const Step &step) {
  Value values = step.result(0), vectors = step.result(1);
  Value inner = zeros_like(vectors), transposed = adjoint(vectors);
  if (step.grads[1]) {
    Value moved = product(transposed, step.grads[1]);
    Value lengths = frontend::diagonal_of(moved);
    Value real =
        frontend::to_type(unary(OpKind::Real, lengths), element_of(lengths));
    Value along = frontend::scale_columns(product(transposed, vectors), real);
    inner = div(sub(moved, along), conj(differences(values, dims_of(moved))));
  }
  inner = on_diagonal(inner, step.grad_or_zeros(0));
  Value grad = solve_any(transposed, product(inner, transposed));
  if (!is_complex(element_of(step.operand(0))))
    grad = unary(OpKind::Real, grad);
  return {grad};
}

//===- Singular values ----------------------------------------------------===//

/// (X - Xᴴ) divided by the differences of squared singular values.
Value skewed(const Value &x, const Value &gaps) {
  return div(sub(x, adjoint(x)), frontend::to_type(gaps, element_of(x)));
}

/// xlac.svd with singular values only: u diag(g) vᴴ.
Grads singular_values_rule(const Step &step) {
  const Value &a = step.operand(0);
  TensorType values = step.result().tensor(), u = a.tensor(), vh = u;
  u.dims.back() = vh.dims[vh.dims.size() - 2] = values.dims.back();
  std::vector<Value> svd =
      build::custom_call(library::kSvdTarget, "", {a}, {u, values, vh});
  return {product(frontend::scale_columns(svd[0], step.grad()), svd[2])};
}

/// xlac.svd: the operand is (a), the results are (u, values, vᴴ). For full ones
/// only the thin part has gradients.
Grads svd_rule(const Step &step) {
  if (step.node.types().size() == 1)
    return singular_values_rule(step);
  Value values = step.result(1);
  int64_t count = dims_of(values).back();
  Value u = first_columns(step.result(0), count);
  Value vh = first_rows(step.result(2), count);
  Shape square = dims_of(values);
  square.push_back(count);
  Value inner = build::constant(element_of(u), square, 0);
  Value gaps = differences(mul(values, values), dims_of(inner));
  auto rows = [&](const Value &x) { // the rows of x multiplied by values
    return adjoint(frontend::scale_columns(adjoint(x), values));
  };
  Value of_u, of_v;
  if (step.grads[0]) {
    of_u = first_columns(step.grads[0], count);
    Value moved = product(adjoint(u), of_u);
    inner = add(inner, frontend::scale_columns(skewed(moved, gaps), values));
    if (is_complex(element_of(u))) {
      // The phase that u and v have in common.
      Value phase = unary(OpKind::Imag, frontend::diagonal_of(moved));
      Value half = div(phase, mul(values, 2));
      Value imaginary = binary(OpKind::Complex, zeros_like(half), half);
      inner = add(inner, on_diagonal(zeros_like(inner), imaginary));
    }
  }
  if (step.grads[2]) {
    of_v = first_rows(step.grads[2], count);
    inner = add(inner, rows(skewed(product(vh, adjoint(of_v)), gaps)));
  }
  if (step.grads[1])
    inner = add(inner, on_diagonal(zeros_like(inner), step.grads[1]));
  Value inverse = div(1, values);
  Value left = product(u, inner);
  if (rows_of(u) > count && of_u) {
    Value scaled = frontend::scale_columns(of_u, inverse);
    left = add(left, sub(scaled, product(u, product(adjoint(u), scaled))));
  }
  Value grad = product(left, vh);
  if (columns_of(vh) > count && of_v) {
    Value scaled = frontend::scale_columns(u, inverse);
    Value outside = sub(of_v, product(product(of_v, adjoint(vh)), vh));
    grad = add(grad, product(scaled, outside));
  }
  return {grad};
}

struct TargetRule {
  std::string_view target;
  Rule rule;
};

/// Maps targets to their rules.
constexpr TargetRule kTargetRules[] = {
    {library::kEighTarget, eigh_rule}, {library::kLuTarget, lu_rule},
    {library::kEigTarget, eig_rule},   {library::kQrTarget, qr_rule},
    {library::kSvdTarget, svd_rule},
};

Grads custom_call_rule(const Step &step) {
  const std::string &target =
      step.node.attributes().get<ops::CustomCallAttributes>().call_target_name;
  const auto *found = std::find_if(
      std::begin(kTargetRules), std::end(kTargetRules),
      [&](const TargetRule &known) { return known.target == target; });
  if (found == std::end(kTargetRules))
    raise<UnsupportedError>("the derivative of the custom call " + target +
                            " is not implemented");
  return found->rule(step);
}

} // namespace

void add_factorization_rules(RuleTable &table) {
  table.set(OpKind::CustomCall, custom_call_rule);
}

} // namespace xlac::autograd
