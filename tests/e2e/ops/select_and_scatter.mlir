// Windows over arrays that are large enough for the loops that replace
// select_and_scatter, beside the same op on each of their parts, which are not.
func.func @halves_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<3456xi32>
  %xa = stablehlo.constant dense<37> : tensor<3456xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<3456xi32>
  %xm = stablehlo.constant dense<11> : tensor<3456xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<3456xi32>
  %xc = stablehlo.convert %xr : (tensor<3456xi32>) -> tensor<3456xf32>
  %x = stablehlo.reshape %xc : (tensor<3456xf32>) -> tensor<4x3x16x18xf32>
  %si = stablehlo.iota dim = 0 : tensor<864xi32>
  %sa = stablehlo.constant dense<29> : tensor<864xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<864xi32>
  %sm = stablehlo.constant dense<7> : tensor<864xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<864xi32>
  %sc = stablehlo.convert %sr : (tensor<864xi32>) -> tensor<864xf32>
  %s = stablehlo.reshape %sc : (tensor<864xf32>) -> tensor<4x3x8x9xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x3x16x18xf32>, tensor<4x3x8x9xf32>, tensor<f32>) -> tensor<4x3x16x18xf32>
  %x0 = stablehlo.slice %x [0:1, 0:3, 0:16, 0:18] : (tensor<4x3x16x18xf32>) -> tensor<1x3x16x18xf32>
  %s0 = stablehlo.slice %s [0:1, 0:3, 0:8, 0:9] : (tensor<4x3x8x9xf32>) -> tensor<1x3x8x9xf32>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x16x18xf32>, tensor<1x3x8x9xf32>, tensor<f32>) -> tensor<1x3x16x18xf32>
  %x1 = stablehlo.slice %x [1:2, 0:3, 0:16, 0:18] : (tensor<4x3x16x18xf32>) -> tensor<1x3x16x18xf32>
  %s1 = stablehlo.slice %s [1:2, 0:3, 0:8, 0:9] : (tensor<4x3x8x9xf32>) -> tensor<1x3x8x9xf32>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x16x18xf32>, tensor<1x3x8x9xf32>, tensor<f32>) -> tensor<1x3x16x18xf32>
  %x2 = stablehlo.slice %x [2:3, 0:3, 0:16, 0:18] : (tensor<4x3x16x18xf32>) -> tensor<1x3x16x18xf32>
  %s2 = stablehlo.slice %s [2:3, 0:3, 0:8, 0:9] : (tensor<4x3x8x9xf32>) -> tensor<1x3x8x9xf32>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x16x18xf32>, tensor<1x3x8x9xf32>, tensor<f32>) -> tensor<1x3x16x18xf32>
  %x3 = stablehlo.slice %x [3:4, 0:3, 0:16, 0:18] : (tensor<4x3x16x18xf32>) -> tensor<1x3x16x18xf32>
  %s3 = stablehlo.slice %s [3:4, 0:3, 0:8, 0:9] : (tensor<4x3x8x9xf32>) -> tensor<1x3x8x9xf32>
  %y3 = "stablehlo.select_and_scatter"(%x3, %s3, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x16x18xf32>, tensor<1x3x8x9xf32>, tensor<f32>) -> tensor<1x3x16x18xf32>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, %y3, dim = 0 : (tensor<1x3x16x18xf32>, tensor<1x3x16x18xf32>, tensor<1x3x16x18xf32>, tensor<1x3x16x18xf32>) -> tensor<4x3x16x18xf32>
  check.expect_eq %y, %wanted : tensor<4x3x16x18xf32>
  func.return
}

// -----

