// Convolutions of every channel with a window of its own, against the same with
// dense windows that are zero for other channels. All numbers are small integers.
func.func @rows_longer_than_vectors() {
  %xi0 = stablehlo.iota dim = 0 : tensor<2x3x5x37xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<2x3x5x37xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<2x3x5x37xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<2x3x5x37xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<2x3x5x37xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<2x3x5x37xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<2x3x5x37xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<2x3x5x37xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<2x3x5x37xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<2x3x5x37xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<2x3x5x37xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<2x3x5x37xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<2x3x5x37xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<2x3x5x37xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<2x3x5x37xi32>
  %xn = stablehlo.constant dense<9> : tensor<2x3x5x37xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<2x3x5x37xi32>
  %xh = stablehlo.constant dense<4> : tensor<2x3x5x37xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<2x3x5x37xi32>
  %xv = stablehlo.convert %xs : (tensor<2x3x5x37xi32>) -> tensor<2x3x5x37xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<2x3x5x37xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x3x5x37xf32>, tensor<3x1x3x3xf32>) -> tensor<2x3x5x37xf32>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xf32>) -> tensor<3x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xf32>) -> tensor<3x3x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x5x37xf32>, tensor<3x3x3x3xf32>) -> tensor<2x3x5x37xf32>
  check.expect_eq %r, %wanted : tensor<2x3x5x37xf32>
  func.return
}

// -----

func.func @rows_shorter_than_vectors() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x5x14x14xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x5x14x14xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x5x14x14xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x5x14x14xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x5x14x14xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x5x14x14xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x5x14x14xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x5x14x14xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x5x14x14xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x5x14x14xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x5x14x14xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x5x14x14xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x5x14x14xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x5x14x14xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x5x14x14xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x5x14x14xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x5x14x14xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x5x14x14xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x5x14x14xi32>
  %xv = stablehlo.convert %xs : (tensor<1x5x14x14xi32>) -> tensor<1x5x14x14xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x5x14x14xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<5x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<5x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<5x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<5x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<5x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<5x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<5x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<5x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<5x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<5x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<5x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<5x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<5x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<5x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<5x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<5x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<5x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<5x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<5x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<5x1x3x3xi32>) -> tensor<5x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<5x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 5 : i64} : (tensor<1x5x14x14xf32>, tensor<5x1x3x3xf32>) -> tensor<1x5x14x14xf32>
  %o = stablehlo.iota dim = 0 : tensor<5x5x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<5x5x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<5x5x3x3xi32>, tensor<5x5x3x3xi32>) -> tensor<5x5x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<5x1x3x3xf32>) -> tensor<5x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<5x3x3xf32>) -> tensor<5x5x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x3x3xi1>, tensor<5x5x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x14x14xf32>, tensor<5x5x3x3xf32>) -> tensor<1x5x14x14xf32>
  check.expect_eq %r, %wanted : tensor<1x5x14x14xf32>
  func.return
}

// -----

func.func @wide_windows() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x9x40xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x9x40xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x9x40xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x9x40xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x9x40xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x9x40xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x9x40xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x9x40xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x9x40xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x9x40xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x9x40xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x9x40xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x9x40xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x9x40xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x9x40xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x9x40xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x9x40xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x9x40xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x9x40xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x9x40xi32>) -> tensor<1x3x9x40xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x9x40xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x5x7xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x5x7xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x5x7xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x5x7xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x5x7xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x5x7xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x5x7xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x5x7xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x5x7xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x5x7xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x5x7xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x5x7xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x5x7xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x5x7xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x5x7xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x5x7xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x5x7xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x5x7xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x5x7xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x5x7xi32>) -> tensor<3x1x5x7xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x5x7xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x9x40xf32>, tensor<3x1x5x7xf32>) -> tensor<1x3x9x40xf32>
  %o = stablehlo.iota dim = 0 : tensor<3x3x5x7xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x5x7xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x5x7xi32>, tensor<3x3x5x7xi32>) -> tensor<3x3x5x7xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x5x7xf32>) -> tensor<3x5x7xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x5x7xf32>) -> tensor<3x3x5x7xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x5x7xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x5x7xi1>, tensor<3x3x5x7xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x9x40xf32>, tensor<3x3x5x7xf32>) -> tensor<1x3x9x40xf32>
  check.expect_eq %r, %wanted : tensor<1x3x9x40xf32>
  func.return
}

