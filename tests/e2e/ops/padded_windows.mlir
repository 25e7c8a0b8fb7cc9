// Windows that hang over, and padded operands, against the same over memory that
// was padded before.
func.func @largest_of_padded() {
  %xi0 = stablehlo.iota dim = 0 : tensor<2x3x9x37xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<2x3x9x37xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<2x3x9x37xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<2x3x9x37xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<2x3x9x37xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<2x3x9x37xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<2x3x9x37xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<2x3x9x37xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<2x3x9x37xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<2x3x9x37xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<2x3x9x37xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<2x3x9x37xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<2x3x9x37xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<2x3x9x37xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<2x3x9x37xi32>
  %xn = stablehlo.constant dense<9> : tensor<2x3x9x37xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<2x3x9x37xi32>
  %xh = stablehlo.constant dense<4> : tensor<2x3x9x37xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<2x3x9x37xi32>
  %xv = stablehlo.convert %xs : (tensor<2x3x9x37xi32>) -> tensor<2x3x9x37xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<2x3x9x37xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 1, 1>, window_dilations = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3x9x37xf32>, tensor<f32>) -> tensor<2x3x9x37xf32>
  %pad = stablehlo.pad %x, %init, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<2x3x9x37xf32>, tensor<f32>) -> tensor<2x3x11x39xf32>
  %kept = stablehlo.optimization_barrier %pad : tensor<2x3x11x39xf32>
  %wanted = "stablehlo.reduce_window"(%kept, %init) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 1, 1>, window_dilations = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3x11x39xf32>, tensor<f32>) -> tensor<2x3x9x37xf32>
  check.expect_eq %r, %wanted : tensor<2x3x9x37xf32>
  func.return
}

// -----

func.func @sums_of_dilated() {
  %xi0 = stablehlo.iota dim = 0 : tensor<3x8x21xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<3x8x21xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<3x8x21xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<3x8x21xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<3x8x21xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<3x8x21xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<3x8x21xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<3x8x21xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<3x8x21xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<3x8x21xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<3x8x21xi32>
  %xn = stablehlo.constant dense<9> : tensor<3x8x21xi32>
  %xr = stablehlo.remainder %xa2, %xn : tensor<3x8x21xi32>
  %xh = stablehlo.constant dense<4> : tensor<3x8x21xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<3x8x21xi32>
  %xv = stablehlo.convert %xs : (tensor<3x8x21xi32>) -> tensor<3x8x21xi32>
  %x = stablehlo.optimization_barrier %xv : tensor<3x8x21xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [2, 1], [4, 4]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 3, 5>, window_strides = array<i64: 1, 2, 1>, window_dilations = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<3x8x21xi32>, tensor<i32>) -> tensor<3x5x17xi32>
  %pad = stablehlo.pad %x, %init, low = [0, 2, 4], high = [0, 1, 4], interior = [0, 0, 0] : (tensor<3x8x21xi32>, tensor<i32>) -> tensor<3x11x29xi32>
  %kept = stablehlo.optimization_barrier %pad : tensor<3x11x29xi32>
  %wanted = "stablehlo.reduce_window"(%kept, %init) <{padding = dense<[[0, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 3, 5>, window_strides = array<i64: 1, 2, 1>, window_dilations = array<i64: 1, 1, 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<3x11x29xi32>, tensor<i32>) -> tensor<3x5x17xi32>
  check.expect_eq %r, %wanted : tensor<3x5x17xi32>
  func.return
}

// -----

func.func @smallest_of_bytes() {
  %xi0 = stablehlo.iota dim = 0 : tensor<4x70xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<4x70xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<4x70xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<4x70xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<4x70xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<4x70xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<4x70xi32>
  %xn = stablehlo.constant dense<9> : tensor<4x70xi32>
  %xr = stablehlo.remainder %xa1, %xn : tensor<4x70xi32>
  %xh = stablehlo.constant dense<4> : tensor<4x70xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<4x70xi32>
  %xv = stablehlo.convert %xs : (tensor<4x70xi32>) -> tensor<4x70xi8>
  %x = stablehlo.optimization_barrier %xv : tensor<4x70xi8>
  %init = stablehlo.constant dense<127> : tensor<i8>
  %r = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<4x70xi8>, tensor<i8>) -> tensor<4x70xi8>
  %pad = stablehlo.pad %x, %init, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<4x70xi8>, tensor<i8>) -> tensor<4x72xi8>
  %kept = stablehlo.optimization_barrier %pad : tensor<4x72xi8>
  %wanted = "stablehlo.reduce_window"(%kept, %init) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<4x72xi8>, tensor<i8>) -> tensor<4x70xi8>
  check.expect_eq %r, %wanted : tensor<4x70xi8>
  func.return
}

