// What the forms of saving share.
#pragma once

#include "xlac/serialization.h"
#include "xlac/support/file_writer.h"
#include "xlac/tensor/access.h"

#include <functional>
#include <map>
#include <string_view>

namespace xlac::serialize {

/// Calls `write` with a stream whose bytes become the file, as FileWriter's
/// contract says. RuntimeError, and `path` as it was, when that fails.
void write_atomically(const std::filesystem::path &path,
                      const std::function<void(std::ostream &)> &write,
                      const FileWriterOptions &options = {});
/// What the xla tensors of nested data came out as: one program a device runs
/// what they wait for, and nothing else.
class Computed {
public:
  explicit Computed(const Value &data);
  /// The elements of a tensor of the data, row-major, where they are.
  host::Literal elements_of(const Tensor &tensor) const;

private:
  std::map<int64_t, graph::Value> values_; // by the tensor's id
};

inline std::string_view bytes_of(const host::Literal &elements) {
  return {reinterpret_cast<const char *>(elements.data()),
          static_cast<size_t>(elements.byte_count())};
}

/// Makes bytes of booleans that are neither 0 nor 1 a 1: whatever reads them
/// relies on that.
void make_booleans(char *bytes, uint64_t count);
/// Reverses the bytes of each number of `number_size` bytes; 0 for none.
void swap_bytes(char *bytes, uint64_t size, int64_t number_size);
/// A cpu tensor of the row-major elements at `elements`, which `owner` keeps
/// alive and which may be written. They are copied where their address does not
/// suit the dtype.
Tensor tensor_over(std::shared_ptr<void> owner, char *elements, Dtype dtype,
                   const Shape &sizes);
/// `tensor`, moved where a file's reader wants cpu tensors.
Tensor placed(const Tensor &tensor, const LoadOptions &options);

/// `data` in PyTorch's container; with `as_cpu` tensors are to be loaded on the
/// cpu. Elements are written from where they are, without a copy.
void write_container(const Value &data, const Computed &computed,
                     std::ostream &os, bool as_cpu = false);

} // namespace xlac::serialize
