// Depthwise convolutions with large windows, short rows and blocks of rows that
// are computed together, against the same with dense windows that are zero for
// other channels. All numbers are small integers.
func.func @rows_of_windows() {
  %xn = stablehlo.iota dim = 0 : tensor<8064xi32>
  %xm = stablehlo.constant dense<5> : tensor<8064xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<8064xi32>
  %xd = stablehlo.constant dense<9> : tensor<8064xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<8064xi32>
  %xh = stablehlo.constant dense<4> : tensor<8064xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<8064xi32>
  %xv = stablehlo.reshape %xs : (tensor<8064xi32>) -> tensor<2x16x14x18xi32>
  %xc = stablehlo.convert %xv : (tensor<2x16x14x18xi32>) -> tensor<2x16x14x18xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<2x16x14x18xf32>
  %wn = stablehlo.iota dim = 0 : tensor<882xi32>
  %wm = stablehlo.constant dense<3> : tensor<882xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<882xi32>
  %wd = stablehlo.constant dense<7> : tensor<882xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<882xi32>
  %wh = stablehlo.constant dense<3> : tensor<882xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<882xi32>
  %wv = stablehlo.reshape %ws : (tensor<882xi32>) -> tensor<7x7x1x18xi32>
  %wc = stablehlo.convert %wv : (tensor<7x7x1x18xi32>) -> tensor<7x7x1x18xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<7x7x1x18xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 18 : i64} : (tensor<2x16x14x18xf32>, tensor<7x7x1x18xf32>) -> tensor<2x16x14x18xf32>
  %out = stablehlo.iota dim = 3 : tensor<7x7x18x18xi32>
  %each = stablehlo.constant dense<1> : tensor<7x7x18x18xi32>
  %group = stablehlo.divide %out, %each : tensor<7x7x18x18xi32>
  %in = stablehlo.iota dim = 2 : tensor<7x7x18x18xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<7x7x18x18xi32>, tensor<7x7x18x18xi32>) -> tensor<7x7x18x18xi1>
  %flat = stablehlo.reshape %w : (tensor<7x7x1x18xf32>) -> tensor<7x7x18xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<7x7x18xf32>) -> tensor<7x7x18x18xf32>
  %none = stablehlo.constant dense<0.0> : tensor<7x7x18x18xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<7x7x18x18xi1>, tensor<7x7x18x18xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x14x18xf32>, tensor<7x7x18x18xf32>) -> tensor<2x16x14x18xf32>
  check.expect_eq %r, %wanted : tensor<2x16x14x18xf32>
  func.return
}

// -----

func.func @rows_of_a_prime_number() {
  %xn = stablehlo.iota dim = 0 : tensor<1815xi32>
  %xm = stablehlo.constant dense<5> : tensor<1815xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1815xi32>
  %xd = stablehlo.constant dense<9> : tensor<1815xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1815xi32>
  %xh = stablehlo.constant dense<4> : tensor<1815xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1815xi32>
  %xv = stablehlo.reshape %xs : (tensor<1815xi32>) -> tensor<1x5x11x33xi32>
  %xc = stablehlo.convert %xv : (tensor<1x5x11x33xi32>) -> tensor<1x5x11x33xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x5x11x33xf32>
  %wn = stablehlo.iota dim = 0 : tensor<825xi32>
  %wm = stablehlo.constant dense<3> : tensor<825xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<825xi32>
  %wd = stablehlo.constant dense<7> : tensor<825xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<825xi32>
  %wh = stablehlo.constant dense<3> : tensor<825xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<825xi32>
  %wv = stablehlo.reshape %ws : (tensor<825xi32>) -> tensor<5x5x1x33xi32>
  %wc = stablehlo.convert %wv : (tensor<5x5x1x33xi32>) -> tensor<5x5x1x33xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<5x5x1x33xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 33 : i64} : (tensor<1x5x11x33xf32>, tensor<5x5x1x33xf32>) -> tensor<1x5x11x33xf32>
  %out = stablehlo.iota dim = 3 : tensor<5x5x33x33xi32>
  %each = stablehlo.constant dense<1> : tensor<5x5x33x33xi32>
  %group = stablehlo.divide %out, %each : tensor<5x5x33x33xi32>
  %in = stablehlo.iota dim = 2 : tensor<5x5x33x33xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<5x5x33x33xi32>, tensor<5x5x33x33xi32>) -> tensor<5x5x33x33xi1>
  %flat = stablehlo.reshape %w : (tensor<5x5x1x33xf32>) -> tensor<5x5x33xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<5x5x33xf32>) -> tensor<5x5x33x33xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x33x33xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x33x33xi1>, tensor<5x5x33x33xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x11x33xf32>, tensor<5x5x33x33xf32>) -> tensor<1x5x11x33xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1x5x11x33xf32>
  %positive = stablehlo.maximum %r, %zero : tensor<1x5x11x33xf32>
  %negative = stablehlo.minimum %r, %zero : tensor<1x5x11x33xf32>
  %sum = stablehlo.add %positive, %negative : tensor<1x5x11x33xf32>
  %kept = stablehlo.optimization_barrier %wanted : tensor<1x5x11x33xf32>
  check.expect_eq %sum, %kept : tensor<1x5x11x33xf32>
  check.expect_eq %r, %wanted : tensor<1x5x11x33xf32>
  func.return
}

// -----

