// RUN: xlac-opt %s --xlac-prepare-module --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: custom_call
// CHECK: chlo.erf %arg0
// CHECK: stablehlo.tan %{{.*}}
// CHECK-NEXT: return
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @mhlo.erf(%0) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.custom_call @InspectSharding(%1) {has_side_effect = true} : (tensor<2xf32>) -> ()
  %2 = stablehlo.custom_call @mhlo.tan(%1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: chlo.top_k(%arg0, k = 2) : tensor<3x5xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
func.func @main(%a: tensor<3x5xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 2 : i64, largest = true}} : (tensor<3x5xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT
// CHECK: stablehlo.return
// CHECK: stablehlo.slice %[[SORTED]]#0 [0:2, 0:4]
// CHECK: stablehlo.slice %[[SORTED]]#1 [0:2, 0:4]
func.func @main(%a: tensor<3x4xf32>, %b: tensor<3x4xi32>, %x: tensor<f32>, %y: tensor<i32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%a, %b, %x, %y) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
}
func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

// Columns first: a transpose before, one after, and dimensions as the call has
// them in its layout.
// CHECK-LABEL: func.func @main
// CHECK: %[[IN:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 1]
// CHECK: %[[CALL:.*]]:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%[[IN]])
// CHECK-NOT: operand_layouts
// CHECK-SAME: xlac.config = {mode = 86 : ui8}, xlac.layouts = [array<i64: 1, 2, 0>, array<i64: 1, 2, 0>, array<i64: 1, 0>]
// CHECK-SAME: (tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3xf32>)
// CHECK: stablehlo.transpose %[[CALL]]#0, dims = [0, 2, 1]
func.func @main(%a: tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>) {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<2x5x3xf32>, tensor<2x3xf32>
}

// -----

// The library's LU factorization and triangular solve read row-major matrices.
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.transpose
// CHECK-NOT: layouts
func.func @main(%a: tensor<5x5xf32>, %b: tensor<5x2xf32>) -> (tensor<5x2xf32>, tensor<5xi32>, tensor<i32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xi32>, tensor<i32>)
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%0#0, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<5x5xf32>, tensor<5x2xf32>) -> tensor<5x2xf32>
  return %1, %0#1, %0#2 : tensor<5x2xf32>, tensor<5xi32>, tensor<i32>
}

// -----

// The function learns where tokens stood and which result begins as an operand.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.custom_call @in_place
// CHECK-SAME: xlac.config = {factor = 2 : i64, xlac.operand_tokens = array<i64: 0>, xlac.result_aliases = array<i64: 1, 1>, xlac.result_tokens = array<i64: 0>}
func.func @main(%t: !stablehlo.token, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.custom_call @in_place(%t, %a) {has_side_effect = true, mhlo.backend_config = {factor = 2 : i64, xlac.operand_tokens = 7 : i64}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>]} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[CALL:.*]]:2 = stablehlo.custom_call @Qr(%arg0)
// CHECK-SAME: (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
// CHECK: return %[[CALL]]#1
func.func @main(%a: tensor<3x3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @Qr(%a) : (tensor<3x3xf32>) -> tuple<tensor<3x3xf32>, tensor<3xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<3x3xf32>, tensor<3xf32>>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has a result of type 'tensor<?xf32>', whose size depends on values that are known only when the program runs}}
  %0 = stablehlo.custom_call @elsewhere(%a) : (tensor<2xf32>) -> tensor<?xf32>
  %1 = stablehlo.custom_call @elsewhere(%0) : (tensor<?xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has the target @elsewhere, which takes computations; that is not supported}}
  %0 = stablehlo.custom_call @elsewhere(%a) {called_computations = [@main]} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<2xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %init) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{has the target @elsewhere in a computation of stablehlo.reduce, where no function can be called}}
    %1 = stablehlo.custom_call @elsewhere(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @main(%a: tensor<3x4xf32>, %b: tensor<f32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{takes operands, as many initial values, a reduction_dim and a comparator of twice as many arguments}}
  %0 = stablehlo.custom_call @ApproxTopK(%a, %b) {called_computations = [@nobody], mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
