// What emitted code asks of the services of xlac_ctx.
#ifndef XLAC_CODEGEN_KERNELNEEDS_H
#define XLAC_CODEGEN_KERNELNEEDS_H

#include <cstdint>

namespace xlac::codegen {

/// What the code of a kernel asks of the runtime.
struct KernelNeeds {
  int64_t scratchBytes = 0; ///< its largest request for scratch memory
  uint32_t routines = 0;    ///< a bit for each xlac_library_routine it calls
};

} // namespace xlac::codegen

#endif