func.func @rows_of_7_elements() {
  %xn = stablehlo.iota dim = 0 : tensor<490xi32>
  %xm = stablehlo.constant dense<5> : tensor<490xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<490xi32>
  %xd = stablehlo.constant dense<9> : tensor<490xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<490xi32>
  %xh = stablehlo.constant dense<4> : tensor<490xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<490xi32>
  %xv = stablehlo.reshape %xs : (tensor<490xi32>) -> tensor<2x5x7x7xi32>
  %xc = stablehlo.convert %xv : (tensor<2x5x7x7xi32>) -> tensor<2x5x7x7xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<2x5x7x7xf32>
  %wn = stablehlo.iota dim = 0 : tensor<45xi32>
  %wm = stablehlo.constant dense<3> : tensor<45xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<45xi32>
  %wd = stablehlo.constant dense<7> : tensor<45xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<45xi32>
  %wh = stablehlo.constant dense<3> : tensor<45xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<45xi32>
  %wv = stablehlo.reshape %ws : (tensor<45xi32>) -> tensor<5x1x3x3xi32>
  %wc = stablehlo.convert %wv : (tensor<5x1x3x3xi32>) -> tensor<5x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<5x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 5 : i64} : (tensor<2x5x7x7xf32>, tensor<5x1x3x3xf32>) -> tensor<2x5x7x7xf32>
  %out = stablehlo.iota dim = 0 : tensor<5x5x3x3xi32>
  %each = stablehlo.constant dense<1> : tensor<5x5x3x3xi32>
  %group = stablehlo.divide %out, %each : tensor<5x5x3x3xi32>
  %in = stablehlo.iota dim = 1 : tensor<5x5x3x3xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<5x5x3x3xi32>, tensor<5x5x3x3xi32>) -> tensor<5x5x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<5x1x3x3xf32>) -> tensor<5x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<5x3x3xf32>) -> tensor<5x5x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x3x3xi1>, tensor<5x5x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x7x7xf32>, tensor<5x5x3x3xf32>) -> tensor<2x5x7x7xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x5x7x7xf32>
  %positive = stablehlo.maximum %r, %zero : tensor<2x5x7x7xf32>
  %negative = stablehlo.minimum %r, %zero : tensor<2x5x7x7xf32>
  %sum = stablehlo.add %positive, %negative : tensor<2x5x7x7xf32>
  %kept = stablehlo.optimization_barrier %wanted : tensor<2x5x7x7xf32>
  check.expect_eq %sum, %kept : tensor<2x5x7x7xf32>
  check.expect_eq %r, %wanted : tensor<2x5x7x7xf32>
  func.return
}

// -----

func.func @rows_of_2_elements() {
  %xn = stablehlo.iota dim = 0 : tensor<54xi32>
  %xm = stablehlo.constant dense<5> : tensor<54xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<54xi32>
  %xd = stablehlo.constant dense<9> : tensor<54xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<54xi32>
  %xh = stablehlo.constant dense<4> : tensor<54xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<54xi32>
  %xv = stablehlo.reshape %xs : (tensor<54xi32>) -> tensor<1x3x9x2xi32>
  %xc = stablehlo.convert %xv : (tensor<1x3x9x2xi32>) -> tensor<1x3x9x2xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x3x9x2xf32>
  %wn = stablehlo.iota dim = 0 : tensor<27xi32>
  %wm = stablehlo.constant dense<3> : tensor<27xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<27xi32>
  %wd = stablehlo.constant dense<7> : tensor<27xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<27xi32>
  %wh = stablehlo.constant dense<3> : tensor<27xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<27xi32>
  %wv = stablehlo.reshape %ws : (tensor<27xi32>) -> tensor<3x1x3x3xi32>
  %wc = stablehlo.convert %wv : (tensor<3x1x3x3xi32>) -> tensor<3x1x3x3xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x1x3x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x9x2xf32>, tensor<3x1x3x3xf32>) -> tensor<1x3x9x2xf32>
  %out = stablehlo.iota dim = 0 : tensor<3x3x3x3xi32>
  %each = stablehlo.constant dense<1> : tensor<3x3x3x3xi32>
  %group = stablehlo.divide %out, %each : tensor<3x3x3x3xi32>
  %in = stablehlo.iota dim = 1 : tensor<3x3x3x3xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<3x3x3x3xi32>, tensor<3x3x3x3xi32>) -> tensor<3x3x3x3xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x3x3xf32>) -> tensor<3x3x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x3x3xf32>) -> tensor<3x3x3x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x3x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x3x3xi1>, tensor<3x3x3x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x9x2xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x9x2xf32>
  check.expect_eq %r, %wanted : tensor<1x3x9x2xf32>
  func.return
}

// -----

func.func @wide_windows_of_short_rows() {
  %xn = stablehlo.iota dim = 0 : tensor<392xi32>
  %xm = stablehlo.constant dense<5> : tensor<392xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<392xi32>
  %xd = stablehlo.constant dense<9> : tensor<392xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<392xi32>
  %xh = stablehlo.constant dense<4> : tensor<392xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<392xi32>
  %xv = stablehlo.reshape %xs : (tensor<392xi32>) -> tensor<1x4x14x7xi32>
  %xc = stablehlo.convert %xv : (tensor<1x4x14x7xi32>) -> tensor<1x4x14x7xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x4x14x7xf32>
  %wn = stablehlo.iota dim = 0 : tensor<196xi32>
  %wm = stablehlo.constant dense<3> : tensor<196xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<196xi32>
  %wd = stablehlo.constant dense<7> : tensor<196xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<196xi32>
  %wh = stablehlo.constant dense<3> : tensor<196xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<196xi32>
  %wv = stablehlo.reshape %ws : (tensor<196xi32>) -> tensor<4x1x7x7xi32>
  %wc = stablehlo.convert %wv : (tensor<4x1x7x7xi32>) -> tensor<4x1x7x7xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<4x1x7x7xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x4x14x7xf32>, tensor<4x1x7x7xf32>) -> tensor<1x4x14x7xf32>
  %out = stablehlo.iota dim = 0 : tensor<4x4x7x7xi32>
  %each = stablehlo.constant dense<1> : tensor<4x4x7x7xi32>
  %group = stablehlo.divide %out, %each : tensor<4x4x7x7xi32>
  %in = stablehlo.iota dim = 1 : tensor<4x4x7x7xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<4x4x7x7xi32>, tensor<4x4x7x7xi32>) -> tensor<4x4x7x7xi1>
  %flat = stablehlo.reshape %w : (tensor<4x1x7x7xf32>) -> tensor<4x7x7xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<4x7x7xf32>) -> tensor<4x4x7x7xf32>
  %none = stablehlo.constant dense<0.0> : tensor<4x4x7x7xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<4x4x7x7xi1>, tensor<4x4x7x7xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x14x7xf32>, tensor<4x4x7x7xf32>) -> tensor<1x4x14x7xf32>
  check.expect_eq %r, %wanted : tensor<1x4x14x7xf32>
  func.return
}

