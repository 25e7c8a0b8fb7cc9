#include "xlac/tensor/matrices.h"

#include "xlac/library/call_targets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlac::frontend {

using ops::ComparisonDirection;

Shape Matrices::sizes(const Shape &last) const {
  Shape all = batch;
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

TensorType Matrices::type(const Shape &last) const {
  return {value.tensor().element, sizes(last), {}, {}};
}

TensorType Matrices::real_type(const Shape &last) const {
  return {real_part_type(value.tensor().element), sizes(last), {}, {}};
}

Matrices matrices_of(const Tensor &self, Device device) {
  const TensorImpl &impl = impl_of(self);
  size_t rank = impl.sizes.size();
  if (rank < 2)
    raise<ShapeError>("The input tensor A must have at least 2 dimensions.");
  if (lazy::category(impl.dtype) < 2)
    raise<DtypeError>("Expected a floating point or complex tensor as input. "
                      "Got " +
                      lazy::legacy_name(impl.dtype));
  if (impl.dtype == kFloat16 || impl.dtype == kBFloat16)
    raise<DtypeError>("Low precision dtypes not supported. Got " +
                      lazy::legacy_name(impl.dtype));
  Shape batch(impl.sizes.begin(), impl.sizes.end() - 2);
  return {value_on(self, device), batch,  impl.sizes[rank - 2],
          impl.sizes.back(),      device, impl.dtype};
}

Matrices squares_of(const Tensor &self, Device device) {
  Matrices a = matrices_of(self, device);
  if (a.rows != a.columns)
    raise<ShapeError>("A must be batches of square matrices, but they are " +
                      std::to_string(a.rows) + " by " +
                      std::to_string(a.columns) + " matrices");
  return a;
}

Value require(const Value &value, const Value &ok, const std::string &message) {
  Shape all(ok.tensor().dims.size());
  std::iota(all.begin(), all.end(), 0);
  Value whole = all_value(ok, all);
  Value checked = build::custom_call(library::kRequireTarget, message, {whole},
                                     {whole.tensor()})[0];
  // Never selected; the select makes the value depend on the check.
  Value other = constant_like(value, NAN);
  return build::select(checked, value, other);
}

//===- Triangles and diagonals --------------------------------------------===//

/// Column index minus row index of each element.
static Value offsets(const Shape &sizes) {
  auto rank = static_cast<int64_t>(sizes.size());
  return build::binary(OpKind::Subtract,
                       build::iota(ElementType::I64, sizes, rank - 1),
                       build::iota(ElementType::I64, sizes, rank - 2));
}

Value triangle(const Shape &sizes, bool lower, int64_t offset) {
  Value place = offsets(sizes);
  return build::compare(lower ? ComparisonDirection::LE
                              : ComparisonDirection::GE,
                        place, constant_like(place, Scalar(offset)));
}

Value keep_triangle(const Value &value, bool lower, int64_t offset) {
  return build::select(triangle(value.tensor().dims, lower, offset), value,
                       constant_like(value, 0));
}

Value identity(ElementType type, const Shape &sizes) {
  Value place = offsets(sizes);
  return build::convert(
      build::compare(ComparisonDirection::EQ, place, constant_like(place, 0)),
      type);
}

Value diagonal_of(const Value &value) {
  const Shape &sizes = value.tensor().dims;
  auto rank = static_cast<int64_t>(sizes.size());
  Value place = offsets(sizes);
  Value kept = build::select(
      build::compare(ComparisonDirection::EQ, place, constant_like(place, 0)),
      value, constant_like(value, 0));
  bool wide = sizes[rank - 1] >= sizes[rank - 2];
  return sum_value(kept, {wide ? rank - 1 : rank - 2});
}

Value scale_columns(const Value &value, const Value &diagonal) {
  const Shape &sizes = value.tensor().dims;
  auto rank = static_cast<int64_t>(sizes.size());
  Value factors = broadcast_along(to_type(diagonal, value.tensor().element),
                                  sizes, rank - 2);
  return build::binary(OpKind::Multiply, value, factors);
}

Value adjoint_value(const Value &value) {
  Value swapped = swap_last(value);
  if (!is_complex(value.tensor().element))
    return swapped;
  Value imaginary = build::unary(OpKind::Imag, swapped);
  return build::binary(OpKind::Complex, build::unary(OpKind::Real, swapped),
                       build::unary(OpKind::Negate, imaginary));
}

//===- Factorizations -----------------------------------------------------===//

Lu lu_of(const Matrices &a) {
  TensorType whole{
      ElementType::I32, a.sizes({std::min(a.rows, a.columns)}), {}, {}};
  TensorType rows{ElementType::I32, a.sizes({a.rows}), {}, {}};
  std::vector<Value> made =
      build::custom_call(library::kLuTarget, "", {a.value},
                         {a.type({a.rows, a.columns}), whole, rows});
  return {made[0], made[1], build::convert(made[2], ElementType::I64)};
}

Value permute_rows(const Value &rows, const Value &permutation) {
  const Shape &sizes = rows.tensor().dims;
  auto rank = static_cast<int64_t>(sizes.size());
  Shape wanted = sizes;
  wanted[rank - 2] = permutation.tensor().dims.back();
  return build::take_along(rows, broadcast_along(permutation, wanted, rank - 1),
                           rank - 2);
}

Value solve_value(const Matrices &a, const Value &b, const std::string &name) {
  if (a.rows == 0)
    return b;
  Lu lu = lu_of(a);
  Value diagonal = diagonal_of(lu.factors);
  Value ok = build::compare(ComparisonDirection::NE, diagonal,
                            constant_like(diagonal, 0));
  Value half =
      build::triangular_solve(lu.factors, permute_rows(b, lu.permutation), true,
                              true, true, ops::Transpose::NO_TRANSPOSE);
  Value x = build::triangular_solve(lu.factors, half, true, false, false,
                                    ops::Transpose::NO_TRANSPOSE);
  return require(x, ok, name + "(): the matrix is singular");
}

Svd svd_of(const Matrices &a, bool full) {
  int64_t count = std::min(a.rows, a.columns);
  std::vector<Value> made = build::custom_call(
      library::kSvdTarget, "", {a.value},
      {a.type({a.rows, full ? a.rows : count}), a.real_type({count}),
       a.type({full ? a.columns : count, a.columns})});
  return {made[0], made[1], made[2]};
}

Spectrum eigh_of(const Matrices &a, bool lower) {
  std::vector<Value> made =
      build::custom_call(library::kEighTarget, lower ? "1" : "0", {a.value},
                         {a.type({a.rows, a.columns}), a.real_type({a.rows})});
  return {made[1], made[0]};
}

} // namespace xlac::frontend