func.func @overlapping_padded_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<3450xi32>
  %xa = stablehlo.constant dense<37> : tensor<3450xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<3450xi32>
  %xm = stablehlo.constant dense<11> : tensor<3450xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<3450xi32>
  %xc = stablehlo.convert %xr : (tensor<3450xi32>) -> tensor<3450xf32>
  %x = stablehlo.reshape %xc : (tensor<3450xf32>) -> tensor<3x2x23x25xf32>
  %si = stablehlo.iota dim = 0 : tensor<936xi32>
  %sa = stablehlo.constant dense<29> : tensor<936xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<936xi32>
  %sm = stablehlo.constant dense<7> : tensor<936xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<936xi32>
  %sc = stablehlo.convert %sr : (tensor<936xi32>) -> tensor<936xf32>
  %s = stablehlo.reshape %sc : (tensor<936xf32>) -> tensor<3x2x12x13xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [2, 0]]> : tensor<4x2xi64>} : (tensor<3x2x23x25xf32>, tensor<3x2x12x13xf32>, tensor<f32>) -> tensor<3x2x23x25xf32>
  %x0 = stablehlo.slice %x [0:1, 0:2, 0:23, 0:25] : (tensor<3x2x23x25xf32>) -> tensor<1x2x23x25xf32>
  %s0 = stablehlo.slice %s [0:1, 0:2, 0:12, 0:13] : (tensor<3x2x12x13xf32>) -> tensor<1x2x12x13xf32>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [2, 0]]> : tensor<4x2xi64>} : (tensor<1x2x23x25xf32>, tensor<1x2x12x13xf32>, tensor<f32>) -> tensor<1x2x23x25xf32>
  %x1 = stablehlo.slice %x [1:2, 0:2, 0:23, 0:25] : (tensor<3x2x23x25xf32>) -> tensor<1x2x23x25xf32>
  %s1 = stablehlo.slice %s [1:2, 0:2, 0:12, 0:13] : (tensor<3x2x12x13xf32>) -> tensor<1x2x12x13xf32>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [2, 0]]> : tensor<4x2xi64>} : (tensor<1x2x23x25xf32>, tensor<1x2x12x13xf32>, tensor<f32>) -> tensor<1x2x23x25xf32>
  %x2 = stablehlo.slice %x [2:3, 0:2, 0:23, 0:25] : (tensor<3x2x23x25xf32>) -> tensor<1x2x23x25xf32>
  %s2 = stablehlo.slice %s [2:3, 0:2, 0:12, 0:13] : (tensor<3x2x12x13xf32>) -> tensor<1x2x12x13xf32>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [2, 0]]> : tensor<4x2xi64>} : (tensor<1x2x23x25xf32>, tensor<1x2x12x13xf32>, tensor<f32>) -> tensor<1x2x23x25xf32>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, dim = 0 : (tensor<1x2x23x25xf32>, tensor<1x2x23x25xf32>, tensor<1x2x23x25xf32>) -> tensor<3x2x23x25xf32>
  check.expect_eq %y, %wanted : tensor<3x2x23x25xf32>
  func.return
}

// -----

