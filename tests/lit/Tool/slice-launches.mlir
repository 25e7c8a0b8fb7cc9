// RUN: split-file %s %t
// RUN: xlac compile --threads 4 --target avx2 --emit kernels %t/heads.mlir | FileCheck %s --check-prefix=HEADS
// RUN: xlac compile --threads 4 --target avx2 --emit kernels %t/all.mlir | FileCheck %s --check-prefix=ALL
// RUN: xlac compile --threads 4 --target avx2 --emit kernels %t/small.mlir | FileCheck %s --check-prefix=SMALL

// Slices of four heads, which fit in a cache. The bias is common to all of them.
// HEADS: xlac.launch @dot{{.*}} {slices = 16 : i64, whole = array<i64>}
// HEADS-NEXT: xlac.launch @reduce{{.*}} {joined, slices = 16 : i64, whole = array<i64: 0>}
// HEADS-NEXT: xlac.launch @dot{{.*}} {joined, slices = 16 : i64, whole = array<i64>}

// Each slice of the second product reads the rows of all heads.
// ALL: xlac.launch @dot
// ALL-NOT: joined

// So little stays in the caches between two launches.
// SMALL: xlac.launch @dot
// SMALL-NOT: joined

//--- heads.mlir
func.func @main(%q: tensor<64x64x32xf32>, %k: tensor<64x64x32xf32>, %v: tensor<64x64x32xf32>, %bias: tensor<64xf32>) -> tensor<64x64x32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<64x64x32xf32>, tensor<64x64x32xf32>) -> tensor<64x64x64xf32>
  %1 = stablehlo.broadcast_in_dim %bias, dims = [2] : (tensor<64xf32>) -> tensor<64x64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64x64xf32>
  %3 = stablehlo.exponential %2 : tensor<64x64x64xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %6 = stablehlo.divide %3, %5 : tensor<64x64x64xf32>
  %7 = stablehlo.dot_general %6, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x64x64xf32>, tensor<64x64x32xf32>) -> tensor<64x64x32xf32>
  return %7 : tensor<64x64x32xf32>
}

//--- all.mlir
func.func @main(%q: tensor<64x64x32xf32>, %k: tensor<64x64x32xf32>, %v: tensor<64x64x32xf32>) -> tensor<64x64x32xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<64x64x32xf32>, tensor<64x64x32xf32>) -> tensor<64x64x64xf32>
  %1 = stablehlo.dot_general %0, %v, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<64x64x64xf32>, tensor<64x64x32xf32>) -> tensor<64x64x32xf32>
  return %1 : tensor<64x64x32xf32>
}

//--- small.mlir
func.func @main(%q: tensor<32x64x32xf32>, %k: tensor<32x48x32xf32>, %v: tensor<32x48x32xf32>) -> tensor<32x64x32xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<32x64x32xf32>, tensor<32x48x32xf32>) -> tensor<32x64x48xf32>
  %1 = stablehlo.dot_general %0, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<32x64x48xf32>, tensor<32x48x32xf32>) -> tensor<32x64x32xf32>
  return %1 : tensor<32x64x32xf32>
}
