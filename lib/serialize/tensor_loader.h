// Makes tensors of PyTorch's files from the bytes of their storages.
#pragma once

#include "pickle.h"

#include "xlac/serialization.h"

#include <functional>
#include <string>

namespace xlac::serialize {

/// Makes the tensors of one file. Records are checked against the storages, and
/// the memory of all tensors is limited by the size of the file.
class TensorLoader {
public:
  /// `read_storage` returns the bytes of a storage, and throws UserError for an
  /// unknown key.
  TensorLoader(std::function<std::string(const std::string &key)> read_storage,
               uint64_t file_size, const LoadOptions &options);

  Tensor load(const TensorRecord &record);

private:
  void check(const TensorRecord &record);
  void copy_elements(const TensorRecord &record, char *to) const;
  Tensor placed_at(const Tensor &tensor, const std::string &location);

  const std::function<std::string(const std::string &key)> read_storage_;
  const LoadOptions &options_;
  uint64_t bytes_left_, count_ = 0;
  std::string storage_, storage_name_ = "\n"; // no record has the initial name
  bool has_warned_ = false;
};

} // namespace xlac::serialize