func.func @part_of_the_result_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<3588xi32>
  %xa = stablehlo.constant dense<37> : tensor<3588xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<3588xi32>
  %xm = stablehlo.constant dense<11> : tensor<3588xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<3588xi32>
  %xc = stablehlo.convert %xr : (tensor<3588xi32>) -> tensor<3588xf32>
  %x = stablehlo.reshape %xc : (tensor<3588xf32>) -> tensor<3x2x23x26xf32>
  %si = stablehlo.iota dim = 0 : tensor<936xi32>
  %sa = stablehlo.constant dense<29> : tensor<936xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<936xi32>
  %sm = stablehlo.constant dense<7> : tensor<936xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<936xi32>
  %sc = stablehlo.convert %sr : (tensor<936xi32>) -> tensor<936xf32>
  %s = stablehlo.reshape %sc : (tensor<936xf32>) -> tensor<3x2x12x13xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>} : (tensor<3x2x23x26xf32>, tensor<3x2x12x13xf32>, tensor<f32>) -> tensor<3x2x23x26xf32>
  %x0 = stablehlo.slice %x [0:1, 0:2, 0:23, 0:26] : (tensor<3x2x23x26xf32>) -> tensor<1x2x23x26xf32>
  %s0 = stablehlo.slice %s [0:1, 0:2, 0:12, 0:13] : (tensor<3x2x12x13xf32>) -> tensor<1x2x12x13xf32>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>} : (tensor<1x2x23x26xf32>, tensor<1x2x12x13xf32>, tensor<f32>) -> tensor<1x2x23x26xf32>
  %x1 = stablehlo.slice %x [1:2, 0:2, 0:23, 0:26] : (tensor<3x2x23x26xf32>) -> tensor<1x2x23x26xf32>
  %s1 = stablehlo.slice %s [1:2, 0:2, 0:12, 0:13] : (tensor<3x2x12x13xf32>) -> tensor<1x2x12x13xf32>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>} : (tensor<1x2x23x26xf32>, tensor<1x2x12x13xf32>, tensor<f32>) -> tensor<1x2x23x26xf32>
  %x2 = stablehlo.slice %x [2:3, 0:2, 0:23, 0:26] : (tensor<3x2x23x26xf32>) -> tensor<1x2x23x26xf32>
  %s2 = stablehlo.slice %s [2:3, 0:2, 0:12, 0:13] : (tensor<3x2x12x13xf32>) -> tensor<1x2x12x13xf32>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>} : (tensor<1x2x23x26xf32>, tensor<1x2x12x13xf32>, tensor<f32>) -> tensor<1x2x23x26xf32>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, dim = 0 : (tensor<1x2x23x26xf32>, tensor<1x2x23x26xf32>, tensor<1x2x23x26xf32>) -> tensor<3x2x23x26xf32>
  %yc = stablehlo.slice %y [0:3, 0:2, 1:22, 1:25] : (tensor<3x2x23x26xf32>) -> tensor<3x2x21x24xf32>
  %wc = stablehlo.slice %wanted [0:3, 0:2, 1:22, 1:25] : (tensor<3x2x23x26xf32>) -> tensor<3x2x21x24xf32>
  check.expect_eq %yc, %wc : tensor<3x2x21x24xf32>
  func.return
}

// -----

func.func @dense_windows_i32() {
  %xi = stablehlo.iota dim = 0 : tensor<2170xi32>
  %xa = stablehlo.constant dense<37> : tensor<2170xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2170xi32>
  %xm = stablehlo.constant dense<11> : tensor<2170xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2170xi32>
  %xc = stablehlo.convert %xr : (tensor<2170xi32>) -> tensor<2170xi32>
  %x = stablehlo.reshape %xc : (tensor<2170xi32>) -> tensor<2x31x35xi32>
  %si = stablehlo.iota dim = 0 : tensor<2170xi32>
  %sa = stablehlo.constant dense<29> : tensor<2170xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<2170xi32>
  %sm = stablehlo.constant dense<7> : tensor<2170xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<2170xi32>
  %sc = stablehlo.convert %sr : (tensor<2170xi32>) -> tensor<2170xi32>
  %s = stablehlo.reshape %sc : (tensor<2170xi32>) -> tensor<2x31x35xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.compare LE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) {window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 2], [1, 0]]> : tensor<3x2xi64>} : (tensor<2x31x35xi32>, tensor<2x31x35xi32>, tensor<i32>) -> tensor<2x31x35xi32>
  %x0 = stablehlo.slice %x [0:1, 0:31, 0:35] : (tensor<2x31x35xi32>) -> tensor<1x31x35xi32>
  %s0 = stablehlo.slice %s [0:1, 0:31, 0:35] : (tensor<2x31x35xi32>) -> tensor<1x31x35xi32>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.compare LE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) {window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 2], [1, 0]]> : tensor<3x2xi64>} : (tensor<1x31x35xi32>, tensor<1x31x35xi32>, tensor<i32>) -> tensor<1x31x35xi32>
  %x1 = stablehlo.slice %x [1:2, 0:31, 0:35] : (tensor<2x31x35xi32>) -> tensor<1x31x35xi32>
  %s1 = stablehlo.slice %s [1:2, 0:31, 0:35] : (tensor<2x31x35xi32>) -> tensor<1x31x35xi32>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.compare LE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) {window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 2], [1, 0]]> : tensor<3x2xi64>} : (tensor<1x31x35xi32>, tensor<1x31x35xi32>, tensor<i32>) -> tensor<1x31x35xi32>
  %wanted = stablehlo.concatenate %y0, %y1, dim = 0 : (tensor<1x31x35xi32>, tensor<1x31x35xi32>) -> tensor<2x31x35xi32>
  check.expect_eq %y, %wanted : tensor<2x31x35xi32>
  func.return
}

