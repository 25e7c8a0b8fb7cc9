// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of the elementwise ops; labels are the
// specification's.

func.func @abs_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cbrt_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.cbrt %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @ceil_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.ceil %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cosine_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.cosine %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @exponential_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.exponential %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @exponential_minus_one_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.exponential_minus_one %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @floor_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.floor %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @log_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.log %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @log_plus_one_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.log_plus_one %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @logistic_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.logistic %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @negate_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.negate %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @round_nearest_afz_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.round_nearest_afz %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @round_nearest_even_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.round_nearest_even %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @rsqrt_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.rsqrt %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sign_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.sign %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sine_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.sine %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @sqrt_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.sqrt %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @tan_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.tan %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @tanh_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.tanh %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @count_leading_zeros_c1(%a: tensor<2xi32>) {
  // expected-error@+1 {{result is i8[2], i32[2] expected (C1)}}
  %0 = stablehlo.count_leading_zeros %a : (tensor<2xi32>) -> tensor<2xi8>
  return
}

// -----

func.func @not_c1(%a: tensor<2xi32>) {
  // expected-error@+1 {{result is i8[2], i32[2] expected (C1)}}
  %0 = stablehlo.not %a : (tensor<2xi32>) -> tensor<2xi8>
  return
}

// -----

func.func @popcnt_c1(%a: tensor<2xi32>) {
  // expected-error@+1 {{result is i8[2], i32[2] expected (C1)}}
  %0 = stablehlo.popcnt %a : (tensor<2xi32>) -> tensor<2xi8>
  return
}

// -----

func.func @real_c1(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  return
}

// -----

func.func @real_c2(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C2)}}
  %0 = stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @imag_c1(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<3xf32>
  return
}

// -----

func.func @imag_c2(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C2)}}
  %0 = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @abs_c2(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{result is complex<f32>[2], f32[2] expected (C2)}}
  %0 = stablehlo.abs %a : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @is_finite_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is i1[3], i1[2] expected (C1)}}
  %0 = stablehlo.is_finite %a : (tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @convert_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is i32[3], i32[2] expected (C1)}}
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @reduce_precision_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f16[2], f32[2] expected (C1)}}
  %0 = stablehlo.reduce_precision %a, format = e5m10 : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

func.func @reduce_precision_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{exponent_bits is 0, at least 1 wanted (C2)}}
  %0 = stablehlo.reduce_precision %a, format = e0m10 : tensor<2xf32>
  return
}

// -----

func.func @reduce_precision_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{mantissa_bits is -1, at least 0 wanted (C3)}}
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 1 : i32, mantissa_bits = -1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @add_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @atan2_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.atan2 %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @divide_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.divide %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @maximum_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.maximum %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @minimum_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.minimum %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @multiply_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.multiply %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @power_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.power %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @remainder_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.remainder %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @subtract_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C1)}}
  %0 = stablehlo.subtract %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @and_c1(%a: tensor<2xi32>, %b: tensor<2xi8>) {
  // expected-error@+1 {{lhs i32[2] and rhs i8[2] differ in element type (C1)}}
  %0 = stablehlo.and %a, %b : (tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @or_c1(%a: tensor<2xi32>, %b: tensor<2xi8>) {
  // expected-error@+1 {{lhs i32[2] and rhs i8[2] differ in element type (C1)}}
  %0 = stablehlo.or %a, %b : (tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @shift_left_c1(%a: tensor<2xi32>, %b: tensor<2xi8>) {
  // expected-error@+1 {{lhs i32[2] and rhs i8[2] differ in element type (C1)}}
  %0 = stablehlo.shift_left %a, %b : (tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @shift_right_arithmetic_c1(%a: tensor<2xi32>, %b: tensor<2xi8>) {
  // expected-error@+1 {{lhs i32[2] and rhs i8[2] differ in element type (C1)}}
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @shift_right_logical_c1(%a: tensor<2xi32>, %b: tensor<2xi8>) {
  // expected-error@+1 {{lhs i32[2] and rhs i8[2] differ in element type (C1)}}
  %0 = stablehlo.shift_right_logical %a, %b : (tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @xor_c1(%a: tensor<2xi32>, %b: tensor<2xi8>) {
  // expected-error@+1 {{lhs i32[2] and rhs i8[2] differ in element type (C1)}}
  %0 = stablehlo.xor %a, %b : (tensor<2xi32>, tensor<2xi8>) -> tensor<2xi32>
  return
}

// -----

func.func @add_bounded_c1(%a: tensor<?xf32, #stablehlo.bounds<4>>, %b: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.add %a, %b : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @add_c2(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2xf32>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2], rhs f32[2] and the result are not all quantized (C2)}}
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c3(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2], rhs !quant.uniform<i16<-32768:32767>:f32, 0.5:0>[2] and the result differ in storage type (C3)}}
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c4(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2], rhs !quant.uniform<i8<-128:127>:f16, 0.5:0>[2] and the result differ in expressed type (C4)}}
  %0 = stablehlo.add %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f16, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c5(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32, 0.5:0>[2] is not quantized by axis as lhs !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2] and rhs !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2] are (C5)}}
  %0 = stablehlo.add %a, %a : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c6(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,2] and result !quant.uniform<i8<-128:127>:f32:1, {0.5:0,0.25:0}>[2,2] are quantized along different dimensions (C6)}}
  %0 = stablehlo.add %a, %a : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @add_c7(%a: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{rhs !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,2] and result !quant.uniform<i8<-128:127>:f32:1, {0.5:0,0.25:0}>[2,2] are quantized along different dimensions (C7)}}
  %0 = stablehlo.add %a, %b : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @complex_c1(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{lhs f32[2] and rhs f64[2] differ in element type (C1)}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @complex_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is complex<f32>[3], complex<f32>[2] expected (C2)}}
  %0 = "stablehlo.complex"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @complex_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is complex<f64>[2], complex<f32>[2] expected (C3)}}
  %0 = "stablehlo.complex"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}