// -----

func.func @wide_windows_of_long_rows() {
  %xn = stablehlo.iota dim = 0 : tensor<1120xi32>
  %xm = stablehlo.constant dense<5> : tensor<1120xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1120xi32>
  %xd = stablehlo.constant dense<9> : tensor<1120xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1120xi32>
  %xh = stablehlo.constant dense<4> : tensor<1120xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1120xi32>
  %xv = stablehlo.reshape %xs : (tensor<1120xi32>) -> tensor<1x2x16x35xi32>
  %xc = stablehlo.convert %xv : (tensor<1x2x16x35xi32>) -> tensor<1x2x16x35xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x2x16x35xf32>
  %wn = stablehlo.iota dim = 0 : tensor<50xi32>
  %wm = stablehlo.constant dense<3> : tensor<50xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<50xi32>
  %wd = stablehlo.constant dense<7> : tensor<50xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<50xi32>
  %wh = stablehlo.constant dense<3> : tensor<50xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<50xi32>
  %wv = stablehlo.reshape %ws : (tensor<50xi32>) -> tensor<2x1x5x5xi32>
  %wc = stablehlo.convert %wv : (tensor<2x1x5x5xi32>) -> tensor<2x1x5x5xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<2x1x5x5xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x16x35xf32>, tensor<2x1x5x5xf32>) -> tensor<1x2x16x35xf32>
  %out = stablehlo.iota dim = 0 : tensor<2x2x5x5xi32>
  %each = stablehlo.constant dense<1> : tensor<2x2x5x5xi32>
  %group = stablehlo.divide %out, %each : tensor<2x2x5x5xi32>
  %in = stablehlo.iota dim = 1 : tensor<2x2x5x5xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<2x2x5x5xi32>, tensor<2x2x5x5xi32>) -> tensor<2x2x5x5xi1>
  %flat = stablehlo.reshape %w : (tensor<2x1x5x5xf32>) -> tensor<2x5x5xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<2x5x5xf32>) -> tensor<2x2x5x5xf32>
  %none = stablehlo.constant dense<0.0> : tensor<2x2x5x5xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x16x35xf32>, tensor<2x2x5x5xf32>) -> tensor<1x2x16x35xf32>
  check.expect_eq %r, %wanted : tensor<1x2x16x35xf32>
  func.return
}

// -----

func.func @long_windows() {
  %xn = stablehlo.iota dim = 0 : tensor<240xi32>
  %xm = stablehlo.constant dense<5> : tensor<240xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<240xi32>
  %xd = stablehlo.constant dense<9> : tensor<240xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<240xi32>
  %xh = stablehlo.constant dense<4> : tensor<240xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<240xi32>
  %xv = stablehlo.reshape %xs : (tensor<240xi32>) -> tensor<1x3x2x40xi32>
  %xc = stablehlo.convert %xv : (tensor<1x3x2x40xi32>) -> tensor<1x3x2x40xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x3x2x40xf32>
  %wn = stablehlo.iota dim = 0 : tensor<93xi32>
  %wm = stablehlo.constant dense<3> : tensor<93xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<93xi32>
  %wd = stablehlo.constant dense<7> : tensor<93xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<93xi32>
  %wh = stablehlo.constant dense<3> : tensor<93xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<93xi32>
  %wv = stablehlo.reshape %ws : (tensor<93xi32>) -> tensor<3x1x1x31xi32>
  %wc = stablehlo.convert %wv : (tensor<3x1x1x31xi32>) -> tensor<3x1x1x31xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x1x1x31xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [15, 15]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x2x40xf32>, tensor<3x1x1x31xf32>) -> tensor<1x3x2x40xf32>
  %out = stablehlo.iota dim = 0 : tensor<3x3x1x31xi32>
  %each = stablehlo.constant dense<1> : tensor<3x3x1x31xi32>
  %group = stablehlo.divide %out, %each : tensor<3x3x1x31xi32>
  %in = stablehlo.iota dim = 1 : tensor<3x3x1x31xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<3x3x1x31xi32>, tensor<3x3x1x31xi32>) -> tensor<3x3x1x31xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x1x31xf32>) -> tensor<3x1x31xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x1x31xf32>) -> tensor<3x3x1x31xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x1x31xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x1x31xi1>, tensor<3x3x1x31xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [15, 15]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2x40xf32>, tensor<3x3x1x31xf32>) -> tensor<1x3x2x40xf32>
  check.expect_eq %r, %wanted : tensor<1x3x2x40xf32>
  func.return
}

// -----

func.func @long_windows_channels_last() {
  %xn = stablehlo.iota dim = 0 : tensor<1224xi32>
  %xm = stablehlo.constant dense<5> : tensor<1224xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1224xi32>
  %xd = stablehlo.constant dense<9> : tensor<1224xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1224xi32>
  %xh = stablehlo.constant dense<4> : tensor<1224xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1224xi32>
  %xv = stablehlo.reshape %xs : (tensor<1224xi32>) -> tensor<1x6x12x17xi32>
  %xc = stablehlo.convert %xv : (tensor<1x6x12x17xi32>) -> tensor<1x6x12x17xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x6x12x17xf32>
  %wn = stablehlo.iota dim = 0 : tensor<442xi32>
  %wm = stablehlo.constant dense<3> : tensor<442xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<442xi32>
  %wd = stablehlo.constant dense<7> : tensor<442xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<442xi32>
  %wh = stablehlo.constant dense<3> : tensor<442xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<442xi32>
  %wv = stablehlo.reshape %ws : (tensor<442xi32>) -> tensor<13x2x1x17xi32>
  %wc = stablehlo.convert %wv : (tensor<13x2x1x17xi32>) -> tensor<13x2x1x17xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<13x2x1x17xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[6, 6], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 17 : i64} : (tensor<1x6x12x17xf32>, tensor<13x2x1x17xf32>) -> tensor<1x6x12x17xf32>
  %out = stablehlo.iota dim = 3 : tensor<13x2x17x17xi32>
  %each = stablehlo.constant dense<1> : tensor<13x2x17x17xi32>
  %group = stablehlo.divide %out, %each : tensor<13x2x17x17xi32>
  %in = stablehlo.iota dim = 2 : tensor<13x2x17x17xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<13x2x17x17xi32>, tensor<13x2x17x17xi32>) -> tensor<13x2x17x17xi1>
  %flat = stablehlo.reshape %w : (tensor<13x2x1x17xf32>) -> tensor<13x2x17xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<13x2x17xf32>) -> tensor<13x2x17x17xf32>
  %none = stablehlo.constant dense<0.0> : tensor<13x2x17x17xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<13x2x17x17xi1>, tensor<13x2x17x17xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[6, 6], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x12x17xf32>, tensor<13x2x17x17xf32>) -> tensor<1x6x12x17xf32>
  check.expect_eq %r, %wanted : tensor<1x6x12x17xf32>
  func.return
}

