func.func @pad_f32() {
  %a = stablehlo.constant dense<[[-3.25, -0.5, -0.25, 3.25], [-2.5, 1.5, 0.0, -1.75]]> : tensor<2x4xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  %wanted = stablehlo.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, -3.25, 0.0, -0.5, 0.0, -0.25, 0.0, 3.25, 0.0], [0.0, -2.5, 0.0, 1.5, 0.0, 0.0, 0.0, -1.75, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x9xf32>
  check.expect_eq %r, %wanted : tensor<4x9xf32>
  func.return
}

// -----

func.func @pad_i8() {
  %a = stablehlo.constant dense<[[-5, 6, 7, 5], [-2, -2, -8, 1]]> : tensor<2x4xi8>
  %b = stablehlo.constant dense<0> : tensor<i8>
  %r = stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [0, 1] : (tensor<2x4xi8>, tensor<i8>) -> tensor<4x9xi8>
  %wanted = stablehlo.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0], [0, -5, 0, 6, 0, 7, 0, 5, 0], [0, -2, 0, -2, 0, -8, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x9xi8>
  check.expect_eq %r, %wanted : tensor<4x9xi8>
  func.return
}

// -----

func.func @pad_f64() {
  %a = stablehlo.constant dense<[[-3.25, -0.5, -0.25, 3.25], [-2.5, 1.5, 0.0, -1.75]]> : tensor<2x4xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [0, 1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<4x9xf64>
  %wanted = stablehlo.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, -3.25, 0.0, -0.5, 0.0, -0.25, 0.0, 3.25, 0.0], [0.0, -2.5, 0.0, 1.5, 0.0, 0.0, 0.0, -1.75, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x9xf64>
  check.expect_eq %r, %wanted : tensor<4x9xf64>
  func.return
}

// -----

func.func @pad_i1() {
  %a = stablehlo.constant dense<[[true, false, true, true], [false, false, false, true]]> : tensor<2x4xi1>
  %b = stablehlo.constant dense<false> : tensor<i1>
  %r = stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [0, 1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<4x9xi1>
  %wanted = stablehlo.constant dense<[[false, false, false, false, false, false, false, false, false], [false, true, false, false, false, true, false, true, false], [false, false, false, false, false, false, false, true, false], [false, false, false, false, false, false, false, false, false]]> : tensor<4x9xi1>
  check.expect_eq %r, %wanted : tensor<4x9xi1>
  func.return
}

// -----

func.func @pad_complex_f32() {
  %a = stablehlo.constant dense<[[(-3.25, -1.5), (-0.5, -1.75), (-0.25, -3.25), (3.25, 1.0)], [(-2.5, -1.5), (1.5, -0.75), (0.0, -0.25), (-1.75, -1.5)]]> : tensor<2x4xcomplex<f32>>
  %b = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %r = stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [0, 1] : (tensor<2x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x9xcomplex<f32>>
  %wanted = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (-3.25, -1.5), (0.0, 0.0), (-0.5, -1.75), (0.0, 0.0), (-0.25, -3.25), (0.0, 0.0), (3.25, 1.0), (0.0, 0.0)], [(0.0, 0.0), (-2.5, -1.5), (0.0, 0.0), (1.5, -0.75), (0.0, 0.0), (0.0, -0.25), (0.0, 0.0), (-1.75, -1.5), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<4x9xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<4x9xcomplex<f32>>
  func.return
}
