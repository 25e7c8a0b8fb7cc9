// RUN: xlac-opt %s --xlac-simplify --split-input-file | FileCheck %s

// With a padding of one element, even elements lie at place 1 of one window. Odd
// ones lie at place 2 of one window and at place 0 of the next.
// CHECK-LABEL: @overlapping
// CHECK-SAME: %[[X:.*]]: tensor<4095xf32>, %[[S:.*]]: tensor<2048xf32>
func.func @overlapping(%x: tensor<4095xf32>, %s: tensor<2048xf32>) -> tensor<4095xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<4095xf32>, tensor<2048xf32>, tensor<f32>) -> tensor<4095xf32>
  // CHECK: %[[IN:.*]]:2 = stablehlo.optimization_barrier %{{.*}}, %[[S]] :
  // CHECK: %[[AT_1:.*]] = stablehlo.compare  EQ, %[[IN]]#0, %[[ONE:.*]] :
  // CHECK: %[[EVEN:.*]] = stablehlo.select %[[AT_1]], %[[IN]]#1,
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2048xf32>) -> tensor<2048x1xf32>
  // CHECK: %[[AT_2:.*]] = stablehlo.compare  EQ, %[[IN]]#0,
  // CHECK: stablehlo.select %[[AT_2]], %[[IN]]#1,
  // CHECK: %[[AT_0:.*]] = stablehlo.compare  EQ, %[[IN]]#0,
  // CHECK: %[[NEXT:.*]] = stablehlo.select %[[AT_0]], %[[IN]]#1,
  // CHECK: stablehlo.pad %[[NEXT]], %{{.*}}, low = [-1], high = [1]
  // CHECK: stablehlo.concatenate {{.*}}, dim = 1 :
  // CHECK: stablehlo.slice %{{.*}} [0:4095]
  func.return %r : tensor<4095xf32>
}

// -----

// Few elements, other ops than addition of both, and other initial values stay.
// CHECK-LABEL: @stays
func.func @stays(%x: tensor<64xf32>, %s: tensor<32xf32>, %y: tensor<4096xf32>, %u: tensor<2048xf32>, %v: tensor<f32>) -> (tensor<64xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  // CHECK-COUNT-4: "stablehlo.select_and_scatter"
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %few = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<64xf32>, tensor<32xf32>, tensor<f32>) -> tensor<64xf32>
  %product = "stablehlo.select_and_scatter"(%y, %u, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4096xf32>, tensor<2048xf32>, tensor<f32>) -> tensor<4096xf32>
  %other = "stablehlo.select_and_scatter"(%y, %u, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4096xf32>, tensor<2048xf32>, tensor<f32>) -> tensor<4096xf32>
  %last = "stablehlo.select_and_scatter"(%y, %u, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4096xf32>, tensor<2048xf32>, tensor<f32>) -> tensor<4096xf32>
  func.return %few, %product, %other, %last : tensor<64xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}
