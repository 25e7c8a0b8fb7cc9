// reduce_window and select_and_scatter.
#include "window.h"
#include "op_context.h"
#include "pairwise_tree.h"
#include "scalar_math.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

bool Window::source_index(const Dims &output, const Dims &offset,
                          Dims &source) const {
  for (size_t i = 0; i < output.size(); ++i) {
    int64_t at =
        output[i] * strides[i] + offset[i] * window_dilation[i] - low[i];
    if (at < 0 || at % base_dilation[i] != 0)
      return false;
    source[i] = at / base_dilation[i];
    if (source[i] >= input[i])
      return false;
  }
  return true;
}

Dims padding_low(const std::optional<ops::IntElements> &padding, size_t rank) {
  Dims low(rank, 0);
  for (size_t i = 0; padding && i < rank; ++i)
    low[i] = padding->at(static_cast<int64_t>(i), 0);
  return low;
}

namespace {

Window window_of(const ops::ReduceWindowAttributes &attributes,
                 const Dims &input) {
  size_t rank = input.size();
  return {attributes.window_dimensions,
          or_all(attributes.window_strides, rank, 1),
          or_all(attributes.base_dilations, rank, 1),
          or_all(attributes.window_dilations, rank, 1),
          padding_low(attributes.padding, rank),
          input};
}

Window window_of(const ops::SelectAndScatterAttributes &attributes,
                 const Dims &input) {
  size_t rank = input.size();
  return {or_all(attributes.window_dimensions, rank, 1),
          or_all(attributes.window_strides, rank, 1),
          Dims(rank, 1),
          Dims(rank, 1),
          padding_low(attributes.padding, rank),
          input};
}

/// The element of `from` at `offset` of each window, or `init` for padding.
Result<Literal> window_elements(const Literal &from, const Literal &init,
                                const Window &window, const Dims &offset,
                                const Dims &outputs) {
  Result<Literal> to =
      Literal::allocate({from.type().element, {product(outputs)}, {}, {}});
  if (!to || to->count() == 0)
    return to;
  size_t size = byte_size(from.type().element);
  Dims strides = row_major_strides(from.type().dims);
  Dims index(outputs.size(), 0), source(outputs.size(), 0);
  std::byte *target = to->mutable_data();
  do {
    const std::byte *element = init.data();
    if (window.source_index(index, offset, source))
      element = from.data() + offset_of(source, strides) * size;
    std::memcpy(target, element, size);
    target += size;
  } while (next_index(index, outputs));
  return to;
}

/// Reduces window elements in wide form and rounds once at the end.
template <class Wide, class F>
Result<Literals> fold_windows(OpContext &context, const Window &window, F f) {
  const Dims &outputs = context.result().dims;
  int64_t count = product(outputs);
  Wide start;
  load(context.operand(1), 0, 1, &start);
  std::vector<Wide> elements(count);
  auto fold = [&](std::vector<Wide> &left, const std::vector<Wide> &right) {
    for (int64_t i = 0; i < count; ++i)
      left[i] = f(left[i], right[i]);
  };
  PairwiseTree<std::vector<Wide>, decltype(fold)> tree(fold);
  std::vector<Wide> chain;
  int64_t steps = 0;
  Dims offset(window.sizes.size(), 0);
  if (count > 0 && product(window.sizes) > 0) {
    do {
      Result<Literal> part = window_elements(
          context.operand(0), context.operand(1), window, offset, outputs);
      if (!part)
        return part.error();
      load(*part, 0, count, elements.data());
      if (steps == 0)
        chain = elements;
      else
        fold(chain, elements);
      if (++steps == tree.kBlock) {
        tree.push(std::move(chain));
        steps = 0;
      }
    } while (next_index(offset, window.sizes));
  }
  if (steps > 0)
    tree.push(std::move(chain));
  std::vector<Wide> values = tree.fold_after(std::vector<Wide>(count, start));
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  store(*to, 0, count, values.data());
  return Literals{std::move(*to)};
}

Result<Literals> reduce_window_simple(OpContext &context, OpKind op,
                                      const Window &window) {
  ElementType type = context.result().element;
  if (is_complex(type))
    return fold_windows<Complex>(context, window, complex_binary(op));
  if (is_float(type))
    return fold_windows<double>(context, window, float_binary(op));
  IntegerBinary f = integer_binary(op, type);
  return fold_windows<int64_t>(
      context, window, [f](int64_t x, int64_t y) { return f(x, y, 64); });
}

Result<Literals> reduce_window(OpContext &context) {
  Window window = window_of(context.attributes<ops::ReduceWindowAttributes>(),
                            context.operand(0).type().dims);
  if (std::optional<Result<Literals>> scanned = scan_windows(context, window))
    return std::move(*scanned);
  if (auto op = simple_reducer(context.node.regions()[0]))
    return reduce_window_simple(context, *op, window);
  size_t inputs = context.operands.size() / 2;
  const Dims &outputs = context.result().dims;
  int64_t count = product(outputs);
  Literals values;
  for (size_t i = 0; i < inputs; ++i) {
    Result<Literal> start = Literal::allocate(context.results[i]);
    if (!start)
      return start.error();
    size_t size = byte_size(context.results[i].element);
    for (int64_t k = 0; k < count; ++k)
      std::memcpy(start->mutable_data() + k * size,
                  context.operand(inputs + i).data(), size);
    values.push_back(std::move(*start));
  }
  if (count == 0 || product(window.sizes) == 0)
    return values;
  Dims offset(window.sizes.size(), 0);
  do {
    Literals arguments = values;
    for (size_t i = 0; i < inputs; ++i) {
      Result<Literal> part =
          window_elements(context.operand(i), context.operand(inputs + i),
                          window, offset, outputs);
      if (!part)
        return part.error();
      arguments.push_back(std::move(*part));
    }
    Result<Literals> next =
        context.regions.run_lifted(context.node.regions()[0], arguments, count);
    if (!next)
      return next;
    for (size_t i = 0; i < inputs; ++i)
      if ((*next)[i].count() == count)
        values[i] = (*next)[i].with_type(context.results[i]);
  } while (next_index(offset, window.sizes));
  return values;
}

//===- select_and_scatter -------------------------------------------------===//

/// Whether the region selects `a` over `b`, literals of one element.
Result<bool> picks(OpContext &context, const Literal &a, const Literal &b) {
  Result<Literals> picked =
      context.regions.run_lifted(context.node.regions()[0], {a, b}, 1);
  if (!picked)
    return picked.error();
  return as_integer((*picked)[0]) != 0;
}

Result<Literals> select_and_scatter(OpContext &context) {
  const Literal &from = context.operand(0), &source = context.operand(1);
  Window window = window_of(
      context.attributes<ops::SelectAndScatterAttributes>(), from.type().dims);
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  size_t size = byte_size(context.result().element);
  for (int64_t i = 0; i < to->count(); ++i)
    std::memcpy(to->mutable_data() + i * size, context.operand(2).data(), size);
  if (source.count() == 0)
    return Literals{std::move(*to)};
  const Dims &outputs = source.type().dims;
  Dims strides = row_major_strides(from.type().dims);
  Dims index(outputs.size(), 0), at(outputs.size(), 0);
  int64_t number = 0;
  do {
    int64_t selected = -1;
    Dims offset(window.sizes.size(), 0);
    do {
      if (!window.source_index(index, offset, at))
        continue;
      int64_t candidate = offset_of(at, strides);
      if (selected >= 0) {
        Result<bool> keep =
            picks(context, element(from, selected), element(from, candidate));
        if (!keep)
          return keep.error();
        if (*keep)
          continue;
      }
      selected = candidate;
    } while (next_index(offset, window.sizes));
    int64_t current = number++;
    if (selected < 0)
      continue;
    Result<Literals> sum = context.regions.run_lifted(
        context.node.regions()[1],
        {element(*to, selected), element(source, current)}, 1);
    if (!sum)
      return sum;
    std::memcpy(to->mutable_data() + selected * size, (*sum)[0].data(), size);
  } while (next_index(index, outputs));
  return Literals{std::move(*to)};
}

} // namespace

Result<Literals> evaluate_window(OpContext &context) {
  return context.node.op() == OpKind::ReduceWindow
             ? reduce_window(context)
             : select_and_scatter(context);
}

} // namespace xlac::host
