// Custom calls: from buffers of a program to a function of the host.
#pragma once

#include "xlac/runtime/collective.h"

#include <memory>

namespace xlac::runtime {

/// The function that a custom call names; User if it is not registered.
Result<std::shared_ptr<const CustomCallFunction>>
find_host_function(const Collective &what);

/// Calls it on buffers, with loops over at most `threads` threads (0 for all).
/// What it throws is the failure.
Status call_host(const Collective &what, const CustomCallFunction &function,
                 std::span<const void *const> operands,
                 std::span<void *const> results, int threads);

} // namespace xlac::runtime
