// The size of this machine's memory.
#pragma once

#include <cstdint>

namespace xlac {

/// Bytes of physical memory of this machine.
int64_t memory_of_machine();

} // namespace xlac
