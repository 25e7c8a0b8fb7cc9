// RUN: xlac-opt %s --xlac-expand-chlo --split-input-file | FileCheck %s

// CHECK-LABEL: func @broadcasts_as_numpy_does
func.func @broadcasts_as_numpy_does(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [1]
  // CHECK: stablehlo.add %{{.*}}, %[[B]]
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @broadcasts_to_named_dimensions
func.func @broadcasts_to_named_dimensions(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> tensor<2x3xi1> {
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0]
  // CHECK: stablehlo.compare LT, %{{.*}}, %[[B]]
  %0 = chlo.broadcast_compare %a, %b {broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// -----

// CHECK-LABEL: func @elementwise_stays
func.func @elementwise_stays(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // CHECK: chlo.erf
  // CHECK: chlo.zeta
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.broadcast_zeta %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @constants
func.func @constants(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  // CHECK-DAG: stablehlo.constant dense<1.500000e+00> : tensor<2xf32>
  // CHECK-DAG: stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  // CHECK-NOT: chlo.
  %0 = "chlo.constant_like"(%a) {value = 1.5 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = chlo.constant dense<[3, 4]> : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func @top_k
func.func @top_k(%a: tensor<5x7xf32>) -> (tensor<5x3xf32>, tensor<5x3xi32>) {
  // CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<5x7xi32>
  // CHECK: "stablehlo.sort"(%{{.*}}, %[[I]])
  // CHECK-SAME: is_stable = true
  // CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
  // CHECK-COUNT-2: stablehlo.slice {{.*}} [0:5, 0:3]
  %v, %i = chlo.top_k(%a, k = 3) : tensor<5x7xf32> -> (tensor<5x3xf32>, tensor<5x3xi32>)
  return %v, %i : tensor<5x3xf32>, tensor<5x3xi32>
}

// -----

// CHECK-LABEL: func @scan_is_a_loop
func.func @scan_is_a_loop(%a: tensor<4xi32>, %init: tensor<i32>) -> (tensor<4xi32>, tensor<i32>) {
  // CHECK: stablehlo.while
  // CHECK: stablehlo.dynamic_slice
  // CHECK: stablehlo.multiply
  // CHECK: stablehlo.dynamic_update_slice
  %0:2 = chlo.scan(%a) inits(%init) dimension=0 {
  ^bb0(%x: tensor<i32>, %c: tensor<i32>):
    %1 = stablehlo.multiply %x, %c : tensor<i32>
    stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<i32>
}

// -----

// CHECK-LABEL: func @scan_of_nothing
// CHECK-SAME: %{{.*}}: tensor<0xi32>, %[[INIT:.*]]: tensor<i32>
func.func @scan_of_nothing(%a: tensor<0xi32>, %init: tensor<i32>) -> (tensor<0xi32>, tensor<i32>) {
  // CHECK-NOT: stablehlo.while
  // CHECK: return %{{.*}}, %[[INIT]]
  %0:2 = chlo.scan(%a) inits(%init) dimension=0 {
  ^bb0(%x: tensor<i32>, %c: tensor<i32>):
    stablehlo.return %x, %c : tensor<i32>, tensor<i32>
  } : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<0xi32>, tensor<i32>
}

// -----

// CHECK-LABEL: func @ragged_rows
func.func @ragged_rows(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %s: tensor<3xi64>) -> tensor<11x7xf32> {
  // CHECK: stablehlo.dot_general {{.*}} -> tensor<11x3x7xf32>
  // CHECK: stablehlo.select
  // CHECK: stablehlo.reduce{{.*}} across dimensions = [1]
  // CHECK-NOT: ragged
  %0 = "chlo.ragged_dot"(%a, %b, %s) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// CHECK-LABEL: func @ragged_contraction
func.func @ragged_contraction(%a: tensor<11x5xf32>, %b: tensor<5x7xf32>, %s: tensor<3xi64>) -> tensor<3x11x7xf32> {
  // CHECK: stablehlo.select
  // CHECK: stablehlo.dot_general {{.*}} -> tensor<3x11x7xf32>
  // CHECK-NOT: ragged
  %0 = "chlo.ragged_dot"(%a, %b, %s) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  } : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<3x11x7xf32>
  return %0 : tensor<3x11x7xf32>
}

// -----

// CHECK-LABEL: func @dynamic_shapes_are_left_alone
func.func @dynamic_shapes_are_left_alone(%a: tensor<?x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  // CHECK: chlo.broadcast_add
  %0 = chlo.broadcast_add %a, %b : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
