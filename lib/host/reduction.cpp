// Reductions: the reduced elements are gathered into rows and then reduced. If
// the region is a single op on its arguments, they are reduced directly,
// otherwise pairwise by the region.
#include "op_context.h"
#include "pairwise_tree.h"
#include "scalar_math.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

std::optional<OpKind> simple_reducer(const graph::Block &block) {
  if (block.arguments.size() != 2 || block.nodes.size() != 1 ||
      block.results.size() != 1)
    return std::nullopt;
  const graph::Node &node = *block.nodes[0];
  if (node.kind() != graph::NodeKind::Op || node.operands().size() != 2 ||
      block.results[0].node != block.nodes[0])
    return std::nullopt;
  const graph::NodeRef &a = block.arguments[0], &b = block.arguments[1];
  const graph::NodeRef &x = node.operands()[0].node;
  const graph::NodeRef &y = node.operands()[1].node;
  switch (node.op()) {
  case OpKind::Add:
  case OpKind::Multiply:
  case OpKind::Maximum:
  case OpKind::Minimum:
  case OpKind::And:
  case OpKind::Or:
  case OpKind::Xor:
    break;
  default:
    return std::nullopt;
  }
  if ((x == a && y == b) || (x == b && y == a))
    return node.op();
  return std::nullopt;
}

namespace {

/// `from` with the reduced dimensions moved to the end: rows of elements that
/// are reduced to one element each.
Result<Literal> as_rows(const Literal &from, const Dims &reduced, int64_t rows,
                        int64_t columns) {
  const Dims &dims = from.type().dims;
  Dims source = row_major_strides(dims), sizes, strides;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < dims.size(); ++i)
      if ((std::find(reduced.begin(), reduced.end(), static_cast<int64_t>(i)) !=
           reduced.end()) == (pass == 1)) {
        sizes.push_back(dims[i]);
        strides.push_back(source[i]);
      }
  Result<Literal> to =
      Literal::allocate({from.type().element, {rows, columns}, {}, {}});
  if (!to)
    return to;
  with_element_size(from.type().element, [&](auto size) {
    for_each_strided(sizes, strides, 0, [&](int64_t t, int64_t f) {
      std::memcpy(to->mutable_data() + t * size(), from.data() + f * size(),
                  size());
    });
  });
  return to;
}

template <class Wide, class F>
Result<Literals> fold_rows(const Literal &rows, const Literal &init,
                           const TensorType &type, F f) {
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to.error();
  Wide start;
  load(init, 0, 1, &start);
  int64_t columns = rows.type().dims[1];
  std::array<Wide, 512> buffer;
  auto fold = [&](Wide &left, const Wide &right) { left = f(left, right); };
  for (int64_t row = 0; row < to->count(); ++row) {
    PairwiseTree<Wide, decltype(fold)> tree(fold);
    for (int64_t begin = 0; begin < columns; begin += 512) {
      int64_t count = std::min<int64_t>(512, columns - begin);
      load(rows, row * columns + begin, count, buffer.data());
      for (int64_t i = 0; i < count; i += tree.kBlock) {
        Wide value = buffer[i];
        int64_t end = std::min(i + tree.kBlock, count);
        for (int64_t next = i + 1; next < end; ++next)
          fold(value, buffer[next]);
        tree.push(value);
      }
    }
    Wide value = tree.fold_after(start);
    store(*to, row, 1, &value);
  }
  return Literals{std::move(*to)};
}

Result<Literals> fold_simple(OpKind op, const Literal &rows,
                             const Literal &init, const TensorType &type) {
  if (is_complex(type.element))
    return fold_rows<Complex>(rows, init, type, complex_binary(op));
  if (is_float(type.element))
    return fold_rows<double>(rows, init, type, float_binary(op));
  IntegerBinary f = integer_binary(op, type.element);
  return fold_rows<int64_t>(rows, init, type,
                            [f](int64_t x, int64_t y) { return f(x, y, 64); });
}

/// Columns first, first + 2, … of each row.
Result<Literal> every_second(const Literal &rows, int64_t first,
                             int64_t columns) {
  const Dims &dims = rows.type().dims;
  Result<Literal> to =
      Literal::allocate({rows.type().element, {dims[0] * columns}, {}, {}});
  if (!to)
    return to;
  size_t size = byte_size(rows.type().element);
  for (int64_t row = 0; row < dims[0]; ++row)
    for (int64_t i = 0; i < columns; ++i)
      std::memcpy(to->mutable_data() + (row * columns + i) * size,
                  rows.data() + (row * dims[1] + first + 2 * i) * size, size);
  return to;
}