// -----

func.func @every_second_window() {
  %xn = stablehlo.iota dim = 0 : tensor<5100xi32>
  %xm = stablehlo.constant dense<5> : tensor<5100xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<5100xi32>
  %xd = stablehlo.constant dense<9> : tensor<5100xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<5100xi32>
  %xh = stablehlo.constant dense<4> : tensor<5100xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<5100xi32>
  %xv = stablehlo.reshape %xs : (tensor<5100xi32>) -> tensor<1x15x17x20xi32>
  %xc = stablehlo.convert %xv : (tensor<1x15x17x20xi32>) -> tensor<1x15x17x20xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x15x17x20xf32>
  %wn = stablehlo.iota dim = 0 : tensor<500xi32>
  %wm = stablehlo.constant dense<3> : tensor<500xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<500xi32>
  %wd = stablehlo.constant dense<7> : tensor<500xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<500xi32>
  %wh = stablehlo.constant dense<3> : tensor<500xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<500xi32>
  %wv = stablehlo.reshape %ws : (tensor<500xi32>) -> tensor<5x5x1x20xi32>
  %wc = stablehlo.convert %wv : (tensor<5x5x1x20xi32>) -> tensor<5x5x1x20xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<5x5x1x20xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 2], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 20 : i64} : (tensor<1x15x17x20xf32>, tensor<5x5x1x20xf32>) -> tensor<1x7x8x20xf32>
  %out = stablehlo.iota dim = 3 : tensor<5x5x20x20xi32>
  %each = stablehlo.constant dense<1> : tensor<5x5x20x20xi32>
  %group = stablehlo.divide %out, %each : tensor<5x5x20x20xi32>
  %in = stablehlo.iota dim = 2 : tensor<5x5x20x20xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<5x5x20x20xi32>, tensor<5x5x20x20xi32>) -> tensor<5x5x20x20xi1>
  %flat = stablehlo.reshape %w : (tensor<5x5x1x20xf32>) -> tensor<5x5x20xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<5x5x20xf32>) -> tensor<5x5x20x20xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x20x20xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x20x20xi1>, tensor<5x5x20x20xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 2], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x15x17x20xf32>, tensor<5x5x20x20xf32>) -> tensor<1x7x8x20xf32>
  check.expect_eq %r, %wanted : tensor<1x7x8x20xf32>
  func.return
}

// -----

func.func @every_second_window_of_short_rows() {
  %xn = stablehlo.iota dim = 0 : tensor<1176xi32>
  %xm = stablehlo.constant dense<5> : tensor<1176xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1176xi32>
  %xd = stablehlo.constant dense<9> : tensor<1176xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1176xi32>
  %xh = stablehlo.constant dense<4> : tensor<1176xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1176xi32>
  %xv = stablehlo.reshape %xs : (tensor<1176xi32>) -> tensor<1x6x14x14xi32>
  %xc = stablehlo.convert %xv : (tensor<1x6x14x14xi32>) -> tensor<1x6x14x14xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x6x14x14xf32>
  %wn = stablehlo.iota dim = 0 : tensor<150xi32>
  %wm = stablehlo.constant dense<3> : tensor<150xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<150xi32>
  %wd = stablehlo.constant dense<7> : tensor<150xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<150xi32>
  %wh = stablehlo.constant dense<3> : tensor<150xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<150xi32>
  %wv = stablehlo.reshape %ws : (tensor<150xi32>) -> tensor<6x1x5x5xi32>
  %wc = stablehlo.convert %wv : (tensor<6x1x5x5xi32>) -> tensor<6x1x5x5xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<6x1x5x5xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<1x6x14x14xf32>, tensor<6x1x5x5xf32>) -> tensor<1x6x7x7xf32>
  %out = stablehlo.iota dim = 0 : tensor<6x6x5x5xi32>
  %each = stablehlo.constant dense<1> : tensor<6x6x5x5xi32>
  %group = stablehlo.divide %out, %each : tensor<6x6x5x5xi32>
  %in = stablehlo.iota dim = 1 : tensor<6x6x5x5xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<6x6x5x5xi32>, tensor<6x6x5x5xi32>) -> tensor<6x6x5x5xi1>
  %flat = stablehlo.reshape %w : (tensor<6x1x5x5xf32>) -> tensor<6x5x5xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<6x5x5xf32>) -> tensor<6x6x5x5xf32>
  %none = stablehlo.constant dense<0.0> : tensor<6x6x5x5xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<6x6x5x5xi1>, tensor<6x6x5x5xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x14x14xf32>, tensor<6x6x5x5xf32>) -> tensor<1x6x7x7xf32>
  check.expect_eq %r, %wanted : tensor<1x6x7x7xf32>
  func.return
}

// -----

