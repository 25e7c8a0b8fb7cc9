#include "golden_gradients.h"

#include "xlac/autograd.h"

#include <algorithm>
#include <cmath>

namespace xlac::golden {

namespace {

/// Returns the weights of result `number` as a tensor like it.
Tensor weights_like(const Tensor &result, size_t number) {
  TensorText weights;
  weights.dtype = result.dtype();
  weights.sizes = result.sizes();
  for (size_t i = 0; i < static_cast<size_t>(result.numel()); ++i) {
    weights.reals.push_back(weight_of(number, i));
    if (is_complex(weights.dtype))
      weights.reals.push_back(weights.reals.back() / 2);
  }
  return weights.make(result.device());
}

bool has_gradient(const Tensor &tensor) {
  return tensor.defined() && tensor.requires_grad();
}

/// Returns gradients of the case's operands that have a line in the file.
std::vector<Tensor> gradients_of(const Case &each, Prepared &prepared,
                                 bool create_graph) {
  std::vector<Tensor> inputs, outputs, weights;
  for (const auto &[operand, text] : each.gradients)
    inputs.push_back(prepared.operands.at(operand).requires_grad_());
  dispatch::Results results = evaluate(prepared);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!has_gradient(results[i]))
      continue;
    outputs.push_back(results[i]);
    weights.push_back(weights_like(results[i], i));
  }
  return autograd::grad(outputs, inputs, weights, {}, create_graph, true);
}

/// Returns the real part of the weighted sum of `tensors`, whose gradients are
/// checked.
double total(const std::vector<Tensor> &tensors, size_t salt) {
  double sum = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!has_gradient(tensors[i]))
      continue;
    std::vector<double> x = reals_of(tensors[i].detach()),
                        w = reals_of(weights_like(tensors[i], i + salt));
    for (size_t k = 0; k < x.size(); ++k)
      sum += x[k] * w[k];
  }
  return sum;
}

/// A case for numerical differentiation. Its value is the weighted sum of the
/// results, or for order 2 of the gradients.
struct Differences {
  Case each;
  int order;

  std::vector<Tensor> outputs(Prepared &prepared) const {
    if (order == 2)
      return gradients_of(each, prepared, true);
    for (const auto &[operand, text] : each.gradients)
      prepared.operands.at(operand).requires_grad_();
    return evaluate(prepared);
  }

  double value() const {
    Prepared prepared = prepare(each, Device(kCPU), widened);
    return total(outputs(prepared), salt());
  }
  size_t salt() const { return order == 2 ? 3 : 0; }

  std::vector<Tensor> derivatives() const {
    Prepared prepared = prepare(each, Device(kCPU), widened);
    std::vector<Tensor> all = outputs(prepared), inputs, kept, weights;
    for (const auto &[operand, text] : each.gradients)
      inputs.push_back(prepared.operands.at(operand));
    for (size_t i = 0; i < all.size(); ++i) {
      if (!has_gradient(all[i]))
        continue;
      kept.push_back(all[i]);
      weights.push_back(weights_like(all[i], i + salt()));
    }
    if (kept.empty())
      return std::vector<Tensor>(inputs.size());
    return autograd::grad(kept, inputs, weights, {}, false, true);
  }

  /// Returns the elements of operand `number` in the text of the case.
  std::vector<double> &elements(size_t number) {
    auto within = [&](ArgumentText &text) -> std::vector<double> * {
      if (number < text.tensors.size())
        return &text.tensors[number].reals;
      number -= text.tensors.size();
      return nullptr;
    };
    for (ArgumentText &text : each.positional)
      if (auto *found = within(text))
        return *found;
    for (auto &[key, text] : each.named)
      if (auto *found = within(text))
        return *found;
    throw std::runtime_error(each.place() + ": no such operand");
  }
};

constexpr double kEpsilon = 1e-6, kTolerance = 1e-5;
/// The number of elements of each operand that are varied.
constexpr size_t kMoved = 6;

std::string check_order(const Case &each, int order) {
  Differences differences{each, order};
  std::vector<Tensor> slopes = differences.derivatives();
  double scale = 1;
  std::vector<std::vector<double>> told;
  for (const Tensor &slope : slopes) {
    told.push_back(slope.defined() ? reals_of(slope.detach())
                                   : std::vector<double>());
    for (double x : told.back())
      scale = std::max(scale, 1 + std::fabs(x));
  }
  for (size_t k = 0; k < slopes.size(); ++k) {
    const auto &[operand, text] = each.gradients[k];
    if (is_complex(text.dtype))
      continue;
    std::vector<double> &elements = differences.elements(operand);
    for (size_t i = 0; i < std::min(elements.size(), kMoved); ++i) {
      double kept = elements[i];
      elements[i] = kept + kEpsilon;
      double above = differences.value();
      elements[i] = kept - kEpsilon;
      double below = differences.value();
      elements[i] = kept;
      double slope = (above - below) / (2 * kEpsilon);
      double said = told[k].empty() ? 0 : told[k][i];
      if (!(std::fabs(slope - said) <= kTolerance * scale))
        return "derivative " + std::to_string(order) + " of operand " +
               std::to_string(operand) + ", element " + std::to_string(i) +
               " is " + std::to_string(said) + ", differences give " +
               std::to_string(slope);
    }
  }
  return "";
}

} // namespace

/// PyTorch rounds half floats after each step of a backward pass, and so does
/// xlac, but not after the same steps. In f64 some of PyTorch's derivatives use
/// f32 constants or constants with as many digits; these are checked by
/// differences as well.
static double tolerance_of(Dtype dtype) {
  switch (dtype) {
  case kFloat16:
    return 8e-3;
  case kBFloat16:
    return 6.4e-2;
  case kFloat64:
  case kComplex128:
    return 1e-7;
  default:
    return 1e-5;
  }
}

/// The gradient of an f64 number in an f32 computation is only as accurate as
/// f32.
static double tolerance_of(const Case &each, const TensorText &expected) {
  double tolerance = tolerance_of(expected.dtype);
  for (const TensorText &result : each.results)
    if (!result.reals.empty())
      tolerance = std::max(tolerance, tolerance_of(result.dtype));
  return each.tolerance ? each.tolerance : tolerance;
}

GradientRun::GradientRun(const Case &each, Device device)
    : case_(each), device_(device) {
  try {
    Prepared prepared = prepare(case_, device_);
    gradients_ = gradients_of(case_, prepared, false);
  } catch (const std::exception &error) {
    complain(error.what());
  }
}

void GradientRun::complain(const std::string &what) {
  complaints_.push_back(case_.place() + " on " + device_.str() +
                        ", gradient: " + what);
}

std::vector<std::string> GradientRun::check() {
  for (size_t i = 0; i < gradients_.size(); ++i) {
    const auto &[operand, expected] = case_.gradients[i];
    std::string text;
    if (gradients_[i].defined())
      text = difference(gradients_[i], expected, tolerance_of(case_, expected));
    else if (std::any_of(expected.reals.begin(), expected.reals.end(),
                         [](double x) { return x != 0; }))
      text = "is undefined";
    if (!text.empty())
      complain("of operand " + std::to_string(operand) + ": " + text);
  }
  return complaints_;
}

std::vector<std::string> check_differences(const Case &each) {
  std::vector<std::string> complaints;
  for (int order = 1; order <= each.smooth && complaints.empty(); ++order) {
    std::string text;
    try {
      text = check_order(each, order);
    } catch (const std::exception &error) {
      text = error.what();
    }
    if (!text.empty())
      complaints.push_back(each.place() + ": " + text);
  }
  return complaints;
}

} // namespace xlac::golden