// -----

func.func @reversed_and_dilated() {
  %xi0 = stablehlo.iota dim = 0 : tensor<2x3x9x21xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<2x3x9x21xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<2x3x9x21xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<2x3x9x21xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<2x3x9x21xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<2x3x9x21xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<2x3x9x21xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<2x3x9x21xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<2x3x9x21xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<2x3x9x21xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<2x3x9x21xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<2x3x9x21xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<2x3x9x21xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<2x3x9x21xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<2x3x9x21xi32>
  %xn = stablehlo.constant dense<9> : tensor<2x3x9x21xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<2x3x9x21xi32>
  %xh = stablehlo.constant dense<4> : tensor<2x3x9x21xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<2x3x9x21xi32>
  %xv = stablehlo.convert %xs : (tensor<2x3x9x21xi32>) -> tensor<2x3x9x21xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<2x3x9x21xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x2xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x2xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x2xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x2xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x2xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x2xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x2xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x2xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x2xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x2xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x2xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x2xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x2xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x2xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x2xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x2xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x2xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x2xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x2xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x2xi32>) -> tensor<3x1x3x2xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x2xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[2, 2], [0, 3]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x3x9x21xf32>, tensor<3x1x3x2xf32>) -> tensor<2x3x5x21xf32>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x2xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x2xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x2xi32>, tensor<3x3x3x2xi32>) -> tensor<3x3x3x2xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x2xf32>) -> tensor<3x3x2xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x2xf32>) -> tensor<3x3x3x2xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x2xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x2xi1>, tensor<3x3x3x2xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[2, 2], [0, 3]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x9x21xf32>, tensor<3x3x3x2xf32>) -> tensor<2x3x5x21xf32>
  check.expect_eq %r, %wanted : tensor<2x3x5x21xf32>
  func.return
}

// -----

func.func @cut_images() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x4x8x36xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x4x8x36xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x4x8x36xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x4x8x36xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x4x8x36xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x4x8x36xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x4x8x36xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x4x8x36xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x4x8x36xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x4x8x36xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x4x8x36xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x4x8x36xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x4x8x36xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x4x8x36xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x4x8x36xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x4x8x36xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x4x8x36xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x4x8x36xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x4x8x36xi32>
  %xv = stablehlo.convert %xs : (tensor<1x4x8x36xi32>) -> tensor<1x4x8x36xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x4x8x36xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<4x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<4x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<4x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<4x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<4x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<4x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<4x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<4x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<4x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<4x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<4x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<4x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<4x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<4x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<4x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<4x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<4x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<4x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<4x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<4x1x3x3xi32>) -> tensor<4x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<4x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 2], [-2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x4x8x36xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x7x33xf32>
  %o = stablehlo.iota dim = 0 : tensor<4x4x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<4x4x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<4x4x3x3xi32>, tensor<4x4x3x3xi32>) -> tensor<4x4x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<4x1x3x3xf32>) -> tensor<4x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<4x3x3xf32>) -> tensor<4x4x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<4x4x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<4x4x3x3xi1>, tensor<4x4x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 2], [-2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x8x36xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x7x33xf32>
  check.expect_eq %r, %wanted : tensor<1x4x7x33xf32>
  func.return
}

// -----

func.func @doubles() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x4x19xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x4x19xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x4x19xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x4x19xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x4x19xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x4x19xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x4x19xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x4x19xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x4x19xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x4x19xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x4x19xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x4x19xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x4x19xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x4x19xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x4x19xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x4x19xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x4x19xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x4x19xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x4x19xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x4x19xi32>) -> tensor<1x3x4x19xf64>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x4x19xf64>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xf64>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x3xf64>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x4x19xf64>, tensor<3x1x3x3xf64>) -> tensor<1x3x4x21xf64>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xf64>) -> tensor<3x3x3xf64>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xf64>) -> tensor<3x3x3x3xf64>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xf64>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf64>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x19xf64>, tensor<3x3x3x3xf64>) -> tensor<1x3x4x21xf64>
  check.expect_eq %r, %wanted : tensor<1x3x4x21xf64>
  func.return
}

// -----

