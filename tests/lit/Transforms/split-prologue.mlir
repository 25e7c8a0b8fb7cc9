// RUN: xlac-opt %s --xlac-split-prologue=arguments=1,2 --split-input-file --verify-diagnostics | FileCheck %s

// The scale is computed once; broadcasting it costs nothing and stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %{{.*}}: tensor<4xf32> {xlac.invariant}, %{{.*}}: tensor<4xf32> {xlac.invariant}, %[[SCALE:.*]]: tensor<4xf32> {xlac.invariant})
// CHECK-NEXT: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[SCALE]]
// CHECK-NEXT: stablehlo.multiply %[[X]], %[[WIDE]]
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @prologue
// CHECK-SAME: (%[[GAMMA:.*]]: tensor<4xf32>, %[[VARIANCE:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-SAME: xlac.prologue = array<i64: 1, 2>
// CHECK: %[[EPSILON:.*]] = stablehlo.constant
// CHECK: %[[SUM:.*]] = stablehlo.add %[[VARIANCE]], %[[EPSILON]]
// CHECK: %[[ROOT:.*]] = stablehlo.rsqrt %[[SUM]]
// CHECK: %[[KEPT:.*]] = stablehlo.multiply %[[GAMMA]], %[[ROOT]]
// CHECK: return %[[KEPT]]
func.func @main(%x: tensor<8x4xf32>, %gamma: tensor<4xf32>, %variance: tensor<4xf32>) -> tensor<8x4xf32> {
  %epsilon = stablehlo.constant dense<1.0e-05> : tensor<4xf32>
  %0 = stablehlo.add %variance, %epsilon : tensor<4xf32>
  %1 = stablehlo.rsqrt %0 : tensor<4xf32>
  %2 = stablehlo.multiply %gamma, %1 : tensor<4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.multiply %x, %3 : tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}

// -----

// What a loop reads from outside counts, and a loop over invariant values is
// one itself; what the program returns may come from the prologue too.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[KEPT:[a-z0-9]+]]: tensor<f32> {xlac.invariant})
// CHECK-NOT: stablehlo.while
// CHECK: return %[[KEPT]]
// CHECK-LABEL: func.func private @prologue
// CHECK-SAME: xlac.prologue = array<i64: 1, 2>
// CHECK: stablehlo.while
func.func @main(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%c = %a) : tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %c, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %c, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<f32>
}

// -----

// Random draws, device numbers and donated arguments are never invariant.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.negate
// CHECK: stablehlo.rng
// CHECK: stablehlo.partition_id
// CHECK-NOT: @prologue
func.func @main(%x: tensor<f32>, %a: tensor<f32>, %b: tensor<f32> {tf.aliasing_output = 0 : i32}) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = stablehlo.negate %b : tensor<f32>
  %size = stablehlo.constant dense<> : tensor<0xi64>
  %1 = stablehlo.rng %x, %a, %size, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  %2 = stablehlo.partition_id : tensor<ui32>
  %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<f32>
  %4 = stablehlo.add %3, %a : tensor<f32>
  return %0, %1, %4 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// A product reads a transposed operand as fast.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.transpose
// CHECK-NOT: @prologue
func.func @main(%x: tensor<8x4xf32>, %w: tensor<6x4xf32>, %other: tensor<f32>) -> tensor<8x6xf32> {
  %0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

// expected-error @+1 {{takes 2 arguments; number 2 cannot be invariant}}
func.func @main(%x: tensor<f32>, %a: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
