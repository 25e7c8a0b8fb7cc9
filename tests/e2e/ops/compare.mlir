func.func @compare_complex_by_parts() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (0x7FC00000, 0.0)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 3.0), (0.0, 9.0), (1.0, 2.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %r = stablehlo.compare GE, %x, %y, FLOAT : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  %wanted = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
  check.expect_eq %r, %wanted : tensor<4xi1>
  func.return
}
