// RUN: xlac compile %s --target avx512 --emit kernels | FileCheck %s
// RUN: XLAC_NUM_THREADS=64 xlac compile %s --target native --emit kernels | FileCheck %s --check-prefix=CORES

// The result is one task's. K is divided into parts, whose sums are added up by
// the tasks of a second phase.
// CHECK: <contraction, tasks = [33, 10],
// CORES: <contraction, tasks = [{{[1-9][0-9]+}}, {{[0-9]+}}],
func.func @main(%a: tensor<50000x64xf32>, %b: tensor<50000x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<50000x64xf32>, tensor<50000x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
