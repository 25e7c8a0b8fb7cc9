// Custom calls: passes the buffers of a program to a host function.
#pragma once

#include "xlac/runtime/call_check.h"
#include "xlac/runtime/collective.h"

#include <memory>

namespace xlac::runtime {

/// The function of a custom call; User failure if it is not registered. If the
/// call is not as the function declares: a failure for CallCheck::Load, else a
/// function that fails.
Result<std::shared_ptr<const CustomCallFunction>>
find_host_function(const Collective &what, CallCheck check);

/// Calls the function on buffers, with loops over at most `threads` threads (0
/// for all). An exception becomes the failure. The caller sets the fields of
/// `origin` that the image does not contain.
Status call_host(const Collective &what, const CustomCallFunction &function,
                 std::span<const void *const> operands,
                 std::span<void *const> results, int threads,
                 CustomCallOrigin origin);

/// Whether this thread is inside of call_host.
bool is_in_host_call();

} // namespace xlac::runtime
