// Names of kernels, which say what a kernel computes. Programs, pictures,
// profiles, traces, perf and GDB show the same name.
#ifndef XLAC_LIB_TRANSFORMS_KERNELNAME_H
#define XLAC_LIB_TRANSFORMS_KERNELNAME_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include <string>

namespace xlac::transforms {

/// Returns the most important ops of the kernel, at most four, and `number`:
/// "dot_add_max.22". Ops that determine a kernel's kind, such as contractions
/// and reductions, come first; the others follow in program order. The name
/// depends on the ops alone and not on sizes, so that a kernel has the same
/// name in programs that differ only in sizes. It consists of letters, digits,
/// _ and dots.
std::string kernelName(ir::KernelOp kernel, unsigned number);

} // namespace xlac::transforms

#endif
