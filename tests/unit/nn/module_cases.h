// What PyTorch gives for modules, from tests/golden/modules/<family>.txt (its
// generate.py says what the lines mean), and runs of the same modules here.
#pragma once

#include "xlac/nn.h"

#include <string>
#include <utility>
#include <vector>

namespace xlac::module_cases {

struct Numbers {
  Shape sizes;
  std::vector<double> values;
};

struct Input {
  bool is_float = true;
  bool is_none = false; ///< an undefined tensor
  Shape sizes;
  int64_t below = 0;           ///< of drawn integers
  std::vector<int64_t> values; ///< of given ones

  Tensor make(size_t number) const;
};

struct Case {
  std::string name, str;
  bool train = true;
  std::vector<std::pair<std::string, Shape>> keys;
  std::vector<Input> inputs;
  Numbers output;
  std::vector<std::pair<std::string, Numbers>> gradients;
};

/// Names of the files, in order.
std::vector<std::string> families();
std::vector<Case> read_cases(const std::string &family);

/// Modules under the names of the family's cases.
nn::NamedModules modules_of(const std::string &family);
// Those of each family.
nn::NamedModules layers();
nn::NamedModules pooling();
nn::NamedModules activations();
nn::NamedModules images();

/// What a module gives on a device: pending on xla until it is compared.
struct Run {
  Run(const Case &each, const nn::AnyModule &module, Device device);

  nn::AnyModule module; ///< a clone, on the device
  Tensor output;
  std::vector<std::pair<std::string, Tensor>> gradients; ///< as the case's
};

/// Empty, or how far they are apart; relative to the largest number.
std::string difference(const Tensor &got, const Numbers &wanted);
/// The numbers of a tensor.
Numbers numbers_of(const Tensor &tensor);

/// Expects of each module of a family that it is PyTorch's: text, state, result
/// and gradients; on xla also that it gives what it gives on the cpu.
void check_family(const std::string &family, Device device);

} // namespace xlac::module_cases
