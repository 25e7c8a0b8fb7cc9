#include "xlac/control_flow.h"

#include "formulas.h"
#include "tensor_lists.h"

#include <algorithm>

namespace xlac {

using namespace front;

namespace {

/// True if gradients must flow to one of the tensors.
bool follows(const std::vector<Tensor> &tensors) {
  return is_recording() &&
         std::any_of(tensors.begin(), tensors.end(), [](const Tensor &tensor) {
           return impl_of(tensor).wants_grad();
         });
}

/// Tensors that stand for the arguments of a body while it is traced.
std::vector<Tensor> standing_for(const std::vector<Value> &values,
                                 const std::vector<Dtype> &dtypes,
                                 Device device) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < values.size(); ++i)
    tensors.push_back(TensorAccess::wrap(
        std::make_shared<TensorImpl>(lazy::Storage::make(device, values[i]),
                                     dtypes[i], sizes_of(values[i]))));
  return tensors;
}

/// ShapeError or DtypeError unless `results` look like `wanted`.
void require_alike(const std::vector<Tensor> &results,
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

/// ValueError unless `tensor` is one boolean.
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
  auto branch = [&](const TensorFunction &fn, bool compares) {
    return [&, compares](const std::vector<Value> &arguments) {
      Unrecorded unrecorded;
      std::vector<Tensor> made = fn(standing_for(arguments, dtypes, device));
      if (compares)
        require_alike(made, first, "false_fn");
      else
        first = made;
      return values_on(made, device);
    };
  };
  std::vector<Value> made = build::if_else(
      chosen, values, branch(true_fn, false), branch(false_fn, true));
  return finish_all(std::move(made), device, dtypes_of(first));
}

std::vector<Tensor>
while_loop(const std::function<Tensor(const std::vector<Tensor> &)> &cond_fn,
           const TensorFunction &body_fn,
           const std::vector<Tensor> &carried_inputs) {
  XLAC_CALL("while_loop");
  Device device = common_device(carried_inputs);
  std::vector<Dtype> dtypes = dtypes_of(carried_inputs);
  // A loop of unknown length keeps nothing to go back by: where gradients are
  // wanted, each step is recorded as it is taken.
  if (device.type == kCPU || follows(carried_inputs)) {
    std::vector<Tensor> carried = carried_inputs;
    while (true) {
      Tensor goes_on = cond_fn(carried);
      require_predicate(goes_on);
      if (!static_cast<bool>(goes_on))
        return carried;
      carried = body_fn(carried);
      require_alike(carried, carried_inputs, "body_fn");
    }
  }
  Unrecorded unrecorded;
  std::vector<Value> made = build::while_loop(
      values_on(carried_inputs, device),
      [&](const std::vector<Value> &seen) {
        Tensor goes_on = cond_fn(standing_for(seen, dtypes, device));
        require_predicate(goes_on);
        return build::reshape(value_on(goes_on, device), {});
      },
      [&](const std::vector<Value> &carried) {
        std::vector<Tensor> next =
            body_fn(standing_for(carried, dtypes, device));
        require_alike(next, carried_inputs, "body_fn");
        return values_on(next, device);
      });
  return finish_all(std::move(made), device, dtypes);
}

std::vector<Tensor>
fori_loop(int64_t lower, int64_t upper,
          const std::function<std::vector<Tensor>(
              const Tensor &, const std::vector<Tensor> &)> &body_fn,
          const std::vector<Tensor> &init) {
  XLAC_CALL("fori_loop");
  Device device = common_device(init);
  TensorOptions whole = TensorOptions(device).dtype(kInt64);
  if (device.type == kCPU || follows(init)) {
    std::vector<Tensor> carried = init;
    for (int64_t i = lower; i < upper; ++i) {
      carried = body_fn(full({}, static_cast<long>(i), whole), carried);
      require_alike(carried, init, "body_fn");
    }
    return carried;
  }
  std::vector<Tensor> counted = init;
  counted.push_back(full({}, static_cast<long>(lower), whole));
  std::vector<Tensor> made = while_loop(
      [&](const std::vector<Tensor> &carried) {
        return lt(carried.back(), static_cast<long>(upper));
      },
      [&](const std::vector<Tensor> &carried) {
        std::vector<Tensor> before(carried.begin(), carried.end() - 1);
        std::vector<Tensor> next = body_fn(carried.back(), before);
        next.push_back(carried.back() + 1);
        return next;
      },
      counted);
  made.pop_back();
  return made;
}