func.func @dilated_windows() {
  %xn = stablehlo.iota dim = 0 : tensor<3072xi32>
  %xm = stablehlo.constant dense<5> : tensor<3072xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<3072xi32>
  %xd = stablehlo.constant dense<9> : tensor<3072xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<3072xi32>
  %xh = stablehlo.constant dense<4> : tensor<3072xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<3072xi32>
  %xv = stablehlo.reshape %xs : (tensor<3072xi32>) -> tensor<1x12x16x16xi32>
  %xc = stablehlo.convert %xv : (tensor<1x12x16x16xi32>) -> tensor<1x12x16x16xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x12x16x16xf32>
  %wn = stablehlo.iota dim = 0 : tensor<320xi32>
  %wm = stablehlo.constant dense<3> : tensor<320xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<320xi32>
  %wd = stablehlo.constant dense<7> : tensor<320xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<320xi32>
  %wh = stablehlo.constant dense<3> : tensor<320xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<320xi32>
  %wv = stablehlo.reshape %ws : (tensor<320xi32>) -> tensor<4x5x1x16xi32>
  %wc = stablehlo.convert %wv : (tensor<4x5x1x16xi32>) -> tensor<4x5x1x16xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<4x5x1x16xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[5, 4], [4, 4]], lhs_dilate = [1, 1], rhs_dilate = [3, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<1x12x16x16xf32>, tensor<4x5x1x16xf32>) -> tensor<1x12x16x16xf32>
  %out = stablehlo.iota dim = 3 : tensor<4x5x16x16xi32>
  %each = stablehlo.constant dense<1> : tensor<4x5x16x16xi32>
  %group = stablehlo.divide %out, %each : tensor<4x5x16x16xi32>
  %in = stablehlo.iota dim = 2 : tensor<4x5x16x16xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<4x5x16x16xi32>, tensor<4x5x16x16xi32>) -> tensor<4x5x16x16xi1>
  %flat = stablehlo.reshape %w : (tensor<4x5x1x16xf32>) -> tensor<4x5x16xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<4x5x16xf32>) -> tensor<4x5x16x16xf32>
  %none = stablehlo.constant dense<0.0> : tensor<4x5x16x16xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<4x5x16x16xi1>, tensor<4x5x16x16xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[5, 4], [4, 4]], lhs_dilate = [1, 1], rhs_dilate = [3, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x12x16x16xf32>, tensor<4x5x16x16xf32>) -> tensor<1x12x16x16xf32>
  check.expect_eq %r, %wanted : tensor<1x12x16x16xf32>
  func.return
}

// -----

func.func @dilated_windows_of_rows() {
  %xn = stablehlo.iota dim = 0 : tensor<1152xi32>
  %xm = stablehlo.constant dense<5> : tensor<1152xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1152xi32>
  %xd = stablehlo.constant dense<9> : tensor<1152xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1152xi32>
  %xh = stablehlo.constant dense<4> : tensor<1152xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1152xi32>
  %xv = stablehlo.reshape %xs : (tensor<1152xi32>) -> tensor<1x3x16x24xi32>
  %xc = stablehlo.convert %xv : (tensor<1x3x16x24xi32>) -> tensor<1x3x16x24xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x3x16x24xf32>
  %wn = stablehlo.iota dim = 0 : tensor<60xi32>
  %wm = stablehlo.constant dense<3> : tensor<60xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<60xi32>
  %wd = stablehlo.constant dense<7> : tensor<60xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<60xi32>
  %wh = stablehlo.constant dense<3> : tensor<60xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<60xi32>
  %wv = stablehlo.reshape %ws : (tensor<60xi32>) -> tensor<3x1x4x5xi32>
  %wc = stablehlo.convert %wv : (tensor<3x1x4x5xi32>) -> tensor<3x1x4x5xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<3x1x4x5xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[3, 3], [6, 6]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x16x24xf32>, tensor<3x1x4x5xf32>) -> tensor<1x3x16x24xf32>
  %out = stablehlo.iota dim = 0 : tensor<3x3x4x5xi32>
  %each = stablehlo.constant dense<1> : tensor<3x3x4x5xi32>
  %group = stablehlo.divide %out, %each : tensor<3x3x4x5xi32>
  %in = stablehlo.iota dim = 1 : tensor<3x3x4x5xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<3x3x4x5xi32>, tensor<3x3x4x5xi32>) -> tensor<3x3x4x5xi1>
  %flat = stablehlo.reshape %w : (tensor<3x1x4x5xf32>) -> tensor<3x4x5xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<3x4x5xf32>) -> tensor<3x3x4x5xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x3x4x5xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<3x3x4x5xi1>, tensor<3x3x4x5xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[3, 3], [6, 6]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x16x24xf32>, tensor<3x3x4x5xf32>) -> tensor<1x3x16x24xf32>
  check.expect_eq %r, %wanted : tensor<1x3x16x24xf32>
  func.return
}

// -----

