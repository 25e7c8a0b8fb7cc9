// RUN: xlac compile %s --emit llvm --target avx2 | FileCheck %s

// A matrix and a vector, and three rows times a transposed matrix, are read as
// they lie. Seventeen rows pack the matrix.
// CHECK-DAG: call void @dots.1x8x8f(
// CHECK-DAG: call void @dots.3x4x8f(
// CHECK-DAG: call void @transpose.8xi32(
func.func @main(%matrix: tensor<40x96xf32>, %vector: tensor<96xf32>, %few: tensor<3x96xf32>, %many: tensor<17x96xf32>) -> (tensor<40xf32>, tensor<3x40xf32>, tensor<17x40xf32>) {
  %0 = stablehlo.dot_general %matrix, %vector, contracting_dims = [1] x [0] : (tensor<40x96xf32>, tensor<96xf32>) -> tensor<40xf32>
  %1 = stablehlo.dot_general %few, %matrix, contracting_dims = [1] x [1] : (tensor<3x96xf32>, tensor<40x96xf32>) -> tensor<3x40xf32>
  %2 = stablehlo.dot_general %many, %matrix, contracting_dims = [1] x [1] : (tensor<17x96xf32>, tensor<40x96xf32>) -> tensor<17x40xf32>
  return %0, %1, %2 : tensor<40xf32>, tensor<3x40xf32>, tensor<17x40xf32>
}
