func.func @broadcast_in_dim_f32() {
  %a = stablehlo.constant dense<[2.5, 0.5, -2.0]> : tensor<3xf32>
  %r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xf32>) -> tensor<3x7xf32>
  %wanted = stablehlo.constant dense<[[2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [-2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0]]> : tensor<3x7xf32>
  check.expect_eq %r, %wanted : tensor<3x7xf32>
  func.return
}

// -----

func.func @broadcast_in_dim_i8() {
  %a = stablehlo.constant dense<[2, -6, 0]> : tensor<3xi8>
  %r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xi8>) -> tensor<3x7xi8>
  %wanted = stablehlo.constant dense<[[2, 2, 2, 2, 2, 2, 2], [-6, -6, -6, -6, -6, -6, -6], [0, 0, 0, 0, 0, 0, 0]]> : tensor<3x7xi8>
  check.expect_eq %r, %wanted : tensor<3x7xi8>
  func.return
}

// -----

func.func @broadcast_in_dim_f64() {
  %a = stablehlo.constant dense<[2.5, 0.5, -2.0]> : tensor<3xf64>
  %r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xf64>) -> tensor<3x7xf64>
  %wanted = stablehlo.constant dense<[[2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5], [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [-2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0]]> : tensor<3x7xf64>
  check.expect_eq %r, %wanted : tensor<3x7xf64>
  func.return
}

// -----

func.func @broadcast_in_dim_i1() {
  %a = stablehlo.constant dense<[false, false, false]> : tensor<3xi1>
  %r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xi1>) -> tensor<3x7xi1>
  %wanted = stablehlo.constant dense<[[false, false, false, false, false, false, false], [false, false, false, false, false, false, false], [false, false, false, false, false, false, false]]> : tensor<3x7xi1>
  check.expect_eq %r, %wanted : tensor<3x7xi1>
  func.return
}

// -----

func.func @broadcast_in_dim_complex_f32() {
  %a = stablehlo.constant dense<[(2.5, -3.25), (0.5, 1.25), (-2.0, 3.5)]> : tensor<3xcomplex<f32>>
  %r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xcomplex<f32>>) -> tensor<3x7xcomplex<f32>>
  %wanted = stablehlo.constant dense<[[(2.5, -3.25), (2.5, -3.25), (2.5, -3.25), (2.5, -3.25), (2.5, -3.25), (2.5, -3.25), (2.5, -3.25)], [(0.5, 1.25), (0.5, 1.25), (0.5, 1.25), (0.5, 1.25), (0.5, 1.25), (0.5, 1.25), (0.5, 1.25)], [(-2.0, 3.5), (-2.0, 3.5), (-2.0, 3.5), (-2.0, 3.5), (-2.0, 3.5), (-2.0, 3.5), (-2.0, 3.5)]]> : tensor<3x7xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<3x7xcomplex<f32>>
  func.return
}
