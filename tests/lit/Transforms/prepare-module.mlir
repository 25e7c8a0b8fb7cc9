// RUN: xlac-opt %s --xlac-prepare-module --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: call
// CHECK: stablehlo.multiply
// CHECK: stablehlo.negate
// CHECK: return
// CHECK-NOT: @outer
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @outer(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @outer(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<2xf32>
  %1 = func.call @inner(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @inner(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{recursively, which is not supported}}
  %0 = func.call @main(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<4x4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a body that combines tensors, which is not supported}}
  %0 = stablehlo.reduce(%a init: %init) across dimensions = [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    reducer(%x: tensor<4xf32>, %y: tensor<4xf32>) {
    %1 = stablehlo.add %x, %y : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// What is asynchronous happens where it starts; operands of a computation get
// the type that it takes.
// CHECK-LABEL: func.func @main
// CHECK-NOT: async
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<2xf16>) -> tensor<2xf32>
// CHECK: "stablehlo.all_reduce"(%[[WIDE]])
func.func @main(%a: tensor<2xf16>) -> tensor<2xf32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<2xf16>):
    %2 = "stablehlo.all_reduce"(%b) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %3 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf16>) -> tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) : (tensor<2xf16>) -> !stablehlo.future<tensor<2xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @main(%f: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  // expected-error @+1 {{takes a future that does not come from stablehlo.async_start}}
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
