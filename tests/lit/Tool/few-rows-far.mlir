// RUN: xlac compile %s --emit llvm --target avx2 | FileCheck %s

// The rows of the matrix are two pages apart. Three rows read short blocks of
// them in place, which they prefetch.
// CHECK: define hidden i32 @dot.0.0(
// CHECK-DAG: call void @llvm.prefetch{{.*}}(ptr {{.*}}, i32 0, i32 2, i32 1)
// CHECK-DAG: call void @tile.3x4x8f.0.0(ptr {{.*}}, i64 2048, i64 1, ptr {{.*}}, i64 2048, i64 32,
func.func @main(%few: tensor<3x2048xf32>, %matrix: tensor<2048x2048xf32>) -> tensor<3x2048xf32> {
  %0 = stablehlo.dot_general %few, %matrix, contracting_dims = [1] x [0] : (tensor<3x2048xf32>, tensor<2048x2048xf32>) -> tensor<3x2048xf32>
  return %0 : tensor<3x2048xf32>
}
