// L-BFGS: a quasi-Newton method that evaluates the loss and its gradient
// several times per step.
#pragma once

#include "xlac/optim/optimizer.h"

#include <concepts>

namespace xlac::optim {

/// Options of LBFGS.
struct LBFGSOptions {
  double lr = 1;                        ///< learning rate
  int64_t max_iter = 20;                ///< per step
  std::optional<int64_t> max_eval = {}; ///< per step; default: max_iter * 5 / 4
  /// Ends if no element of the gradient is larger.
  double tolerance_grad = 1e-7;
  /// Ends if steps or changes of the loss are smaller.
  double tolerance_change = 1e-9;
  int64_t history_size = 100;                     ///< differences that are kept
  std::optional<std::string> line_search_fn = {}; ///< none or "strong_wolfe"
};
/// Supports one group. Scalars of the algorithm are on the host, so each step
/// waits for the device. In state dicts "old_dirs" and "old_stps" are lists of
/// at most history_size tensors, each as large as all parameters together.
class XLAC_API LBFGS : public Optimizer {
public:
  /// Throws ValueError for lr below 0, an unknown line search, or several
  /// groups.
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  LBFGS(std::vector<Tensor> params, Rate lr)
      : LBFGS(std::move(params), LBFGSOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit LBFGS(std::vector<ParamGroup> groups, LBFGSOptions defaults = {});
  /// Returns the loss before the step. The closure must clear the gradients and
  /// compute them again; without a closure this throws ValueError.
  std::optional<Tensor> step(StepArgs args = {}) override;

protected:
  Value::Dict write_states() const override;
  void read_states(const Value::Dict &states) override;

private:
  /// The loss and its gradient at a point, computed in one program.
  struct Point;
  /// State that one iteration leaves for the next.
  struct Memory {
    /// Evaluations and iterations of all steps.
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
  /// Returns a better point along the direction, without moving the parameters.
  Point search(const StepArgs &args, Point start);
  /// Concatenates all gradients, with zeros for undefined ones.
  Tensor flat_gradient() const;
  /// Moves all parameters by `length` times the direction.
  void move(double length);
  /// Adds the last move and the change of the gradient to the history.
  void remember(const Tensor &gradient);
  Tensor newton_direction(const Tensor &gradient) const;
  /// Sets the direction and the first length to try. Returns the slope.
  double choose_direction(const Point &here);

  Memory memory_;
};

} // namespace xlac::optim
