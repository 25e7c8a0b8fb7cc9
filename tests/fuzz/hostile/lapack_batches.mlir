// error: result 2 is i32[3], i32[2] expected
func.func @main(%a: tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<3xi32>) {
  %r:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<3xi32>)
  return %r#0, %r#1, %r#2 : tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<3xi32>
}
