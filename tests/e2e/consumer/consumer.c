/* Built against an installed xlac: a compiled program and libxlac_rt.a. */
#include "sorted.h"

#include <xlac/rt.h>

int main(void) {
  static _Alignas(SORTED_ALIGNMENT) char arena[SORTED_ARENA_BYTES];
  static _Alignas(SORTED_ALIGNMENT) float y[SORTED_Y_ELEMENTS];
  static const float x[] = {3, 1, 5, 4, 2};
  xlac_rt_context context;
  if (xlac_rt_init_threads(&context, 2) != XLAC_RT_OK)
    return 1;
  int32_t status = sorted_run(&(sorted_arguments){.x = x},
                              &(sorted_results){.y = y}, arena, &context);
  xlac_rt_finish(&context);
  if (status != XLAC_RT_OK)
    return 2;
  for (int i = 0; i < SORTED_Y_ELEMENTS; ++i)
    if (y[i] != (float)(i + 1))
      return 3;
  return 0;
}