// -----

func.func @gaps_bf16() {
  %xi = stablehlo.iota dim = 0 : tensor<3876xi32>
  %xa = stablehlo.constant dense<37> : tensor<3876xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<3876xi32>
  %xm = stablehlo.constant dense<11> : tensor<3876xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<3876xi32>
  %xc = stablehlo.convert %xr : (tensor<3876xi32>) -> tensor<3876xbf16>
  %x = stablehlo.reshape %xc : (tensor<3876xbf16>) -> tensor<4x3x17x19xbf16>
  %si = stablehlo.iota dim = 0 : tensor<720xi32>
  %sa = stablehlo.constant dense<29> : tensor<720xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<720xi32>
  %sm = stablehlo.constant dense<7> : tensor<720xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<720xi32>
  %sc = stablehlo.convert %sr : (tensor<720xi32>) -> tensor<720xbf16>
  %s = stablehlo.reshape %sc : (tensor<720xbf16>) -> tensor<4x3x6x10xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 1, 3, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x3x17x19xbf16>, tensor<4x3x6x10xbf16>, tensor<bf16>) -> tensor<4x3x17x19xbf16>
  %x0 = stablehlo.slice %x [0:1, 0:3, 0:17, 0:19] : (tensor<4x3x17x19xbf16>) -> tensor<1x3x17x19xbf16>
  %s0 = stablehlo.slice %s [0:1, 0:3, 0:6, 0:10] : (tensor<4x3x6x10xbf16>) -> tensor<1x3x6x10xbf16>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 1, 3, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x17x19xbf16>, tensor<1x3x6x10xbf16>, tensor<bf16>) -> tensor<1x3x17x19xbf16>
  %x1 = stablehlo.slice %x [1:2, 0:3, 0:17, 0:19] : (tensor<4x3x17x19xbf16>) -> tensor<1x3x17x19xbf16>
  %s1 = stablehlo.slice %s [1:2, 0:3, 0:6, 0:10] : (tensor<4x3x6x10xbf16>) -> tensor<1x3x6x10xbf16>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 1, 3, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x17x19xbf16>, tensor<1x3x6x10xbf16>, tensor<bf16>) -> tensor<1x3x17x19xbf16>
  %x2 = stablehlo.slice %x [2:3, 0:3, 0:17, 0:19] : (tensor<4x3x17x19xbf16>) -> tensor<1x3x17x19xbf16>
  %s2 = stablehlo.slice %s [2:3, 0:3, 0:6, 0:10] : (tensor<4x3x6x10xbf16>) -> tensor<1x3x6x10xbf16>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 1, 3, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x17x19xbf16>, tensor<1x3x6x10xbf16>, tensor<bf16>) -> tensor<1x3x17x19xbf16>
  %x3 = stablehlo.slice %x [3:4, 0:3, 0:17, 0:19] : (tensor<4x3x17x19xbf16>) -> tensor<1x3x17x19xbf16>
  %s3 = stablehlo.slice %s [3:4, 0:3, 0:6, 0:10] : (tensor<4x3x6x10xbf16>) -> tensor<1x3x6x10xbf16>
  %y3 = "stablehlo.select_and_scatter"(%x3, %s3, %zero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 1, 3, 2>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x3x17x19xbf16>, tensor<1x3x6x10xbf16>, tensor<bf16>) -> tensor<1x3x17x19xbf16>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, %y3, dim = 0 : (tensor<1x3x17x19xbf16>, tensor<1x3x17x19xbf16>, tensor<1x3x17x19xbf16>, tensor<1x3x17x19xbf16>) -> tensor<4x3x17x19xbf16>
  check.expect_eq %y, %wanted : tensor<4x3x17x19xbf16>
  func.return
}

