#include "golden_run.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace xlac::golden {

using dispatch::Argument;

namespace {

double tolerance_of(Dtype dtype) {
  switch (dtype) {
  case kFloat16:
    return 2e-3;
  case kBFloat16:
    return 1.6e-2;
  case kFloat64:
  case kComplex128:
    return 1e-11;
  default:
    return 1e-5;
  }
}

std::string compare(const std::vector<double> &actual,
                    const std::vector<double> &expected, double tolerance) {
  double largest = 0.1;
  for (double x : expected)
    if (std::isfinite(x))
      largest = std::max(largest, std::fabs(x));
  for (size_t i = 0; i < expected.size(); ++i) {
    double x = actual[i], y = expected[i];
    bool same = x == y || (std::isnan(x) && std::isnan(y)) ||
                std::fabs(x - y) <= tolerance * largest;
    if (!same) {
      std::ostringstream text;
      text.precision(10);
      text << "element " << i << " is " << x << ", wanted " << y;
      return text.str();
    }
  }
  return "";
}

std::string text_of(const Shape &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text.empty() ? "[]" : text + "]";
}

std::string compare_types(const Tensor &actual, Dtype dtype,
                          const Shape &sizes) {
  if (actual.dtype() != dtype)
    return "dtype is " + std::string(name(actual.dtype())) + ", wanted " +
           std::string(name(dtype));
  if (actual.sizes() != sizes)
    return "shape is " + text_of(actual.sizes()) + ", wanted " + text_of(sizes);
  return "";
}

Argument argument_of(const ArgumentText &text, Device device,
                     const Retype &retype, std::vector<Tensor> &operands) {
  std::vector<Tensor> tensors;
  for (const TensorText &each : text.tensors)
    tensors.push_back(each.make(
        device, retype ? std::optional(retype(each.dtype)) : std::nullopt));
  operands.insert(operands.end(), tensors.begin(), tensors.end());
  if (text.is_list)
    return tensors;
  return tensors.empty() ? text.other : Argument(tensors[0]);
}

/// Returns the slots with a copy of operand `place`, for functions that write
/// to it.
dispatch::Slots with_copy(const dispatch::Binding &binding, size_t place,
                          Argument &copy) {
  dispatch::Slots slots = binding.slots;
  copy = std::get<Tensor>(*slots[place]).clone();
  slots[place] = &copy;
  return slots;
}

} // namespace

Dtype widened(Dtype dtype) {
  return is_floating_point(dtype) ? kFloat64
         : is_complex(dtype)      ? kComplex128
                                  : dtype;
}

Prepared prepare(const Case &each, Device device, const Retype &retype) {
  Prepared made;
  made.call.name = each.name;
  made.call.device = device;
  for (const ArgumentText &text : each.positional)
    made.call.positional.push_back(
        argument_of(text, device, retype, made.operands));
  for (const auto &[key, text] : each.named)
    made.call.named.emplace_back(
        key, argument_of(text, device, retype, made.operands));
  return made;
}

std::vector<double> reals_of(const Tensor &tensor) {
  if (!tensor.is_complex())
    return tensor.to_vector<double>();
  std::vector<double> reals;
  for (std::complex<double> x : tensor.to_vector<std::complex<double>>()) {
    reals.push_back(x.real());
    reals.push_back(x.imag());
  }
  return reals;
}

dispatch::Results evaluate(const Prepared &prepared) {
  dispatch::Binding binding = dispatch::bind(prepared.call);
  Argument copy;
  dispatch::Results results = binding.entry->call(
      prepared.call.name.ends_with('_') ? with_copy(binding, 0, copy)
                                        : binding.slots);
  // Python's None is not a result.
  std::erase_if(results, [](const auto &each) { return !each.defined(); });
  return results;
}

std::string difference(const Tensor &actual, const TensorText &expected,
                       double tolerance) {
  std::string text = compare_types(actual, expected.dtype, expected.sizes);
  if (!text.empty())
    return text;
  if (!expected.integers.empty()) {
    std::vector<int64_t> integers = actual.to_vector<int64_t>();
    for (size_t i = 0; i < integers.size(); ++i)
      if (integers[i] != expected.integers[i])
        return "element " + std::to_string(i) + " is " +
               std::to_string(integers[i]) + ", wanted " +
               std::to_string(expected.integers[i]);
    return "";
  }
  return compare(reals_of(actual), expected.reals,
                 tolerance ? tolerance : tolerance_of(expected.dtype));
}