func.func @reversed_windows() {
  %xn = stablehlo.iota dim = 0 : tensor<1024xi32>
  %xm = stablehlo.constant dense<5> : tensor<1024xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1024xi32>
  %xd = stablehlo.constant dense<9> : tensor<1024xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1024xi32>
  %xh = stablehlo.constant dense<4> : tensor<1024xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1024xi32>
  %xv = stablehlo.reshape %xs : (tensor<1024xi32>) -> tensor<1x8x8x16xi32>
  %xc = stablehlo.convert %xv : (tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x8x8x16xf32>
  %wn = stablehlo.iota dim = 0 : tensor<384xi32>
  %wm = stablehlo.constant dense<3> : tensor<384xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<384xi32>
  %wd = stablehlo.constant dense<7> : tensor<384xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<384xi32>
  %wh = stablehlo.constant dense<3> : tensor<384xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<384xi32>
  %wv = stablehlo.reshape %ws : (tensor<384xi32>) -> tensor<4x6x1x16xi32>
  %wc = stablehlo.convert %wv : (tensor<4x6x1x16xi32>) -> tensor<4x6x1x16xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<4x6x1x16xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [3, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<1x8x8x16xf32>, tensor<4x6x1x16xf32>) -> tensor<1x8x8x16xf32>
  %out = stablehlo.iota dim = 3 : tensor<4x6x16x16xi32>
  %each = stablehlo.constant dense<1> : tensor<4x6x16x16xi32>
  %group = stablehlo.divide %out, %each : tensor<4x6x16x16xi32>
  %in = stablehlo.iota dim = 2 : tensor<4x6x16x16xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<4x6x16x16xi32>, tensor<4x6x16x16xi32>) -> tensor<4x6x16x16xi1>
  %flat = stablehlo.reshape %w : (tensor<4x6x1x16xf32>) -> tensor<4x6x16xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<4x6x16xf32>) -> tensor<4x6x16x16xf32>
  %none = stablehlo.constant dense<0.0> : tensor<4x6x16x16xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<4x6x16x16xi1>, tensor<4x6x16x16xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [3, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x16xf32>, tensor<4x6x16x16xf32>) -> tensor<1x8x8x16xf32>
  check.expect_eq %r, %wanted : tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @several_windows_of_a_channel() {
  %xn = stablehlo.iota dim = 0 : tensor<384xi32>
  %xm = stablehlo.constant dense<5> : tensor<384xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<384xi32>
  %xd = stablehlo.constant dense<9> : tensor<384xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<384xi32>
  %xh = stablehlo.constant dense<4> : tensor<384xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<384xi32>
  %xv = stablehlo.reshape %xs : (tensor<384xi32>) -> tensor<1x8x8x6xi32>
  %xc = stablehlo.convert %xv : (tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x8x8x6xf32>
  %wn = stablehlo.iota dim = 0 : tensor<450xi32>
  %wm = stablehlo.constant dense<3> : tensor<450xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<450xi32>
  %wd = stablehlo.constant dense<7> : tensor<450xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<450xi32>
  %wh = stablehlo.constant dense<3> : tensor<450xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<450xi32>
  %wv = stablehlo.reshape %ws : (tensor<450xi32>) -> tensor<5x5x1x18xi32>
  %wc = stablehlo.convert %wv : (tensor<5x5x1x18xi32>) -> tensor<5x5x1x18xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<5x5x1x18xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<1x8x8x6xf32>, tensor<5x5x1x18xf32>) -> tensor<1x8x8x18xf32>
  %out = stablehlo.iota dim = 3 : tensor<5x5x6x18xi32>
  %each = stablehlo.constant dense<3> : tensor<5x5x6x18xi32>
  %group = stablehlo.divide %out, %each : tensor<5x5x6x18xi32>
  %in = stablehlo.iota dim = 2 : tensor<5x5x6x18xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<5x5x6x18xi32>, tensor<5x5x6x18xi32>) -> tensor<5x5x6x18xi1>
  %flat = stablehlo.reshape %w : (tensor<5x5x1x18xf32>) -> tensor<5x5x18xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<5x5x18xf32>) -> tensor<5x5x6x18xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x6x18xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x6x18xi1>, tensor<5x5x6x18xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x6xf32>, tensor<5x5x6x18xf32>) -> tensor<1x8x8x18xf32>
  check.expect_eq %r, %wanted : tensor<1x8x8x18xf32>
  func.return
}

// -----

func.func @several_windows_of_a_row() {
  %xn = stablehlo.iota dim = 0 : tensor<480xi32>
  %xm = stablehlo.constant dense<5> : tensor<480xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<480xi32>
  %xd = stablehlo.constant dense<9> : tensor<480xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<480xi32>
  %xh = stablehlo.constant dense<4> : tensor<480xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<480xi32>
  %xv = stablehlo.reshape %xs : (tensor<480xi32>) -> tensor<1x3x8x20xi32>
  %xc = stablehlo.convert %xv : (tensor<1x3x8x20xi32>) -> tensor<1x3x8x20xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x3x8x20xf32>
  %wn = stablehlo.iota dim = 0 : tensor<150xi32>
  %wm = stablehlo.constant dense<3> : tensor<150xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<150xi32>
  %wd = stablehlo.constant dense<7> : tensor<150xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<150xi32>
  %wh = stablehlo.constant dense<3> : tensor<150xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<150xi32>
  %wv = stablehlo.reshape %ws : (tensor<150xi32>) -> tensor<6x1x5x5xi32>
  %wc = stablehlo.convert %wv : (tensor<6x1x5x5xi32>) -> tensor<6x1x5x5xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<6x1x5x5xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x3x8x20xf32>, tensor<6x1x5x5xf32>) -> tensor<1x6x8x20xf32>
  %out = stablehlo.iota dim = 0 : tensor<6x3x5x5xi32>
  %each = stablehlo.constant dense<2> : tensor<6x3x5x5xi32>
  %group = stablehlo.divide %out, %each : tensor<6x3x5x5xi32>
  %in = stablehlo.iota dim = 1 : tensor<6x3x5x5xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<6x3x5x5xi32>, tensor<6x3x5x5xi32>) -> tensor<6x3x5x5xi1>
  %flat = stablehlo.reshape %w : (tensor<6x1x5x5xf32>) -> tensor<6x5x5xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<6x5x5xf32>) -> tensor<6x3x5x5xf32>
  %none = stablehlo.constant dense<0.0> : tensor<6x3x5x5xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<6x3x5x5xi1>, tensor<6x3x5x5xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x8x20xf32>, tensor<6x3x5x5xf32>) -> tensor<1x6x8x20xf32>
  check.expect_eq %r, %wanted : tensor<1x6x8x20xf32>
  func.return
}

// -----

