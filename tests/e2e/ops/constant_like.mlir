// The value may be a number or a tensor of one element.
func.func @constant_like_number() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.constant_like"(%x) <{value = 2.5 : f32}> : (tensor<2xi32>) -> tensor<2xf32>
  %wanted = stablehlo.constant dense<[2.5, 2.5]> : tensor<2xf32>
  check.expect_eq %r, %wanted : tensor<2xf32>
  func.return
}

// -----

func.func @constant_like_tensor() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.constant_like"(%x) <{value = dense<(1.0, -2.0)> : tensor<complex<f32>>}> : (tensor<2xi32>) -> tensor<2xcomplex<f32>>
  %wanted = stablehlo.constant dense<[(1.0, -2.0), (1.0, -2.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<2xcomplex<f32>>
  func.return
}