// -----

func.func @channels_last_f64() {
  %xi = stablehlo.iota dim = 0 : tensor<4752xi32>
  %xa = stablehlo.constant dense<37> : tensor<4752xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<4752xi32>
  %xm = stablehlo.constant dense<11> : tensor<4752xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<4752xi32>
  %xc = stablehlo.convert %xr : (tensor<4752xi32>) -> tensor<4752xf64>
  %x = stablehlo.reshape %xc : (tensor<4752xf64>) -> tensor<4x12x11x9xf64>
  %si = stablehlo.iota dim = 0 : tensor<1296xi32>
  %sa = stablehlo.constant dense<29> : tensor<1296xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<1296xi32>
  %sm = stablehlo.constant dense<7> : tensor<1296xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<1296xi32>
  %sc = stablehlo.convert %sr : (tensor<1296xi32>) -> tensor<1296xf64>
  %s = stablehlo.reshape %sc : (tensor<1296xf64>) -> tensor<4x6x6x9xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<4x12x11x9xf64>, tensor<4x6x6x9xf64>, tensor<f64>) -> tensor<4x12x11x9xf64>
  %x0 = stablehlo.slice %x [0:1, 0:12, 0:11, 0:9] : (tensor<4x12x11x9xf64>) -> tensor<1x12x11x9xf64>
  %s0 = stablehlo.slice %s [0:1, 0:6, 0:6, 0:9] : (tensor<4x6x6x9xf64>) -> tensor<1x6x6x9xf64>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x12x11x9xf64>, tensor<1x6x6x9xf64>, tensor<f64>) -> tensor<1x12x11x9xf64>
  %x1 = stablehlo.slice %x [1:2, 0:12, 0:11, 0:9] : (tensor<4x12x11x9xf64>) -> tensor<1x12x11x9xf64>
  %s1 = stablehlo.slice %s [1:2, 0:6, 0:6, 0:9] : (tensor<4x6x6x9xf64>) -> tensor<1x6x6x9xf64>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x12x11x9xf64>, tensor<1x6x6x9xf64>, tensor<f64>) -> tensor<1x12x11x9xf64>
  %x2 = stablehlo.slice %x [2:3, 0:12, 0:11, 0:9] : (tensor<4x12x11x9xf64>) -> tensor<1x12x11x9xf64>
  %s2 = stablehlo.slice %s [2:3, 0:6, 0:6, 0:9] : (tensor<4x6x6x9xf64>) -> tensor<1x6x6x9xf64>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x12x11x9xf64>, tensor<1x6x6x9xf64>, tensor<f64>) -> tensor<1x12x11x9xf64>
  %x3 = stablehlo.slice %x [3:4, 0:12, 0:11, 0:9] : (tensor<4x12x11x9xf64>) -> tensor<1x12x11x9xf64>
  %s3 = stablehlo.slice %s [3:4, 0:6, 0:6, 0:9] : (tensor<4x6x6x9xf64>) -> tensor<1x6x6x9xf64>
  %y3 = "stablehlo.select_and_scatter"(%x3, %s3, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %t = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %t : tensor<f64>
  }) {window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<1x12x11x9xf64>, tensor<1x6x6x9xf64>, tensor<f64>) -> tensor<1x12x11x9xf64>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, %y3, dim = 0 : (tensor<1x12x11x9xf64>, tensor<1x12x11x9xf64>, tensor<1x12x11x9xf64>, tensor<1x12x11x9xf64>) -> tensor<4x12x11x9xf64>
  check.expect_eq %y, %wanted : tensor<4x12x11x9xf64>
  func.return
}

// -----

