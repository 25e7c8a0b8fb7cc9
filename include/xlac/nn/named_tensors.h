// Parameters and buffers with their names.
#pragma once

#include "xlac/tensor.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::nn {

/// A name and a tensor: a pair, with the accessors of libtorch's OrderedDict.
struct NamedTensor : std::pair<std::string, Tensor> {
  using pair::pair;
  /// The name.
  const std::string &key() const { return first; }
  /// The tensor.
  Tensor &value() { return second; }
  /// The tensor.
  const Tensor &value() const { return second; }
};

/// Tensors in order, found by name.
class XLAC_API NamedTensors : public std::vector<NamedTensor> {
public:
  using vector::vector;
  using vector::operator[];
  /// Throws KeyError for an unknown name.
  const Tensor &operator[](std::string_view name) const;
  /// The tensor of that name; an error if there is none.
  const Tensor &operator[](const char *name) const {
    return (*this)[std::string_view(name)];
  }
  /// Whether there is an entry of that name.
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// Null for an unknown name.
  const Tensor *find(std::string_view name) const;
  /// The names, in order.
  std::vector<std::string> keys() const;
  /// The values, in order.
  std::vector<Tensor> values() const;
};

} // namespace xlac::nn