/// Halves the number of columns: neighbours are combined in order, an odd last
/// one is kept.
Result<Literals> fold_pairs(OpContext &context, const Literals &rows) {
  int64_t count = rows[0].type().dims[0], columns = rows[0].type().dims[1];
  int64_t half = columns / 2, rest = columns % 2;
  Literals arguments;
  for (int64_t side = 0; side < 2; ++side)
    for (const Literal &input : rows) {
      Result<Literal> part = every_second(input, side, half);
      if (!part)
        return part.error();
      arguments.push_back(std::move(*part));
    }
  Result<Literals> folded = context.regions.run_lifted(
      context.node.regions()[0], arguments, count * half);
  if (!folded)
    return folded;
  Literals next;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Literal &from = (*folded)[i];
    Result<Literal> to =
        Literal::allocate({from.type().element, {count, half + rest}, {}, {}});
    if (!to)
      return to.error();
    size_t size = byte_size(from.type().element);
    for (int64_t row = 0; row < count; ++row) {
      std::byte *target = to->mutable_data() + row * (half + rest) * size;
      for (int64_t k = 0; k < half; ++k)
        std::memcpy(target + k * size,
                    from.data() +
                        (from.count() == 1 ? 0 : row * half + k) * size,
                    size);
      if (rest)
        std::memcpy(target + half * size,
                    rows[i].data() + (row * columns + columns - 1) * size,
                    size);
    }
    next.push_back(std::move(*to));
  }
  return next;
}

/// Copies `from` to `type`; a single element is repeated.
Result<Literal> broadcast_scalar(const Literal &from, const TensorType &type) {
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to;
  size_t size = byte_size(type.element);
  for (int64_t i = 0; i < to->count(); ++i)
    std::memcpy(to->mutable_data() + i * size,
                from.data() + (from.count() == 1 ? 0 : i) * size, size);
  return to;
}

Result<Literals> fold_general(OpContext &context, Literals rows) {
  size_t inputs = rows.size();
  int64_t count = rows[0].type().dims[0];
  while (rows[0].type().dims[1] > 1) {
    Result<Literals> next = fold_pairs(context, rows);
    if (!next)
      return next;
    rows = std::move(*next);
  }
  Literals arguments(context.operands.begin() + inputs, context.operands.end());
  Result<Literals> folded = arguments;
  if (rows[0].type().dims[1] == 1) {
    arguments.insert(arguments.end(), rows.begin(), rows.end());
    folded =
        context.regions.run_lifted(context.node.regions()[0], arguments, count);
    if (!folded)
      return folded;
  }
  Literals results;
  for (size_t i = 0; i < inputs; ++i) {
    Result<Literal> result = broadcast_scalar((*folded)[i], context.results[i]);
    if (!result)
      return result.error();
    results.push_back(std::move(*result));
  }
  return results;
}

} // namespace

Result<Literals> evaluate_reduction(OpContext &context) {
  const Dims &reduced = context.attributes<ops::ReduceAttributes>().dimensions;
  size_t inputs = context.operands.size() / 2;
  for (size_t i = inputs; i < 2 * inputs; ++i)
    if (context.operand(i).type().rank() != 0)
      return failure(FailureKind::Unsupported, "a body that combines tensors");
  int64_t columns = 1;
  for (int64_t dim : reduced)
    columns *= context.operand(0).type().dims[dim];
  int64_t rows = product(context.result().dims);
  Literals gathered;
  for (size_t i = 0; i < inputs; ++i) {
    Result<Literal> part = as_rows(context.operand(i), reduced, rows, columns);
    if (!part)
      return part.error();
    gathered.push_back(std::move(*part));
  }
  if (auto op = simple_reducer(context.node.regions()[0]))
    return fold_simple(*op, gathered[0], context.operand(1), context.result());
  if (rows == 0) {
    Literals results;
    for (const TensorType &type : context.results) {
      Result<Literal> empty = Literal::allocate(type);
      if (!empty)
        return empty.error();
      results.push_back(std::move(*empty));
    }
    return results;
  }
  return fold_general(context, std::move(gathered));
}

} // namespace xlac::host
