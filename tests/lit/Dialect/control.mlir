// RUN: xlac-opt %s | xlac-opt | FileCheck %s

// CHECK-LABEL: func @loop
// CHECK: stablehlo.while(%iterArg = %arg0) : tensor<i32>
// CHECK-NEXT: cond {
// CHECK: stablehlo.compare LT, %iterArg, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: } do {
// CHECK: stablehlo.add %iterArg, %c : tensor<i32>
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%i = %n) : tensor<i32>
   cond {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %s = stablehlo.add %i, %c : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  return %r : tensor<i32>
}

// CHECK-LABEL: func @reduce_short
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
func.func @reduce_short(%a: tensor<2x3xf32>, %i: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%a init: %i) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func @reduce_pair
// CHECK: stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [0]
// CHECK: reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)
func.func @reduce_pair(%a: tensor<4xf32>, %b: tensor<4xi32>, %i: tensor<f32>, %j: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %r:2 = stablehlo.reduce(%a init: %i), (%b init: %j) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%k: tensor<i32>, %l: tensor<i32>) {
    %s = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %s, %k : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}

// CHECK-LABEL: func @composite
// CHECK: stablehlo.composite "my.op" %arg0 {composite_attributes = {n = 1 : i64}, decomposition = @impl, version = 2 : i32} : (tensor<i32>) -> tensor<i32>
func.func @composite(%a: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.composite "my.op" %a {composite_attributes = {n = 1 : i64}, decomposition = @impl, version = 2 : i32} : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
func.func private @impl(%a: tensor<i32>) -> tensor<i32> {
  return %a : tensor<i32>
}