// -----

func.func @channels_last() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x7x7x33xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x7x7x33xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x7x7x33xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x7x7x33xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x7x7x33xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x7x7x33xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x7x7x33xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x7x7x33xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<1x7x7x33xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x7x7x33xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x7x7x33xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x7x7x33xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<1x7x7x33xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x7x7x33xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x7x7x33xi32>
  %xn = stablehlo.constant dense<9> : tensor<1x7x7x33xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x7x7x33xi32>
  %xh = stablehlo.constant dense<4> : tensor<1x7x7x33xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x7x7x33xi32>
  %xv = stablehlo.convert %xs : (tensor<1x7x7x33xi32>) -> tensor<1x7x7x33xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<1x7x7x33xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, window_dilations = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1x7x7x33xf32>, tensor<f32>) -> tensor<1x4x3x33xf32>
  %pad = stablehlo.pad %x, %init, low = [0, 1, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<1x7x7x33xf32>, tensor<f32>) -> tensor<1x9x8x33xf32>
  %kept = stablehlo.optimization_barrier %pad : tensor<1x9x8x33xf32>
  %wanted = "stablehlo.reduce_window"(%kept, %init) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, window_dilations = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1x9x8x33xf32>, tensor<f32>) -> tensor<1x4x3x33xf32>
  check.expect_eq %r, %wanted : tensor<1x4x3x33xf32>
  func.return
}

// -----

func.func @padded_operand_of_a_sum() {
  %xi0 = stablehlo.iota dim = 0 : tensor<5x33xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<5x33xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<5x33xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<5x33xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<5x33xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<5x33xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<5x33xi32>
  %xn = stablehlo.constant dense<9> : tensor<5x33xi32>
  %xr = stablehlo.remainder %xa1, %xn : tensor<5x33xi32>
  %xh = stablehlo.constant dense<4> : tensor<5x33xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<5x33xi32>
  %xv = stablehlo.convert %xs : (tensor<5x33xi32>) -> tensor<5x33xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<5x33xf32>
  %yi0 = stablehlo.iota dim = 0 : tensor<9x40xi32>
  %yc0 = stablehlo.constant dense<2> : tensor<9x40xi32>
  %ym0 = stablehlo.multiply %yi0, %yc0 : tensor<9x40xi32>
  %yi1 = stablehlo.iota dim = 1 : tensor<9x40xi32>
  %yc1 = stablehlo.constant dense<5> : tensor<9x40xi32>
  %ym1 = stablehlo.multiply %yi1, %yc1 : tensor<9x40xi32>
  %ya1 = stablehlo.add %ym0, %ym1 : tensor<9x40xi32>
  %yn = stablehlo.constant dense<9> : tensor<9x40xi32>
  %yr = stablehlo.remainder %ya1, %yn : tensor<9x40xi32>
  %yh = stablehlo.constant dense<4> : tensor<9x40xi32>
  %ys = stablehlo.subtract %yr, %yh : tensor<9x40xi32>
  %yv = stablehlo.convert %ys : (tensor<9x40xi32>) -> tensor<9x40xf32>
  %y = stablehlo.optimization_barrier %yv : tensor<9x40xf32>
  %zero = stablehlo.constant dense<2.0> : tensor<f32>
  %pad = stablehlo.pad %x, %zero, low = [1, 3], high = [3, 4], interior = [0, 0] : (tensor<5x33xf32>, tensor<f32>) -> tensor<9x40xf32>
  %r = stablehlo.add %pad, %y : tensor<9x40xf32>
  %kept = stablehlo.optimization_barrier %pad : tensor<9x40xf32>
  %wanted = stablehlo.add %kept, %y : tensor<9x40xf32>
  check.expect_eq %r, %wanted : tensor<9x40xf32>
  func.return
}

