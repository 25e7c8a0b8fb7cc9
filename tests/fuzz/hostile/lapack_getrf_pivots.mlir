// error: result 1 is i32[1], i32[500] expected
func.func @main(%a: tensor<500x500xf32>) -> (tensor<500x500xf32>, tensor<1xi32>, tensor<i32>) {
  %r:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<500x500xf32>) -> (tensor<500x500xf32>, tensor<1xi32>, tensor<i32>)
  return %r#0, %r#1, %r#2 : tensor<500x500xf32>, tensor<1xi32>, tensor<i32>
}
