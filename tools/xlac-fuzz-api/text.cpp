// Programs as C++ and as JSON, and their shortening.
#include "program.h"
#include "shorten.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace xlac::fuzz_api {

namespace {

std::string text_of(double x) {
  if (std::isnan(x))
    return "NaN";
  if (std::isinf(x))
    return x > 0 ? "Infinity" : "-Infinity";
  std::ostringstream text;
  text.precision(17);
  text << x;
  return text.str();
}

template <class T> std::string list_of(const std::vector<T> &list) {
  std::string text;
  for (T x : list)
    text += (text.empty() ? "" : ", ") + text_of(static_cast<double>(x));
  return text;
}

std::string call_text(const Step &step) {
  if (step.op == "sync")
    return "xlac::sync();";
  if (step.op == "drop")
    return "t" + std::to_string(step.tensors[0]) + " = Tensor();";
  std::string text;
  if (step.result >= 0)
    text = "Tensor t" + std::to_string(step.result) + " = ";
  text += step.op + "(";
  for (size_t i = 0; i < step.tensors.size(); ++i)
    text += (i ? ", t" : "t") + std::to_string(step.tensors[i]);
  if (!step.numbers.empty())
    text += ", " + list_of(step.numbers);
  text += ");";
  return step.no_grad ? "{ NoGradGuard guard; " + text + " }" : text;
}

std::string map_json(const std::map<int, std::vector<double>> &map) {
  std::string text;
  for (const auto &[id, numbers] : map)
    text += (text.empty() ? "\"" : ", \"") + std::to_string(id) + "\": [" +
            list_of(numbers) + "]";
  return "{" + text + "}";
}

bool runs(const Step &step, const std::set<int> &there) {
  return std::all_of(step.tensors.begin(), step.tensors.end(),
                     [&](int id) { return there.contains(id); });
}

/// Removes steps whose operands do not exist.
void prune(Program &program) {
  std::set<int> there;
  for (const Input &input : program.inputs)
    there.insert(input.id);
  std::erase_if(program.steps, [&](const Step &step) {
    if (!runs(step, there))
      return true;
    if (step.result >= 0)
      there.insert(step.result);
    return false;
  });
}

} // namespace

std::string Program::str() const {
  std::ostringstream text;
  for (const Input &input : inputs) {
    text << "Tensor t" << input.id << " = from_data({" << list_of(input.values)
         << "}, {" << list_of(input.sizes) << "}, " << name(input.dtype) << ")"
         << (input.leaf ? ".requires_grad_()" : "") << ";\n";
  }
  for (const Step &step : steps)
    text << call_text(step) << "\n";
  if (kind != Kind::Values)
    text << "// gradients" << (second ? ", and gradients of them" : "")
         << ", of the weighted sum of all tensors\n";
  return text.str();
}

bool Program::draws_random_numbers() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step &step) {
    const Op *op = find_op(step.op);
    if (!op || !op->random)
      return false;
    if (op->has_body)
      return step.numbers[0] == static_cast<double>(body_count("scan"));
    return step.numbers[0] == 1 || step.numbers[0] == 2;
  });
}

bool Program::is_narrow() const {
  return kind != Kind::Values &&
         std::any_of(inputs.begin(), inputs.end(), [](const Input &input) {
           return input.dtype == kBFloat16 || input.dtype == kFloat16;
         });
}

std::string json_of(const Program &program, const Outcome &outcome) {
  std::ostringstream text;
  text << "{\"seed\": " << program.seed
       << ", \"kind\": " << static_cast<int>(program.kind)
       << ", \"second\": " << (program.second ? "true" : "false")
       << ", \"inputs\": [";
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Input &input = program.inputs[i];
    text << (i ? ", " : "") << "{\"id\": " << input.id << ", \"dtype\": \""
         << name(input.dtype) << "\", \"sizes\": [" << list_of(input.sizes)
         << "], \"values\": [" << list_of(input.values)
         << "], \"leaf\": " << (input.leaf ? "true" : "false") << "}";
  }
  text << "], \"steps\": [";
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const Step &step = program.steps[i];
    text << (i ? ", " : "") << "{\"op\": \"" << step.op << "\", \"tensors\": ["
         << list_of(step.tensors) << "], \"numbers\": ["
         << list_of(step.numbers) << "], \"result\": " << step.result
         << ", \"no_grad\": " << (step.no_grad ? "true" : "false") << "}";
  }
  text << "], \"values\": " << map_json(outcome.values)
       << ", \"gradients\": " << map_json(outcome.gradients)
       << ", \"second_gradients\": " << map_json(outcome.second) << "}";
  return text.str();
}

Program shrink(Program program,
               const std::function<bool(const Program &)> &fails) {
  program = shortened(std::move(program), fails, prune);
  auto attempt = [&](auto change) {
    Program simpler = program;
    change(simpler);
    if (fails(simpler))
      program = std::move(simpler);
  };
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (program.inputs[i].leaf)
      attempt([&](Program &simpler) { simpler.inputs[i].leaf = false; });
  if (program.second)
    attempt([](Program &simpler) { simpler.second = false; });
  return program;
}

} // namespace xlac::fuzz_api
