#include "xlac/control_flow.h"

#include "tensor_lists.h"

#include "xlac/lazy/random.h"
#include "xlac/lazy/session.h"
#include "xlac/tensor/constant_numbers.h"
#include "xlac/tensor/formulas.h"
#include "xlac/tensor/traced_body.h"

#include <algorithm>
#include <optional>

namespace xlac {

using namespace frontend;

namespace {

/// True if a gradient of one of the tensors is required.
bool follows(const std::vector<Tensor> &tensors) {
  return is_recording() &&
         std::any_of(tensors.begin(), tensors.end(), [](const Tensor &tensor) {
           return impl_of(tensor).needs_grad();
         });
}

/// Throws ValueError for a different number of results, and ShapeError unless
/// `results` have the shapes and dtypes of `wanted`.
void require_same_types(const std::vector<Tensor> &results,
                        const std::vector<Tensor> &wanted, const char *what) {
  if (results.size() != wanted.size())
    raise<ValueError>(std::string(what) + " gave " +
                      std::to_string(results.size()) + " tensors, wanted " +
                      std::to_string(wanted.size()));
  for (size_t i = 0; i < results.size(); ++i)
    if (impl_of(results[i]).sizes != impl_of(wanted[i]).sizes ||
        impl_of(results[i]).dtype != impl_of(wanted[i]).dtype)
      raise<ShapeError>(std::string(what) + " gave " + describe(results[i]) +
                        " where " + describe(wanted[i]) + " was wanted");
}

/// Ends a call that traced `body` into the node that computes `values`. Returns
/// tensors of the values; each requires a gradient as `made` says for the
/// body's result.
std::vector<Tensor> finish_body(TracedBody &body, std::vector<Value> values,
                                Device device, const std::vector<Dtype> &dtypes,
                                const std::vector<bool> &made) {
  if (!values.empty())
    body.note_captured(*values[0].node);
  std::vector<Tensor> results = finish_all(std::move(values), device, dtypes);
  if (recorder())
    recorder()->ignore_later_writes(results);
  for (size_t i = 0; i < results.size(); ++i)
    if (!made[i] && impl_of(results[i]).requires_grad)
      results[i] = TensorAccess::wrap(
          impl_of(results[i]).detached(/*own_version=*/true));
  return results;
}

/// For each result of a body, whether it requires a gradient.
std::vector<bool> followed_among(const std::vector<Tensor> &results) {
  std::vector<bool> followed;
  for (const Tensor &result : results)
    followed.push_back(impl_of(result).needs_grad());
  return followed;
}

/// Throws ValueError unless `tensor` is one boolean.
void require_predicate(const Tensor &tensor) {
  if (impl_of(tensor).dtype != kBool || count_of(impl_of(tensor).sizes) != 1)
    raise<ValueError>("expected one boolean to decide, got " +
                      describe(tensor));
}

} // namespace

std::vector<Tensor> cond(const Tensor &pred, const TensorFunction &true_fn,
                         const TensorFunction &false_fn,
                         const std::vector<Tensor> &operands) {
  XLAC_CALL("cond");
  require_predicate(pred);
  std::vector<Tensor> all = operands;
  all.push_back(pred);
  Device device = common_device(all);
  if (device.type == kCPU)
    return static_cast<bool>(pred) ? true_fn(operands) : false_fn(operands);
  Value chosen = build::reshape(value_on(pred, device), {});
  std::vector<Value> values = values_on(operands, device);
  std::vector<Dtype> dtypes = dtypes_of(operands);
  std::vector<Tensor> first;
  std::vector<bool> followed;
  TracedBody body;
  auto branch = [&](const TensorFunction &fn, bool compares) {
    return [&, compares](const std::vector<Value> &arguments) {
      TracedBody::Region region(body);
      std::vector<Tensor> made = fn(
          body.arguments(arguments, dtypes, device, followed_among(operands)));
      if (compares)
        require_same_types(made, first, "false_fn");
      else
        first = made;
      std::vector<bool> these = followed_among(made);
      followed.resize(these.size());
      for (size_t i = 0; i < these.size(); ++i)
        followed[i] = followed[i] || these[i];
      return values_on(made, device);
    };
  };
  std::vector<Value> made = build::if_else(
      chosen, values, branch(true_fn, false), branch(false_fn, true));
  return finish_body(body, std::move(made), device, dtypes_of(first), followed);
}

namespace {

using Condition = std::function<Tensor(const std::vector<Tensor> &)>;

/// Runs the iterations one by one.
std::vector<Tensor> loop_on_host(const Condition &cond_fn,
                                 const TensorFunction &body_fn,
                                 const std::vector<Tensor> &carried_inputs) {
  std::vector<Tensor> carried = carried_inputs;
  while (true) {
    Tensor continues = cond_fn(carried);
    require_predicate(continues);
    if (!static_cast<bool>(continues))
      return carried;
    carried = body_fn(carried);
    require_same_types(carried, carried_inputs, "body_fn");
  }
}

/// Traces the loop into one op of the program. With `unless_captured` returns
/// nothing if the loop captures a tensor that requires a gradient.
std::optional<std::vector<Tensor>>
loop_in_program(const Condition &cond_fn, const TensorFunction &body_fn,
                const std::vector<Tensor> &carried_inputs, Device device,
                bool unless_captured) {
  std::vector<Dtype> dtypes = dtypes_of(carried_inputs);
  // A result of an iteration may require a gradient although the initial value
  // does not.
  std::vector<bool> followed, all(dtypes.size(), true);
  TracedBody body;
  std::vector<Value> made = build::while_loop(
      values_on(carried_inputs, device),
      [&](const std::vector<Value> &seen) {
        TracedBody::Region region(body);
        Tensor continues = cond_fn(body.arguments(seen, dtypes, device, all));
        require_predicate(continues);
        return build::reshape(value_on(continues, device), {});
      },
      [&](const std::vector<Value> &carried) {
        TracedBody::Region region(body);
        std::vector<Tensor> next =
            body_fn(body.arguments(carried, dtypes, device, all));
        require_same_types(next, carried_inputs, "body_fn");
        followed = body.followed_results(next, carried,
                                         followed_among(carried_inputs));
        return values_on(next, device);
      });
  if (unless_captured && !made.empty() && body.captures_followed(*made[0].node))
    return std::nullopt;
  return finish_body(body, std::move(made), device, dtypes, followed);
}

/// Whether a loop with an unknown trip count must be unrolled: a loop op saves
/// nothing for its backward pass.
bool must_unroll(const std::vector<Tensor> &carried) {
  return follows(carried) && !TracedBody::innermost();
}

} // namespace

std::vector<Tensor>
while_loop(const std::function<Tensor(const std::vector<Tensor> &)> &cond_fn,
           const TensorFunction &body_fn,
           const std::vector<Tensor> &carried_inputs) {
  XLAC_CALL("while_loop");
  Device device = common_device(carried_inputs);
  // A loop op of unknown trip count saves nothing for its backward pass. So
  // where gradients are required, each iteration is recorded as it runs.
  if (device.type == kCPU || must_unroll(carried_inputs))
    return loop_on_host(cond_fn, body_fn, carried_inputs);
  uint64_t drawn = lazy::rng_state(device);
  auto made = loop_in_program(cond_fn, body_fn, carried_inputs, device,
                              !TracedBody::innermost());
  if (made)
    return std::move(*made);
  lazy::set_rng_state(device, drawn);
  return loop_on_host(cond_fn, body_fn, carried_inputs);
}

std::vector<Tensor>
fori_loop(int64_t lower, int64_t upper,
          const std::function<std::vector<Tensor>(
              const Tensor &, const std::vector<Tensor> &)> &body_fn,
          const std::vector<Tensor> &init) {
  XLAC_CALL("fori_loop");
  Device device = common_device(init);
  TensorOptions whole = TensorOptions(device).dtype(kInt64);
  if (device.type == kCPU || must_unroll(init)) {
    std::vector<Tensor> carried = init;
    for (int64_t i = lower; i < upper; ++i) {
      carried = body_fn(full({}, static_cast<long>(i), whole), carried);
      require_same_types(carried, init, "body_fn");
    }
    return carried;
  }
  // A loop that counts from 0 by 1 to a constant has a gradient.
  auto count = static_cast<long>(std::max<int64_t>(upper - lower, 0));
  std::vector<Tensor> counted;
  {
    // In eager mode too this must be a constant of the graph.
    lazy::RecordingScope lazily{lazy::ScopeOptions()};
    counted.push_back(full({}, 0L, whole));
  }
  counted.insert(counted.end(), init.begin(), init.end());
  auto made = loop_in_program(
      [&](const std::vector<Tensor> &carried) {
        ConstantNumbers constants;
        return lt(carried[0], count);
      },
      [&](const std::vector<Tensor> &carried) {
        std::vector<Tensor> before(carried.begin() + 1, carried.end());
        std::vector<Tensor> next = body_fn(
            lower == 0 ? carried[0] : carried[0] + static_cast<long>(lower),
            before);
        next.insert(next.begin(), carried[0] + 1);
        return next;
      },
      counted, device, false);
  made->erase(made->begin());
  return std::move(*made);
}

namespace {

using ScanFunction = std::function<ScanStep(const std::vector<Tensor> &,
                                            const std::vector<Tensor> &)>;

/// Runs the steps one by one.
ScanStep scan_on_host(const ScanFunction &fn, const std::vector<Tensor> &init,
                      const std::vector<Tensor> &xs, int64_t count) {
  std::vector<Tensor> carried = init;
  std::vector<std::vector<Tensor>> outputs;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Tensor> row;
    for (const Tensor &x : xs)
      row.push_back(x.select(0, i));
    auto [next, made] = fn(carried, row);
    require_same_types(next, init, "fn");
    carried = std::move(next);
    outputs.resize(made.size());
    for (size_t k = 0; k < made.size(); ++k)
      outputs[k].push_back(made[k]);
  }
  ScanStep result{carried, {}};
  for (const std::vector<Tensor> &each : outputs)
    result.second.push_back(stack(each, 0));
  return result;
}

/// The body of a scan, which is traced once.
class TracedStep {
public:
  TracedStep(const ScanFunction &fn, const std::vector<Tensor> &init,
             const std::vector<Tensor> &xs, Device device)
      : dtypes(dtypes_of(init)), fn_(fn), init_(init), xs_(xs),
        device_(device) {}