std::string difference(const Tensor &actual, const Tensor &expected,
                       double tolerance) {
  std::string text = compare_types(actual, expected.dtype(), expected.sizes());
  if (!text.empty())
    return text;
  return compare(reals_of(actual), reals_of(expected),
                 tolerance ? tolerance : tolerance_of(expected.dtype()));
}

//===- Errors -------------------------------------------------------------===//

std::string exception_class() {
  try {
    throw;
  } catch (const TypeError &) {
    return "TypeError";
  } catch (const ValueError &) {
    return "ValueError";
  } catch (const IndexError &) {
    return "IndexError";
  } catch (const ShapeError &) {
    return "ShapeError";
  } catch (const DtypeError &) {
    return "DtypeError";
  } catch (const DeviceError &) {
    return "DeviceError";
  } catch (const UserError &) {
    return "UserError";
  } catch (const UnsupportedError &) {
    return "UnsupportedError";
  } catch (const RuntimeError &) {
    return "RuntimeError";
  } catch (const std::exception &error) {
    return std::string("a foreign exception, ") + error.what();
  }
}

bool is_kind_of(const std::string &thrown, const std::string &wanted) {
  if (wanted == "UserError")
    return thrown.ends_with("Error") && thrown != "UnsupportedError" &&
           thrown != "RuntimeError";
  return thrown == wanted;
}

//===- Runs ---------------------------------------------------------------===//

Run::Run(const Case &each, Device device) : case_(each), device_(device) {
  try {
    results_ = evaluate(prepare(case_, device_));
    if (!case_.error.empty())
      for (const Tensor &result : results_)
        reals_of(result); // some errors occur only when values are read
  } catch (...) {
    error_ = exception_class();
    try {
      throw;
    } catch (const std::exception &error) {
      if (case_.error.empty())
        complain(error.what());
    }
  }
  if (error_.empty() && case_.error.empty()) {
    run_in_place();
    run_out();
  }
}

void Run::complain(const std::string &what) {
  complaints_.push_back(case_.place() + " on " + device_.str() + ": " + what);
}

void Run::run_in_place() {
  Prepared prepared = prepare(case_, device_);
  dispatch::Binding binding = dispatch::bind(prepared.call);
  if (!binding.entry->in_place || !binding.slots[binding.entry->self])
    return;
  Argument copy;
  dispatch::Slots slots = with_copy(binding, binding.entry->self, copy);
  const auto &self = std::get<Tensor>(copy);
  bool allowed = can_cast(results_[0].dtype(), self.dtype()) &&
                 results_[0].sizes() == self.sizes();
  try {
    in_place_ = binding.entry->in_place(slots);
    if (!allowed)
      complain("the in-place form takes a result that does not fit");
  } catch (const std::exception &error) {
    if (allowed)
      complain(std::string("in place: ") + error.what());
  }
  if (allowed && !in_place_.empty() && !in_place_[0].is_same(self))
    complain("the in-place form does not return its tensor");
}

void Run::run_out() {
  Prepared prepared = prepare(case_, device_);
  dispatch::Binding binding = dispatch::bind(prepared.call);
  if (!binding.entry->out)
    return;
  for (const Tensor &result : results_)
    out_.push_back(zeros({0}, result.options()));
  try {
    binding.entry->out(binding.slots, out_);
  } catch (const std::exception &error) {
    out_.clear();
    complain(std::string("out: ") + error.what());
  }
}

void Run::check_error() {
  if (error_.empty())
    complain("nothing was thrown, wanted " + case_.error);
  else if (!is_kind_of(error_, case_.error))
    complain("threw " + error_ + ", wanted " + case_.error);
}

std::vector<std::string> Run::check() {
  if (!case_.error.empty())
    check_error();
  if (!error_.empty() || !case_.error.empty())
    return complaints_;
  if (results_.size() != case_.results.size()) {
    complain(std::to_string(results_.size()) + " results, wanted " +
             std::to_string(case_.results.size()));
    return complaints_;
  }
  auto note = [&](const char *form, const std::string &text) {
    if (!text.empty())
      complain(form + text);
  };
  for (size_t i = 0; i < results_.size(); ++i)
    note("", difference(results_[i], case_.results[i], case_.tolerance));
  if (!in_place_.empty() && complaints_.empty())
    note("in place: ",
         difference(in_place_[0], results_[0].to(in_place_[0].dtype()),
                    case_.tolerance));
  for (size_t i = 0; i < out_.size(); ++i)
    note("out: ", difference(out_[i], results_[i], case_.tolerance));
  return complaints_;
}

} // namespace xlac::golden
