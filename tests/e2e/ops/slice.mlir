func.func @slice_f32() {
  %a = stablehlo.constant dense<[[[2.5, -0.5, 1.75, -2.75, -3.75], [-2.0, 1.75, -2.0, 0.5, -1.75], [2.5, 3.0, -2.25, -0.75, 3.5], [1.75, 1.75, 2.25, -2.0, -3.0]], [[0.5, -1.0, -2.5, 3.5, -1.5], [1.0, -3.25, -4.0, 1.75, 1.25], [1.25, -1.75, -2.5, 3.25, -2.5], [2.0, -3.5, -0.5, 1.25, 3.5]], [[-2.0, 0.25, -3.5, 2.5, 1.75], [-4.0, -2.0, 0.75, -1.5, -0.75], [-3.75, -4.0, 3.5, -0.75, 3.0], [-3.25, 0.5, 0.75, -0.25, -3.5]]]> : tensor<3x4x5xf32>
  %r = stablehlo.slice %a [1:3, 0:4:2, 1:5:3] : (tensor<3x4x5xf32>) -> tensor<2x2x2xf32>
  %wanted = stablehlo.constant dense<[[[-1.0, -1.5], [-1.75, -2.5]], [[0.25, 1.75], [-4.0, 3.0]]]> : tensor<2x2x2xf32>
  check.expect_eq %r, %wanted : tensor<2x2x2xf32>
  func.return
}

// -----

func.func @slice_i8() {
  %a = stablehlo.constant dense<[[[2, 6, -1, -3, -7], [0, -1, 0, -6, 1], [2, 4, -1, 5, 6], [-1, -1, 1, 0, -4]], [[-6, 4, -2, 6, 2], [-4, -5, -8, -1, -3], [-3, 1, -2, 5, -2], [0, -6, 6, -3, 6]], [[0, -7, -6, 2, -1], [-8, 0, -5, 2, 5], [-7, -8, 6, 5, 4], [-5, -6, -5, 7, -6]]]> : tensor<3x4x5xi8>
  %r = stablehlo.slice %a [1:3, 0:4:2, 1:5:3] : (tensor<3x4x5xi8>) -> tensor<2x2x2xi8>
  %wanted = stablehlo.constant dense<[[[4, 2], [1, -2]], [[-7, -1], [-8, 4]]]> : tensor<2x2x2xi8>
  check.expect_eq %r, %wanted : tensor<2x2x2xi8>
  func.return
}

// -----

func.func @slice_f64() {
  %a = stablehlo.constant dense<[[[2.5, -0.5, 1.75, -2.75, -3.75], [-2.0, 1.75, -2.0, 0.5, -1.75], [2.5, 3.0, -2.25, -0.75, 3.5], [1.75, 1.75, 2.25, -2.0, -3.0]], [[0.5, -1.0, -2.5, 3.5, -1.5], [1.0, -3.25, -4.0, 1.75, 1.25], [1.25, -1.75, -2.5, 3.25, -2.5], [2.0, -3.5, -0.5, 1.25, 3.5]], [[-2.0, 0.25, -3.5, 2.5, 1.75], [-4.0, -2.0, 0.75, -1.5, -0.75], [-3.75, -4.0, 3.5, -0.75, 3.0], [-3.25, 0.5, 0.75, -0.25, -3.5]]]> : tensor<3x4x5xf64>
  %r = stablehlo.slice %a [1:3, 0:4:2, 1:5:3] : (tensor<3x4x5xf64>) -> tensor<2x2x2xf64>
  %wanted = stablehlo.constant dense<[[[-1.0, -1.5], [-1.75, -2.5]], [[0.25, 1.75], [-4.0, 3.0]]]> : tensor<2x2x2xf64>
  check.expect_eq %r, %wanted : tensor<2x2x2xf64>
  func.return
}

// -----

func.func @slice_i1() {
  %a = stablehlo.constant dense<[[[false, false, true, true, true], [false, true, false, false, true], [false, false, true, true, false], [true, true, true, false, false]], [[false, false, false, false, false], [false, true, false, true, true], [true, true, false, true, false], [false, false, false, true, false]], [[false, true, false, false, true], [false, false, true, false, true], [true, false, false, true, false], [true, false, true, true, false]]]> : tensor<3x4x5xi1>
  %r = stablehlo.slice %a [1:3, 0:4:2, 1:5:3] : (tensor<3x4x5xi1>) -> tensor<2x2x2xi1>
  %wanted = stablehlo.constant dense<[[[false, false], [true, false]], [[true, true], [false, false]]]> : tensor<2x2x2xi1>
  check.expect_eq %r, %wanted : tensor<2x2x2xi1>
  func.return
}

// -----

func.func @slice_complex_f32() {
  %a = stablehlo.constant dense<[[[(2.5, -3.25), (-0.5, -0.5), (1.75, -0.25), (-2.75, 3.25), (-3.75, -2.5)], [(-2.0, 1.5), (1.75, 0.0), (-2.0, -1.75), (0.5, -2.0), (-1.75, -3.0)], [(2.5, -2.25), (3.0, 3.5), (-2.25, 2.75), (-0.75, 0.0), (3.5, 3.5)], [(1.75, 0.0), (1.75, -2.25), (2.25, -1.0), (-2.0, -0.25), (-3.0, 0.25)]], [[(0.5, 1.25), (-1.0, -2.25), (-2.5, 0.0), (3.5, 2.75), (-1.5, -1.0)], [(1.0, -0.75), (-3.25, -1.25), (-4.0, -3.75), (1.75, -0.25), (1.25, 3.5)], [(1.25, 1.0), (-1.75, 1.5), (-2.5, 3.25), (3.25, 0.5), (-2.5, 3.5)], [(2.0, 2.25), (-3.5, -1.75), (-0.5, -1.5), (1.25, -1.75), (3.5, -1.75)]], [[(-2.0, 3.5), (0.25, -3.75), (-3.5, 0.5), (2.5, -2.25), (1.75, 0.0)], [(-4.0, -0.5), (-2.0, -2.75), (0.75, 2.5), (-1.5, -4.0), (-0.75, 0.0)], [(-3.75, -3.0), (-4.0, -0.5), (3.5, -3.0), (-0.75, -1.75), (3.0, 0.75)], [(-3.25, 2.75), (0.5, 3.75), (0.75, -3.5), (-0.25, -3.0), (-3.5, -2.5)]]]> : tensor<3x4x5xcomplex<f32>>
  %r = stablehlo.slice %a [1:3, 0:4:2, 1:5:3] : (tensor<3x4x5xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %wanted = stablehlo.constant dense<[[[(-1.0, -2.25), (-1.5, -1.0)], [(-1.75, 1.5), (-2.5, 3.5)]], [[(0.25, -3.75), (1.75, 0.0)], [(-4.0, -0.5), (3.0, 0.75)]]]> : tensor<2x2x2xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<2x2x2xcomplex<f32>>
  func.return
}
