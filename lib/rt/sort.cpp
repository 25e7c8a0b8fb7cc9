#include "routine.h"

#include "xlac/library/routine_list.h"

extern "C" int32_t xlac_rt_sort(const xlac_ctx *ctx, void *const *buffers,
                                const int64_t *parameters) {
  return xlac::rt::run(
      ctx, [&] { return xlac::library::run_sort(buffers, parameters); });
}
