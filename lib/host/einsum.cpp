// einsum, unary_einsum and chlo's ragged_dot: sums of products over every index
// that the result lacks.
#include "op_context.h"

#include <algorithm>
#include <functional>
#include <string>

namespace xlac::host {

using ops::OpKind;

namespace {

/// Sizes of all indices, those of the result first, and the stride of each
/// index in the operands.
struct Sum {
  Dims sizes;
  std::vector<Dims> strides; ///< one list per multiplied operand
  /// The terms to include, by their index; all if it is empty.
  std::function<bool(const Dims &)> counts;

  /// Adds an index with stride 0 in all operands.
  size_t add(int64_t size) {
    sizes.push_back(size);
    for (Dims &list : strides)
      list.push_back(0);
    return sizes.size() - 1;
  }
};

template <class Wide> Result<Literals> sum_as(OpContext &c, const Sum &sum) {
  std::vector<std::vector<Wide>> factors;
  for (size_t i = 0; i < sum.strides.size(); ++i) {
    const Literal &operand = c.operand(i);
    factors.emplace_back(operand.count());
    if (operand.count() > 0)
      load(operand, 0, operand.count(), factors.back().data());
  }
  Result<Literal> to = Literal::allocate(c.result());
  if (!to)
    return to.error();
  size_t outer = c.result().dims.size();
  Dims inner(sum.sizes.begin() + static_cast<ptrdiff_t>(outer),
             sum.sizes.end());
  Dims index(sum.sizes.size(), 0), position(outer, 0), rest(inner.size(), 0);
  for (int64_t number = 0; number < to->count(); ++number) {
    std::copy(position.begin(), position.end(), index.begin());
    Wide total(0);
    for (int64_t left = product(inner); left > 0; --left) {
      std::copy(rest.begin(), rest.end(),
                index.begin() + static_cast<ptrdiff_t>(outer));
      if (!sum.counts || sum.counts(index)) {
        Wide term = factors[0][offset_of(index, sum.strides[0])];
        for (size_t i = 1; i < factors.size(); ++i)
          term *= factors[i][offset_of(index, sum.strides[i])];
        total += term;
      }
      next_index(rest, inner);
    }
    store(*to, number, 1, &total);
    next_index(position, c.result().dims);
  }
  return Literals{std::move(*to)};
}

Result<Literals> evaluate(OpContext &context, const Sum &sum) {
  ElementType type = context.result().element;
  if (is_complex(type))
    return sum_as<std::complex<double>>(context, sum);
  return is_float(type) ? sum_as<double>(context, sum)
                        : sum_as<uint64_t>(context, sum);
}

//===- Einsum -------------------------------------------------------------===//

Result<Literals> einsum(OpContext &context, const std::string &config) {
  std::string text = config;
  std::erase(text, ' ');
  size_t arrow = text.find("->");
  if (arrow == text.npos || text.find('.') != text.npos)
    return failure(FailureKind::Unsupported,
                   "einsum_config '" + config + "' cannot be evaluated");
  std::string letters = text.substr(arrow + 2);
  std::vector<std::string> terms(1);
  for (char c : text.substr(0, arrow)) {
    if (c == ',')
      terms.emplace_back();
    else
      terms.back() += c;
  }
  Sum sum;
  sum.strides.resize(terms.size());
  for (size_t i = 0; i < letters.size(); ++i)
    sum.add(context.result().dims[i]);
  for (size_t i = 0; i < terms.size(); ++i) {
    const Dims &dims = context.operand(i).type().dims;
    Dims own = row_major_strides(dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      size_t at = letters.find(terms[i][d]);
      if (at == letters.npos) {
        letters += terms[i][d];
        at = sum.add(dims[d]);
      }
      sum.strides[i][at] += own[d];
    }
  }
  return evaluate(context, sum);
}

//===- Ragged dot ---------------------------------------------------------===//

bool holds(const Dims &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The group of each position of the ragged dimension.
struct Groups {
  Dims sizes, dims; ///< of the operand of sizes: batch dimensions, groups
  size_t group, ragged;
  std::vector<size_t> batch;

  bool operator()(const Dims &index) const {
    int64_t row = 0, count = dims.back(), start = 0;
    if (dims.size() > 1)
      for (size_t i = 0; i + 1 < dims.size(); ++i)
        row = row * dims[i] + index[batch[i]];
    for (int64_t g = 0; g < index[group]; ++g)
      start += sizes[row * count + g];
    int64_t end = start + sizes[row * count + index[group]];
    return start <= index[ragged] && index[ragged] < end;
  }
};

/// Indices: batch dimensions, free dimensions of both sides, contracting
/// dimensions. The group is an index of the result if the contracting dimension
/// is ragged, else an index that is summed.
Result<Literals> ragged_dot(OpContext &context) {
  const auto &n = context.attributes<ops::ChloRaggedDotAttributes>()
                      .ragged_dot_dimension_numbers;
  const Dims &lhs = context.operand(0).type().dims;
  const Dims &rhs = context.operand(1).type().dims;
  Dims left = row_major_strides(lhs), right = row_major_strides(rhs);
  int64_t ragged = n.lhs_ragged_dimensions[0];
  bool is_contracted = holds(n.dot.lhs_contracting_dimensions, ragged);
  bool is_batch = holds(n.dot.lhs_batching_dimensions, ragged);
  const Literal &sizes = context.operand(2);
  Groups groups{Dims(sizes.count()), sizes.type().dims, 0, 0, {}};
  if (sizes.count() > 0)
    load(sizes, 0, sizes.count(), groups.sizes.data());
  Sum sum;
  sum.strides.resize(2);
  auto add_left = [&](int64_t dim) {
    size_t at = sum.add(lhs[dim]);
    sum.strides[0][at] = left[dim];
    if (dim == ragged)
      groups.ragged = at;
    return at;
  };
  if (is_contracted)
    groups.group = sum.add(groups.dims.back());
  for (size_t i = 0; i < n.dot.lhs_batching_dimensions.size(); ++i) {
    groups.batch.push_back(add_left(n.dot.lhs_batching_dimensions[i]));
    sum.strides[1].back() = right[n.dot.rhs_batching_dimensions[i]];
  }
  for (int64_t d = 0; d < static_cast<int64_t>(lhs.size()); ++d)
    if (!holds(n.dot.lhs_batching_dimensions, d) &&
        !holds(n.dot.lhs_contracting_dimensions, d))
      add_left(d);
  for (int64_t d = 0; d < static_cast<int64_t>(rhs.size()); ++d)
    if (!holds(n.dot.rhs_batching_dimensions, d) &&
        !holds(n.dot.rhs_contracting_dimensions, d) &&
        !holds(n.rhs_group_dimensions, d))
      sum.strides[1][sum.add(rhs[d])] = right[d];
  for (size_t i = 0; i < n.dot.lhs_contracting_dimensions.size(); ++i) {
    add_left(n.dot.lhs_contracting_dimensions[i]);
    sum.strides[1].back() = right[n.dot.rhs_contracting_dimensions[i]];
  }
  if (!is_contracted && !is_batch) {
    int64_t dim = n.rhs_group_dimensions[0];
    groups.group = sum.add(rhs[dim]);
    sum.strides[1].back() = right[dim];
  }
  if (!is_batch)
    sum.counts = groups;
  return evaluate(context, sum);
}

} // namespace

Result<Literals> evaluate_einsum(OpContext &context) {
  switch (context.node.op()) {
  case OpKind::Einsum:
    return einsum(context,
                  context.attributes<ops::EinsumAttributes>().einsum_config);
  case OpKind::UnaryEinsum:
    return einsum(
        context,
        context.attributes<ops::UnaryEinsumAttributes>().einsum_config);
  default:
    return ragged_dot(context);
  }
}

} // namespace xlac::host
