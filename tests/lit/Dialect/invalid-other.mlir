// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of constants, normalization, linear algebra,
// transforms and random numbers; labels are the specification's.

func.func @constant_c1() {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @constant_quantized_c1() {
  // expected-error@+1 {{value is i16[2], but output !quant.uniform<i8<-128:127>:f32, 0.5:0>[2] (C1)}}
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<2xi16>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @iota_c1() {
  // expected-error@+1 {{iota_dimension 1 leaves those of result f32[2] (C1)}}
  %0 = stablehlo.iota dim = 1 : tensor<2xf32>
  return
}

// -----

func.func @batch_norm_training_c1(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{feature_index 2 leaves the dimensions of operand f32[4,3] (C1)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 2 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c2(%a: tensor<4x3xf32>, %b: tensor<3xf64>, %c: tensor<3xf32>) {
  // expected-error@+1 {{operand f32[4,3] and scale f64[3] differ in element type (C2)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c3(%a: tensor<4x3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{scale is f32[4], but one element for each feature of f32[4,3] wanted (C3)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c4(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) {
  // expected-error@+1 {{offset is f32[4], but one element for each feature of f32[4,3] wanted (C4)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c5(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{batch_mean is f32[4], f32[3] expected (C5)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c6(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{batch_var is f32[4], f32[3] expected (C6)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_c7(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{result 0 is f32[3,4], f32[4,3] expected (C7)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c1(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{feature_index 2 leaves the dimensions of operand f32[4,3] (C1)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 2 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c2(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf64>) {
  // expected-error@+1 {{operand f32[4,3] and variance f64[3] differ in element type (C2)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf64>) -> (tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c3(%a: tensor<4x3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{scale is f32[4], but one element for each feature of f32[4,3] wanted (C3)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c4(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{offset is f32[4], but one element for each feature of f32[4,3] wanted (C4)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c5(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{mean is f32[4], but one element for each feature of f32[4,3] wanted (C5)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c6(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<4xf32>) {
  // expected-error@+1 {{variance is f32[4], but one element for each feature of f32[4,3] wanted (C6)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_inference_c7(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{result is f32[3,4], f32[4,3] expected (C7)}}
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c1(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<4x3xf32>) {
  // expected-error@+1 {{feature_index 2 leaves the dimensions of operand f32[4,3] (C1)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 2 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_grad_c2(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<4x3xf64>) {
  // expected-error@+1 {{operand f32[4,3] and grad_output f64[4,3] differ in element type (C2)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf64>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_grad_c3(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3x4xf32>) {
  // expected-error@+1 {{operand f32[4,3] and grad_output f32[3,4] differ in shape (C3)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_grad_c4(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<4x3xf32>) {
  // expected-error@+1 {{variance is f32[4], but one element for each feature of f32[4,3] wanted (C4)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_grad_result_c4(%a: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<4x3xf32>) {
  // expected-error@+1 {{result 2 is f32[4], f32[3] expected (C4)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c5(%a: tensor<4x3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<4x3xf32>) {
  // expected-error@+1 {{scale is f32[4], but one element for each feature of f32[4,3] wanted (C5)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{
    epsilon = 0.0 : f32, feature_index = 1 : i64
  }> : (tensor<4x3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @cholesky_c1(%a: tensor<3x3xf32>) {
  // expected-error@+1 {{result is f64[3,3], f32[3,3] expected (C1)}}
  %0 = stablehlo.cholesky %a, lower = true : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return
}

// -----

func.func @cholesky_c2(%a: tensor<3xf32>) {
  // expected-error@+1 {{a f32[3] has fewer than 2 dimensions (C2)}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3xf32>
  return
}

// -----

func.func @cholesky_c3(%a: tensor<3x4xf32>) {
  // expected-error@+1 {{a f32[3,4] does not hold square matrices (C3)}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x4xf32>
  return
}

// -----

func.func @triangular_solve_c1(%a: tensor<3x3xf32>, %b: tensor<3x2xf64>) {
  // expected-error@+1 {{a f32[3,3] and b f64[3,2] differ in element type (C1)}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<3x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{a f32[3,3] and b f32[3] are not of one rank of at least 2 (C2)}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @triangular_solve_c3(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{a f32[3,3] is not square, or does not fit b f32[3,2] (C3)}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_batch_c3(%a: tensor<2x3x3xf32>, %b: tensor<4x3x2xf32>) {
  // expected-error@+1 {{a f32[2,3,3] and b f32[4,3,2] differ in dimension 0 (C3)}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<2x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

func.func @triangular_solve_c4(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{result is f32[2,3], f32[3,2] expected (C4)}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @fft_c1(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{fft_length [2, 4, 8] is longer than operand f32[4,8] (C1)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [2, 4, 8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c2(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{operand is f32[4,8], but complex wanted for FFT (C2)}}
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

// -----

func.func @fft_result_c2(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{result is complex<f64>[4,5], complex<f32>[4,5] expected (C2)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f64>>
  return
}

// -----

func.func @fft_c3(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{fft_length [1, 1, 4, 8] has not 1 to 3 entries (C3)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [1, 1, 4, 8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c4(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{fft_length [7] are not the last sizes of operand f32[4,8] (C4)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [7] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c5(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{result is complex<f32>[4,8], complex<f32>[4,5] expected (C5)}}
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
  return
}

// -----

func.func @fft_irfft_c5(%a: tensor<4x8xcomplex<f32>>) {
  // expected-error@+1 {{last dimension of operand complex<f32>[4,8] is not the 5 that fft_length [8] needs (C5)}}
  %0 = stablehlo.fft %a, type = IRFFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %n: tensor<1xi64>) {
  // expected-error@+1 {{a f32[] and b f64[] are not scalars of one type (C1)}}
  %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @rng_result_c1(%a: tensor<f32>, %b: tensor<f32>, %n: tensor<1xi64>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C1)}}
  %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf64>
  return
}

// -----

func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>, %n: tensor<1xi64>) {
  // expected-error@+1 {{a is i32[], but float wanted for NORMAL (C2)}}
  %0 = stablehlo.rng %a, %b, %n, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<2xi32>
  return
}

// -----

func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{shape is i64[2], but result f32[2] (C3)}}
  %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @rng_constant_c3(%a: tensor<f32>, %b: tensor<f32>) {
  %n = stablehlo.constant dense<3> : tensor<1xi64>
  // expected-error@+1 {{result is f32[2], f32[3] expected (C3)}}
  %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @rng_bit_generator_c1(%a: tensor<2xui64>) {
  // expected-error@+1 {{result 0 is ui64[3], ui64[2] expected (C1)}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2(%a: tensor<3xui64>) {
  // expected-error@+1 {{initial_state is ui64[3], but ui64[2] wanted for THREE_FRY (C2)}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_philox_c2(%a: tensor<4xui64>) {
  // expected-error@+1 {{initial_state is ui64[4], but ui64[2] or ui64[3] wanted for PHILOX (C2)}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}
