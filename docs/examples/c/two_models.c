/* Runs two programs, on threads. The size of the second one's list is a
 * parameter. */
#include "layer.h"
#include "ranking.h"

#include "xlac/rt.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static _Alignas(LAYER_ALIGNMENT) float y[LAYER_Y_ELEMENTS];
  static const float x[LAYER_X_ELEMENTS] = {1, 2, 3, 4, -1, 0, 1, 0};
  xlac_rt_context context;
  if (xlac_rt_init_threads(&context, 2) != XLAC_RT_OK)
    return 1;
  void *arena = aligned_alloc(LAYER_ALIGNMENT, LAYER_ARENA_BYTES);
  int32_t status = layer_run(&(layer_arguments){.x = x},
                             &(layer_results){.y = y}, arena, &context);
  free(arena);

  int64_t n = LAYER_Y_ELEMENTS;
  arena = aligned_alloc(RANKING_ALIGNMENT, RANKING_ARENA_BYTES);
  float *sorted = aligned_alloc(RANKING_ALIGNMENT, RANKING_ALIGNMENT);
  if (status == XLAC_RT_OK)
    status = ranking_run(n, &(ranking_arguments){.scores = y},
                         &(ranking_results){.sorted = sorted}, arena, &context);
  if (status == XLAC_RT_OK)
    for (int64_t i = 0; i < n; ++i)
      printf("%g%c", sorted[i], i + 1 == n ? '\n' : ' ');
  // 9 is no size that the object has code for.
  if (ranking_run(9, &(ranking_arguments){.scores = y},
                  &(ranking_results){.sorted = sorted}, arena,
                  &context) == XLAC_RT_BAD_SIZES)
    printf("%s\n", xlac_rt_message(&context));
  free(sorted);
  free(arena);
  xlac_rt_finish(&context);
  return status;
}
