// Without AVX-512, results are written past the caches only if all arrays are
// read at the same places: loads at others may wait for such stores.
// RUN: xlac compile %s --target avx512 --emit kernels -o - | FileCheck %s --check-prefix=BOTH
// RUN: xlac compile %s --target avx2 --emit kernels -o - | FileCheck %s --check-prefix=ONE

// BOTH-COUNT-2: <loop, {{.*}} attributes {streamed = array<i64: 0>}
// ONE-NOT: streamed
// ONE: stablehlo.xor
// ONE: <loop, {{.*}} attributes {streamed = array<i64: 0>}
// ONE: stablehlo.multiply
func.func @main(%a: tensor<2048x4096xi32>, %row: tensor<4096xi32>, %one: tensor<i32>) -> (tensor<2048x4096xi32>, tensor<2048x4096xi32>) {
  %0 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<i32>) -> tensor<2048x4096xi32>
  %1 = stablehlo.multiply %a, %0 : tensor<2048x4096xi32>
  %2 = stablehlo.optimization_barrier %a : tensor<2048x4096xi32>
  %3 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<4096xi32>) -> tensor<2048x4096xi32>
  %4 = stablehlo.xor %2, %3 : tensor<2048x4096xi32>
  return %1, %4 : tensor<2048x4096xi32>, tensor<2048x4096xi32>
}
