func.func @dot_general_f32() {
  %a = stablehlo.constant dense<[[-0.25, -3.0, 2.25, 1.5, -3.25, 0.75, 1.75], [-2.25, 3.0, 2.25, -0.5, 1.75, -2.0, 2.25], [-0.5, -1.5, 2.5, -2.0, -2.25, -2.5, -3.0], [0.0, 3.75, -2.25, -1.0, -4.0, -1.25, 1.75], [2.5, -2.5, 0.75, 3.0, -1.0, 3.75, -2.75]]> : tensor<5x7xf32>
  %b = stablehlo.constant dense<[[-3.25, 1.0, 0.25], [-1.75, -2.75, 2.5], [-2.0, 0.75, -2.0], [3.75, 0.0, -0.75], [1.25, 3.0, 0.25], [0.75, -1.5, 2.75], [-1.0, -0.75, -1.75]]> : tensor<7x3xf32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3xf32>
  %wanted = stablehlo.constant dense<[[1.9375, -2.5, -15.0], [-5.875, -2.25, -6.1875], [-9.9375, 4.75, -9.5625], [-13.5, -23.4375, 7.125], [10.3125, 3.375, 5.5]]> : tensor<5x3xf32>
  check.expect_eq %r, %wanted : tensor<5x3xf32>
  func.return
}

// -----

func.func @dot_general_f32_batch() {
  %a = stablehlo.constant dense<[[[3.5, 3.0, 3.5, 1.25, 1.5, 2.0], [2.75, 1.5, 3.25, -3.75, 1.5, 1.0], [2.75, -2.0, 2.5, 0.25, 2.0, 1.25], [2.75, -3.75, 3.25, 3.0, -4.0, 3.0]], [[-0.5, 2.75, 2.0, -1.5, 2.0, 3.25], [3.5, -1.5, 3.0, 2.0, -1.0, 0.5], [1.5, 2.0, -3.75, 2.0, -3.25, -1.25], [-2.75, 0.75, -2.5, 1.75, -1.75, 0.0]]]> : tensor<2x4x6xf32>
  %b = stablehlo.constant dense<[[[-1.75, 3.25, -3.0, -0.25, -4.0, 0.25], [2.75, 3.0, 2.25, 3.25, 0.0, 3.25], [0.25, 2.5, -2.0, -1.75, -4.0, -1.5], [-2.0, 1.5, -3.0, 0.75, 0.0, -3.0], [-0.25, -1.25, 1.5, 2.0, -1.25, 2.5]], [[3.5, -3.75, -2.0, -3.0, -0.5, 0.25], [0.75, 1.5, -0.75, -2.75, -0.75, 0.75], [2.25, 3.5, -0.75, 3.0, 1.5, 3.5], [3.5, 2.25, -1.0, -3.75, 3.75, 2.25], [-3.0, 2.75, 0.5, 3.25, -0.75, 1.5]]]> : tensor<2x5x6xf32>
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x6xf32>, tensor<2x5x6xf32>) -> tensor<2x4x5xf32>
  %wanted = stablehlo.constant dense<[[[-12.6875, 37.0625, -9.8125, -18.0625, 6.25], [-14.5, 10.4375, -3.0, -18.8125, -4.5625], [-26.5625, 12.0625, -19.625, -19.5625, 6.6875], [-10.75, 23.125, -8.9375, -27.625, 27.375]], [[-11.75, 7.3125, 16.875, 22.875, 8.5625], [6.5, -6.25, 6.625, -4.25, -5.125], [0.5625, 2.9375, 9.9375, -9.0, 6.1875], [-11.8125, -2.5625, 0.9375, -18.5625, 16.0625]]]> : tensor<2x4x5xf32>
  check.expect_eq %r, %wanted : tensor<2x4x5xf32>
  func.return
}

// -----

func.func @dot_general_f64() {
  %a = stablehlo.constant dense<[[-0.25, -3.0, 2.25, 1.5, -3.25, 0.75, 1.75], [-2.25, 3.0, 2.25, -0.5, 1.75, -2.0, 2.25], [-0.5, -1.5, 2.5, -2.0, -2.25, -2.5, -3.0], [0.0, 3.75, -2.25, -1.0, -4.0, -1.25, 1.75], [2.5, -2.5, 0.75, 3.0, -1.0, 3.75, -2.75]]> : tensor<5x7xf64>
  %b = stablehlo.constant dense<[[-3.25, 1.0, 0.25], [-1.75, -2.75, 2.5], [-2.0, 0.75, -2.0], [3.75, 0.0, -0.75], [1.25, 3.0, 0.25], [0.75, -1.5, 2.75], [-1.0, -0.75, -1.75]]> : tensor<7x3xf64>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x7xf64>, tensor<7x3xf64>) -> tensor<5x3xf64>
  %wanted = stablehlo.constant dense<[[1.9375, -2.5, -15.0], [-5.875, -2.25, -6.1875], [-9.9375, 4.75, -9.5625], [-13.5, -23.4375, 7.125], [10.3125, 3.375, 5.5]]> : tensor<5x3xf64>
  check.expect_eq %r, %wanted : tensor<5x3xf64>
  func.return
}