// -----

func.func @every_second_of_padded() {
  %xi0 = stablehlo.iota dim = 0 : tensor<2x3x9x37xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<2x3x9x37xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<2x3x9x37xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<2x3x9x37xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<2x3x9x37xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<2x3x9x37xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<2x3x9x37xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<2x3x9x37xi32>
  %xc2 = stablehlo.constant dense<7> : tensor<2x3x9x37xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<2x3x9x37xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<2x3x9x37xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<2x3x9x37xi32>
  %xc3 = stablehlo.constant dense<2> : tensor<2x3x9x37xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<2x3x9x37xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<2x3x9x37xi32>
  %xn = stablehlo.constant dense<9> : tensor<2x3x9x37xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<2x3x9x37xi32>
  %xh = stablehlo.constant dense<4> : tensor<2x3x9x37xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<2x3x9x37xi32>
  %xv = stablehlo.convert %xs : (tensor<2x3x9x37xi32>) -> tensor<2x3x9x37xf32>
  %x = stablehlo.optimization_barrier %xv : tensor<2x3x9x37xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 1, 2>, window_dilations = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3x9x37xf32>, tensor<f32>) -> tensor<2x3x9x19xf32>
  %pad = stablehlo.pad %x, %init, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<2x3x9x37xf32>, tensor<f32>) -> tensor<2x3x11x39xf32>
  %kept = stablehlo.optimization_barrier %pad : tensor<2x3x11x39xf32>
  %wanted = "stablehlo.reduce_window"(%kept, %init) <{padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 1, 2>, window_dilations = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2x3x11x39xf32>, tensor<f32>) -> tensor<2x3x9x19xf32>
  check.expect_eq %r, %wanted : tensor<2x3x9x19xf32>
  func.return
}

// -----

func.func @every_second_of_bytes() {
  %xi0 = stablehlo.iota dim = 0 : tensor<4x70xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<4x70xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<4x70xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<4x70xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<4x70xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<4x70xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<4x70xi32>
  %xn = stablehlo.constant dense<9> : tensor<4x70xi32>
  %xr = stablehlo.remainder %xa1, %xn : tensor<4x70xi32>
  %xh = stablehlo.constant dense<4> : tensor<4x70xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<4x70xi32>
  %xv = stablehlo.convert %xs : (tensor<4x70xi32>) -> tensor<4x70xi8>
  %x = stablehlo.optimization_barrier %xv : tensor<4x70xi8>
  %init = stablehlo.constant dense<127> : tensor<i8>
  %r = "stablehlo.reduce_window"(%x, %init) <{padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, window_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<4x70xi8>, tensor<i8>) -> tensor<4x35xi8>
  %pad = stablehlo.pad %x, %init, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<4x70xi8>, tensor<i8>) -> tensor<4x72xi8>
  %kept = stablehlo.optimization_barrier %pad : tensor<4x72xi8>
  %wanted = "stablehlo.reduce_window"(%kept, %init) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, window_dilations = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %c : tensor<i8>
  }) : (tensor<4x72xi8>, tensor<i8>) -> tensor<4x35xi8>
  check.expect_eq %r, %wanted : tensor<4x35xi8>
  func.return
}

// -----

// Every second element of rows that are no whole vectors.
func.func @every_second_f32() {
  %i = stablehlo.iota dim = 1 : tensor<3x75xf32>
  %x = stablehlo.optimization_barrier %i : tensor<3x75xf32>
  %r = stablehlo.slice %x [0:3, 1:75:2] : (tensor<3x75xf32>) -> tensor<3x37xf32>
  %n = stablehlo.iota dim = 1 : tensor<3x37xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3x37xf32>
  %twice = stablehlo.add %n, %n : tensor<3x37xf32>
  %wanted = stablehlo.add %twice, %one : tensor<3x37xf32>
  check.expect_eq %r, %wanted : tensor<3x37xf32>
  func.return
}

// -----

