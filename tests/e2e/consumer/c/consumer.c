/* A C program outside of the source tree: compiles and runs through the CMake
 * target xlac::xlac, or through pkg-config. */
#include <xlac/c_api.h>

#include <stdio.h>
#include <string.h>

static const char kProgram[] =
    "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.multiply %a, %a : tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n";

int main(void) {
  float numbers[2] = {3, 4}, squares[2] = {0, 0};
  xlac_const_view argument;
  xlac_view result;
  xlac_program *program = NULL;
  xlac_status status;
  argument.data = numbers, argument.bytes = sizeof numbers;
  result.data = squares, result.bytes = sizeof squares;
  status = xlac_program_load(kProgram, strlen(kProgram), NULL, &program);
  if (status == XLAC_OK)
    status = xlac_program_run(program, &argument, 1, &result, 1, NULL);
  if (status != XLAC_OK)
    fprintf(stderr, "consumer: %s\n", xlac_error_message());
  xlac_program_destroy(program);
  printf("consumer in C: %g %g\n", squares[0], squares[1]);
  return squares[0] == 9 && squares[1] == 16 ? 0 : 1;
}
