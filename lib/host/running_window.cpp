// Windows that grow by one element from result to result, such as those of
// cumulative sums. Each of log2(n) steps combines every element with the one 1,
// 2, 4, … positions before it (Hillis and Steele, "Data parallel algorithms",
// 1986), so rounding errors grow with the logarithm of n.
#include "scalar_math.h"
#include "window.h"

#include <algorithm>
#include <cstring>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

namespace {

/// Shorter windows are computed like others.
constexpr int64_t kShortest = 16;

/// The elements as [outer, length, inner], of which `length` is scanned.
struct Run {
  int64_t outer = 1, length = 1, inner = 1;
  bool reverse = false;
};

std::optional<Run> run_of(const Window &window, const Dims &outputs) {
  auto ones = [](const Dims &values) {
    return std::all_of(values.begin(), values.end(),
                       [](int64_t value) { return value == 1; });
  };
  if (outputs != window.input || !ones(window.strides) ||
      !ones(window.base_dilation) || !ones(window.window_dilation))
    return std::nullopt;
  Run run;
  bool found = false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    int64_t size = window.sizes[i];
    if (size == 1 && window.low[i] == 0) {
      (found ? run.inner : run.outer) *= outputs[i];
      continue;
    }
    bool forward = window.low[i] == size - 1, backward = window.low[i] == 0;
    if (found || size != outputs[i] || size < kShortest ||
        (!forward && !backward))
      return std::nullopt;
    found = true;
    run.length = size;
    run.reverse = backward;
  }
  return found ? std::optional(run) : std::nullopt;
}

/// Calls visit(left, right, target, count) for stretches of elements: each
/// element of `right` is `step` positions after that of `left`, and `target` is
/// the one whose window grows.
template <class Visit>
void for_stretches(const Run &run, int64_t step, Visit visit) {
  int64_t row = run.length * run.inner, distance = step * run.inner;
  for (int64_t outer = 0; outer < run.outer; ++outer) {
    int64_t left = outer * row, right = left + distance;
    visit(left, right, run.reverse ? left : right, row - distance);
  }
}

template <class Wide, class F>
std::optional<Result<Literals>> scan_simple(OpContext &context, const Run &run,
                                            F f) {
  Wide start;
  load(context.operand(1), 0, 1, &start);
  Wide twice = f(start, start);
  // Padding must not change the result.
  if (std::memcmp(&twice, &start, sizeof start) != 0)
    return std::nullopt;
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return Result<Literals>(to.error());
  std::vector<Wide> now(to->count());
  load(context.operand(0), 0, to->count(), now.data());
  for (int64_t step = 1; step < run.length; step *= 2) {
    std::vector<Wide> before = now;
    for_stretches(
        run, step,
        [&](int64_t left, int64_t right, int64_t target, int64_t count) {
          for (int64_t i = 0; i < count; ++i)
            now[target + i] = f(before[left + i], before[right + i]);
        });
  }
  for (Wide &value : now)
    value = f(start, value);
  store(*to, 0, to->count(), now.data());
  return Result<Literals>(Literals{std::move(*to)});
}

std::optional<Result<Literals>> scan_simple(OpContext &context, const Run &run,
                                            OpKind op) {
  ElementType type = context.result().element;
  if (is_complex(type))
    return scan_simple<Complex>(context, run, complex_binary(op));
  if (is_float(type))
    return scan_simple<double>(context, run, float_binary(op));
  IntegerBinary f = integer_binary(op, type);
  return scan_simple<int64_t>(
      context, run, [f](int64_t x, int64_t y) { return f(x, y, 64); });
}

/// One operand of all pairs of elements that a step combines.
Result<Literal> side_of(const Literal &from, const Run &run, int64_t step,
                        bool right) {
  int64_t pairs = run.outer * (run.length - step) * run.inner;
  Result<Literal> to =
      Literal::allocate({from.type().element, {pairs}, {}, {}});
  if (!to)
    return to;
  size_t size = byte_size(from.type().element);
  std::byte *target = to->mutable_data();
  for_stretches(
      run, step, [&](int64_t first, int64_t second, int64_t, int64_t count) {
        std::memcpy(target, from.data() + (right ? second : first) * size,
                    count * size);
        target += count * size;
      });
  return to;
}

/// Replaces the elements whose windows grow by what the pairs combine to.
Result<Literal> with_combined(const Literal &before, const Literal &combined,
                              const Run &run, int64_t step) {
  Result<Literal> to = Literal::allocate(before.type());
  if (!to)
    return to;
  size_t size = byte_size(before.type().element);
  std::memcpy(to->mutable_data(), before.data(), before.count() * size);
  const std::byte *source = combined.data();
  for_stretches(run, step, [&](int64_t, int64_t, int64_t place, int64_t count) {
    std::byte *target = to->mutable_data() + place * size;
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(target + i * size, source, size);
      if (combined.count() > 1)
        source += size;
    }
  });
  return to;
}

/// Whether the region maps two copies of the initial values to themselves.
Result<bool> keeps_inits(OpContext &context) {
  Literals inits(context.operands.begin() + context.operands.size() / 2,
                 context.operands.end());
  Literals both = inits;
  both.insert(both.end(), inits.begin(), inits.end());
  Result<Literals> made =
      context.regions.run_lifted(context.node.regions()[0], both, 1);
  if (!made)
    return made.error();
  for (size_t i = 0; i < inits.size(); ++i)
    if (std::memcmp((*made)[i].data(), inits[i].data(),
                    byte_size(inits[i].type().element)) != 0)
      return false;
  return true;
}

Result<Literals> scan_general(OpContext &context, const Run &run) {
  const graph::Block &body = context.node.regions()[0];
  size_t inputs = context.operands.size() / 2;
  Literals values(context.operands.begin(), context.operands.begin() + inputs);
  for (int64_t step = 1; step < run.length; step *= 2) {
    Literals arguments;
    for (bool right : {false, true})
      for (const Literal &value : values) {
        Result<Literal> side = side_of(value, run, step, right);
        if (!side)
          return side.error();
        arguments.push_back(std::move(*side));
      }
    int64_t pairs = arguments[0].count();
    Result<Literals> combined =
        context.regions.run_lifted(body, arguments, pairs);
    if (!combined)
      return combined;
    for (size_t i = 0; i < inputs; ++i) {
      Result<Literal> next =
          with_combined(values[i], (*combined)[i], run, step);
      if (!next)
        return next.error();
      values[i] = std::move(*next);
    }
  }
  return values;
}

} // namespace

std::optional<Result<Literals>> scan_windows(OpContext &context,
                                             const Window &window) {
  std::optional<Run> run = run_of(window, context.result().dims);
  if (!run || context.operand(0).count() == 0)
    return std::nullopt;
  size_t inputs = context.operands.size() / 2;
  for (size_t i = 0; i < inputs; ++i)
    if (context.operand(i).type().element != context.results[i].element ||
        context.operand(inputs + i).type().element !=
            context.results[i].element)
      return std::nullopt;
  if (auto op = simple_reducer(context.node.regions()[0]))
    return scan_simple(context, *run, *op);
  Result<bool> keeps = keeps_inits(context);
  if (!keeps)
    return Result<Literals>(keeps.error());
  if (!*keeps)
    return std::nullopt;
  return scan_general(context, *run);
}

} // namespace xlac::host