func.func @rows_left_after_blocks() {
  %xn = stablehlo.iota dim = 0 : tensor<4560xi32>
  %xm = stablehlo.constant dense<5> : tensor<4560xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<4560xi32>
  %xd = stablehlo.constant dense<9> : tensor<4560xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<4560xi32>
  %xh = stablehlo.constant dense<4> : tensor<4560xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<4560xi32>
  %xv = stablehlo.reshape %xs : (tensor<4560xi32>) -> tensor<1x6x19x40xi32>
  %xc = stablehlo.convert %xv : (tensor<1x6x19x40xi32>) -> tensor<1x6x19x40xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x6x19x40xf32>
  %wn = stablehlo.iota dim = 0 : tensor<1000xi32>
  %wm = stablehlo.constant dense<3> : tensor<1000xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<1000xi32>
  %wd = stablehlo.constant dense<7> : tensor<1000xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<1000xi32>
  %wh = stablehlo.constant dense<3> : tensor<1000xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<1000xi32>
  %wv = stablehlo.reshape %ws : (tensor<1000xi32>) -> tensor<5x5x1x40xi32>
  %wc = stablehlo.convert %wv : (tensor<5x5x1x40xi32>) -> tensor<5x5x1x40xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<5x5x1x40xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<1x6x19x40xf32>, tensor<5x5x1x40xf32>) -> tensor<1x6x19x40xf32>
  %out = stablehlo.iota dim = 3 : tensor<5x5x40x40xi32>
  %each = stablehlo.constant dense<1> : tensor<5x5x40x40xi32>
  %group = stablehlo.divide %out, %each : tensor<5x5x40x40xi32>
  %in = stablehlo.iota dim = 2 : tensor<5x5x40x40xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<5x5x40x40xi32>, tensor<5x5x40x40xi32>) -> tensor<5x5x40x40xi1>
  %flat = stablehlo.reshape %w : (tensor<5x5x1x40xf32>) -> tensor<5x5x40xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<5x5x40xf32>) -> tensor<5x5x40x40xf32>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x40x40xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x40x40xi1>, tensor<5x5x40x40xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x19x40xf32>, tensor<5x5x40x40xf32>) -> tensor<1x6x19x40xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1x6x19x40xf32>
  %positive = stablehlo.maximum %r, %zero : tensor<1x6x19x40xf32>
  %negative = stablehlo.minimum %r, %zero : tensor<1x6x19x40xf32>
  %sum = stablehlo.add %positive, %negative : tensor<1x6x19x40xf32>
  %kept = stablehlo.optimization_barrier %wanted : tensor<1x6x19x40xf32>
  check.expect_eq %sum, %kept : tensor<1x6x19x40xf32>
  check.expect_eq %r, %wanted : tensor<1x6x19x40xf32>
  func.return
}

// -----

func.func @rows_left_after_blocks_of_short_rows() {
  %xn = stablehlo.iota dim = 0 : tensor<6160xi32>
  %xm = stablehlo.constant dense<5> : tensor<6160xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<6160xi32>
  %xd = stablehlo.constant dense<9> : tensor<6160xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<6160xi32>
  %xh = stablehlo.constant dense<4> : tensor<6160xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<6160xi32>
  %xv = stablehlo.reshape %xs : (tensor<6160xi32>) -> tensor<1x40x22x7xi32>
  %xc = stablehlo.convert %xv : (tensor<1x40x22x7xi32>) -> tensor<1x40x22x7xf32>
  %x = stablehlo.optimization_barrier %xc : tensor<1x40x22x7xf32>
  %wn = stablehlo.iota dim = 0 : tensor<600xi32>
  %wm = stablehlo.constant dense<3> : tensor<600xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<600xi32>
  %wd = stablehlo.constant dense<7> : tensor<600xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<600xi32>
  %wh = stablehlo.constant dense<3> : tensor<600xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<600xi32>
  %wv = stablehlo.reshape %ws : (tensor<600xi32>) -> tensor<40x1x5x3xi32>
  %wc = stablehlo.convert %wv : (tensor<40x1x5x3xi32>) -> tensor<40x1x5x3xf32>
  %w = stablehlo.optimization_barrier %wc : tensor<40x1x5x3xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<1x40x22x7xf32>, tensor<40x1x5x3xf32>) -> tensor<1x40x22x7xf32>
  %out = stablehlo.iota dim = 0 : tensor<40x40x5x3xi32>
  %each = stablehlo.constant dense<1> : tensor<40x40x5x3xi32>
  %group = stablehlo.divide %out, %each : tensor<40x40x5x3xi32>
  %in = stablehlo.iota dim = 1 : tensor<40x40x5x3xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<40x40x5x3xi32>, tensor<40x40x5x3xi32>) -> tensor<40x40x5x3xi1>
  %flat = stablehlo.reshape %w : (tensor<40x1x5x3xf32>) -> tensor<40x5x3xf32>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<40x5x3xf32>) -> tensor<40x40x5x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<40x40x5x3xf32>
  %dense = stablehlo.select %own, %all, %none : tensor<40x40x5x3xi1>, tensor<40x40x5x3xf32>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x40x22x7xf32>, tensor<40x40x5x3xf32>) -> tensor<1x40x22x7xf32>
  check.expect_eq %r, %wanted : tensor<1x40x22x7xf32>
  func.return
}

// -----

func.func @doubles() {
  %xn = stablehlo.iota dim = 0 : tensor<704xi32>
  %xm = stablehlo.constant dense<5> : tensor<704xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<704xi32>
  %xd = stablehlo.constant dense<9> : tensor<704xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<704xi32>
  %xh = stablehlo.constant dense<4> : tensor<704xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<704xi32>
  %xv = stablehlo.reshape %xs : (tensor<704xi32>) -> tensor<1x8x8x11xi32>
  %xc = stablehlo.convert %xv : (tensor<1x8x8x11xi32>) -> tensor<1x8x8x11xf64>
  %x = stablehlo.optimization_barrier %xc : tensor<1x8x8x11xf64>
  %wn = stablehlo.iota dim = 0 : tensor<275xi32>
  %wm = stablehlo.constant dense<3> : tensor<275xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<275xi32>
  %wd = stablehlo.constant dense<7> : tensor<275xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<275xi32>
  %wh = stablehlo.constant dense<3> : tensor<275xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<275xi32>
  %wv = stablehlo.reshape %ws : (tensor<275xi32>) -> tensor<5x5x1x11xi32>
  %wc = stablehlo.convert %wv : (tensor<5x5x1x11xi32>) -> tensor<5x5x1x11xf64>
  %w = stablehlo.optimization_barrier %wc : tensor<5x5x1x11xf64>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 11 : i64} : (tensor<1x8x8x11xf64>, tensor<5x5x1x11xf64>) -> tensor<1x8x8x11xf64>
  %out = stablehlo.iota dim = 3 : tensor<5x5x11x11xi32>
  %each = stablehlo.constant dense<1> : tensor<5x5x11x11xi32>
  %group = stablehlo.divide %out, %each : tensor<5x5x11x11xi32>
  %in = stablehlo.iota dim = 2 : tensor<5x5x11x11xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<5x5x11x11xi32>, tensor<5x5x11x11xi32>) -> tensor<5x5x11x11xi1>
  %flat = stablehlo.reshape %w : (tensor<5x5x1x11xf64>) -> tensor<5x5x11xf64>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<5x5x11xf64>) -> tensor<5x5x11x11xf64>
  %none = stablehlo.constant dense<0.0> : tensor<5x5x11x11xf64>
  %dense = stablehlo.select %own, %all, %none : tensor<5x5x11x11xi1>, tensor<5x5x11x11xf64>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x11xf64>, tensor<5x5x11x11xf64>) -> tensor<1x8x8x11xf64>
  check.expect_eq %r, %wanted : tensor<1x8x8x11xf64>
  func.return
}

