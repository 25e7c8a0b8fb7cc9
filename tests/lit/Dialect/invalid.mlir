// RUN: xlac-opt %s --split-input-file --verify-diagnostics

func.func @types(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected a function type of 2 operands and 1 result}}
  %r = stablehlo.add %a, %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @format(%a: tensor<2xf32>) {
  // expected-error@+1 {{expected a format such as e8m10, got e8}}
  %r = stablehlo.reduce_precision %a, format = e8 : tensor<2xf32>
  return
}

// -----

func.func @applies(%a: tensor<2xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{expected a commutative stablehlo op to apply}}
  %r = stablehlo.reduce(%a init: %i) applies stablehlo.divide across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

// expected-error@+1 {{unknown field 'offset'}}
func.func @field() attributes {g = #stablehlo.gather<offset = [0]>} {
  return
}

// -----

// expected-error@+1 {{field 'offset_dims' is given twice}}
func.func @twice() attributes {g = #stablehlo.gather<offset_dims = [0], offset_dims = [0]>} {
  return
}

// -----

// expected-error@+1 {{expected a bound for each of 1 dimensions, got 2}}
func.func private @bounds(tensor<?xf32, #stablehlo.bounds<3, ?>>)

// -----

// expected-error@+1 {{dimension 0 of size 2 is static, and yet has the bound 3}}
func.func private @static_bound(tensor<2xf32, #stablehlo.bounds<3>>)

// -----

func.func @element(%a: tensor<2xi7>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of a StableHLO element type}}
  %r = stablehlo.negate %a : tensor<2xi7>
  return
}

// -----

func.func @unknown(%a: tensor<2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.nonsense' is unknown}}
  %r = stablehlo.nonsense %a : tensor<2xf32>
  return
}