// Every second element of rows that are no whole vectors.
func.func @every_second_i8() {
  %i = stablehlo.iota dim = 1 : tensor<3x75xi8>
  %x = stablehlo.optimization_barrier %i : tensor<3x75xi8>
  %r = stablehlo.slice %x [0:3, 1:75:2] : (tensor<3x75xi8>) -> tensor<3x37xi8>
  %n = stablehlo.iota dim = 1 : tensor<3x37xi8>
  %one = stablehlo.constant dense<1> : tensor<3x37xi8>
  %twice = stablehlo.add %n, %n : tensor<3x37xi8>
  %wanted = stablehlo.add %twice, %one : tensor<3x37xi8>
  check.expect_eq %r, %wanted : tensor<3x37xi8>
  func.return
}

// -----

// Every second element of rows that are no whole vectors.
func.func @every_second_f64() {
  %i = stablehlo.iota dim = 1 : tensor<3x75xf64>
  %x = stablehlo.optimization_barrier %i : tensor<3x75xf64>
  %r = stablehlo.slice %x [0:3, 1:75:2] : (tensor<3x75xf64>) -> tensor<3x37xf64>
  %n = stablehlo.iota dim = 1 : tensor<3x37xf64>
  %one = stablehlo.constant dense<1.0> : tensor<3x37xf64>
  %twice = stablehlo.add %n, %n : tensor<3x37xf64>
  %wanted = stablehlo.add %twice, %one : tensor<3x37xf64>
  check.expect_eq %r, %wanted : tensor<3x37xf64>
  func.return
}

// -----

// Every second element of rows that are no whole vectors.
func.func @every_second_i16() {
  %i = stablehlo.iota dim = 1 : tensor<3x75xi16>
  %x = stablehlo.optimization_barrier %i : tensor<3x75xi16>
  %r = stablehlo.slice %x [0:3, 1:75:2] : (tensor<3x75xi16>) -> tensor<3x37xi16>
  %n = stablehlo.iota dim = 1 : tensor<3x37xi16>
  %one = stablehlo.constant dense<1> : tensor<3x37xi16>
  %twice = stablehlo.add %n, %n : tensor<3x37xi16>
  %wanted = stablehlo.add %twice, %one : tensor<3x37xi16>
  check.expect_eq %r, %wanted : tensor<3x37xi16>
  func.return
}

// -----

// What is computed on the way into a window, some of it the same in all lanes.
func.func @computed_operands() {
  %i = stablehlo.iota dim = 2 : tensor<3x9x37xf32>
  %x = stablehlo.optimization_barrier %i : tensor<3x9x37xf32>
  %j = stablehlo.iota dim = 0 : tensor<3xf32>
  %s = stablehlo.optimization_barrier %j : tensor<3xf32>
  %k = stablehlo.iota dim = 0 : tensor<9xi32>
  %t = stablehlo.optimization_barrier %k : tensor<9xi32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<3xf32>) -> tensor<3x9x37xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<9xi32>) -> tensor<3x9x37xi32>
  %tf = stablehlo.convert %tb : (tensor<3x9x37xi32>) -> tensor<3x9x37xf32>
  %m = stablehlo.multiply %x, %sb : tensor<3x9x37xf32>
  %v = stablehlo.add %m, %tf : tensor<3x9x37xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%v, %init) <{padding = dense<[[0, 0], [1, 1], [1, 1]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 3, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x9x37xf32>, tensor<f32>) -> tensor<3x9x37xf32>
  %both = stablehlo.subtract %r, %v : tensor<3x9x37xf32>
  %kept = stablehlo.optimization_barrier %v : tensor<3x9x37xf32>
  %pad = stablehlo.pad %kept, %init, low = [0, 1, 1], high = [0, 1, 1], interior = [0, 0, 0] : (tensor<3x9x37xf32>, tensor<f32>) -> tensor<3x11x39xf32>
  %wide = stablehlo.optimization_barrier %pad : tensor<3x11x39xf32>
  %q = "stablehlo.reduce_window"(%wide, %init) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 3, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x11x39xf32>, tensor<f32>) -> tensor<3x9x37xf32>
  %wanted = stablehlo.subtract %q, %kept : tensor<3x9x37xf32>
  check.expect_eq %both, %wanted : tensor<3x9x37xf32>
  func.return
}