func.func @halves() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x4x35xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x4x35xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x4x35xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x4x35xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x4x35xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x4x35xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x4x35xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x4x35xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x4x35xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x4x35xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x4x35xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x4x35xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x4x35xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x4x35xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x4x35xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x4x35xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x4x35xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x4x35xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x4x35xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x4x35xi32>) -> tensor<1x3x4x35xbf16>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x4x35xbf16>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xbf16>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x3xbf16>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x4x35xbf16>, tensor<3x1x3x3xbf16>) -> tensor<1x3x4x35xbf16>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xbf16>) -> tensor<3x3x3xbf16>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xbf16>) -> tensor<3x3x3x3xbf16>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xbf16>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xbf16>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x35xbf16>, tensor<3x3x3x3xbf16>) -> tensor<1x3x4x35xbf16>
  check.expect_eq %r, %wanted : tensor<1x3x4x35xbf16>
  func.return
}

// -----

func.func @bytes() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x4x70xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x4x70xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x4x70xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x4x70xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x4x70xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x4x70xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x4x70xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x4x70xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x4x70xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x4x70xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x4x70xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x4x70xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x4x70xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x4x70xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x4x70xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x4x70xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x4x70xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x4x70xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x4x70xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x4x70xi32>) -> tensor<1x3x4x70xi8>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x4x70xi8>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x2x2xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x2x2xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x2x2xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x2x2xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x2x2xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x2x2xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x2x2xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x2x2xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x2x2xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x2x2xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x2x2xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x2x2xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x2x2xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x2x2xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x2x2xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x2x2xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x2x2xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x2x2xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x2x2xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x2x2xi32>) -> tensor<3x1x2x2xi8>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x2x2xi8>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x4x70xi8>, tensor<3x1x2x2xi8>) -> tensor<1x3x4x70xi8>
  %o = stablehlo.iota dim = 0 : tensor<3x3x2x2xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x2x2xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x2x2xi32>, tensor<3x3x2x2xi32>) -> tensor<3x3x2x2xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x2x2xi8>) -> tensor<3x2x2xi8>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x2x2xi8>) -> tensor<3x3x2x2xi8>
  %none = stablehlo.constant dense<0> : tensor<3x3x2x2xi8>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x2x2xi1>, tensor<3x3x2x2xi8>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x70xi8>, tensor<3x3x2x2xi8>) -> tensor<1x3x4x70xi8>
  check.expect_eq %r, %wanted : tensor<1x3x4x70xi8>
  func.return
}

// -----

func.func @channels_last() {
  %xi0 = stablehlo.iota dim = 0 : tensor<2x6x7x24xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<2x6x7x24xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<2x6x7x24xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<2x6x7x24xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<2x6x7x24xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<2x6x7x24xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<2x6x7x24xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<2x6x7x24xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<2x6x7x24xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<2x6x7x24xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<2x6x7x24xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<2x6x7x24xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<2x6x7x24xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<2x6x7x24xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<2x6x7x24xi32>
  %xn = stablehlo.constant dense<9> : tensor<2x6x7x24xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<2x6x7x24xi32>
  %xh = stablehlo.constant dense<4> : tensor<2x6x7x24xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<2x6x7x24xi32>
  %xv = stablehlo.convert %xs : (tensor<2x6x7x24xi32>) -> tensor<2x6x7x24xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<2x6x7x24xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x3x1x24xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x3x1x24xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x3x1x24xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x3x1x24xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x3x1x24xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x3x1x24xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x3x1x24xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x3x1x24xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x3x1x24xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x3x1x24xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x3x1x24xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x3x1x24xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x3x1x24xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x3x1x24xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x3x1x24xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x3x1x24xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x3x1x24xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x3x1x24xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x3x1x24xi32>
  %wv = stablehlo.convert %ws : (tensor<3x3x1x24xi32>) -> tensor<3x3x1x24xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x3x1x24xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 24 : i64} : (tensor<2x6x7x24xf32>, tensor<3x3x1x24xf32>) -> tensor<2x6x7x24xf32>
  %o = stablehlo.iota dim = 3 : tensor<3x3x24x24xi32>
  %i = stablehlo.iota dim = 2 : tensor<3x3x24x24xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x24x24xi32>, tensor<3x3x24x24xi32>) -> tensor<3x3x24x24xi1>
  %flat = stablehlo.reshape %w : (tensor<3x3x1x24xf32>) -> tensor<3x3x24xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<3x3x24xf32>) -> tensor<3x3x24x24xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x24x24xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x24x24xi1>, tensor<3x3x24x24xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x7x24xf32>, tensor<3x3x24x24xf32>) -> tensor<2x6x7x24xf32>
  check.expect_eq %r, %wanted : tensor<2x6x7x24xf32>
  func.return
}

