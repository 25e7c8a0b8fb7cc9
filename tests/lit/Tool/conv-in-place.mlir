// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s

// A block of K is one row of the window, whose pixels and channels are
// contiguous: tiles read the image in place, and only weights are packed.
// CHECK-NOT: @transpose
// CHECK: define {{.*}} @conv.0.1
// CHECK: fmuladd
// CHECK-NOT: @transpose
func.func @main(%x: tensor<8x24x24x64xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<8x22x22x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x24x24x64xf32>, tensor<3x3x64x32xf32>) -> tensor<8x22x22x32xf32>
  return %0 : tensor<8x22x22x32xf32>
}
