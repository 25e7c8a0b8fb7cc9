// error: result 2 is f32[2,2], f32[300,300] expected
func.func @main(%a: tensor<300x3xf32>) -> (tensor<300x3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<3x3xf32>, tensor<i32>) {
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<300x3xf32>) -> (tensor<300x3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<3x3xf32>, tensor<i32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<300x3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<3x3xf32>, tensor<i32>
}
