// Python pickles of Values, as far as tensor files need them. They are written
// in protocol 2. The reader constructs data only and calls no Python functions.
#pragma once

#include "xlac/tree.h"

#include <functional>
#include <string>
#include <string_view>

namespace xlac::serialize {

/// Returns the class of PyTorch's storages for a dtype, such as "FloatStorage";
/// empty for dtypes that have only untyped storages.
std::string_view storage_class(Dtype dtype);

/// The name and device of a tensor's storage in a pickle.
struct StorageName {
  std::string key, location;
};

/// Options for writing a pickle. `store` is called once for each tensor, in
/// order of occurrence, and returns the name of its storage. With `by_number`
/// tensors are written as references to numbered files instead of records.
struct PickleOptions {
  std::function<StorageName(const Tensor &)> store;
  bool by_number = false;
};
std::string write_pickle(const Value &value, const PickleOptions &options);

/// A pickle's description of a tensor. Strides count elements.
struct TensorRecord {
  std::string key, location;
  Dtype dtype = kFloat32;
  uint64_t storage_elements = 0;
  bool is_untyped = false; ///< the storage's size is in bytes
  int64_t offset = 0;
  Shape sizes, strides;
  bool requires_grad = false;
  /// The tensor is the conjugate, or the negation, of the storage's elements.
  bool is_conjugated = false, is_negated = false;
};

struct UnpickleOptions {
  std::function<Tensor(const TensorRecord &)> load;
  /// For references to numbered files.
  std::function<Tensor(int64_t)> load_number;
};
/// Reads a pickle from an untrusted source. Throws UserError for an invalid
/// pickle, and UnsupportedError for one that uses other classes or functions
/// than those of tensors and containers. `size` is set to the length of the
/// pickle, which other bytes may follow.
Value read_pickle(std::string_view bytes, const UnpickleOptions &options,
                  size_t *size = nullptr);

} // namespace xlac::serialize