// -----

func.func @compare_c1(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{lhs f32[2] and rhs i32[2] differ in element type (C1)}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c2(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{lhs f32[2] and rhs f32[3] differ in shape (C2)}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_result_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is i1[], i1[2] expected (C2)}}
  %0 = stablehlo.compare LT, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  return
}

// -----

func.func @select_c1(%p: tensor<3xi1>, %a: tensor<2xf32>) {
  // expected-error@+1 {{pred i1[3] is neither a scalar nor of the shape of on_true f32[2] (C1)}}
  %0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<2xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{on_true f32[2] and on_false f64[2] differ in element type (C2)}}
  %0 = stablehlo.select %p, %a, %b : (tensor<i1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @clamp_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{min f32[3] is neither a scalar nor of the shape of operand f32[2] (C1)}}
  %0 = stablehlo.clamp %b, %a, %a : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @clamp_c2(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{max f32[3] is neither a scalar nor of the shape of operand f32[2] (C2)}}
  %0 = stablehlo.clamp %a, %a, %b : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @clamp_c3(%a: tensor<2xf32>, %b: tensor<f64>) {
  // expected-error@+1 {{min f64[], operand f32[2] and max f64[] differ in element type (C3)}}
  %0 = stablehlo.clamp %b, %a, %b : (tensor<f64>, tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

func.func @clamp_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C4)}}
  %0 = stablehlo.clamp %a, %a, %a : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @uniform_quantize_c1(%a: tensor<3xf32>) {
  // expected-error@+1 {{result is !quant.uniform<i8<-128:127>:f32, 0.5:0>[2], !quant.uniform<i8<-128:127>:f32, 0.5:0>[3] expected (C1)}}
  %0 = stablehlo.uniform_quantize %a : (tensor<3xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @uniform_quantize_c2(%a: tensor<2xf64>) {
  // expected-error@+1 {{result expresses f32, but operand is f64[2] (C2)}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @uniform_dequantize_c1(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32>
  return
}

// -----

func.func @uniform_dequantize_c2(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C2)}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf64>
  return
}

// -----

func.func @map_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{input 0 f32[2] and input 1 f32[3] differ in shape (C1)}}
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @map_result_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @map_c2(%x: tensor<f32>) {
  // expected-error@+1 {{has no inputs (C2)}}
  %0 = "stablehlo.map"() <{dimensions = array<i64: 0>}> ({
    stablehlo.return %x : tensor<f32>
  }) : () -> tensor<2xf32>
  return
}

// -----

func.func @map_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{dimensions [1] do not list those of inputs of rank 1 (C3)}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @map_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{computation takes 2 and returns 1 values, 1 and 1 wanted (C4)}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @map_element_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C4)}}
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf64>
  return
}