func.func @rows_i64() {
  %xi = stablehlo.iota dim = 0 : tensor<3000xi32>
  %xa = stablehlo.constant dense<37> : tensor<3000xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<3000xi32>
  %xm = stablehlo.constant dense<11> : tensor<3000xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<3000xi32>
  %xc = stablehlo.convert %xr : (tensor<3000xi32>) -> tensor<3000xi64>
  %x = stablehlo.reshape %xc : (tensor<3000xi64>) -> tensor<5x600xi64>
  %si = stablehlo.iota dim = 0 : tensor<755xi32>
  %sa = stablehlo.constant dense<29> : tensor<755xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<755xi32>
  %sm = stablehlo.constant dense<7> : tensor<755xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<755xi32>
  %sc = stablehlo.convert %sr : (tensor<755xi32>) -> tensor<755xi64>
  %s = stablehlo.reshape %sc : (tensor<755xi64>) -> tensor<5x151xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>} : (tensor<5x600xi64>, tensor<5x151xi64>, tensor<i64>) -> tensor<5x600xi64>
  %x0 = stablehlo.slice %x [0:1, 0:600] : (tensor<5x600xi64>) -> tensor<1x600xi64>
  %s0 = stablehlo.slice %s [0:1, 0:151] : (tensor<5x151xi64>) -> tensor<1x151xi64>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>} : (tensor<1x600xi64>, tensor<1x151xi64>, tensor<i64>) -> tensor<1x600xi64>
  %x1 = stablehlo.slice %x [1:2, 0:600] : (tensor<5x600xi64>) -> tensor<1x600xi64>
  %s1 = stablehlo.slice %s [1:2, 0:151] : (tensor<5x151xi64>) -> tensor<1x151xi64>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>} : (tensor<1x600xi64>, tensor<1x151xi64>, tensor<i64>) -> tensor<1x600xi64>
  %x2 = stablehlo.slice %x [2:3, 0:600] : (tensor<5x600xi64>) -> tensor<1x600xi64>
  %s2 = stablehlo.slice %s [2:3, 0:151] : (tensor<5x151xi64>) -> tensor<1x151xi64>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>} : (tensor<1x600xi64>, tensor<1x151xi64>, tensor<i64>) -> tensor<1x600xi64>
  %x3 = stablehlo.slice %x [3:4, 0:600] : (tensor<5x600xi64>) -> tensor<1x600xi64>
  %s3 = stablehlo.slice %s [3:4, 0:151] : (tensor<5x151xi64>) -> tensor<1x151xi64>
  %y3 = "stablehlo.select_and_scatter"(%x3, %s3, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>} : (tensor<1x600xi64>, tensor<1x151xi64>, tensor<i64>) -> tensor<1x600xi64>
  %x4 = stablehlo.slice %x [4:5, 0:600] : (tensor<5x600xi64>) -> tensor<1x600xi64>
  %s4 = stablehlo.slice %s [4:5, 0:151] : (tensor<5x151xi64>) -> tensor<1x151xi64>
  %y4 = "stablehlo.select_and_scatter"(%x4, %s4, %zero) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %t = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) {window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>} : (tensor<1x600xi64>, tensor<1x151xi64>, tensor<i64>) -> tensor<1x600xi64>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, %y3, %y4, dim = 0 : (tensor<1x600xi64>, tensor<1x600xi64>, tensor<1x600xi64>, tensor<1x600xi64>, tensor<1x600xi64>) -> tensor<5x600xi64>
  check.expect_eq %y, %wanted : tensor<5x600xi64>
  func.return
}

// -----

