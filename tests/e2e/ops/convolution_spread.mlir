// Convolutions over a spread image, large enough to be split, against the same
// over an image that was spread before. All numbers are small integers.
// As the gradient of a convolution with strides of two.
func.func @gradient_of_strides() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x512x4x4xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x512x4x4xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x512x4x4xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x512x4x4xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x512x4x4xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x512x4x4xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x512x4x4xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x512x4x4xi32>
  %xc2 = stablehlo.constant dense<2> : tensor<1x512x4x4xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x512x4x4xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x512x4x4xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x512x4x4xi32>
  %xc3 = stablehlo.constant dense<7> : tensor<1x512x4x4xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x512x4x4xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x512x4x4xi32>
  %xn = stablehlo.constant dense<5> : tensor<1x512x4x4xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x512x4x4xi32>
  %xh = stablehlo.constant dense<2> : tensor<1x512x4x4xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x512x4x4xi32>
  %x = stablehlo.convert %xs : (tensor<1x512x4x4xi32>) -> tensor<1x512x4x4xf32>
  %ui0 = stablehlo.iota dim = 0 : tensor<512x8x3x3xi32>
  %uc0 = stablehlo.constant dense<2> : tensor<512x8x3x3xi32>
  %um0 = stablehlo.multiply %ui0, %uc0 : tensor<512x8x3x3xi32>
  %ui1 = stablehlo.iota dim = 1 : tensor<512x8x3x3xi32>
  %uc1 = stablehlo.constant dense<3> : tensor<512x8x3x3xi32>
  %um1 = stablehlo.multiply %ui1, %uc1 : tensor<512x8x3x3xi32>
  %ua1 = stablehlo.add %um0, %um1 : tensor<512x8x3x3xi32>
  %ui2 = stablehlo.iota dim = 2 : tensor<512x8x3x3xi32>
  %uc2 = stablehlo.constant dense<7> : tensor<512x8x3x3xi32>
  %um2 = stablehlo.multiply %ui2, %uc2 : tensor<512x8x3x3xi32>
  %ua2 = stablehlo.add %ua1, %um2 : tensor<512x8x3x3xi32>
  %ui3 = stablehlo.iota dim = 3 : tensor<512x8x3x3xi32>
  %uc3 = stablehlo.constant dense<5> : tensor<512x8x3x3xi32>
  %um3 = stablehlo.multiply %ui3, %uc3 : tensor<512x8x3x3xi32>
  %ua3 = stablehlo.add %ua2, %um3 : tensor<512x8x3x3xi32>
  %un = stablehlo.constant dense<7> : tensor<512x8x3x3xi32>
  %ur = stablehlo.remainder %ua3, %un : tensor<512x8x3x3xi32>
  %uh = stablehlo.constant dense<3> : tensor<512x8x3x3xi32>
  %us = stablehlo.subtract %ur, %uh : tensor<512x8x3x3xi32>
  %u = stablehlo.convert %us : (tensor<512x8x3x3xi32>) -> tensor<512x8x3x3xf32>
  %r = stablehlo.convolution(%x, %u) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x512x4x4xf32>, tensor<512x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 1, 1] : (tensor<1x512x4x4xf32>, tensor<f32>) -> tensor<1x512x7x7xf32>
  %kept = stablehlo.optimization_barrier %wide : tensor<1x512x7x7xf32>
  %wanted = stablehlo.convolution(%kept, %u) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 2], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x512x7x7xf32>, tensor<512x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  check.expect_eq %r, %wanted : tensor<1x8x8x8xf32>
  func.return
}

// -----