// -----

func.func @channels_last_strided() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x9x9x40xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x9x9x40xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x9x9x40xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x9x9x40xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x9x9x40xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x9x9x40xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x9x9x40xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x9x9x40xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x9x9x40xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x9x9x40xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x9x9x40xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x9x9x40xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x9x9x40xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x9x9x40xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x9x9x40xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x9x9x40xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x9x9x40xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x9x9x40xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x9x9x40xi32>
  %xv = stablehlo.convert %xs : (tensor<1x9x9x40xi32>) -> tensor<1x9x9x40xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x9x9x40xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x3x1x40xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x3x1x40xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x3x1x40xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x3x1x40xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x3x1x40xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x3x1x40xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x3x1x40xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x3x1x40xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x3x1x40xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x3x1x40xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x3x1x40xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x3x1x40xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x3x1x40xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x3x1x40xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x3x1x40xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x3x1x40xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x3x1x40xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x3x1x40xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x3x1x40xi32>
  %wv = stablehlo.convert %ws : (tensor<3x3x1x40xi32>) -> tensor<3x3x1x40xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x3x1x40xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<1x9x9x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x4x4x40xf32>
  %o = stablehlo.iota dim = 3 : tensor<3x3x40x40xi32>
  %i = stablehlo.iota dim = 2 : tensor<3x3x40x40xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x40x40xi32>, tensor<3x3x40x40xi32>) -> tensor<3x3x40x40xi1>
  %flat = stablehlo.reshape %w : (tensor<3x3x1x40xf32>) -> tensor<3x3x40xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<3x3x40xf32>) -> tensor<3x3x40x40xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x40x40xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x40x40xi1>, tensor<3x3x40x40xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x9x40xf32>, tensor<3x3x40x40xf32>) -> tensor<1x4x4x40xf32>
  check.expect_eq %r, %wanted : tensor<1x4x4x40xf32>
  func.return
}

// -----

func.func @channels_last_integers() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x5x5x17xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x5x5x17xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x5x5x17xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x5x5x17xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x5x5x17xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x5x5x17xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x5x5x17xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x5x5x17xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x5x5x17xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x5x5x17xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x5x5x17xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x5x5x17xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x5x5x17xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x5x5x17xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x5x5x17xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x5x5x17xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x5x5x17xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x5x5x17xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x5x5x17xi32>
  %xv = stablehlo.convert %xs : (tensor<1x5x5x17xi32>) -> tensor<1x5x5x17xi32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x5x5x17xi32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x3x1x17xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x3x1x17xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x3x1x17xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x3x1x17xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x3x1x17xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x3x1x17xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x3x1x17xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x3x1x17xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x3x1x17xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x3x1x17xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x3x1x17xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x3x1x17xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x3x1x17xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x3x1x17xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x3x1x17xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x3x1x17xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x3x1x17xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x3x1x17xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x3x1x17xi32>
  %wv = stablehlo.convert %ws : (tensor<3x3x1x17xi32>) -> tensor<3x3x1x17xi32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x3x1x17xi32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 17 : i64} : (tensor<1x5x5x17xi32>, tensor<3x3x1x17xi32>) -> tensor<1x5x3x17xi32>
  %o = stablehlo.iota dim = 3 : tensor<3x3x17x17xi32>
  %i = stablehlo.iota dim = 2 : tensor<3x3x17x17xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x17x17xi32>, tensor<3x3x17x17xi32>) -> tensor<3x3x17x17xi1>
  %flat = stablehlo.reshape %w : (tensor<3x3x1x17xi32>) -> tensor<3x3x17xi32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<3x3x17xi32>) -> tensor<3x3x17x17xi32>
  %none = stablehlo.constant dense<0> : tensor<3x3x17x17xi32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x17x17xi1>, tensor<3x3x17x17xi32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x17xi32>, tensor<3x3x17x17xi32>) -> tensor<1x5x3x17xi32>
  check.expect_eq %r, %wanted : tensor<1x5x3x17xi32>
  func.return
}

