// What the forms of saving share.
#pragma once

#include "xlac/serialization.h"
#include "xlac/tensor/access.h"

#include <functional>
#include <map>

namespace xlac::serialize {

/// Calls `write` with a stream to a new file beside `path`, which then takes
/// its place. RuntimeError, and `path` as it was, when that fails.
void write_atomically(const std::filesystem::path &path,
                      const std::function<void(std::ostream &)> &write);
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

/// `data` in PyTorch's container; with `as_cpu` tensors are to be loaded on the
/// cpu. Elements are written from where they are, without a copy.
void write_container(const Value &data, const Computed &computed,
                     std::ostream &os, bool as_cpu = false);

} // namespace xlac::serialize
