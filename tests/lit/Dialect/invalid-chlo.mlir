// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// CHLO's ops have no numbered constraints; a case for each kind of mistake.

func.func @unary_element(%a: tensor<2xi32>) {
  // expected-error@+1 {{operand is i32[2], but float wanted}}
  %0 = chlo.erf %a : tensor<2xi32> -> tensor<2xi32>
  return
}

// -----

func.func @unary_result(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected}}
  %0 = chlo.asin %a : tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @predicate_result(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[2], i1[2] expected}}
  %0 = chlo.is_inf %a : tensor<2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @binary_shape(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{x f32[2] and q f32[3] differ in shape}}
  %0 = chlo.zeta %a, %b : tensor<2xf32>, tensor<3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_sizes(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{operands f32[2] and f32[3] do not broadcast in dimension 0}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_element(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{lhs f32[2] and rhs f64[2] differ in element type}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_dimensions(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_dimensions [2] do not place f32[3] in f32[2,3]}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_along(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{operands f32[2,3] and f32[3] do not broadcast in dimension 0}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_result(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2,3] expected}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_compare(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[2], i1[2] expected}}
  %0 = chlo.broadcast_compare %a, %a {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_complex(%a: tensor<2xf16>) {
  // expected-error@+1 {{lhs is f16[2], but f32 or f64 wanted}}
  %0 = chlo.broadcast_complex %a, %a : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @broadcast_select(%p: tensor<2xi8>, %a: tensor<2xf32>) {
  // expected-error@+1 {{pred is i8[2], but i1 wanted}}
  %0 = chlo.broadcast_select %p, %a, %a : (tensor<2xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{result is f32[3], f32[2] expected}}
  %0 = "chlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @constant_like(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[2], i32[2] expected}}
  %0 = "chlo.constant_like"(%a) <{value = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @top_k(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{k 4 is above the last dimension of operand f32[2,3]}}
  %0:2 = chlo.top_k(%a, k = 4) : tensor<2x3xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}

// -----

func.func @top_k_indices(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result 1 is i64[2,2], i32[2,2] expected}}
  %0:2 = chlo.top_k(%a, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi64>)
  return
}

// -----

func.func @scan(%a: tensor<3x4xf32>, %i: tensor<4xf32>) {
  // expected-error@+1 {{dimension 2 leaves those of input f32[3,4]}}
  %0:2 = chlo.scan(%a) inits(%i) dimension=2 {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    stablehlo.return %x, %y : tensor<4xf32>, tensor<4xf32>
  } : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @scan_carry(%a: tensor<3x4xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{carry 0 of body is f32[4], but its init is f32[]}}
  %0:2 = chlo.scan(%a) inits(%i) dimension=0 {
  ^bb0(%x: tensor<4xf32>, %y: tensor<f32>):
    stablehlo.return %x, %x : tensor<4xf32>, tensor<4xf32>
  } : (tensor<3x4xf32>, tensor<f32>) -> (tensor<3x4xf32>, tensor<f32>)
  return
}

// -----

func.func @ragged_dot(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  // expected-error@+1 {{rhs_group_dimensions [] do not fit ragged dimension 0 of lhs}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  }> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}