func.func @volumes_f16() {
  %xi = stablehlo.iota dim = 0 : tensor<2970xi32>
  %xa = stablehlo.constant dense<37> : tensor<2970xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2970xi32>
  %xm = stablehlo.constant dense<11> : tensor<2970xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2970xi32>
  %xc = stablehlo.convert %xr : (tensor<2970xi32>) -> tensor<2970xf16>
  %x = stablehlo.reshape %xc : (tensor<2970xf16>) -> tensor<3x9x10x11xf16>
  %si = stablehlo.iota dim = 0 : tensor<450xi32>
  %sa = stablehlo.constant dense<29> : tensor<450xi32>
  %sp = stablehlo.multiply %si, %sa : tensor<450xi32>
  %sm = stablehlo.constant dense<7> : tensor<450xi32>
  %sr = stablehlo.remainder %sp, %sm : tensor<450xi32>
  %sc = stablehlo.convert %sr : (tensor<450xi32>) -> tensor<450xf16>
  %s = stablehlo.reshape %sc : (tensor<450xf16>) -> tensor<3x5x5x6xf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %y = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %t : tensor<f16>
  }) {window_dimensions = array<i64: 1, 2, 2, 2>, window_strides = array<i64: 1, 2, 2, 2>, padding = dense<[[0, 0], [1, 0], [0, 0], [1, 1]]> : tensor<4x2xi64>} : (tensor<3x9x10x11xf16>, tensor<3x5x5x6xf16>, tensor<f16>) -> tensor<3x9x10x11xf16>
  %x0 = stablehlo.slice %x [0:1, 0:9, 0:10, 0:11] : (tensor<3x9x10x11xf16>) -> tensor<1x9x10x11xf16>
  %s0 = stablehlo.slice %s [0:1, 0:5, 0:5, 0:6] : (tensor<3x5x5x6xf16>) -> tensor<1x5x5x6xf16>
  %y0 = "stablehlo.select_and_scatter"(%x0, %s0, %zero) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %t : tensor<f16>
  }) {window_dimensions = array<i64: 1, 2, 2, 2>, window_strides = array<i64: 1, 2, 2, 2>, padding = dense<[[0, 0], [1, 0], [0, 0], [1, 1]]> : tensor<4x2xi64>} : (tensor<1x9x10x11xf16>, tensor<1x5x5x6xf16>, tensor<f16>) -> tensor<1x9x10x11xf16>
  %x1 = stablehlo.slice %x [1:2, 0:9, 0:10, 0:11] : (tensor<3x9x10x11xf16>) -> tensor<1x9x10x11xf16>
  %s1 = stablehlo.slice %s [1:2, 0:5, 0:5, 0:6] : (tensor<3x5x5x6xf16>) -> tensor<1x5x5x6xf16>
  %y1 = "stablehlo.select_and_scatter"(%x1, %s1, %zero) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %t : tensor<f16>
  }) {window_dimensions = array<i64: 1, 2, 2, 2>, window_strides = array<i64: 1, 2, 2, 2>, padding = dense<[[0, 0], [1, 0], [0, 0], [1, 1]]> : tensor<4x2xi64>} : (tensor<1x9x10x11xf16>, tensor<1x5x5x6xf16>, tensor<f16>) -> tensor<1x9x10x11xf16>
  %x2 = stablehlo.slice %x [2:3, 0:9, 0:10, 0:11] : (tensor<3x9x10x11xf16>) -> tensor<1x9x10x11xf16>
  %s2 = stablehlo.slice %s [2:3, 0:5, 0:5, 0:6] : (tensor<3x5x5x6xf16>) -> tensor<1x5x5x6xf16>
  %y2 = "stablehlo.select_and_scatter"(%x2, %s2, %zero) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %t = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %t : tensor<f16>
  }) {window_dimensions = array<i64: 1, 2, 2, 2>, window_strides = array<i64: 1, 2, 2, 2>, padding = dense<[[0, 0], [1, 0], [0, 0], [1, 1]]> : tensor<4x2xi64>} : (tensor<1x9x10x11xf16>, tensor<1x5x5x6xf16>, tensor<f16>) -> tensor<1x9x10x11xf16>
  %wanted = stablehlo.concatenate %y0, %y1, %y2, dim = 0 : (tensor<1x9x10x11xf16>, tensor<1x9x10x11xf16>, tensor<1x9x10x11xf16>) -> tensor<3x9x10x11xf16>
  check.expect_eq %y, %wanted : tensor<3x9x10x11xf16>
  func.return
}