  build::Scanned operator()(const std::vector<Value> &rows,
                            const std::vector<Value> &carried) {
    TracedBody::Region region(body);
    auto [next, outputs] =
        fn_(body.arguments(carried, dtypes_of(init_), device_,
                           std::vector<bool>(init_.size(), true)),
            body.arguments(rows, dtypes_of(xs_), device_, followed_among(xs_)));
    require_same_types(next, init_, "fn");
    std::vector<Tensor> results = next;
    results.insert(results.end(), outputs.begin(), outputs.end());
    dtypes = dtypes_of(results);
    followed = body.followed_results(results, carried, followed_among(init_));
    build::Scanned step{values_on(next, device_), values_on(outputs, device_)};
    made = step.outputs.size();
    // The backward pass reads these instead of running the loop again.
    if (follows(init_) || follows(xs_) || body.fetched_followed())
      for (const Value &value : step.carried)
        if (std::find(carried.begin(), carried.end(), value) == carried.end())
          step.outputs.push_back(value);
    return step;
  }

  TracedBody body;
  std::vector<Dtype> dtypes; ///< of carried tensors and outputs
  std::vector<bool> followed;
  size_t made = 0; ///< outputs of the user's function

private:
  const ScanFunction &fn_;
  const std::vector<Tensor> &init_, &xs_;
  Device device_;
};

/// Traces the scan into one loop of the program. Captured tensors of `fn` get
/// gradients too.
ScanStep scan_in_program(const ScanFunction &fn,
                         const std::vector<Tensor> &init,
                         const std::vector<Tensor> &xs, Device device) {
  TracedStep step(fn, init, xs, device);
  build::Scanned made = build::scan(
      values_on(xs, device), values_on(init, device), false, std::ref(step));
  std::vector<Value> values = made.carried;
  values.insert(values.end(), made.outputs.begin(),
                made.outputs.begin() + static_cast<long>(step.made));
  std::vector<Tensor> all = finish_body(step.body, std::move(values), device,
                                        step.dtypes, step.followed);
  auto border = all.begin() + static_cast<long>(init.size());
  return {{all.begin(), border}, {border, all.end()}};
}

} // namespace

