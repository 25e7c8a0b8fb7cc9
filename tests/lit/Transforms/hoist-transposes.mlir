// RUN: xlac-opt %s --xlac-hoist-transposes --split-input-file | FileCheck %s

// Scaled bytes are transposed as bytes. Scales of channels are broadcast along
// another dimension.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [0, 3, 1, 2] : (tensor<8x64x64x3xui8>)
// CHECK: %[[F:.*]] = stablehlo.convert %[[T]]
// CHECK: %[[S:.*]] = stablehlo.constant dense<2.550000e+02> : tensor<8x3x64x64xf32>
// CHECK: %[[D:.*]] = stablehlo.divide %[[F]], %[[S]]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<8x3x64x64xf32>
// CHECK: %[[R:.*]] = stablehlo.multiply %[[B]], %[[D]]
// CHECK: return %[[R]]
func.func @bytes(%x: tensor<8x64x64x3xui8>, %scale: tensor<3xf32>) -> tensor<8x3x64x64xf32> {
  %f = stablehlo.convert %x : (tensor<8x64x64x3xui8>) -> tensor<8x64x64x3xf32>
  %s = stablehlo.constant dense<255.0> : tensor<8x64x64x3xf32>
  %d = stablehlo.divide %f, %s : tensor<8x64x64x3xf32>
  %b = stablehlo.broadcast_in_dim %scale, dims = [3] : (tensor<3xf32>) -> tensor<8x64x64x3xf32>
  %m = stablehlo.multiply %b, %d : tensor<8x64x64x3xf32>
  %t = stablehlo.transpose %m, dims = [0, 3, 1, 2] : (tensor<8x64x64x3xf32>) -> tensor<8x3x64x64xf32>
  func.return %t : tensor<8x3x64x64xf32>
}

// -----

// Computed values that are as wide belong to the kernel that computes them; a
// product reads the transposed operand; the sum is used twice.
// CHECK-LABEL: func.func @stay
// CHECK: stablehlo.negate
// CHECK: stablehlo.transpose
// CHECK: stablehlo.exponential
// CHECK: stablehlo.transpose
// CHECK: stablehlo.add
// CHECK: stablehlo.transpose
func.func @stay(%x: tensor<64x128xf32>, %y: tensor<128x64xf32>, %z: tensor<64x128xf32>) -> (tensor<64x64xf32>, tensor<128x64xf32>, tensor<128x128xf32>, tensor<64x128xf32>) {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.negate %p : tensor<64x64xf32>
  %0 = stablehlo.transpose %n, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = stablehlo.exponential %x : tensor<64x128xf32>
  %u = stablehlo.transpose %e, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %2 = stablehlo.dot_general %u, %x, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %a = stablehlo.add %x, %z : tensor<64x128xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
  func.return %0, %1, %2, %a : tensor<64x64xf32>, tensor<128x64xf32>, tensor<128x128xf32>, tensor<64x128xf32>
}
