// RUN: xlac-opt %s --pass-pipeline='builtin.module(xlac-prepare-module{layouts=true},xlac-assign-layouts)' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: xlac-opt %s --pass-pipeline='builtin.module(xlac-prepare-module,xlac-assign-layouts)' --split-input-file | FileCheck %s --check-prefix=OFF

// An argument in column-major layout, and a result in another permutation.
// CHECK: module attributes {
// CHECK-SAME: xlac.argument_layouts = [array<i64: 1, 0>, array<i64: 0, 1>]
// CHECK-SAME: xlac.result_layouts = [array<i64: 2, 0, 1>]
// CHECK: func.func @main(%[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<2x3xf32>) -> tensor<4x2x3xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[A]], dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK: %[[S:.*]] = stablehlo.add %[[T]], %[[B]]
// CHECK: %[[W:.*]] = stablehlo.broadcast_in_dim %[[S]]
// CHECK: %[[R:.*]] = stablehlo.transpose %[[W]], dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK: return %[[R]]
// OFF-NOT: layout
// OFF: func.func @main(%{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<2x3xf32>) -> tensor<2x3x4xf32>
func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}, %b: tensor<2x3xf32> {mhlo.layout_mode = "default"})
    -> (tensor<2x3x4xf32> {mhlo.layout_mode = "{1,0,2}"}) {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// "auto" gives the result of a transposition the layout in which nothing moves;
// elementwise ops may follow. Arguments and other results are row-major.
// CHECK: xlac.argument_layouts = [array<i64: 0, 1, 2>]
// CHECK-SAME: xlac.result_layouts = [array<i64: 1, 2, 0>, array<i64: 0, 1, 2>]
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [2, 0, 1]
// CHECK: %[[N:.*]] = stablehlo.negate %[[T]]
// CHECK: %[[E:.*]] = stablehlo.exponential %arg0
// CHECK: %[[R:.*]] = stablehlo.transpose %[[N]], dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
// CHECK: return %[[R]], %[[E]]
func.func @main(%a: tensor<2x3x4xf32> {mhlo.layout_mode = "auto"})
    -> (tensor<4x2x3xf32> {mhlo.layout_mode = "auto"}, tensor<2x3x4xf32> {mhlo.layout_mode = "auto"}) {
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.negate %0 : tensor<4x2x3xf32>
  %2 = stablehlo.exponential %a : tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// -----

// Programs that request nothing stay as they are.
// CHECK-NOT: layout
// CHECK: func.func @main
func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "default"}) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}

// -----

// A scalar, and a token.
// CHECK: xlac.argument_layouts = [array<i64>, array<i64>]
// CHECK-SAME: xlac.result_layouts = [array<i64>]
func.func @main(%a: tensor<f32> {mhlo.layout_mode = "{}"}, %b: !stablehlo.token {mhlo.layout_mode = "auto"})
    -> (tensor<f32> {mhlo.layout_mode = "auto"}) {
  return %a : tensor<f32>
}

// -----

// expected-error @+1 {{requests for argument 0 the layout '{0,0}', but its type is 'tensor<2x3xf32>'}}
func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,0}"}) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}

// -----

// expected-error @+1 {{requests for result 0 the layout '{1,0}:T(8,128)', but its type is 'tensor<2x3xf32>'}}
func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x3xf32> {mhlo.layout_mode = "{1,0}:T(8,128)"}) {
  return %a : tensor<2x3xf32>
}

// -----

// expected-error @+1 {{requests for result 0 the layout '{}', but its type is 'tensor<2xf32>'}}
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32> {mhlo.layout_mode = "{}"}) {
  return %a : tensor<2xf32>
}