namespace {

using ScanFunction = std::function<ScanStep(const std::vector<Tensor> &,
                                            const std::vector<Tensor> &)>;

/// The steps one by one.
ScanStep scan_on_host(const ScanFunction &fn, const std::vector<Tensor> &init,
                      const std::vector<Tensor> &xs, int64_t count) {
  std::vector<Tensor> carried = init;
  std::vector<std::vector<Tensor>> outputs;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Tensor> row;
    for (const Tensor &x : xs)
      row.push_back(x.select(0, i));
    auto [next, made] = fn(carried, row);
    require_alike(next, init, "fn");
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

/// A body that is traced once, and what it fetched from outside.
class TracedStep {
public:
  TracedStep(const ScanFunction &fn, const std::vector<Tensor> &init,
             const std::vector<Tensor> &xs, Device device)
      : dtypes(dtypes_of(init)), fn_(fn), init_(init), xs_(xs),
        device_(device) {}

  build::Scanned operator()(const std::vector<Value> &rows,
                            const std::vector<Value> &carried) {
    build::Scanned step = trace(rows, carried);
    made = step.outputs.size();
    bool followed = follows(init_) || follows(xs_) ||
                    (is_recording() && any_requires_grad(fetched));
    // Gradients find these instead of running the loop again.
    if (followed)
      for (const Value &next : step.carried)
        if (std::find(carried.begin(), carried.end(), next) == carried.end())
          step.outputs.push_back(next);
    return step;
  }

  std::vector<Dtype> dtypes; ///< of carried tensors and outputs
  size_t made = 0;           ///< outputs that the function gave
  std::vector<Operand> fetched;

private:
  build::Scanned trace(const std::vector<Value> &rows,
                       const std::vector<Value> &carried) {
    Unrecorded unrecorded;
    auto [next, outputs] = fn_(standing_for(carried, dtypes_of(init_), device_),
                               standing_for(rows, dtypes_of(xs_), device_));
    require_alike(next, init_, "fn");
    for (Dtype dtype : dtypes_of(outputs))
      dtypes.push_back(dtype);
    build::Scanned step{values_on(next, device_), values_on(outputs, device_)};
    fetched = unrecorded.fetched();
    return step;
  }

  const ScanFunction &fn_;
  const std::vector<Tensor> &init_, &xs_;
  Device device_;
};

/// One loop of the program. Gradients flow to what `fn` uses from outside too.
ScanStep scan_in_program(const ScanFunction &fn,
                         const std::vector<Tensor> &init,
                         const std::vector<Tensor> &xs, Device device) {
  TracedStep step(fn, init, xs, device);
  build::Scanned made = build::scan(
      values_on(xs, device), values_on(init, device), false, std::ref(step));
  for (const Operand &operand : step.fetched)
    if (operand.tensor->wants_grad())
      note_operand(operand.tensor, operand.value);
  std::vector<Value> values = made.carried;
  values.insert(values.end(), made.outputs.begin(),
                made.outputs.begin() + static_cast<long>(step.made));
  std::vector<Tensor> all = finish_all(values, device, step.dtypes);
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
  // After a step of width w each element combines the 2 w elements up to it.
  std::vector<Tensor> now = xs;
  for (int64_t width = 1; width < count; width *= 2) {
    std::vector<Tensor> low = part(now, 0, count - width);
    std::vector<Tensor> high = part(now, width, count - width);
    std::vector<Tensor> kept = part(now, reverse ? count - width : 0, width);
    std::vector<Tensor> joined =
        reverse ? combine_fn(high, low) : combine_fn(low, high);
    require_alike(joined, low, "combine_fn");
    for (size_t i = 0; i < now.size(); ++i)
      now[i] = cat(reverse ? std::vector<Tensor>{joined[i], kept[i]}
                           : std::vector<Tensor>{kept[i], joined[i]},
                   along);
  }
  return now;
}

} // namespace xlac