// -----

func.func @halves() {
  %xn = stablehlo.iota dim = 0 : tensor<1280xi32>
  %xm = stablehlo.constant dense<5> : tensor<1280xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<1280xi32>
  %xd = stablehlo.constant dense<9> : tensor<1280xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<1280xi32>
  %xh = stablehlo.constant dense<4> : tensor<1280xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1280xi32>
  %xv = stablehlo.reshape %xs : (tensor<1280xi32>) -> tensor<1x8x8x20xi32>
  %xc = stablehlo.convert %xv : (tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xf16>
  %x = stablehlo.optimization_barrier %xc : tensor<1x8x8x20xf16>
  %wn = stablehlo.iota dim = 0 : tensor<320xi32>
  %wm = stablehlo.constant dense<3> : tensor<320xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<320xi32>
  %wd = stablehlo.constant dense<7> : tensor<320xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<320xi32>
  %wh = stablehlo.constant dense<3> : tensor<320xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<320xi32>
  %wv = stablehlo.reshape %ws : (tensor<320xi32>) -> tensor<4x4x1x20xi32>
  %wc = stablehlo.convert %wv : (tensor<4x4x1x20xi32>) -> tensor<4x4x1x20xf16>
  %w = stablehlo.optimization_barrier %wc : tensor<4x4x1x20xf16>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 20 : i64} : (tensor<1x8x8x20xf16>, tensor<4x4x1x20xf16>) -> tensor<1x8x8x20xf16>
  %out = stablehlo.iota dim = 3 : tensor<4x4x20x20xi32>
  %each = stablehlo.constant dense<1> : tensor<4x4x20x20xi32>
  %group = stablehlo.divide %out, %each : tensor<4x4x20x20xi32>
  %in = stablehlo.iota dim = 2 : tensor<4x4x20x20xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<4x4x20x20xi32>, tensor<4x4x20x20xi32>) -> tensor<4x4x20x20xi1>
  %flat = stablehlo.reshape %w : (tensor<4x4x1x20xf16>) -> tensor<4x4x20xf16>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 1, 3] : (tensor<4x4x20xf16>) -> tensor<4x4x20x20xf16>
  %none = stablehlo.constant dense<0.0> : tensor<4x4x20x20xf16>
  %dense = stablehlo.select %own, %all, %none : tensor<4x4x20x20xi1>, tensor<4x4x20x20xf16>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x20xf16>, tensor<4x4x20x20xf16>) -> tensor<1x8x8x20xf16>
  check.expect_eq %r, %wanted : tensor<1x8x8x20xf16>
  func.return
}

// -----

func.func @brain_floats() {
  %xn = stablehlo.iota dim = 0 : tensor<256xi32>
  %xm = stablehlo.constant dense<5> : tensor<256xi32>
  %xp = stablehlo.multiply %xn, %xm : tensor<256xi32>
  %xd = stablehlo.constant dense<9> : tensor<256xi32>
  %xr = stablehlo.remainder %xp, %xd : tensor<256xi32>
  %xh = stablehlo.constant dense<4> : tensor<256xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<256xi32>
  %xv = stablehlo.reshape %xs : (tensor<256xi32>) -> tensor<1x4x8x8xi32>
  %xc = stablehlo.convert %xv : (tensor<1x4x8x8xi32>) -> tensor<1x4x8x8xbf16>
  %x = stablehlo.optimization_barrier %xc : tensor<1x4x8x8xbf16>
  %wn = stablehlo.iota dim = 0 : tensor<64xi32>
  %wm = stablehlo.constant dense<3> : tensor<64xi32>
  %wp = stablehlo.multiply %wn, %wm : tensor<64xi32>
  %wd = stablehlo.constant dense<7> : tensor<64xi32>
  %wr = stablehlo.remainder %wp, %wd : tensor<64xi32>
  %wh = stablehlo.constant dense<3> : tensor<64xi32>
  %ws = stablehlo.subtract %wr, %wh : tensor<64xi32>
  %wv = stablehlo.reshape %ws : (tensor<64xi32>) -> tensor<4x1x4x4xi32>
  %wc = stablehlo.convert %wv : (tensor<4x1x4x4xi32>) -> tensor<4x1x4x4xbf16>
  %w = stablehlo.optimization_barrier %wc : tensor<4x1x4x4xbf16>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x4x8x8xbf16>, tensor<4x1x4x4xbf16>) -> tensor<1x4x8x8xbf16>
  %out = stablehlo.iota dim = 0 : tensor<4x4x4x4xi32>
  %each = stablehlo.constant dense<1> : tensor<4x4x4x4xi32>
  %group = stablehlo.divide %out, %each : tensor<4x4x4x4xi32>
  %in = stablehlo.iota dim = 1 : tensor<4x4x4x4xi32>
  %own = stablehlo.compare EQ, %group, %in : (tensor<4x4x4x4xi32>, tensor<4x4x4x4xi32>) -> tensor<4x4x4x4xi1>
  %flat = stablehlo.reshape %w : (tensor<4x1x4x4xbf16>) -> tensor<4x4x4xbf16>
  %all = stablehlo.broadcast_in_dim %flat, dims = [0, 2, 3] : (tensor<4x4x4xbf16>) -> tensor<4x4x4x4xbf16>
  %none = stablehlo.constant dense<0.0> : tensor<4x4x4x4xbf16>
  %dense = stablehlo.select %own, %all, %none : tensor<4x4x4x4xi1>, tensor<4x4x4x4xbf16>
  %wanted = stablehlo.convolution(%x, %dense) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x8x8xbf16>, tensor<4x4x4x4xbf16>) -> tensor<1x4x8x8xbf16>
  check.expect_eq %r, %wanted : tensor<1x4x8x8xbf16>
  func.return
}
