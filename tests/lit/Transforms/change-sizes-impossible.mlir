// Sizes that the program cannot have are a failure of the pass, without an
// overflow.
// RUN: not xlac-opt %s --pass-pipeline='builtin.module(xlac-change-sizes{sizes=0:9223372036854775807x12})'
// RUN: not xlac-opt %s --pass-pipeline='builtin.module(xlac-change-sizes{sizes=0:-3x12})'
// RUN: not xlac-opt %s --pass-pipeline='builtin.module(xlac-change-sizes{sizes=0:8x12x1})'
// RUN: not xlac-opt %s --pass-pipeline='builtin.module(xlac-change-sizes{sizes=4:8})'
// RUN: xlac-opt %s --pass-pipeline='builtin.module(xlac-change-sizes{sizes=0:16x12})'
func.func @main(%x: tensor<8x12xf32>) -> tensor<96xf32> {
  %0 = stablehlo.reshape %x : (tensor<8x12xf32>) -> tensor<96xf32>
  return %0 : tensor<96xf32>
}
