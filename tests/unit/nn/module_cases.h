// PyTorch's results of modules, from tests/golden/modules/<family>.txt
// (generate.py documents the format), and runs of the same modules here.
#pragma once

#include "xlac/nn.h"

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace xlac::module_cases {

using List = std::vector<Tensor>;

struct Numbers {
  Shape sizes;
  std::vector<double> values;
};

struct Input {
  bool is_float = true;
  bool needs_grad = true;
  bool is_none = false; ///< an undefined tensor
  Shape sizes;
  int64_t below = 0;          ///< upper bound of random integers
  std::vector<double> values; ///< explicit values

  Tensor make(size_t number) const;
};

struct Case {
  std::string name, str;
  bool train = true;
  std::vector<std::pair<std::string, Shape>> keys;
  std::vector<Input> inputs;
  std::vector<Numbers> outputs;
  std::vector<std::pair<std::string, Numbers>> buffers, gradients;
};

/// Returns the names of the files in order.
std::vector<std::string> families();
std::vector<Case> read_cases(const std::string &family);

/// Appends the tensors of a module's result in order.
inline void flatten(const Tensor &tensor, List &into) {
  if (tensor.defined())
    into.push_back(tensor);
}
inline void flatten(const nn::utils::rnn::PackedSequence &packed, List &into) {
  into.push_back(packed.data);
}
template <class... T>
void flatten(const std::tuple<T...> &results, List &into) {
  std::apply([&](const auto &...each) { (flatten(each, into), ...); }, results);
}

/// A module with the name of its case and the way to call it: with the inputs,
/// unless `call` is set.
struct Subject {
  std::string name;
  nn::AnyModule module;
  std::function<List(const nn::AnyModule &, const List &)> call = {};
};
/// Calls run(module, inputs) instead of module(inputs…).
template <class Holder, class F>
Subject called(std::string name, Holder module, F run) {
  return {std::move(name), std::move(module),
          [run](const nn::AnyModule &any, const List &inputs) {
            List results;
            flatten(run(any.get<Holder>(), inputs), results);
            return results;
          }};
}

/// Returns the modules of the family's cases.
std::vector<Subject> modules_of(const std::string &family);
// The modules of each family.
nn::NamedModules layers();
nn::NamedModules pooling();
nn::NamedModules activations();
nn::NamedModules images();
nn::NamedModules normalization();
std::vector<Subject> losses();
std::vector<Subject> recurrent();
std::vector<Subject> transformer();

/// The results of a module on a device; pending on xla until they are compared.
struct Run {
  Run(const Case &each, const Subject &subject, Device device);

  nn::AnyModule module; ///< a clone on the device
  List outputs;
  /// in the order of the case
  std::vector<std::pair<std::string, Tensor>> gradients;
};

/// Returns "" or the difference, relative to the largest number.
std::string difference(const Tensor &got, const Numbers &wanted);
Numbers numbers_of(const Tensor &tensor);

/// Compares each module of a family with PyTorch: text, state, results, running
/// statistics and gradients. On xla also compares with the cpu.
void check_family(const std::string &family, Device device);

} // namespace xlac::module_cases