// -----

func.func @dot_general_f64_batch() {
  %a = stablehlo.constant dense<[[[3.5, 3.0, 3.5, 1.25, 1.5, 2.0], [2.75, 1.5, 3.25, -3.75, 1.5, 1.0], [2.75, -2.0, 2.5, 0.25, 2.0, 1.25], [2.75, -3.75, 3.25, 3.0, -4.0, 3.0]], [[-0.5, 2.75, 2.0, -1.5, 2.0, 3.25], [3.5, -1.5, 3.0, 2.0, -1.0, 0.5], [1.5, 2.0, -3.75, 2.0, -3.25, -1.25], [-2.75, 0.75, -2.5, 1.75, -1.75, 0.0]]]> : tensor<2x4x6xf64>
  %b = stablehlo.constant dense<[[[-1.75, 3.25, -3.0, -0.25, -4.0, 0.25], [2.75, 3.0, 2.25, 3.25, 0.0, 3.25], [0.25, 2.5, -2.0, -1.75, -4.0, -1.5], [-2.0, 1.5, -3.0, 0.75, 0.0, -3.0], [-0.25, -1.25, 1.5, 2.0, -1.25, 2.5]], [[3.5, -3.75, -2.0, -3.0, -0.5, 0.25], [0.75, 1.5, -0.75, -2.75, -0.75, 0.75], [2.25, 3.5, -0.75, 3.0, 1.5, 3.5], [3.5, 2.25, -1.0, -3.75, 3.75, 2.25], [-3.0, 2.75, 0.5, 3.25, -0.75, 1.5]]]> : tensor<2x5x6xf64>
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x6xf64>, tensor<2x5x6xf64>) -> tensor<2x4x5xf64>
  %wanted = stablehlo.constant dense<[[[-12.6875, 37.0625, -9.8125, -18.0625, 6.25], [-14.5, 10.4375, -3.0, -18.8125, -4.5625], [-26.5625, 12.0625, -19.625, -19.5625, 6.6875], [-10.75, 23.125, -8.9375, -27.625, 27.375]], [[-11.75, 7.3125, 16.875, 22.875, 8.5625], [6.5, -6.25, 6.625, -4.25, -5.125], [0.5625, 2.9375, 9.9375, -9.0, 6.1875], [-11.8125, -2.5625, 0.9375, -18.5625, 16.0625]]]> : tensor<2x4x5xf64>
  check.expect_eq %r, %wanted : tensor<2x4x5xf64>
  func.return
}

// -----

func.func @dot_general_i32() {
  %a = stablehlo.constant dense<[[7, -4, 1, -2, -5, -5, -1], [-1, 4, 1, 6, -1, 0, 1], [6, 2, 2, 0, -1, -2, -4], [-8, 7, -1, 4, -8, 3, -1], [2, -2, -5, 4, 4, 7, -3]]> : tensor<5x7xi32>
  %b = stablehlo.constant dense<[[-5, -4, -7], [1, -3, 2], [0, -5, 0], [7, -8, 5], [-3, 4, -7], [-5, 2, 3], [4, 5, 1]]> : tensor<7x3xi32>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x7xi32>, tensor<7x3xi32>) -> tensor<5x3xi32>
  %wanted = stablehlo.constant dense<[[-17, -40, -48], [58, -60, 53], [-31, -68, -41], [80, -47, 154], [-43, 6, -8]]> : tensor<5x3xi32>
  check.expect_eq %r, %wanted : tensor<5x3xi32>
  func.return
}

// -----

func.func @dot_general_i32_batch() {
  %a = stablehlo.constant dense<[[[6, 4, 6, -3, -2, 0], [3, -2, 5, -7, -2, -4], [3, 0, 2, -7, 0, -3], [3, -7, 5, 4, -8, 4]], [[6, 3, 0, 2, 0, 5], [6, 2, 4, 0, 4, -6], [-2, 0, -7, 0, -5, 3], [-3, -5, -2, -1, 1, -8]]]> : tensor<2x4x6xi32>
  %b = stablehlo.constant dense<[[[1, 5, -4, 7, -8, -7], [3, 4, 1, 5, -8, 5], [-7, 2, 0, 1, -8, 2], [0, -2, -4, -5, -8, -4], [7, 3, -2, 0, 3, 2]], [[6, -7, 0, -4, 6, -7], [-5, -2, 5, -3, 5, -5], [1, 6, 5, 4, -2, 6], [6, 1, 4, -7, 7, 1], [-4, 3, -6, 5, 5, -2]]]> : tensor<2x5x6xi32>
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x6xi32>, tensor<2x5x6xi32>) -> tensor<2x4x5xi32>
  %wanted = stablehlo.constant dense<[[[-3, 41, -21, -1, 36], [-32, -33, -24, 51, -9], [-33, -39, -34, 39, 11], [12, 90, 41, 22, -26]], [[-28, -67, 62, 30, -15], [88, 36, -6, 76, -10], [-63, -65, -9, -72, 19], [83, 63, -97, -25, 25]]]> : tensor<2x4x5xi32>
  check.expect_eq %r, %wanted : tensor<2x4x5xi32>
  func.return
}