// Infinity times a zero between elements is no number.
func.func @weights_that_meet_zeros_only() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x512x4x4xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x512x4x4xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x512x4x4xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x512x4x4xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x512x4x4xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x512x4x4xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x512x4x4xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x512x4x4xi32>
  %xc2 = stablehlo.constant dense<2> : tensor<1x512x4x4xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x512x4x4xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x512x4x4xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x512x4x4xi32>
  %xc3 = stablehlo.constant dense<7> : tensor<1x512x4x4xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x512x4x4xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x512x4x4xi32>
  %xn = stablehlo.constant dense<5> : tensor<1x512x4x4xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x512x4x4xi32>
  %xh = stablehlo.constant dense<2> : tensor<1x512x4x4xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x512x4x4xi32>
  %x = stablehlo.convert %xs : (tensor<1x512x4x4xi32>) -> tensor<1x512x4x4xf32>
  %ui0 = stablehlo.iota dim = 0 : tensor<512x8x3x3xi32>
  %uc0 = stablehlo.constant dense<2> : tensor<512x8x3x3xi32>
  %um0 = stablehlo.multiply %ui0, %uc0 : tensor<512x8x3x3xi32>
  %ui1 = stablehlo.iota dim = 1 : tensor<512x8x3x3xi32>
  %uc1 = stablehlo.constant dense<3> : tensor<512x8x3x3xi32>
  %um1 = stablehlo.multiply %ui1, %uc1 : tensor<512x8x3x3xi32>
  %ua1 = stablehlo.add %um0, %um1 : tensor<512x8x3x3xi32>
  %ui2 = stablehlo.iota dim = 2 : tensor<512x8x3x3xi32>
  %uc2 = stablehlo.constant dense<7> : tensor<512x8x3x3xi32>
  %um2 = stablehlo.multiply %ui2, %uc2 : tensor<512x8x3x3xi32>
  %ua2 = stablehlo.add %ua1, %um2 : tensor<512x8x3x3xi32>
  %ui3 = stablehlo.iota dim = 3 : tensor<512x8x3x3xi32>
  %uc3 = stablehlo.constant dense<5> : tensor<512x8x3x3xi32>
  %um3 = stablehlo.multiply %ui3, %uc3 : tensor<512x8x3x3xi32>
  %ua3 = stablehlo.add %ua2, %um3 : tensor<512x8x3x3xi32>
  %un = stablehlo.constant dense<7> : tensor<512x8x3x3xi32>
  %ur = stablehlo.remainder %ua3, %un : tensor<512x8x3x3xi32>
  %uh = stablehlo.constant dense<3> : tensor<512x8x3x3xi32>
  %us = stablehlo.subtract %ur, %uh : tensor<512x8x3x3xi32>
  %u = stablehlo.convert %us : (tensor<512x8x3x3xi32>) -> tensor<512x8x3x3xf32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<1x1x1x2xf32>
  %at0 = stablehlo.constant dense<7> : tensor<i32>
  %at1 = stablehlo.constant dense<3> : tensor<i32>
  %at2 = stablehlo.constant dense<1> : tensor<i32>
  %at3 = stablehlo.constant dense<0> : tensor<i32>
  %v = stablehlo.dynamic_update_slice %u, %inf, %at0, %at1, %at2, %at3 : (tensor<512x8x3x3xf32>, tensor<1x1x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<512x8x3x3xf32>
  %r = stablehlo.convolution(%x, %v) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x512x4x4xf32>, tensor<512x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 1, 1] : (tensor<1x512x4x4xf32>, tensor<f32>) -> tensor<1x512x7x7xf32>
  %kept = stablehlo.optimization_barrier %wide : tensor<1x512x7x7xf32>
  %wanted = stablehlo.convolution(%kept, %v) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 2], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x512x7x7xf32>, tensor<512x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  %p = stablehlo.compare NE, %r, %r : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xi1>
  %q = stablehlo.compare NE, %wanted, %wanted : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xi1>
  check.expect_eq %p, %q : tensor<1x8x8x8xi1>
  func.return
}

// -----

