// What PyTorch gives for modules, from tests/golden/modules/<family>.txt (its
// generate.py says what the lines mean), and runs of the same modules here.
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
  int64_t below = 0;          ///< of drawn integers
  std::vector<double> values; ///< of given ones

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

/// Names of the files, in order.
std::vector<std::string> families();
std::vector<Case> read_cases(const std::string &family);

/// The tensors among what a module gives, in order.
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

/// A module under the name of its case, and how it is called: with the inputs
/// unless `call` says more.
struct Subject {
  std::string name;
  nn::AnyModule module;
  std::function<List(const nn::AnyModule &, const List &)> call = {};
};
/// run(module, inputs) in place of module(inputs…).
template <class Holder, class F>
Subject called(std::string name, Holder module, F run) {
  return {std::move(name), std::move(module),
          [run](const nn::AnyModule &any, const List &inputs) {
            List results;
            flatten(run(any.get<Holder>(), inputs), results);
            return results;
          }};
}

/// The modules of the family's cases.
std::vector<Subject> modules_of(const std::string &family);
// Those of each family.
nn::NamedModules layers();
nn::NamedModules pooling();
nn::NamedModules activations();
nn::NamedModules images();
nn::NamedModules normalization();
std::vector<Subject> losses();
std::vector<Subject> recurrent();
std::vector<Subject> transformer();

/// What a module gives on a device: pending on xla until it is compared.
struct Run {
  Run(const Case &each, const Subject &subject, Device device);

  nn::AnyModule module; ///< a clone, on the device
  List outputs;
  std::vector<std::pair<std::string, Tensor>> gradients; ///< as the case's
};

/// Empty, or how far they are apart; relative to the largest number.
std::string difference(const Tensor &got, const Numbers &wanted);
/// The numbers of a tensor.
Numbers numbers_of(const Tensor &tensor);

/// Expects of each module of a family that it is PyTorch's: text, state,
/// results, running statistics and gradients; on xla also that it gives what it
/// gives on the cpu.
void check_family(const std::string &family, Device device);

} // namespace xlac::module_cases
