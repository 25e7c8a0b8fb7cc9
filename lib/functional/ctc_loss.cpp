// Connectionist temporal classification: the log of the total probability of
// all alignments that yield the target, by Graves' forward recursion in the log
// domain.
#include "losses.h"

#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// Stands for log(0). It is finite, so that differences are not NaN.
constexpr double kNever = -1e30;

struct Sizes {
  int64_t time, batch, classes, labels; ///< labels: the longest target
  bool followed;                        ///< gradients are required
};

Value sum_of_powers(const std::vector<Value> &logs) {
  Value most = logs[0];
  for (const Value &log : logs)
    most = build::binary(OpKind::Maximum, most, log);
  Value total = exp_of(logs[0] - most);
  for (size_t i = 1; i < logs.size(); ++i)
    total = total + exp_of(logs[i] - most);
  return most + log_of(total);
}

/// Shifts `alpha` [N, L] by `steps` to the right; kNever fills the gap.
Value moved(const Value &alpha, int64_t steps) {
  Value never = build::constant(alpha.tensor().element, {}, kNever);
  return build::pad(alpha, never, {0, steps}, {0, -steps}, {0, 0});
}

/// Inserts blanks around the targets [N, S]: [N, 2 S + 1].
Value with_blanks(const Value &targets, int64_t blank, const Sizes &sizes) {
  Value filler =
      build::constant(ElementType::I64, {}, Scalar(static_cast<long>(blank)));
  if (sizes.labels == 0)
    return build::constant(ElementType::I64, {sizes.batch, 1},
                           Scalar(static_cast<long>(blank)));
  return build::pad(targets, filler, {0, 1}, {0, 1}, {0, 1});
}

/// Converts concatenated targets to rows of equal length.
Value as_rows(const Value &targets, const Value &lengths, const Sizes &sizes) {
  if (sizes_of(targets).size() == 2 || sizes.labels == 0)
    return build::reshape(targets, {sizes.batch, sizes.labels});
  Shape square{sizes.batch, sizes.batch};
  Value earlier = build::compare(ComparisonDirection::GT,
                                 build::iota(ElementType::I64, square, 0),
                                 build::iota(ElementType::I64, square, 1));
  Value starts = build::dot_general(build::convert(earlier, ElementType::I64),
                                    lengths, {}, {}, {1}, {0});
  Shape rows{sizes.batch, sizes.labels};
  Value where = build::broadcast_in_dim(starts, rows, {0}) +
                build::iota(ElementType::I64, rows, 1);
  Value flat = build::reshape(where, {count_of(rows)});
  return build::reshape(build::take(targets, flat, 0), rows);
}

/// Selects the labels [N, L] from log probabilities [T, N, C]: [T, N, L].
Value of_labels(const Value &logs, const Value &labels, const Sizes &sizes) {
  Value rows = build::broadcast_in_dim(
      build::iota(ElementType::I64, {sizes.batch}, 0), sizes_of(labels), {0});
  Value where = rows * static_cast<double>(sizes.classes) + labels;
  int64_t length = sizes_of(labels)[1];
  Value flat = build::take(
      build::reshape(logs, {sizes.time, sizes.batch * sizes.classes}),
      build::reshape(where, {sizes.batch * length}), 1);
  return build::reshape(flat, {sizes.time, sizes.batch, length});
}

/// True [N, L] where the label two positions before may be followed directly,
/// without the blank between them: both labels differ and this one is not a
/// blank.
Value skippable(const Value &labels, int64_t blank) {
  Value filler =
      build::constant(ElementType::I64, {}, Scalar(static_cast<long>(blank)));
  Value before = build::pad(labels, filler, {0, 2}, {0, -2}, {0, 0});
  return build::binary(OpKind::And,
                       compared(ComparisonDirection::NE, labels, before),
                       compared(ComparisonDirection::NE, labels,
                                Scalar(static_cast<long>(blank))));
}

/// Returns for each label the log probability [N, L] of all alignments up to it
/// at the last time of its sequence. One loop runs over the times after the
/// first.
Value last_alphas(const Value &emitted, const Value &labels,
                  const Value &input_lengths, int64_t blank,
                  const Sizes &sizes) {
  Shape rows = sizes_of(labels);
  Value never = build::constant(emitted.tensor().element, rows, kNever);
  Value place = build::iota(ElementType::I64, rows, 1);
  Value start = build::reshape(sliced(emitted, 0, 0, 1), rows);
  Value first = build::select(
      compared(ComparisonDirection::LE, place, Scalar(1)), start, never);
  if (sizes.time == 1)
    return first;
  bool skips = rows[1] > 1;
  Value may_skip = skips ? skippable(labels, blank) : Value();
  Value times = build::iota(ElementType::I64, {sizes.time - 1}, 0) + 1.0;
  build::Scanned made = build::scan(
      {sliced(emitted, 0, 1, sizes.time), times}, {first}, false,
      [&](const std::vector<Value> &now, const std::vector<Value> &carried) {
        const Value &alpha = carried[0];
        std::vector<Value> ways{alpha, moved(alpha, 1)};
        if (skips)
          ways.push_back(build::select(may_skip, moved(alpha, 2), never));
        Value next = sum_of_powers(ways) + now[0];
        Value runs = build::compare(
            ComparisonDirection::GT, input_lengths,
            build::broadcast_in_dim(now[1], sizes_of(input_lengths), {}));
        next = build::select(build::broadcast_in_dim(runs, rows, {0}), next,
                             alpha);
        // The backward pass reads these instead of running the loop again.
        build::Scanned step{{next}, {}};
        if (sizes.followed)
          step.outputs.push_back(next);
        return step;
      });
  return made.carried[0];
}

