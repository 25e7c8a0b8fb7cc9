#include "module_cases.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace xlac::module_cases {

//===- Reading ------------------------------------------------------------===//

static Shape sizes_from(const std::string &text) {
  Shape sizes;
  std::istringstream parts(text == "-" ? "" : text);
  for (std::string part; std::getline(parts, part, ',');)
    sizes.push_back(std::stoll(part));
  return sizes;
}

template <class T> static std::vector<T> rest_of(std::istringstream &line) {
  std::string colon;
  line >> colon;
  std::vector<T> values;
  for (std::string word; line >> word;)
    values.push_back(static_cast<T>(std::stod(word)));
  return values;
}

static Input input_from(std::istringstream &line) {
  Input input;
  std::string kind, sizes;
  line >> kind >> sizes;
  input.is_float = kind == "f" || kind == "p" || kind == "w";
  input.needs_grad = kind == "f";
  input.is_none = kind == "n";
  input.sizes = sizes_from(sizes);
  if (kind == "i")
    line >> input.below;
  if (kind == "v" || kind == "w")
    input.values = rest_of<double>(line);
  return input;
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const auto &file :
       std::filesystem::directory_iterator(XLAC_MODULE_CASES))
    if (file.path().extension() == ".txt")
      names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Case> read_cases(const std::string &family) {
  std::string path = XLAC_MODULE_CASES "/" + family + ".txt";
  std::ifstream file(path);
  std::vector<Case> cases;
  for (std::string text; std::getline(file, text);) {
    char kind = text.at(0);
    std::string rest = text.substr(2);
    std::istringstream line(rest);
    std::string first, second;
    if (kind == '=') {
      cases.emplace_back();
      cases.back().train = !rest.ends_with(" eval");
      cases.back().name =
          cases.back().train ? rest : rest.substr(0, rest.size() - 5);
      continue;
    }
    Case &each = cases.at(cases.size() - 1);
    if (kind == 's') {
      each.str += (each.str.empty() ? "" : "\n") + rest;
    } else if (kind == 'k') {
      line >> first >> second;
      each.keys.emplace_back(first, sizes_from(second));
    } else if (kind == 'i') {
      each.inputs.push_back(input_from(line));
    } else if (kind == 'o') {
      line >> first;
      each.outputs.push_back({sizes_from(first), rest_of<double>(line)});
    } else if (kind == 'g' || kind == 'b') {
      line >> first;
      auto &named = kind == 'g' ? each.gradients : each.buffers;
      named.emplace_back(first, Numbers{{}, rest_of<double>(line)});
    } else {
      throw std::runtime_error(path + ": unknown line " + text);
    }
  }
  return cases;
}

/// Modules that are called with their inputs only.
static std::vector<Subject> plain(const nn::NamedModules &modules) {
  std::vector<Subject> subjects;
  for (const auto &[name, module] : modules)
    subjects.push_back({name, module});
  return subjects;
}

std::vector<Subject> modules_of(const std::string &family) {
  if (family == "layers")
    return plain(layers());
  if (family == "pooling")
    return plain(pooling());
  if (family == "activations")
    return plain(activations());
  if (family == "images")
    return plain(images());
  if (family == "normalization")
    return plain(normalization());
  if (family == "losses")
    return losses();
  if (family == "recurrent")
    return recurrent();
  if (family == "transformer")
    return transformer();
  throw std::runtime_error("no modules for " + family + ".txt");
}

//===- Running ------------------------------------------------------------===//

static Tensor from_values(const std::vector<double> &values,
                          const Shape &sizes) {
  return tensor(values).reshape(sizes);
}

static int64_t count_of(const Shape &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

Tensor Input::make(size_t number) const {
  if (is_none)
    return {};
  if (!values.empty())
    return from_values(values, sizes).to(is_float ? kFloat32 : kInt64);
  std::vector<double> drawn;
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < count_of(sizes); ++i) {
    int64_t k = 29 * i + 7 * static_cast<int64_t>(number);
    if (is_float)
      drawn.push_back(static_cast<double>(k % 61 - 30) / 8 + 1.0 / 64);
    else
      integers.push_back(k % below);
  }
  return is_float ? from_values(drawn, sizes) : tensor(integers).reshape(sizes);
}

