// error: takes rows within the matrix
func.func @main(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>) {
  %r:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {low = -9223372036854775808 : i64, high = 3 : i64}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  return %r#0, %r#1, %r#2 : tensor<3x3xf32>, tensor<2xf32>, tensor<i32>
}