// -----

func.func @every_second_place() {
  %xi0 = stablehlo.iota dim = 0 : tensor<2x3x5x37xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<2x3x5x37xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<2x3x5x37xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<2x3x5x37xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<2x3x5x37xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<2x3x5x37xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<2x3x5x37xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<2x3x5x37xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<2x3x5x37xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<2x3x5x37xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<2x3x5x37xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<2x3x5x37xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<2x3x5x37xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<2x3x5x37xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<2x3x5x37xi32>
  %xn = stablehlo.constant dense<9> : tensor<2x3x5x37xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<2x3x5x37xi32>
  %xh = stablehlo.constant dense<4> : tensor<2x3x5x37xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<2x3x5x37xi32>
  %xv = stablehlo.convert %xs : (tensor<2x3x5x37xi32>) -> tensor<2x3x5x37xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<2x3x5x37xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x3x5x37xf32>, tensor<3x1x3x3xf32>) -> tensor<2x3x5x19xf32>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xf32>) -> tensor<3x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xf32>) -> tensor<3x3x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x5x37xf32>, tensor<3x3x3x3xf32>) -> tensor<2x3x5x19xf32>
  check.expect_eq %r, %wanted : tensor<2x3x5x19xf32>
  func.return
}

// -----

func.func @every_second_place_of_short_rows() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x5x14x14xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x5x14x14xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x5x14x14xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x5x14x14xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x5x14x14xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x5x14x14xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x5x14x14xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x5x14x14xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x5x14x14xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x5x14x14xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x5x14x14xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x5x14x14xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x5x14x14xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x5x14x14xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x5x14x14xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x5x14x14xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x5x14x14xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x5x14x14xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x5x14x14xi32>
  %xv = stablehlo.convert %xs : (tensor<1x5x14x14xi32>) -> tensor<1x5x14x14xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x5x14x14xf32>
  %wi0 = stablehlo.iota dim = 0 : tensor<5x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<5x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<5x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<5x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<5x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<5x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<5x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<5x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<5x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<5x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<5x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<5x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<5x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<5x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<5x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<5x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<5x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<5x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<5x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<5x1x3x3xi32>) -> tensor<5x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wv : tensor<5x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 5 : i64} : (tensor<1x5x14x14xf32>, tensor<5x1x3x3xf32>) -> tensor<1x5x14x7xf32>
  %o = stablehlo.iota dim = 0 : tensor<5x5x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<5x5x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<5x5x3x3xi32>, tensor<5x5x3x3xi32>) -> tensor<5x5x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<5x1x3x3xf32>) -> tensor<5x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<5x3x3xf32>) -> tensor<5x5x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x3x3xi1>, tensor<5x5x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x14x14xf32>, tensor<5x5x3x3xf32>) -> tensor<1x5x14x7xf32>
  check.expect_eq %r, %wanted : tensor<1x5x14x7xf32>
  func.return
}

// -----

func.func @every_second_double() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x4x19xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x4x19xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x4x19xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x4x19xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x4x19xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x4x19xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x4x19xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x4x19xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x4x19xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x4x19xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x4x19xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x4x19xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x4x19xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x4x19xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x4x19xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x4x19xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x4x19xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x4x19xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x4x19xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x4x19xi32>) -> tensor<1x3x4x19xf64>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x4x19xf64>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xf64>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x3xf64>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x4x19xf64>, tensor<3x1x3x3xf64>) -> tensor<1x3x4x11xf64>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xf64>) -> tensor<3x3x3xf64>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xf64>) -> tensor<3x3x3x3xf64>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xf64>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf64>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x19xf64>, tensor<3x3x3x3xf64>) -> tensor<1x3x4x11xf64>
  check.expect_eq %r, %wanted : tensor<1x3x4x11xf64>
  func.return
}

// -----

