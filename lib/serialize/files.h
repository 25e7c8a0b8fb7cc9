// Shared code of the file formats.
#pragma once

#include "xlac/serialization.h"
#include "xlac/support/file_writer.h"
#include "xlac/tensor/access.h"

#include <functional>
#include <map>
#include <string_view>

namespace xlac::serialize {

/// Calls `write` with a stream whose bytes become the file, by FileWriter's
/// contract. On failure throws RuntimeError and leaves `path` unchanged.
void write_atomically(const std::filesystem::path &path,
                      const std::function<void(std::ostream &)> &write,
                      const FileWriterOptions &options = {});
/// Computed values of the xla tensors in nested data. One program per device
/// computes them; nothing else runs.
class Computed {
public:
  explicit Computed(const Value &data);
  /// Returns the row-major elements of a tensor of the data without a copy.
  host::Literal elements_of(const Tensor &tensor) const;

private:
  std::map<int64_t, graph::Value> values_; // by the tensor's id
};

inline std::string_view bytes_of(const host::Literal &elements) {
  return {reinterpret_cast<const char *>(elements.data()),
          static_cast<size_t>(elements.byte_count())};
}

/// Replaces bytes of booleans other than 0 and 1 by 1, since readers of
/// booleans rely on these two values.
void make_booleans(char *bytes, uint64_t count);
/// Reverses the bytes of each number of `number_size` bytes; 0 changes nothing.
void swap_bytes(char *bytes, uint64_t size, int64_t number_size);
/// Makes a cpu tensor over the row-major elements at `elements`, which must be
/// writable. `owner` keeps them alive. They are copied if their address is not
/// aligned for the dtype.
Tensor tensor_over(std::shared_ptr<void> owner, char *elements, Dtype dtype,
                   const Shape &sizes);
/// Returns `tensor`, moved to the cpu if the options ask for it.
Tensor placed(const Tensor &tensor, const LoadOptions &options);

/// Writes `data` in PyTorch's zip format; with `as_cpu` it records the device
/// of tensors as cpu. Elements are written without an intermediate copy.
void write_container(const Value &data, const Computed &computed,
                     std::ostream &os, bool as_cpu = false);

} // namespace xlac::serialize
