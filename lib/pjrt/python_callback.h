// Custom calls that call Python functions: those that JAX emits for the CPU.
#pragma once

namespace xlac::pjrt {

/// Adds the targets to those of custom calls; once.
void add_python_targets();

} // namespace xlac::pjrt
