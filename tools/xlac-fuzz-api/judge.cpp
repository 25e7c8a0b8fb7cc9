// Checks of a program's outcome: comparison with another device and with
// differences.
#include "program.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace xlac::fuzz_api {

namespace {

/// Whether a step has rounded to f32, even if its result was dropped.
bool casts_down(const Program &program) {
  return std::any_of(program.steps.begin(), program.steps.end(),
                     [](const Step &step) { return step.op == "to_f32"; });
}

/// Returns the tolerance relative to the greatest number of the tensor. Values
/// of narrow programs are rounded once at most; in the backward pass each step
/// may round.
double tolerance_of(const Program &program, const Outcome &outcome) {
  if (program.kind == Kind::Values)
    return 0;
  constexpr double kRounded = 16;
  double tolerance = casts_down(program) ? 1e-3 : 1e-7;
  auto widen = [&](double least) { tolerance = std::max(tolerance, least); };
  for (const auto &[id, type] : outcome.types) {
    auto is_of = [&](const char *dtype) {
      return type.find(dtype) != std::string::npos;
    };
    if (is_of("bfloat16"))
      widen(kRounded * 0x1p-8);
    else if (is_of("float16"))
      widen(kRounded * 0x1p-11);
    else if (is_of("float32") || is_of("complex64"))
      widen(1e-3);
  }
  return tolerance;
}

double scale_of(const std::vector<double> &numbers) {
  double scale = 1;
  for (double x : numbers)
    if (std::isfinite(x))
      scale = std::max(scale, std::fabs(x));
  return scale;
}

bool agree(double actual, double expected, double allowed) {
  if (actual == expected || std::fabs(actual - expected) <= allowed)
    return true;
  return std::isnan(actual) && std::isnan(expected);
}

/// Compares the numbers of two outcomes. Non-finite expected numbers are
/// skipped, since NaN or infinity depends on the order of evaluation.
std::string compare(const char *what, double tolerance,
                    const std::map<int, std::vector<double>> &actual,
                    const std::map<int, std::vector<double>> &expected) {
  std::set<int> ids;
  for (const auto &[id, numbers] : actual)
    ids.insert(id);
  for (const auto &[id, numbers] : expected)
    ids.insert(id);
  for (int id : ids) {
    std::ostringstream text;
    text.precision(12);
    text << what << "t" << id;
    // A missing gradient is equal to zeros.
    std::vector<double> none;
    auto numbers_of = [&](const std::map<int, std::vector<double>> &map,
                          size_t size) {
      auto found = map.find(id);
      return found == map.end() ? std::vector<double>(size) : found->second;
    };
    size_t size =
        (actual.contains(id) ? actual.at(id) : expected.at(id)).size();
    std::vector<double> a = numbers_of(actual, size),
                        e = numbers_of(expected, size);
    if (a.size() != e.size())
      return text.str() + " has another size";
    double allowed = tolerance * scale_of(e);
    for (size_t i = 0; i < e.size(); ++i)
      if (std::isfinite(e[i]) && !agree(a[i], e[i], allowed)) {
        text << "[" << i << "] is " << a[i] << ", wanted " << e[i];
        return text.str();
      }
  }
  return "";
}

/// Returns the loss, or for order 2 the weighted sum of its gradients. Detached
/// values are replaced by the recorded ones.
double value_of(const Program &program, int order, const RunOptions &options) {
  Pool pool = run(program, {"cpu", Device(kCPU)}, options);
  Tensor loss = loss_of(pool);
  if (!loss.defined())
    return 0;
  if (order == 1)
    return loss.item<double>();
  auto [leaves, ids] = leaves_of(program, pool);
  std::vector<Tensor> grads =
      autograd::grad({loss}, leaves, {}, {}, true, true);
  Pool first;
  for (size_t i = 0; i < grads.size(); ++i)
    if (grads[i].defined())
      first[ids[i]] = grads[i];
  Tensor total = loss_of(first);
  return total.defined() ? total.item<double>() : 0;
}

/// The number of elements of each leaf that are varied.
constexpr size_t kMoved = 4;
constexpr double kStep = 1e-5, kTolerance = 2e-5;

std::string check_order(const Program &program, int order,
                        const std::map<int, std::vector<double>> &told) {
  Frozen frozen;
  RunOptions record;
  record.record = &frozen;
  double middle = value_of(program, order, record);
  RunOptions options;
  options.replay = &frozen;
  for (size_t k = 0; k < program.inputs.size(); ++k) {
    const Input &input = program.inputs[k];
    if (!input.leaf)
      continue;
    auto found = told.find(input.id);
    std::vector<double> slopes = found == told.end()
                                     ? std::vector<double>(input.values.size())
                                     : found->second;
    double scale = scale_of(slopes);
    for (size_t i = 0; i < std::min(kMoved, input.values.size()); ++i) {
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> values = input.values;
        values[i] += side ? kStep : -kStep;
        options.moved = {k, values};
        sides[side] = value_of(program, order, options);
      }
      double left = (middle - sides[0]) / kStep,
             right = (sides[1] - middle) / kStep;
      double slope = (left + right) / 2;
      // Skips kinks, steep curves and jumps, where differences are meaningless.
      if (!(std::fabs(left - right) <= 1e-2 * scale) ||
          std::fabs(slope) * kStep > 1e-3 * scale || !std::isfinite(slopes[i]))
        continue;
      // At a slight kink any slope between the two one-sided ones is accepted.
      double allowed = kTolerance * scale + std::fabs(left - right) / 2;
      if (!(std::fabs(slope - slopes[i]) <= allowed)) {
        std::ostringstream text;
        text.precision(12);
        text << "derivative " << order << " of t" << input.id << "[" << i
             << "] is " << slopes[i] << ", differences give " << slope;
        return text.str();
      }
    }
  }
  return "";
}

} // namespace

std::string difference(const Program &program, const Outcome &actual,
                       const Outcome &expected) {
  if (!expected.error.empty())
    return ""; // rejected on the reference device; this device may accept it
  if (!actual.error.empty())
    return "throws " + actual.error;
  for (const auto &[id, type] : expected.types) {
    auto found = actual.types.find(id);
    if (found == actual.types.end() || found->second != type)
      return "t" + std::to_string(id) + " is " +
             (found == actual.types.end() ? "missing" : found->second) +
             ", wanted " + type;
  }
  double tolerance = tolerance_of(program, expected);
  std::string text = compare("", tolerance, actual.values, expected.values);
  if (text.empty())
    text = compare("gradient of ", tolerance, actual.gradients,
                   expected.gradients);
  if (text.empty())
    text = compare("second gradient of ", tolerance, actual.second,
                   expected.second);
  return text;
}

std::string check_differences(const Program &program, const Outcome &told) {
  for (const Input &input : program.inputs)
    if (input.dtype != kFloat64 && input.dtype != kComplex128)
      return "";
  // Differences of numbers rounded to f32 are meaningless.
  if (casts_down(program))
    return "";
  for (const auto &[id, type] : told.types)
    if (type.find("float32") != std::string::npos ||
        type.find("complex64") != std::string::npos)
      return "";
  std::string text = check_order(program, 1, told.gradients);
  if (text.empty() && program.second)
    text = check_order(program, 2, told.second);
  return text;
}

} // namespace xlac::fuzz_api
