// error: result 0 is f32[1000,1000], f32[3,3] expected
func.func @main(%a: tensor<3x3xf32>) -> (tensor<1000x1000xf32>, tensor<i32>) {
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<1000x1000xf32>, tensor<i32>)
  return %r#0, %r#1 : tensor<1000x1000xf32>, tensor<i32>
}