ScanStep scan(const ScanFunction &fn, const std::vector<Tensor> &init,
              const std::vector<Tensor> &xs) {
  XLAC_CALL("scan");
  if (xs.empty() || impl_of(xs[0]).sizes.empty())
    raise<ShapeError>("there is nothing to scan over");
  int64_t count = impl_of(xs[0]).sizes[0];
  for (const Tensor &x : xs)
    if (impl_of(x).sizes.empty() || impl_of(x).sizes[0] != count)
      raise<ShapeError>("scanned tensors have different lengths: " +
                        describe(xs[0]) + " and " + describe(x));
  if (count == 0)
    raise<ShapeError>("scanned tensors are empty");
  std::vector<Tensor> all = init;
  all.insert(all.end(), xs.begin(), xs.end());
  Device device = common_device(all);
  return device.type == kCPU ? scan_on_host(fn, init, xs, count)
                             : scan_in_program(fn, init, xs, device);
}

std::vector<Tensor> associative_scan(
    const std::function<std::vector<Tensor>(
        const std::vector<Tensor> &, const std::vector<Tensor> &)> &combine_fn,
    const std::vector<Tensor> &xs, int64_t dim, bool reverse) {
  XLAC_CALL("associative_scan");
  if (xs.empty())
    raise<ValueError>("there is nothing to scan over");
  auto rank = static_cast<int64_t>(impl_of(xs[0]).sizes.size());
  int64_t along = wrap_dim(dim, rank);
  int64_t count = rank ? impl_of(xs[0]).sizes[along] : 1;
  for (const Tensor &x : xs)
    if (static_cast<int64_t>(impl_of(x).sizes.size()) <= along ||
        impl_of(x).sizes[along] != count)
      raise<ShapeError>("scanned tensors have different lengths: " +
                        describe(xs[0]) + " and " + describe(x));
  auto part = [&](const std::vector<Tensor> &all, int64_t start,
                  int64_t length) {
    std::vector<Tensor> parts;
    for (const Tensor &each : all)
      parts.push_back(each.narrow(along, start, length));
    return parts;
  };
  // Invariant: after the step of width w each element combines the 2 w elements
  // up to it.
  std::vector<Tensor> now = xs;
  for (int64_t width = 1; width < count; width *= 2) {
    std::vector<Tensor> low = part(now, 0, count - width);
    std::vector<Tensor> high = part(now, width, count - width);
    std::vector<Tensor> kept = part(now, reverse ? count - width : 0, width);
    std::vector<Tensor> joined =
        reverse ? combine_fn(high, low) : combine_fn(low, high);
    require_same_types(joined, low, "combine_fn");
    for (size_t i = 0; i < now.size(); ++i)
      now[i] = cat(reverse ? std::vector<Tensor>{joined[i], kept[i]}
                           : std::vector<Tensor>{kept[i], joined[i]},
                   along);
  }
  return now;
}

} // namespace xlac
