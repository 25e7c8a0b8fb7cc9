// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry groups --emit llvm | FileCheck %s --check-prefix=GROUPS
// RUN: xlac compile %s --target avx2 --entry in_place --emit llvm | FileCheck %s --check-prefix=SAME

// What a loop computes from one value for each row, it computes before the
// vectors of the row: no result shares the memory of these operands.
func.func @main(%x: tensor<64x512xf32>, %scale: tensor<64xf32>) -> tensor<64x512xf32> {
  %0 = stablehlo.sqrt %scale : tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xf32>) -> tensor<64x512xf32>
  %2 = stablehlo.divide %x, %1 : tensor<64x512xf32>
  return %2 : tensor<64x512xf32>
}
// CHECK: loop:
// CHECK: call {{.*}} @llvm.sqrt
// CHECK: loop1:
// CHECK-NOT: sqrt
// CHECK: store <8 x float> {{.*}}, !noalias
// CHECK-NOT: call {{.*}}sqrt

// The row of a group follows from the row of a channel without the elements.
func.func @groups(%x: tensor<8x128x48xf32>, %mean: tensor<8x32xf32>) -> tensor<8x128x48xf32> {
  %0 = stablehlo.reshape %x : (tensor<8x128x48xf32>) -> tensor<8x32x192xf32>
  %1 = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x192xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<8x32x192xf32>
  %3 = stablehlo.reshape %2 : (tensor<8x32x192xf32>) -> tensor<8x128x48xf32>
  return %3 : tensor<8x128x48xf32>
}
// GROUPS: loop:
// GROUPS: load float
// GROUPS: loop1:
// GROUPS-NOT: udiv
// GROUPS-NOT: lshr
// GROUPS: store <8 x float>

// The result may be written over an operand of its size.
func.func @in_place(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.add %x, %y : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
// SAME-NOT: !noalias