// A window of two and three parts, one of which sees nothing; results that no part divides.
func.func @fewer_places_than_parts() {
  %xi0 = stablehlo.iota dim = 0 : tensor<5x9x256xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<5x9x256xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<5x9x256xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<5x9x256xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<5x9x256xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<5x9x256xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<5x9x256xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<5x9x256xi32>
  %xc2 = stablehlo.constant dense<2> : tensor<5x9x256xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<5x9x256xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<5x9x256xi32>
  %xn = stablehlo.constant dense<5> : tensor<5x9x256xi32>
  %xr = stablehlo.remainder %xa2, %xn : tensor<5x9x256xi32>
  %xh = stablehlo.constant dense<2> : tensor<5x9x256xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<5x9x256xi32>
  %x = stablehlo.convert %xs : (tensor<5x9x256xi32>) -> tensor<5x9x256xf32>
  %ui0 = stablehlo.iota dim = 0 : tensor<2x256x32xi32>
  %uc0 = stablehlo.constant dense<2> : tensor<2x256x32xi32>
  %um0 = stablehlo.multiply %ui0, %uc0 : tensor<2x256x32xi32>
  %ui1 = stablehlo.iota dim = 1 : tensor<2x256x32xi32>
  %uc1 = stablehlo.constant dense<3> : tensor<2x256x32xi32>
  %um1 = stablehlo.multiply %ui1, %uc1 : tensor<2x256x32xi32>
  %ua1 = stablehlo.add %um0, %um1 : tensor<2x256x32xi32>
  %ui2 = stablehlo.iota dim = 2 : tensor<2x256x32xi32>
  %uc2 = stablehlo.constant dense<7> : tensor<2x256x32xi32>
  %um2 = stablehlo.multiply %ui2, %uc2 : tensor<2x256x32xi32>
  %ua2 = stablehlo.add %ua1, %um2 : tensor<2x256x32xi32>
  %un = stablehlo.constant dense<7> : tensor<2x256x32xi32>
  %ur = stablehlo.remainder %ua2, %un : tensor<2x256x32xi32>
  %uh = stablehlo.constant dense<3> : tensor<2x256x32xi32>
  %us = stablehlo.subtract %ur, %uh : tensor<2x256x32xi32>
  %u = stablehlo.convert %us : (tensor<2x256x32xi32>) -> tensor<2x256x32xf32>
  %r = stablehlo.convolution(%x, %u) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 3]], lhs_dilate = [3], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<5x9x256xf32>, tensor<2x256x32xf32>) -> tensor<5x29x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.pad %x, %zero, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 2, 0] : (tensor<5x9x256xf32>, tensor<f32>) -> tensor<5x25x256xf32>
  %kept = stablehlo.optimization_barrier %wide : tensor<5x25x256xf32>
  %wanted = stablehlo.convolution(%kept, %u) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<5x25x256xf32>, tensor<2x256x32xf32>) -> tensor<5x29x32xf32>
  check.expect_eq %r, %wanted : tensor<5x29x32xf32>
  func.return
}

// -----

