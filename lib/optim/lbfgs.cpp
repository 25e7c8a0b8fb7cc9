// Scalars that decide the next action are on the host. One program computes all
// values of a decision. Each iteration of the two loops over the history runs
// another program, so that a longer history needs no recompilation.
#include "line_search.h"
#include "number.h"
#include "options.h"
#include "update.h"

#include "xlac/optim/lbfgs.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <cmath>

namespace xlac::optim {

static std::vector<OptionDefault> options_of(const LBFGSOptions &o) {
  XLAC_CALL("LBFGS");
  check_not_negative({{"learning rate", o.lr}});
  if (o.line_search_fn && *o.line_search_fn != "strong_wolfe")
    raise<ValueError>("only 'strong_wolfe' is supported");
  return {{"lr", o.lr},
          whole("max_iter", o.max_iter),
          whole("max_eval", o.max_eval.value_or(o.max_iter * 5 / 4)),
          {"tolerance_grad", o.tolerance_grad},
          {"tolerance_change", o.tolerance_change},
          whole("history_size", o.history_size),
          {"line_search_fn", o.line_search_fn ? 1.0 : 0.0,
           OptionDefault::Kind::Choice, "strong_wolfe"}};
}

LBFGS::LBFGS(std::vector<Tensor> params, LBFGSOptions options)
    : LBFGS(one_group(std::move(params)), options) {}
LBFGS::LBFGS(std::vector<ParamGroup> groups, LBFGSOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {
  XLAC_CALL("LBFGS");
  if (param_groups().size() != 1)
    raise<ValueError>("LBFGS doesn't support per-parameter options (parameter "
                      "groups)");
}

//===- Parameters as one vector -------------------------------------------===//

struct LBFGS::Point {
  Tensor loss, gradient;
  double largest = 0; ///< the largest absolute value of the gradient
  Along along;
};

/// Computes the pending tensors of an xla device in one program. They hold data
/// afterwards.
static void compute(const std::vector<Tensor> &tensors) {
  std::vector<Tensor> pending;
  for (const Tensor &tensor : tensors)
    if (tensor.is_xla())
      pending.push_back(tensor);
  if (!pending.empty())
    frontend::computed_values(pending[0].device().index, pending);
}

/// Returns a number as an argument of programs that multiply it with `tensor`.
static Tensor number_like(const Tensor &tensor, double value) {
  return argument(value, tensor.dtype(), tensor.device());
}

Tensor LBFGS::flat_gradient() const {
  std::vector<Tensor> rows;
  for (const Tensor &parameter : param_groups()[0].params) {
    Tensor grad = parameter.grad();
    rows.push_back(
        in_reals(grad.defined() ? grad : zeros_like(parameter)).reshape({-1}));
  }
  return cat(rows);
}

void LBFGS::move(double length) {
  XLAC_CALL("LBFGS.step");
  Tensor step = memory_.direction * number_like(memory_.direction, length);
  int64_t start = 0;
  for (const Tensor &parameter : param_groups()[0].params) {
    Tensor shown = in_reals(parameter);
    shown.copy_(shown +
                step.narrow(0, start, shown.numel()).view(shown.sizes()));
    start += shown.numel();
  }
}

//===- Evaluation ---------------------------------------------------------===//

LBFGS::Point LBFGS::evaluate_here(const StepArgs &args, const Tensor &along) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("LBFGS.step");
  ++memory_.func_evals;
  Point point{.loss = *loss, .gradient = flat_gradient(), .along = {}};
  Tensor largest = point.gradient.abs().max(), slope;
  std::vector<Tensor> wanted = {point.loss, point.gradient, largest};
  if (along.defined())
    wanted.push_back(slope = point.gradient.dot(along));
  // Includes the parameters: pending moves of parameters would be computed
  // again in the next program.
  for (const Tensor &parameter : param_groups()[0].params)
    wanted.push_back(parameter);
  compute(wanted);
  point.largest = largest.item<double>();
  point.along.loss = point.loss.item<double>();
  if (along.defined())
    point.along.slope = slope.item<double>();
  return point;
}

LBFGS::Point LBFGS::evaluate_at(const StepArgs &args,
                                const std::vector<Tensor> &from,
                                double length) {
  move(length);
  Point point = evaluate_here(args, memory_.direction);
  point.along.length = length;
  const std::vector<Tensor> &params = param_groups()[0].params;
  for (size_t i = 0; i < params.size(); ++i)
    Tensor(params[i]).copy_(from[i]);
  return point;
}

LBFGS::Point LBFGS::search(const StepArgs &args, Point start) {
  // Computes the parameters now. Otherwise each trial would recompute all their
  // pending moves.
  compute(param_groups()[0].params);
  std::vector<Tensor> from;
  for (const Tensor &parameter : param_groups()[0].params)
    from.push_back(parameter.detach().clone());
  std::vector<Point> seen = {std::move(start)};
  auto try_length = [&](double length) {
    seen.push_back(evaluate_at(args, from, length));
    return seen.back().along;
  };
  double reach = memory_.direction.abs().max().item<double>();
  Along found = strong_wolfe(
      seen[0].along, memory_.length,
      Options(param_groups()[0])["tolerance_change"] / reach, try_length);
  for (Point &point : seen)
    if (point.along.length == found.length)
      return std::move(point);
  return std::move(seen.back());
}

//===- The direction ------------------------------------------------------===//

void LBFGS::remember(const Tensor &gradient) {
  XLAC_CALL("LBFGS.step");
  Memory &m = memory_;
  Tensor change = gradient - m.gradient;
  Tensor moved = m.direction * number_like(m.direction, m.length);
  Tensor product = change.dot(moved), square = change.dot(change);
  compute({change, moved, product, square});
  auto value = product.item<double>();
  if (!(value > 1e-10))
    return;
  auto limit = static_cast<size_t>(Options(param_groups()[0])["history_size"]);
  if (m.changes.size() == limit && limit > 0) {
    m.changes.erase(m.changes.begin());
    m.moves.erase(m.moves.begin());
    m.inverse_products.erase(m.inverse_products.begin());
  }
  if (limit > 0) {
    m.changes.push_back(change);
    m.moves.push_back(moved);
    m.inverse_products.push_back(1 / value);
  }
  m.scale = value / square.item<double>();
}

Tensor LBFGS::newton_direction(const Tensor &gradient) const {
  XLAC_CALL("LBFGS.step");
  const Memory &m = memory_;
  std::vector<double> parts(m.changes.size());
  Tensor direction = -gradient;
  auto product_with = [&](const Tensor &other) {
    Tensor product = other.dot(direction);
    compute({direction, product});
    return product.item<double>();
  };
  for (size_t i = parts.size(); i-- > 0;) {
    parts[i] = product_with(m.moves[i]) * m.inverse_products[i];
    direction = direction - m.changes[i] * number_like(direction, parts[i]);
  }
  direction = direction * number_like(direction, m.scale);
  for (size_t i = 0; i < parts.size(); ++i) {
    double back = product_with(m.changes[i]) * m.inverse_products[i];
    direction =
        direction + m.moves[i] * number_like(direction, parts[i] - back);
  }
  return direction;
}

double LBFGS::choose_direction(const Point &here) {
  Memory &m = memory_;
  if (++m.n_iter == 1) {
    m.changes.clear();
    m.moves.clear();
    m.inverse_products.clear();
    m.scale = 1;
    m.direction = -here.gradient;
  } else {
    remember(here.gradient);
    m.direction = newton_direction(here.gradient);
  }
  m.gradient = here.gradient;
  m.loss = here.along.loss;
  m.length = Options(param_groups()[0])["lr"];
  if (m.n_iter == 1)
    m.length *= std::min(1.0, 1 / here.gradient.abs().sum().item<double>());
  Tensor slope = here.gradient.dot(m.direction);
  compute({m.direction, slope});
  return slope.item<double>();
}

std::optional<Tensor> LBFGS::step(StepArgs args) {
  if (!args.closure) {
    XLAC_CALL("LBFGS.step");
    raise<ValueError>("a closure is needed that computes the loss and its "
                      "gradients again");
  }
  NoGradGuard guard;
  const Memory &m = memory_;
  Options o(param_groups()[0]);
  const double tolerance = o["tolerance_change"];
  const int64_t evaluations = m.func_evals;
  Point here = evaluate_here(args, {});
  Tensor loss = here.loss;
  if (here.largest <= o["tolerance_grad"])
    return loss;
  for (int64_t left = static_cast<int64_t>(o["max_iter"]); left-- > 0;) {
    here.along = {
        .length = 0, .loss = here.along.loss, .slope = choose_direction(here)};
    if (here.along.slope > -tolerance)
      break;
    if (o.is_on("line_search_fn")) {
      here = search(args, std::move(here));
      memory_.length = here.along.length;
      move(m.length);
    } else {
      move(m.length);
      // The values are not needed after the last iteration.
      if (left > 0)
        here = evaluate_here(args, {});
    }
    if (left == 0 ||
        static_cast<double>(m.func_evals - evaluations) >= o["max_eval"] ||
        here.largest <= o["tolerance_grad"] ||
        std::abs(m.length) * m.direction.abs().max().item<double>() <=
            tolerance ||
        std::abs(here.along.loss - m.loss) < tolerance)
      break;
  }
  return loss;
}

//===- State --------------------------------------------------------------===//

static Value::List to_list(const std::vector<Tensor> &tensors) {
  return {tensors.begin(), tensors.end()};
}

Value::Dict LBFGS::write_states() const {
  const Memory &m = memory_;
  if (m.func_evals == 0)
    return {};
  Value::Dict entries = {{"func_evals", m.func_evals}, {"n_iter", m.n_iter}};
  if (m.n_iter > 0) {
    entries.emplace_back("d", m.direction);
    entries.emplace_back("t", m.length);
    entries.emplace_back("old_dirs", to_list(m.changes));
    entries.emplace_back("old_stps", to_list(m.moves));
    entries.emplace_back("ro", to_value(m.inverse_products));
    entries.emplace_back("H_diag", m.scale);
    entries.emplace_back("prev_flat_grad", m.gradient);
    entries.emplace_back("prev_loss", m.loss);
  }
  return {{0, std::move(entries)}};
}

void LBFGS::read_states(const Value::Dict &states) {
  Memory read;
  if (states.size() > 1 ||
      (states.size() == 1 && states[0].first.to<int64_t>() != 0))
    raise<ValueError>("loaded state dict has state of several parameters");
  Device device = param_groups()[0].params[0].device();
  auto tensor_of = [&](const Value &value) {
    return value.to<Tensor>().detach().clone().to(device);
  };
  if (states.size() == 1) {
    const Value &entries = states[0].second;
    read.func_evals = entries.at("func_evals").to<int64_t>();
    read.n_iter = entries.at("n_iter").to<int64_t>();
    if (read.n_iter > 0) {
      read.direction = tensor_of(entries.at("d"));
      read.length = to_number(entries.at("t"));
      for (const Value &item : entries.at("old_dirs").items())
        read.changes.push_back(tensor_of(item));
      for (const Value &item : entries.at("old_stps").items())
        read.moves.push_back(tensor_of(item));
      for (const Value &item : entries.at("ro").items())
        read.inverse_products.push_back(to_number(item));
      read.scale = to_number(entries.at("H_diag"));
      read.gradient = tensor_of(entries.at("prev_flat_grad"));
      read.loss = to_number(entries.at("prev_loss"));
    }
  }
  memory_ = std::move(read);
}

} // namespace xlac::optim
