// error: result 1 is f32[1], f32[400] expected
func.func @main(%a: tensor<500x400xf32>) -> (tensor<500x400xf32>, tensor<1xf32>) {
  %r:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<500x400xf32>) -> (tensor<500x400xf32>, tensor<1xf32>)
  return %r#0, %r#1 : tensor<500x400xf32>, tensor<1xf32>
}
