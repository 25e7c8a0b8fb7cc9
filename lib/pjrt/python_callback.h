// The custom calls that JAX emits for Python callbacks on the CPU.
#pragma once

namespace xlac::pjrt {

/// Registers the targets of these custom calls. Must be called once.
void add_python_targets();

} // namespace xlac::pjrt