func.func @every_second_half() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x4x35xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x4x35xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x4x35xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x4x35xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x4x35xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x4x35xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x4x35xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x4x35xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x4x35xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x4x35xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x4x35xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x4x35xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x4x35xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x4x35xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x4x35xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x4x35xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x4x35xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x4x35xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x4x35xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x4x35xi32>) -> tensor<1x3x4x35xbf16>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x4x35xbf16>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x3x3xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x3x3xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x3x3xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x3x3xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x3x3xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x3x3xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x3x3xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x3x3xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x3x3xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x3x3xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x3x3xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x3x3xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x3x3xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x3x3xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x3x3xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x3x3xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x3x3xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xbf16>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x3x3xbf16>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x4x35xbf16>, tensor<3x1x3x3xbf16>) -> tensor<1x3x4x18xbf16>
  %o = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xbf16>) -> tensor<3x3x3xbf16>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xbf16>) -> tensor<3x3x3x3xbf16>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xbf16>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xbf16>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x35xbf16>, tensor<3x3x3x3xbf16>) -> tensor<1x3x4x18xbf16>
  check.expect_eq %r, %wanted : tensor<1x3x4x18xbf16>
  func.return
}

// -----

func.func @every_second_byte() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x3x4x70xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x3x4x70xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x3x4x70xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x3x4x70xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x3x4x70xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x3x4x70xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x3x4x70xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x3x4x70xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x3x4x70xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x3x4x70xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x3x4x70xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x3x4x70xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x3x4x70xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x3x4x70xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x3x4x70xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x3x4x70xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x3x4x70xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x3x4x70xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x3x4x70xi32>
  %xv = stablehlo.convert %xs : (tensor<1x3x4x70xi32>) -> tensor<1x3x4x70xi8>
  %x = stablehlo.optimization_barrier %xv : tensor<1x3x4x70xi8>
  %wi0 = stablehlo.iota dim = 0 : tensor<3x1x2x2xi32>
  %wc0 = stablehlo.constant dense<2> : tensor<3x1x2x2xi32>
  %wm0 = stablehlo.multiply %wi0, %wc0 : tensor<3x1x2x2xi32>
  %wi1 = stablehlo.iota dim = 1 : tensor<3x1x2x2xi32>
  %wc1 = stablehlo.constant dense<3> : tensor<3x1x2x2xi32>
  %wm1 = stablehlo.multiply %wi1, %wc1 : tensor<3x1x2x2xi32>
  %wa1 = stablehlo.add %wm0, %wm1 : tensor<3x1x2x2xi32>
  %wi2 = stablehlo.iota dim = 2 : tensor<3x1x2x2xi32>
  %wc2 = stablehlo.constant dense<7> : tensor<3x1x2x2xi32>
  %wm2 = stablehlo.multiply %wi2, %wc2 : tensor<3x1x2x2xi32>
  %wa2 = stablehlo.add %wa1, %wm2 : tensor<3x1x2x2xi32>
  %wi3 = stablehlo.iota dim = 3 : tensor<3x1x2x2xi32>
  %wc3 = stablehlo.constant dense<5> : tensor<3x1x2x2xi32>
  %wm3 = stablehlo.multiply %wi3, %wc3 : tensor<3x1x2x2xi32>
  %wa3 = stablehlo.add %wa2, %wm3 : tensor<3x1x2x2xi32>
  %wn = stablehlo.constant dense<7> : tensor<3x1x2x2xi32>
  %wr = stablehlo.remainder %wa3, %wn : tensor<3x1x2x2xi32>
  %wh = stablehlo.constant dense<3> : tensor<3x1x2x2xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<3x1x2x2xi32>
  %wv = stablehlo.convert %ws : (tensor<3x1x2x2xi32>) -> tensor<3x1x2x2xi8>
  %w = stablehlo.optimization_barrier %wv : tensor<3x1x2x2xi8>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x4x70xi8>, tensor<3x1x2x2xi8>) -> tensor<1x3x4x35xi8>
  %o = stablehlo.iota dim = 0 : tensor<3x3x2x2xi32>
  %i = stablehlo.iota dim = 1 : tensor<3x3x2x2xi32>
  %own = stablehlo.compare EQ, %o, %i : (tensor<3x3x2x2xi32>, tensor<3x3x2x2xi32>) -> tensor<3x3x2x2xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x2x2xi8>) -> tensor<3x2x2xi8>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x2x2xi8>) -> tensor<3x3x2x2xi8>
  %none = stablehlo.constant dense<0> : tensor<3x3x2x2xi8>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x2x2xi1>, tensor<3x3x2x2xi8>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 2], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x70xi8>, tensor<3x3x2x2xi8>) -> tensor<1x3x4x35xi8>
  check.expect_eq %r, %wanted : tensor<1x3x4x35xi8>
  func.return
}