/// Returns -log of the probability of each target, [N]; huge where no alignment
/// exists.
Value negative_log(const Value &logs, const Value &targets,
                   const Value &input_lengths, const Value &target_lengths,
                   int64_t blank, const Sizes &sizes) {
  Value labels =
      with_blanks(as_rows(targets, target_lengths, sizes), blank, sizes);
  Shape rows = sizes_of(labels);
  Value emitted = of_labels(logs, labels, sizes);
  // Differences of -inf would be NaN.
  emitted = build::binary(OpKind::Maximum, emitted, fill_like(emitted, kNever));
  Value alpha = last_alphas(emitted, labels, input_lengths, blank, sizes);
  Value never = fill_like(alpha, kNever);
  Value place = build::iota(ElementType::I64, rows, 1);
  Value last = build::broadcast_in_dim(target_lengths, rows, {0}) * 2.0;
  auto ends_at = [&](const Value &where) {
    return build::select(build::compare(ComparisonDirection::EQ, place, where),
                         alpha, never);
  };
  Value ways = sum_of_powers(
      {max_of(ends_at(last), {1}), max_of(ends_at(last - 1.0), {1})});
  return -ways;
}

void check(const Tensor &log_probs, const Tensor &targets,
           const Tensor &input_lengths, const Tensor &target_lengths,
           int64_t blank) {
  const Shape &sizes = impl_of(log_probs).sizes;
  if (sizes.size() != 2 && sizes.size() != 3)
    raise<ShapeError>("log_probs must have 2 or 3 dimensions, got " +
                      to_text(sizes));
  if (blank < 0 || blank >= sizes.back())
    raise<ValueError>("blank must be in label range");
  int64_t batch = sizes.size() == 3 ? sizes[1] : 1;
  for (const Tensor *lengths : {&input_lengths, &target_lengths})
    if (count_of(impl_of(*lengths).sizes) != batch)
      raise<ShapeError>("lengths must be of batch size " +
                        std::to_string(batch) + ", got " +
                        to_text(impl_of(*lengths).sizes));
  const Shape &t = impl_of(targets).sizes;
  if (t.empty() || t.size() > 2 || (t.size() == 2 && t[0] != batch))
    raise<ShapeError>("targets must be [N, S] or concatenated, got " +
                      to_text(t));
}

} // namespace

Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets,
                const Tensor &input_lengths, const Tensor &target_lengths,
                int64_t blank, std::string_view reduction, bool zero_infinity) {
  XLAC_CALL("ctc_loss");
  check(log_probs, targets, input_lengths, target_lengths, blank);
  Setting setting = setting_of({&log_probs});
  setting.device =
      common_device({&log_probs, &targets, &input_lengths, &target_lengths});
  const Shape &given = impl_of(log_probs).sizes;
  bool batched = given.size() == 3;
  Sizes sizes{given[0], batched ? given[1] : 1, given.back(),
              impl_of(targets).sizes.back(),
              is_recording() && impl_of(log_probs).needs_grad()};
  if (sizes.time == 0)
    raise<ShapeError>("log_probs must not be empty");
  auto whole = [&](const Tensor &tensor) {
    return value_on(tensor, setting.device, kInt64);
  };
  Value logs = build::reshape(setting.of(log_probs),
                              {sizes.time, sizes.batch, sizes.classes});
  Value lengths = build::reshape(whole(target_lengths), {sizes.batch});
  Value loss = negative_log(logs, whole(targets),
                            build::reshape(whole(input_lengths), {sizes.batch}),
                            lengths, blank, sizes);
  Value none = compared(ComparisonDirection::GT, loss, -kNever / 2);
  loss = chosen(none, fill_like(loss, zero_infinity ? 0.0 : INFINITY), loss);
  Reduction kind = parse_reduction(reduction);
  if (kind == Reduction::Mean) {
    Value least =
        build::binary(OpKind::Maximum, lengths, fill_like(lengths, 1));
    loss = loss / build::convert(least, loss.tensor().element);
  }
  if (!batched)
    loss = build::reshape(loss, {});
  return setting.finish(reduced(loss, kind));
}

} // namespace xlac
