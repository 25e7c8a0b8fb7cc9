// Convolutions with channels last whose blocks of K are several runs, which the
// rows of a window are, against sums of products for each place of the window.
// All numbers are small integers.
func.func @one_channel() {
  %xn = stablehlo.iota dim = 0 : tensor<572xi32>
  %xm = stablehlo.constant dense<5> : tensor<572xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<572xi32>
  %xd = stablehlo.constant dense<9> : tensor<572xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<572xi32>
  %xh = stablehlo.constant dense<4> : tensor<572xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<572xi32>
  %xv = stablehlo.reshape %xs : (tensor<572xi32>) -> tensor<4x13x11x1xi32>
  %xc = stablehlo.convert %xv : (tensor<4x13x11x1xi32>) -> tensor<4x13x11x1xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<4x13x11x1xf32>
  %wn = stablehlo.iota dim = 0 : tensor<288xi32>
  %wm = stablehlo.constant dense<3> : tensor<288xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<288xi32>
  %wd = stablehlo.constant dense<7> : tensor<288xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<288xi32>
  %wh = stablehlo.constant dense<3> : tensor<288xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<288xi32>
  %wv = stablehlo.reshape %ws : (tensor<288xi32>) -> tensor<3x3x1x32xi32>
  %wc = stablehlo.convert %wv : (tensor<3x3x1x32xi32>) -> tensor<3x3x1x32xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x3x1x32xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x13x11x1xf32>, tensor<3x3x1x32xf32>) -> tensor<4x11x9x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %padded = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x13x11x1xf32>, tensor<f32>) -> tensor<4x13x11x1xf32>
  %a0 = stablehlo.slice %padded [0:4, 0:11:1, 0:9:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b0 = stablehlo.slice %w [0:1, 0:1, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c0 = stablehlo.reshape %b0 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d0 = stablehlo.dot_general %a0, %c0, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %a1 = stablehlo.slice %padded [0:4, 0:11:1, 1:10:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b1 = stablehlo.slice %w [0:1, 1:2, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c1 = stablehlo.reshape %b1 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d1 = stablehlo.dot_general %a1, %c1, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e1 = stablehlo.add %d0, %d1 : tensor<4x11x9x32xf32>
  %a2 = stablehlo.slice %padded [0:4, 0:11:1, 2:11:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b2 = stablehlo.slice %w [0:1, 2:3, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c2 = stablehlo.reshape %b2 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d2 = stablehlo.dot_general %a2, %c2, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e2 = stablehlo.add %e1, %d2 : tensor<4x11x9x32xf32>
  %a3 = stablehlo.slice %padded [0:4, 1:12:1, 0:9:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b3 = stablehlo.slice %w [1:2, 0:1, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c3 = stablehlo.reshape %b3 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d3 = stablehlo.dot_general %a3, %c3, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e3 = stablehlo.add %e2, %d3 : tensor<4x11x9x32xf32>
  %a4 = stablehlo.slice %padded [0:4, 1:12:1, 1:10:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b4 = stablehlo.slice %w [1:2, 1:2, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c4 = stablehlo.reshape %b4 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d4 = stablehlo.dot_general %a4, %c4, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e4 = stablehlo.add %e3, %d4 : tensor<4x11x9x32xf32>
  %a5 = stablehlo.slice %padded [0:4, 1:12:1, 2:11:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b5 = stablehlo.slice %w [1:2, 2:3, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c5 = stablehlo.reshape %b5 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d5 = stablehlo.dot_general %a5, %c5, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e5 = stablehlo.add %e4, %d5 : tensor<4x11x9x32xf32>
  %a6 = stablehlo.slice %padded [0:4, 2:13:1, 0:9:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b6 = stablehlo.slice %w [2:3, 0:1, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c6 = stablehlo.reshape %b6 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d6 = stablehlo.dot_general %a6, %c6, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e6 = stablehlo.add %e5, %d6 : tensor<4x11x9x32xf32>
  %a7 = stablehlo.slice %padded [0:4, 2:13:1, 1:10:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b7 = stablehlo.slice %w [2:3, 1:2, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c7 = stablehlo.reshape %b7 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d7 = stablehlo.dot_general %a7, %c7, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e7 = stablehlo.add %e6, %d7 : tensor<4x11x9x32xf32>
  %a8 = stablehlo.slice %padded [0:4, 2:13:1, 2:11:1, 0:1] : (tensor<4x13x11x1xf32>) -> tensor<4x11x9x1xf32>
  %b8 = stablehlo.slice %w [2:3, 2:3, 0:1, 0:32] : (tensor<3x3x1x32xf32>) -> tensor<1x1x1x32xf32>
  %c8 = stablehlo.reshape %b8 : (tensor<1x1x1x32xf32>) -> tensor<1x32xf32>
  %d8 = stablehlo.dot_general %a8, %c8, contracting_dims = [3] x [0] : (tensor<4x11x9x1xf32>, tensor<1x32xf32>) -> tensor<4x11x9x32xf32>
  %e8 = stablehlo.add %e7, %d8 : tensor<4x11x9x32xf32>
  check.expect_eq %r, %e8 : tensor<4x11x9x32xf32>
  func.return
}

// -----

func.func @runs_of_25() {
  %xn = stablehlo.iota dim = 0 : tensor<1680xi32>
  %xm = stablehlo.constant dense<5> : tensor<1680xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1680xi32>
  %xd = stablehlo.constant dense<9> : tensor<1680xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1680xi32>
  %xh = stablehlo.constant dense<4> : tensor<1680xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1680xi32>
  %xv = stablehlo.reshape %xs : (tensor<1680xi32>) -> tensor<2x12x14x5xi32>
  %xc = stablehlo.convert %xv : (tensor<2x12x14x5xi32>) -> tensor<2x12x14x5xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<2x12x14x5xf32>
  %wn = stablehlo.iota dim = 0 : tensor<1800xi32>
  %wm = stablehlo.constant dense<3> : tensor<1800xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<1800xi32>
  %wd = stablehlo.constant dense<7> : tensor<1800xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<1800xi32>
  %wh = stablehlo.constant dense<3> : tensor<1800xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<1800xi32>
  %wv = stablehlo.reshape %ws : (tensor<1800xi32>) -> tensor<3x5x5x24xi32>
  %wc = stablehlo.convert %wv : (tensor<3x5x5x24xi32>) -> tensor<3x5x5x24xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x5x5x24xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x14x5xf32>, tensor<3x5x5x24xf32>) -> tensor<2x10x5x24xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %padded = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x12x14x5xf32>, tensor<f32>) -> tensor<2x12x14x5xf32>
  %a0 = stablehlo.slice %padded [0:2, 0:10:1, 0:9:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b0 = stablehlo.slice %w [0:1, 0:1, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c0 = stablehlo.reshape %b0 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d0 = stablehlo.dot_general %a0, %c0, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %a1 = stablehlo.slice %padded [0:2, 0:10:1, 1:10:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b1 = stablehlo.slice %w [0:1, 1:2, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c1 = stablehlo.reshape %b1 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d1 = stablehlo.dot_general %a1, %c1, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e1 = stablehlo.add %d0, %d1 : tensor<2x10x5x24xf32>
  %a2 = stablehlo.slice %padded [0:2, 0:10:1, 2:11:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b2 = stablehlo.slice %w [0:1, 2:3, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c2 = stablehlo.reshape %b2 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d2 = stablehlo.dot_general %a2, %c2, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e2 = stablehlo.add %e1, %d2 : tensor<2x10x5x24xf32>
  %a3 = stablehlo.slice %padded [0:2, 0:10:1, 3:12:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b3 = stablehlo.slice %w [0:1, 3:4, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c3 = stablehlo.reshape %b3 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d3 = stablehlo.dot_general %a3, %c3, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e3 = stablehlo.add %e2, %d3 : tensor<2x10x5x24xf32>
  %a4 = stablehlo.slice %padded [0:2, 0:10:1, 4:13:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b4 = stablehlo.slice %w [0:1, 4:5, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c4 = stablehlo.reshape %b4 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d4 = stablehlo.dot_general %a4, %c4, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e4 = stablehlo.add %e3, %d4 : tensor<2x10x5x24xf32>
  %a5 = stablehlo.slice %padded [0:2, 1:11:1, 0:9:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b5 = stablehlo.slice %w [1:2, 0:1, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c5 = stablehlo.reshape %b5 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d5 = stablehlo.dot_general %a5, %c5, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e5 = stablehlo.add %e4, %d5 : tensor<2x10x5x24xf32>
  %a6 = stablehlo.slice %padded [0:2, 1:11:1, 1:10:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b6 = stablehlo.slice %w [1:2, 1:2, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c6 = stablehlo.reshape %b6 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d6 = stablehlo.dot_general %a6, %c6, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e6 = stablehlo.add %e5, %d6 : tensor<2x10x5x24xf32>
  %a7 = stablehlo.slice %padded [0:2, 1:11:1, 2:11:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b7 = stablehlo.slice %w [1:2, 2:3, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c7 = stablehlo.reshape %b7 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d7 = stablehlo.dot_general %a7, %c7, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e7 = stablehlo.add %e6, %d7 : tensor<2x10x5x24xf32>
  %a8 = stablehlo.slice %padded [0:2, 1:11:1, 3:12:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b8 = stablehlo.slice %w [1:2, 3:4, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c8 = stablehlo.reshape %b8 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d8 = stablehlo.dot_general %a8, %c8, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e8 = stablehlo.add %e7, %d8 : tensor<2x10x5x24xf32>
  %a9 = stablehlo.slice %padded [0:2, 1:11:1, 4:13:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b9 = stablehlo.slice %w [1:2, 4:5, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c9 = stablehlo.reshape %b9 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d9 = stablehlo.dot_general %a9, %c9, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e9 = stablehlo.add %e8, %d9 : tensor<2x10x5x24xf32>
  %a10 = stablehlo.slice %padded [0:2, 2:12:1, 0:9:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b10 = stablehlo.slice %w [2:3, 0:1, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c10 = stablehlo.reshape %b10 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d10 = stablehlo.dot_general %a10, %c10, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e10 = stablehlo.add %e9, %d10 : tensor<2x10x5x24xf32>
  %a11 = stablehlo.slice %padded [0:2, 2:12:1, 1:10:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b11 = stablehlo.slice %w [2:3, 1:2, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c11 = stablehlo.reshape %b11 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d11 = stablehlo.dot_general %a11, %c11, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e11 = stablehlo.add %e10, %d11 : tensor<2x10x5x24xf32>
  %a12 = stablehlo.slice %padded [0:2, 2:12:1, 2:11:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b12 = stablehlo.slice %w [2:3, 2:3, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c12 = stablehlo.reshape %b12 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d12 = stablehlo.dot_general %a12, %c12, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e12 = stablehlo.add %e11, %d12 : tensor<2x10x5x24xf32>
  %a13 = stablehlo.slice %padded [0:2, 2:12:1, 3:12:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b13 = stablehlo.slice %w [2:3, 3:4, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c13 = stablehlo.reshape %b13 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d13 = stablehlo.dot_general %a13, %c13, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e13 = stablehlo.add %e12, %d13 : tensor<2x10x5x24xf32>
  %a14 = stablehlo.slice %padded [0:2, 2:12:1, 4:13:2, 0:5] : (tensor<2x12x14x5xf32>) -> tensor<2x10x5x5xf32>
  %b14 = stablehlo.slice %w [2:3, 4:5, 0:5, 0:24] : (tensor<3x5x5x24xf32>) -> tensor<1x1x5x24xf32>
  %c14 = stablehlo.reshape %b14 : (tensor<1x1x5x24xf32>) -> tensor<5x24xf32>
  %d14 = stablehlo.dot_general %a14, %c14, contracting_dims = [3] x [0] : (tensor<2x10x5x5xf32>, tensor<5x24xf32>) -> tensor<2x10x5x24xf32>
  %e14 = stablehlo.add %e13, %d14 : tensor<2x10x5x24xf32>
  check.expect_eq %r, %e14 : tensor<2x10x5x24xf32>
  func.return
}

// -----

func.func @two_rows_in_a_block() {
  %xn = stablehlo.iota dim = 0 : tensor<5184xi32>
  %xm = stablehlo.constant dense<5> : tensor<5184xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<5184xi32>
  %xd = stablehlo.constant dense<9> : tensor<5184xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<5184xi32>
  %xh = stablehlo.constant dense<4> : tensor<5184xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<5184xi32>
  %xv = stablehlo.reshape %xs : (tensor<5184xi32>) -> tensor<2x9x9x32xi32>
  %xc = stablehlo.convert %xv : (tensor<2x9x9x32xi32>) -> tensor<2x9x9x32xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<2x9x9x32xf32>
  %wn = stablehlo.iota dim = 0 : tensor<11520xi32>
  %wm = stablehlo.constant dense<3> : tensor<11520xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<11520xi32>
  %wd = stablehlo.constant dense<7> : tensor<11520xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<11520xi32>
  %wh = stablehlo.constant dense<3> : tensor<11520xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<11520xi32>
  %wv = stablehlo.reshape %ws : (tensor<11520xi32>) -> tensor<3x3x32x40xi32>
  %wc = stablehlo.convert %wv : (tensor<3x3x32x40xi32>) -> tensor<3x3x32x40xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x3x32x40xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x9x32xf32>, tensor<3x3x32x40xf32>) -> tensor<2x9x9x40xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %padded = stablehlo.pad %x, %zero, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x9x9x32xf32>, tensor<f32>) -> tensor<2x11x11x32xf32>
  %a0 = stablehlo.slice %padded [0:2, 0:9:1, 0:9:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b0 = stablehlo.slice %w [0:1, 0:1, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c0 = stablehlo.reshape %b0 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d0 = stablehlo.dot_general %a0, %c0, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %a1 = stablehlo.slice %padded [0:2, 0:9:1, 1:10:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b1 = stablehlo.slice %w [0:1, 1:2, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c1 = stablehlo.reshape %b1 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d1 = stablehlo.dot_general %a1, %c1, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e1 = stablehlo.add %d0, %d1 : tensor<2x9x9x40xf32>
  %a2 = stablehlo.slice %padded [0:2, 0:9:1, 2:11:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b2 = stablehlo.slice %w [0:1, 2:3, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c2 = stablehlo.reshape %b2 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d2 = stablehlo.dot_general %a2, %c2, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e2 = stablehlo.add %e1, %d2 : tensor<2x9x9x40xf32>
  %a3 = stablehlo.slice %padded [0:2, 1:10:1, 0:9:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b3 = stablehlo.slice %w [1:2, 0:1, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c3 = stablehlo.reshape %b3 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d3 = stablehlo.dot_general %a3, %c3, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e3 = stablehlo.add %e2, %d3 : tensor<2x9x9x40xf32>
  %a4 = stablehlo.slice %padded [0:2, 1:10:1, 1:10:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b4 = stablehlo.slice %w [1:2, 1:2, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c4 = stablehlo.reshape %b4 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d4 = stablehlo.dot_general %a4, %c4, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e4 = stablehlo.add %e3, %d4 : tensor<2x9x9x40xf32>
  %a5 = stablehlo.slice %padded [0:2, 1:10:1, 2:11:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b5 = stablehlo.slice %w [1:2, 2:3, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c5 = stablehlo.reshape %b5 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d5 = stablehlo.dot_general %a5, %c5, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e5 = stablehlo.add %e4, %d5 : tensor<2x9x9x40xf32>
  %a6 = stablehlo.slice %padded [0:2, 2:11:1, 0:9:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b6 = stablehlo.slice %w [2:3, 0:1, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c6 = stablehlo.reshape %b6 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d6 = stablehlo.dot_general %a6, %c6, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e6 = stablehlo.add %e5, %d6 : tensor<2x9x9x40xf32>
  %a7 = stablehlo.slice %padded [0:2, 2:11:1, 1:10:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b7 = stablehlo.slice %w [2:3, 1:2, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c7 = stablehlo.reshape %b7 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d7 = stablehlo.dot_general %a7, %c7, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e7 = stablehlo.add %e6, %d7 : tensor<2x9x9x40xf32>
  %a8 = stablehlo.slice %padded [0:2, 2:11:1, 2:11:1, 0:32] : (tensor<2x11x11x32xf32>) -> tensor<2x9x9x32xf32>
  %b8 = stablehlo.slice %w [2:3, 2:3, 0:32, 0:40] : (tensor<3x3x32x40xf32>) -> tensor<1x1x32x40xf32>
  %c8 = stablehlo.reshape %b8 : (tensor<1x1x32x40xf32>) -> tensor<32x40xf32>
  %d8 = stablehlo.dot_general %a8, %c8, contracting_dims = [3] x [0] : (tensor<2x9x9x32xf32>, tensor<32x40xf32>) -> tensor<2x9x9x40xf32>
  %e8 = stablehlo.add %e7, %d8 : tensor<2x9x9x40xf32>
  check.expect_eq %r, %e8 : tensor<2x9x9x40xf32>
  func.return
}

// -----

func.func @one_row_in_a_block() {
  %xn = stablehlo.iota dim = 0 : tensor<11520xi32>
  %xm = stablehlo.constant dense<5> : tensor<11520xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<11520xi32>
  %xd = stablehlo.constant dense<9> : tensor<11520xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<11520xi32>
  %xh = stablehlo.constant dense<4> : tensor<11520xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<11520xi32>
  %xv = stablehlo.reshape %xs : (tensor<11520xi32>) -> tensor<2x9x10x64xi32>
  %xc = stablehlo.convert %xv : (tensor<2x9x10x64xi32>) -> tensor<2x9x10x64xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<2x9x10x64xf32>
  %wn = stablehlo.iota dim = 0 : tensor<13824xi32>
  %wm = stablehlo.constant dense<3> : tensor<13824xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<13824xi32>
  %wd = stablehlo.constant dense<7> : tensor<13824xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<13824xi32>
  %wh = stablehlo.constant dense<3> : tensor<13824xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<13824xi32>
  %wv = stablehlo.reshape %ws : (tensor<13824xi32>) -> tensor<3x3x64x24xi32>
  %wc = stablehlo.convert %wv : (tensor<3x3x64x24xi32>) -> tensor<3x3x64x24xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x3x64x24xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x10x64xf32>, tensor<3x3x64x24xf32>) -> tensor<2x5x10x24xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %padded = stablehlo.pad %x, %zero, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x9x10x64xf32>, tensor<f32>) -> tensor<2x11x12x64xf32>
  %a0 = stablehlo.slice %padded [0:2, 0:9:2, 0:10:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b0 = stablehlo.slice %w [0:1, 0:1, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c0 = stablehlo.reshape %b0 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d0 = stablehlo.dot_general %a0, %c0, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %a1 = stablehlo.slice %padded [0:2, 0:9:2, 1:11:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b1 = stablehlo.slice %w [0:1, 1:2, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c1 = stablehlo.reshape %b1 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d1 = stablehlo.dot_general %a1, %c1, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e1 = stablehlo.add %d0, %d1 : tensor<2x5x10x24xf32>
  %a2 = stablehlo.slice %padded [0:2, 0:9:2, 2:12:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b2 = stablehlo.slice %w [0:1, 2:3, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c2 = stablehlo.reshape %b2 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d2 = stablehlo.dot_general %a2, %c2, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e2 = stablehlo.add %e1, %d2 : tensor<2x5x10x24xf32>
  %a3 = stablehlo.slice %padded [0:2, 1:10:2, 0:10:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b3 = stablehlo.slice %w [1:2, 0:1, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c3 = stablehlo.reshape %b3 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d3 = stablehlo.dot_general %a3, %c3, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e3 = stablehlo.add %e2, %d3 : tensor<2x5x10x24xf32>
  %a4 = stablehlo.slice %padded [0:2, 1:10:2, 1:11:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b4 = stablehlo.slice %w [1:2, 1:2, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c4 = stablehlo.reshape %b4 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d4 = stablehlo.dot_general %a4, %c4, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e4 = stablehlo.add %e3, %d4 : tensor<2x5x10x24xf32>
  %a5 = stablehlo.slice %padded [0:2, 1:10:2, 2:12:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b5 = stablehlo.slice %w [1:2, 2:3, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c5 = stablehlo.reshape %b5 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d5 = stablehlo.dot_general %a5, %c5, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e5 = stablehlo.add %e4, %d5 : tensor<2x5x10x24xf32>
  %a6 = stablehlo.slice %padded [0:2, 2:11:2, 0:10:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b6 = stablehlo.slice %w [2:3, 0:1, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c6 = stablehlo.reshape %b6 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d6 = stablehlo.dot_general %a6, %c6, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e6 = stablehlo.add %e5, %d6 : tensor<2x5x10x24xf32>
  %a7 = stablehlo.slice %padded [0:2, 2:11:2, 1:11:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b7 = stablehlo.slice %w [2:3, 1:2, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c7 = stablehlo.reshape %b7 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d7 = stablehlo.dot_general %a7, %c7, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e7 = stablehlo.add %e6, %d7 : tensor<2x5x10x24xf32>
  %a8 = stablehlo.slice %padded [0:2, 2:11:2, 2:12:1, 0:64] : (tensor<2x11x12x64xf32>) -> tensor<2x5x10x64xf32>
  %b8 = stablehlo.slice %w [2:3, 2:3, 0:64, 0:24] : (tensor<3x3x64x24xf32>) -> tensor<1x1x64x24xf32>
  %c8 = stablehlo.reshape %b8 : (tensor<1x1x64x24xf32>) -> tensor<64x24xf32>
  %d8 = stablehlo.dot_general %a8, %c8, contracting_dims = [3] x [0] : (tensor<2x5x10x64xf32>, tensor<64x24xf32>) -> tensor<2x5x10x24xf32>
  %e8 = stablehlo.add %e7, %d8 : tensor<2x5x10x24xf32>
  check.expect_eq %r, %e8 : tensor<2x5x10x24xf32>
  func.return
}

// -----

// The weights have the runs.
func.func @runs_of_weights() {
  %xn = stablehlo.iota dim = 0 : tensor<1152xi32>
  %xm = stablehlo.constant dense<5> : tensor<1152xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1152xi32>
  %xd = stablehlo.constant dense<9> : tensor<1152xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1152xi32>
  %xh = stablehlo.constant dense<4> : tensor<1152xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1152xi32>
  %xv = stablehlo.reshape %xs : (tensor<1152xi32>) -> tensor<16x2x6x6xi32>
  %xc = stablehlo.convert %xv : (tensor<16x2x6x6xi32>) -> tensor<16x2x6x6xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<16x2x6x6xf32>
  %wn = stablehlo.iota dim = 0 : tensor<12xi32>
  %wm = stablehlo.constant dense<3> : tensor<12xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<12xi32>
  %wd = stablehlo.constant dense<7> : tensor<12xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<12xi32>
  %wh = stablehlo.constant dense<3> : tensor<12xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<12xi32>
  %wv = stablehlo.reshape %ws : (tensor<12xi32>) -> tensor<2x2x3x1xi32>
  %wc = stablehlo.convert %wv : (tensor<2x2x3x1xi32>) -> tensor<2x2x3x1xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<2x2x3x1xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x2x6x6xf32>, tensor<2x2x3x1xf32>) -> tensor<16x2x4x6xf32>
  %a0 = stablehlo.slice %x [0:16, 0:2, 0:4, 0:6] : (tensor<16x2x6x6xf32>) -> tensor<16x2x4x6xf32>
  %b0 = stablehlo.slice %w [0:2, 0:2, 0:1, 0:1] : (tensor<2x2x3x1xf32>) -> tensor<2x2x1x1xf32>
  %c0 = stablehlo.reshape %b0 : (tensor<2x2x1x1xf32>) -> tensor<2x2xf32>
  %d0 = stablehlo.dot_general %c0, %a0, contracting_dims = [0] x [1] : (tensor<2x2xf32>, tensor<16x2x4x6xf32>) -> tensor<2x16x4x6xf32>
  %a1 = stablehlo.slice %x [0:16, 0:2, 1:5, 0:6] : (tensor<16x2x6x6xf32>) -> tensor<16x2x4x6xf32>
  %b1 = stablehlo.slice %w [0:2, 0:2, 1:2, 0:1] : (tensor<2x2x3x1xf32>) -> tensor<2x2x1x1xf32>
  %c1 = stablehlo.reshape %b1 : (tensor<2x2x1x1xf32>) -> tensor<2x2xf32>
  %d1 = stablehlo.dot_general %c1, %a1, contracting_dims = [0] x [1] : (tensor<2x2xf32>, tensor<16x2x4x6xf32>) -> tensor<2x16x4x6xf32>
  %e1 = stablehlo.add %d0, %d1 : tensor<2x16x4x6xf32>
  %a2 = stablehlo.slice %x [0:16, 0:2, 2:6, 0:6] : (tensor<16x2x6x6xf32>) -> tensor<16x2x4x6xf32>
  %b2 = stablehlo.slice %w [0:2, 0:2, 2:3, 0:1] : (tensor<2x2x3x1xf32>) -> tensor<2x2x1x1xf32>
  %c2 = stablehlo.reshape %b2 : (tensor<2x2x1x1xf32>) -> tensor<2x2xf32>
  %d2 = stablehlo.dot_general %c2, %a2, contracting_dims = [0] x [1] : (tensor<2x2xf32>, tensor<16x2x4x6xf32>) -> tensor<2x16x4x6xf32>
  %e2 = stablehlo.add %e1, %d2 : tensor<2x16x4x6xf32>
  %wanted = stablehlo.transpose %e2, dims = [1, 0, 2, 3] : (tensor<2x16x4x6xf32>) -> tensor<16x2x4x6xf32>
  check.expect_eq %r, %wanted : tensor<16x2x4x6xf32>
  func.return
}