// One dimension is split, one with strides is not; groups of features.
func.func @dilation_beside_strides() {
  %xi0 = stablehlo.iota dim = 0 : tensor<1x4x5x256xi32>
  %xc0 = stablehlo.constant dense<3> : tensor<1x4x5x256xi32>
  %xm0 = stablehlo.multiply %xi0, %xc0 : tensor<1x4x5x256xi32>
  %xi1 = stablehlo.iota dim = 1 : tensor<1x4x5x256xi32>
  %xc1 = stablehlo.constant dense<5> : tensor<1x4x5x256xi32>
  %xm1 = stablehlo.multiply %xi1, %xc1 : tensor<1x4x5x256xi32>
  %xa1 = stablehlo.add %xm0, %xm1 : tensor<1x4x5x256xi32>
  %xi2 = stablehlo.iota dim = 2 : tensor<1x4x5x256xi32>
  %xc2 = stablehlo.constant dense<2> : tensor<1x4x5x256xi32>
  %xm2 = stablehlo.multiply %xi2, %xc2 : tensor<1x4x5x256xi32>
  %xa2 = stablehlo.add %xa1, %xm2 : tensor<1x4x5x256xi32>
  %xi3 = stablehlo.iota dim = 3 : tensor<1x4x5x256xi32>
  %xc3 = stablehlo.constant dense<7> : tensor<1x4x5x256xi32>
  %xm3 = stablehlo.multiply %xi3, %xc3 : tensor<1x4x5x256xi32>
  %xa3 = stablehlo.add %xa2, %xm3 : tensor<1x4x5x256xi32>
  %xn = stablehlo.constant dense<5> : tensor<1x4x5x256xi32>
  %xr = stablehlo.remainder %xa3, %xn : tensor<1x4x5x256xi32>
  %xh = stablehlo.constant dense<2> : tensor<1x4x5x256xi32>
  %xs = stablehlo.subtract %xr, %xh : tensor<1x4x5x256xi32>
  %x = stablehlo.convert %xs : (tensor<1x4x5x256xi32>) -> tensor<1x4x5x256xbf16>
  %ui0 = stablehlo.iota dim = 0 : tensor<3x3x64x32xi32>
  %uc0 = stablehlo.constant dense<2> : tensor<3x3x64x32xi32>
  %um0 = stablehlo.multiply %ui0, %uc0 : tensor<3x3x64x32xi32>
  %ui1 = stablehlo.iota dim = 1 : tensor<3x3x64x32xi32>
  %uc1 = stablehlo.constant dense<3> : tensor<3x3x64x32xi32>
  %um1 = stablehlo.multiply %ui1, %uc1 : tensor<3x3x64x32xi32>
  %ua1 = stablehlo.add %um0, %um1 : tensor<3x3x64x32xi32>
  %ui2 = stablehlo.iota dim = 2 : tensor<3x3x64x32xi32>
  %uc2 = stablehlo.constant dense<7> : tensor<3x3x64x32xi32>
  %um2 = stablehlo.multiply %ui2, %uc2 : tensor<3x3x64x32xi32>
  %ua2 = stablehlo.add %ua1, %um2 : tensor<3x3x64x32xi32>
  %ui3 = stablehlo.iota dim = 3 : tensor<3x3x64x32xi32>
  %uc3 = stablehlo.constant dense<5> : tensor<3x3x64x32xi32>
  %um3 = stablehlo.multiply %ui3, %uc3 : tensor<3x3x64x32xi32>
  %ua3 = stablehlo.add %ua2, %um3 : tensor<3x3x64x32xi32>
  %un = stablehlo.constant dense<7> : tensor<3x3x64x32xi32>
  %ur = stablehlo.remainder %ua3, %un : tensor<3x3x64x32xi32>
  %uh = stablehlo.constant dense<3> : tensor<3x3x64x32xi32>
  %us = stablehlo.subtract %ur, %uh : tensor<3x3x64x32xi32>
  %u = stablehlo.convert %us : (tensor<3x3x64x32xi32>) -> tensor<3x3x64x32xbf16>
  %r = stablehlo.convolution(%x, %u) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [-1, 2]], lhs_dilate = [2, 3], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x4x5x256xbf16>, tensor<3x3x64x32xbf16>) -> tensor<1x4x12x32xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %wide = stablehlo.pad %x, %zero, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 2, 0] : (tensor<1x4x5x256xbf16>, tensor<bf16>) -> tensor<1x7x13x256xbf16>
  %kept = stablehlo.optimization_barrier %wide : tensor<1x7x13x256xbf16>
  %wanted = stablehlo.convolution(%kept, %u) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [-1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x7x13x256xbf16>, tensor<3x3x64x32xbf16>) -> tensor<1x4x12x32xbf16>
  check.expect_eq %r, %wanted : tensor<1x4x12x32xbf16>
  func.return
}
