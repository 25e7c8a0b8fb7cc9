// What the forms of saving share.
#pragma once

#include "xlac/serialization.h"

#include <functional>

namespace xlac::serialize {

/// Calls `write` with a stream to a new file beside `path`, which then takes
/// its place. RuntimeError, and `path` as it was, when that fails.
void write_atomically(const std::filesystem::path &path,
                      const std::function<void(std::ostream &)> &write);
/// `data` in PyTorch's container.
void write_container(const Value &data, std::ostream &os);
/// Launches what the tensors of `data` wait for, one program a device.
void compute_all(const Value &data);

} // namespace xlac::serialize
