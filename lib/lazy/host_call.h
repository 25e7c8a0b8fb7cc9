// Custom calls of the cpu device.
#pragma once

#include "xlac/host/custom_call.h"

namespace xlac::lazy {

/// Calls the function registered for the target on this thread. Configurations
/// are text. If the function throws, the failure has its message.
Result<std::vector<host::Literal>>
call_on_host(const ops::CustomCallAttributes &call,
             std::span<const host::Literal> operands,
             const std::vector<TensorType> &results);

} // namespace xlac::lazy
