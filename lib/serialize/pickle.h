// Python's pickles of Values, as far as files of tensors need them: written in
// protocol 2, and read by a machine that knows data and calls nothing.
#pragma once

#include "xlac/tree.h"

#include <functional>
#include <string>
#include <string_view>

namespace xlac::serialize {

/// The class of PyTorch's storages for a dtype, "FloatStorage"; empty for the
/// dtypes that only an untyped storage holds.
std::string_view storage_class(Dtype dtype);

/// Where a tensor's elements are, as a pickle names them.
struct StorageName {
  std::string key, location;
};

/// Writes a pickle. `store` is called for each tensor, once, in the order in
/// which they are met, and says where it puts the elements. With `by_number`
/// tensors are references to numbered files in place of records.
struct PickleOptions {
  std::function<StorageName(const Tensor &)> store;
  bool by_number = false;
};
std::string write_pickle(const Value &value, const PickleOptions &options);

/// What a pickle says of a tensor. Strides count elements.
struct TensorRecord {
  std::string key, location;
  Dtype dtype = kFloat32;
  uint64_t storage_elements = 0;
  bool is_untyped = false; ///< the storage counts bytes
  int64_t offset = 0;
  Shape sizes, strides;
  bool requires_grad = false;
  /// The tensor is the conjugate, or the negation, of what the storage holds.
  bool is_conjugated = false, is_negated = false;
};

struct UnpickleOptions {
  std::function<Tensor(const TensorRecord &)> load;
  /// For references to numbered files.
  std::function<Tensor(int64_t)> load_number;
};
/// The value of a pickle from anywhere. UserError for what is no pickle,
/// UnsupportedError for one that asks for classes or functions other than those
/// that tensors and containers are made of. `size` becomes the length of the
/// pickle, behind which other bytes may stand.
Value read_pickle(std::string_view bytes, const UnpickleOptions &options,
                  size_t *size = nullptr);

} // namespace xlac::serialize
