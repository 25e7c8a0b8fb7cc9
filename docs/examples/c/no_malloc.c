/* Runs a network as a program without an operating system does: all memory is
 * static, and the caller passes it. Only printf needs more than the object. */
#include "layer.h"

#include <stdio.h>

static _Alignas(LAYER_ALIGNMENT) unsigned char arena[LAYER_ARENA_BYTES];
static _Alignas(LAYER_ALIGNMENT) float y[LAYER_Y_ELEMENTS];

int main(void) {
  static const float x[LAYER_X_ELEMENTS] = {1, 2, 3, 4, -1, 0, 1, 0};
  const layer_arguments arguments = {.x = x};
  const layer_results results = {.y = y};
  int32_t status = layer_run(&arguments, &results, arena, NULL);
  if (status != XLAC_RT_OK)
    return status;
  for (int i = 0; i < LAYER_Y_ELEMENTS; ++i)
    printf("%g%c", y[i], i % 3 == 2 ? '\n' : ' ');
  return 0;
}
