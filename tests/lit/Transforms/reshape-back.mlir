// RUN: xlac-opt %s --xlac-simplify | FileCheck %s

// Elementwise ops between a reshape and its inverse are computed in the first
// shape.
// CHECK-LABEL: func.func @back
// CHECK-NOT: reshape
// CHECK: %[[A:.*]] = stablehlo.multiply %arg0, %{{.*}} : tensor<8x192xf32>
// CHECK: %[[B:.*]] = stablehlo.add %[[A]], %arg0 : tensor<8x192xf32>
// CHECK-NOT: reshape
// CHECK: return %[[B]]
func.func @back(%x: tensor<8x192xf32>) -> tensor<8x192xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<8x6x32xf32>
  %0 = stablehlo.reshape %x : (tensor<8x192xf32>) -> tensor<8x6x32xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8x6x32xf32>
  %2 = stablehlo.add %1, %0 : tensor<8x6x32xf32>
  %3 = stablehlo.reshape %2 : (tensor<8x6x32xf32>) -> tensor<8x192xf32>
  return %3 : tensor<8x192xf32>
}

// Types may change.
// CHECK-LABEL: func.func @compared
// CHECK-NOT: reshape
// CHECK: stablehlo.compare GT, %arg0, %arg1
// CHECK-NOT: reshape
// CHECK: return
func.func @compared(%x: tensor<24xf32>, %y: tensor<24xf32>) -> tensor<24xi1> {
  %0 = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.reshape %y : (tensor<24xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.compare GT, %0, %1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %3 = stablehlo.reshape %2 : (tensor<4x6xi1>) -> tensor<24xi1>
  return %3 : tensor<24xi1>
}

// Another use of a value, or an operand of another shape, keeps the reshapes.
// CHECK-LABEL: func.func @used
// CHECK-COUNT-2: stablehlo.reshape
// CHECK: return
func.func @used(%x: tensor<24xf32>) -> (tensor<24xf32>, tensor<4x6xf32>) {
  %0 = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.negate %0 : tensor<4x6xf32>
  %2 = stablehlo.exponential %1 : tensor<4x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x6xf32>) -> tensor<24xf32>
  return %3, %2 : tensor<24xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: func.func @other
// CHECK-COUNT-2: stablehlo.reshape
// CHECK: return
func.func @other(%x: tensor<24xf32>, %y: tensor<4x6xf32>) -> tensor<24xf32> {
  %0 = stablehlo.reshape %x : (tensor<24xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.add %0, %y : tensor<4x6xf32>
  %2 = stablehlo.reshape %1 : (tensor<4x6xf32>) -> tensor<24xf32>
  return %2 : tensor<24xf32>
}