// -----

// A matrix and a vector, and few rows, whose columns are contiguous along the
// contracted dimension, beside sums of products.
func.func @dot_general_along_k() {
  %w = stablehlo.iota dim = 1 : tensor<37x203xf32>
  %v = stablehlo.iota dim = 0 : tensor<37x203xf32>
  %three = stablehlo.constant dense<3.0> : tensor<37x203xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<37x203xf32>
  %m = stablehlo.multiply %w, %three : tensor<37x203xf32>
  %n = stablehlo.add %m, %v : tensor<37x203xf32>
  %matrix = stablehlo.remainder %n, %seven : tensor<37x203xf32>
  %i = stablehlo.iota dim = 1 : tensor<5x203xf32>
  %j = stablehlo.iota dim = 0 : tensor<5x203xf32>
  %five = stablehlo.constant dense<5.0> : tensor<5x203xf32>
  %k = stablehlo.add %i, %j : tensor<5x203xf32>
  %rows = stablehlo.remainder %k, %five : tensor<5x203xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>

  %few = stablehlo.dot_general %rows, %matrix, contracting_dims = [1] x [1] : (tensor<5x203xf32>, tensor<37x203xf32>) -> tensor<5x37xf32>
  %a = stablehlo.broadcast_in_dim %rows, dims = [0, 2] : (tensor<5x203xf32>) -> tensor<5x37x203xf32>
  %b = stablehlo.broadcast_in_dim %matrix, dims = [1, 2] : (tensor<37x203xf32>) -> tensor<5x37x203xf32>
  %ab = stablehlo.multiply %a, %b : tensor<5x37x203xf32>
  %sums = stablehlo.reduce(%ab init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<5x37x203xf32>, tensor<f32>) -> tensor<5x37xf32>
  check.expect_eq %few, %sums : tensor<5x37xf32>

  %slice = stablehlo.slice %rows [2:3, 0:203] : (tensor<5x203xf32>) -> tensor<1x203xf32>
  %vector = stablehlo.reshape %slice : (tensor<1x203xf32>) -> tensor<203xf32>
  %product = stablehlo.dot_general %matrix, %vector, contracting_dims = [1] x [0] : (tensor<37x203xf32>, tensor<203xf32>) -> tensor<37xf32>
  %line = stablehlo.slice %sums [2:3, 0:37] : (tensor<5x37xf32>) -> tensor<1x37xf32>
  %wanted = stablehlo.reshape %line : (tensor<1x37xf32>) -> tensor<37xf32>
  check.expect_eq %product, %wanted : tensor<37xf32>
  func.return
}

// -----

// Few rows, and a large matrix whose rows are more than a page apart.
func.func @dot_general_far_rows() {
  %i = stablehlo.iota dim = 0 : tensor<2000x1100xf32>
  %j = stablehlo.iota dim = 1 : tensor<2000x1100xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<2000x1100xf32>
  %sum = stablehlo.add %i, %j : tensor<2000x1100xf32>
  %made = stablehlo.remainder %sum, %seven : tensor<2000x1100xf32>
  %matrix = stablehlo.optimization_barrier %made : tensor<2000x1100xf32>
  %two = stablehlo.constant dense<2.0> : tensor<2x2000xf32>
  %rows = stablehlo.optimization_barrier %two : tensor<2x2000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %product = stablehlo.dot_general %rows, %matrix, contracting_dims = [1] x [0] : (tensor<2x2000xf32>, tensor<2000x1100xf32>) -> tensor<2x1100xf32>
  %sums = stablehlo.reduce(%matrix init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2000x1100xf32>, tensor<f32>) -> tensor<1100xf32>
  %each = stablehlo.broadcast_in_dim %sums, dims = [1] : (tensor<1100xf32>) -> tensor<2x1100xf32>
  %wanted = stablehlo.add %each, %each : tensor<2x1100xf32>
  check.expect_eq %product, %wanted : tensor<2x1100xf32>
  func.return
}