/// Fills in the values of cases.py's fill(), except for weights of losses.
static void fill_state(nn::Module &module) {
  NoGradGuard guard;
  std::vector<std::string> fixed;
  for (const auto &[key, buffer] : module.named_buffers())
    if (key.find("running_") == std::string::npos)
      fixed.push_back(key);
  int64_t entry = 0;
  for (const auto &[key, held] : module.state_dict()) {
    Tensor tensor = held;
    std::vector<double> values;
    for (int64_t k = 0; k < tensor.numel(); ++k) {
      double value =
          static_cast<double>((37 * k + 11 * entry + 5) % 17 - 8) / 16;
      values.push_back(key.ends_with("running_var") ? std::fabs(value) + 0.5
                                                    : value);
    }
    ++entry;
    if (tensor.is_floating_point() &&
        std::find(fixed.begin(), fixed.end(), key) == fixed.end())
      tensor.copy_(from_values(values, tensor.sizes()));
  }
}

static Tensor weights_like(const Tensor &output, size_t number) {
  std::vector<double> values;
  for (int64_t k = 0; k < output.numel(); ++k) {
    int64_t place = 37 * k + 11 * static_cast<int64_t>(number);
    values.push_back(static_cast<double>(place % 17 - 8) / 8);
  }
  return from_values(values, output.sizes()).to(output.device());
}

/// Calls a module with its inputs only.
static List called_plainly(const nn::AnyModule &module, const List &inputs) {
  std::any result =
      module.call(std::vector<std::any>(inputs.begin(), inputs.end()));
  List list;
  if (const auto *one = std::any_cast<Tensor>(&result))
    flatten(*one, list);
  else if (const auto *two = std::any_cast<std::tuple<Tensor, Tensor>>(&result))
    flatten(*two, list);
  else
    flatten(
        std::any_cast<std::tuple<Tensor, std::tuple<Tensor, Tensor>>>(result),
        list);
  return list;
}

Run::Run(const Case &each, const Subject &subject, Device device)
    : module(subject.module.clone()) {
  fill_state(*module.operator->());
  module->to(device);
  module->train(each.train);
  List inputs;
  std::vector<std::pair<std::string, Tensor>> leaves;
  for (size_t i = 0; i < each.inputs.size(); ++i) {
    Tensor input = each.inputs[i].make(i);
    if (!each.inputs[i].is_none)
      input = input.to(device);
    if (each.inputs[i].needs_grad)
      leaves.emplace_back("input" + std::to_string(i), input.requires_grad_());
    inputs.push_back(input);
  }
  if (inputs.empty())
    return;
  outputs = subject.call ? subject.call(module, inputs)
                         : called_plainly(module, inputs);
  for (const auto &named : module->named_parameters())
    leaves.push_back(named);
  List weights;
  for (size_t i = 0; i < outputs.size(); ++i)
    weights.push_back(weights_like(outputs[i], i));
  autograd::backward(outputs, weights);
  for (const auto &[name, leaf] : leaves)
    if (leaf.grad().defined())
      gradients.emplace_back(name, leaf.grad());
}

//===- Comparing ----------------------------------------------------------===//

Numbers numbers_of(const Tensor &tensor) {
  return {tensor.sizes(), tensor.detach().to_vector<double>()};
}

std::string difference(const Tensor &got, const Numbers &wanted) {
  std::vector<double> values = got.detach().to_vector<double>();
  if (values.size() != wanted.values.size())
    return std::to_string(values.size()) + " elements, not " +
           std::to_string(wanted.values.size());
  double largest = 1;
  for (double value : wanted.values)
    if (std::fabs(value) > largest)
      largest = std::fabs(value);
  for (size_t i = 0; i < values.size(); ++i)
    if (!(std::fabs(values[i] - wanted.values[i]) <= 1e-5 * largest) &&
        !(std::isnan(values[i]) && std::isnan(wanted.values[i]))) {
      std::ostringstream text;
      text << "element " << i << " is " << values[i] << ", not "
           << wanted.values[i];
      return text.str();
    }
  return "";
}

} // namespace xlac::module_cases
