// The program of another size: what must be equal to a changed size changes
// with it.
// RUN: xlac-opt --pass-pipeline='builtin.module(xlac-change-sizes{sizes=0:17x12})' --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<17x12xf32>, %arg1: tensor<12x16xf32>, %arg2: tensor<17x16xf32>
func.func @main(%x: tensor<8x12xf32>, %w: tensor<12x16xf32>, %y: tensor<8x16xf32>) -> tensor<f32> {
  // CHECK: stablehlo.dot_general{{.*}} -> tensor<17x16xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.subtract %0, %y : tensor<8x16xf32>
  // A constant of the changed shape, and the divisor of a mean.
  // CHECK: dense<3.000000e+00> : tensor<17x16xf32>
  %c = stablehlo.constant dense<3.0> : tensor<8x16xf32>
  %2 = stablehlo.multiply %1, %c : tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: dense<0.0036764706> : tensor<f32>
  %n = stablehlo.constant dense<0.0078125> : tensor<f32>
  %4 = stablehlo.multiply %3, %n : tensor<f32>
  return %4 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<8x12xf32>) -> (tensor<96xf32>, tensor<8x11xf32>, tensor<8x12xi32>) {
  // CHECK: stablehlo.reshape %arg0 : (tensor<17x12xf32>) -> tensor<204xf32>
  %0 = stablehlo.reshape %x : (tensor<8x12xf32>) -> tensor<96xf32>
  // CHECK: stablehlo.slice %arg0 [0:17, 1:12] : (tensor<17x12xf32>) -> tensor<17x11xf32>
  %1 = stablehlo.slice %x [0:8, 1:12] : (tensor<8x12xf32>) -> tensor<8x11xf32>
  // The iota is linked to the argument by the comparison alone.
  // CHECK: stablehlo.iota dim = 0 : tensor<17x12xf32>
  %2 = stablehlo.iota dim = 0 : tensor<8x12xf32>
  %3 = stablehlo.compare LT, %2, %x : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xi1>
  %4 = stablehlo.convert %3 : (tensor<8x12xi1>) -> tensor<8x12xi32>
  // CHECK: return {{.*}} : tensor<204xf32>, tensor<17x11xf32>, tensor<17x12xi32>
  return %0, %1, %4 : tensor<96xf32>, tensor<8x11xf32>, tensor<8x12xi32>
}

// -----

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<8x12xf32>, %n: tensor<i32>) -> tensor<8x12xf32> {
  // CHECK: stablehlo.while
  // CHECK-SAME: tensor<i32>, tensor<17x12xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x12xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    // CHECK: dense<2.000000e+00> : tensor<17x12xf32>
    %c = stablehlo.constant dense<2.0> : tensor<8x12xf32>
    %3 = stablehlo.multiply %v, %c : tensor<8x12xf32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<8x12xf32>
  }
  return %0#1 : tensor<8x12xf32>
}
