// L-BFGS: a quasi-Newton method that needs the loss and its gradient several
// times a step.
#pragma once

#include "xlac/optim/optimizer.h"

namespace xlac::optim {

struct LBFGSOptions {
  double lr = 1;
  int64_t max_iter = 20;                ///< of a step
  std::optional<int64_t> max_eval = {}; ///< of a step; max_iter * 5 / 4 if none
  double tolerance_grad = 1e-7;
  double tolerance_change = 1e-9;
  int64_t history_size = 100;
  std::optional<std::string> line_search_fn = {}; ///< none or "strong_wolfe"
};
/// One group only. Its numbers live on the host, so that each step waits for
/// the device; "old_dirs" and "old_stps" of state dicts are history_size
/// tensors of all parameters each at most.
class XLAC_API LBFGS : public Optimizer {
public:
  /// ValueError for lr below 0, another line search, or several groups.
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions options = {});
  explicit LBFGS(std::vector<ParamGroup> groups, LBFGSOptions defaults = {});
  /// The loss before the step; ValueError without a closure, which must clear
  /// the gradients and compute them again.
  std::optional<Tensor> step(StepArgs args = {}) override;

protected:
  Value::Dict write_states() const override;
  void read_states(const Value::Dict &states) override;

private:
  /// The loss and its gradient somewhere, computed in one program.
  struct Point;
  /// What the next iteration knows of those before.
  struct Memory {
    int64_t func_evals = 0, n_iter = 0;
    Tensor direction;                     ///< "d"
    double length = 0;                    ///< "t"
    std::vector<Tensor> changes, moves;   ///< "old_dirs", "old_stps"
    std::vector<double> inverse_products; ///< "ro"
    double scale = 1;                     ///< "H_diag"
    Tensor gradient;                      ///< "prev_flat_grad"
    double loss = 0;                      ///< "prev_loss"
  };

  Point evaluate_here(const StepArgs &args, const Tensor &along);
  Point evaluate_at(const StepArgs &args, const std::vector<Tensor> &from,
                    double length);
  /// A better point along the direction; the parameters stay where they are.
  Point search(const StepArgs &args, Point start);
  /// All gradients in a row, zeros where there is none.
  Tensor flat_gradient() const;
  /// All parameters by `length` times the direction.
  void move(double length);
  /// Takes the last move and what it did to the gradient into the history.
  void remember(const Tensor &gradient);
  Tensor newton_direction(const Tensor &gradient) const;
  /// Sets the direction and the first length to try; gives the slope.
  double choose_direction(const Point &here);

  Memory memory_;
};

} // namespace xlac::optim
