// Convolutions over dilated images, which become one convolution of the image,
// beside those of an image that zeros are put into before.
// Two positions of each window see a pixel.
func.func @window_of_two_steps_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<756xi32>
  %xa = stablehlo.constant dense<37> : tensor<756xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<756xi32>
  %xm = stablehlo.constant dense<5> : tensor<756xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<756xi32>
  %xc = stablehlo.convert %xr : (tensor<756xi32>) -> tensor<756xf32>
  %x = stablehlo.reshape %xc : (tensor<756xf32>) -> tensor<2x9x7x6xf32>
  %wi = stablehlo.iota dim = 0 : tensor<1584xi32>
  %wa = stablehlo.constant dense<29> : tensor<1584xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<1584xi32>
  %wm = stablehlo.constant dense<7> : tensor<1584xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<1584xi32>
  %wc = stablehlo.convert %wr : (tensor<1584xi32>) -> tensor<1584xf32>
  %w = stablehlo.reshape %wc : (tensor<1584xf32>) -> tensor<9x11x4x4xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x7x6xf32>, tensor<9x11x4x4xf32>) -> tensor<2x11x14x12xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 2, 2], high = [0, 0, 2, 2], interior = [0, 0, 1, 1] : (tensor<2x9x7x6xf32>, tensor<f32>) -> tensor<2x9x17x15xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x9x17x15xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x17x15xf32>, tensor<9x11x4x4xf32>) -> tensor<2x11x14x12xf32>
  check.expect_eq %y, %wanted : tensor<2x11x14x12xf32>
  func.return
}

// -----

// The same with channels last and a reversed window.
func.func @window_of_two_steps_last_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<756xi32>
  %xa = stablehlo.constant dense<37> : tensor<756xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<756xi32>
  %xm = stablehlo.constant dense<5> : tensor<756xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<756xi32>
  %xc = stablehlo.convert %xr : (tensor<756xi32>) -> tensor<756xf32>
  %x = stablehlo.reshape %xc : (tensor<756xf32>) -> tensor<2x7x6x9xf32>
  %wi = stablehlo.iota dim = 0 : tensor<1584xi32>
  %wa = stablehlo.constant dense<29> : tensor<1584xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<1584xi32>
  %wm = stablehlo.constant dense<7> : tensor<1584xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<1584xi32>
  %wc = stablehlo.convert %wr : (tensor<1584xi32>) -> tensor<1584xf32>
  %w = stablehlo.reshape %wc : (tensor<1584xf32>) -> tensor<4x4x9x11xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 1], [3, 2]], lhs_dilate = [2, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x6x9xf32>, tensor<4x4x9x11xf32>) -> tensor<2x13x13x11xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 2, 3, 0], high = [0, 1, 2, 0], interior = [0, 1, 1, 0] : (tensor<2x7x6x9xf32>, tensor<f32>) -> tensor<2x16x16x9xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x16x16x9xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x9xf32>, tensor<4x4x9x11xf32>) -> tensor<2x13x13x11xf32>
  check.expect_eq %y, %wanted : tensor<2x13x13x11xf32>
  func.return
}

// -----

// Results begin and end beyond the image; another dimension is not dilated.
func.func @three_positions_f64() {
  %xi = stablehlo.iota dim = 0 : tensor<1080xi32>
  %xa = stablehlo.constant dense<37> : tensor<1080xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<1080xi32>
  %xm = stablehlo.constant dense<5> : tensor<1080xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<1080xi32>
  %xc = stablehlo.convert %xr : (tensor<1080xi32>) -> tensor<1080xf64>
  %x = stablehlo.reshape %xc : (tensor<1080xf64>) -> tensor<3x5x9x8xf64>
  %wi = stablehlo.iota dim = 0 : tensor<1296xi32>
  %wa = stablehlo.constant dense<29> : tensor<1296xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<1296xi32>
  %wm = stablehlo.constant dense<7> : tensor<1296xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<1296xi32>
  %wc = stablehlo.convert %wr : (tensor<1296xi32>) -> tensor<1296xf64>
  %w = stablehlo.reshape %wc : (tensor<1296xf64>) -> tensor<9x3x8x6xf64>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[13, 9], [1, 1]], lhs_dilate = [3, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x5x9x8xf64>, tensor<9x3x8x6xf64>) -> tensor<3x27x9x6xf64>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %d = stablehlo.pad %x, %z, low = [0, 13, 1, 0], high = [0, 9, 1, 0], interior = [0, 2, 0, 0] : (tensor<3x5x9x8xf64>, tensor<f64>) -> tensor<3x35x11x8xf64>
  %b = stablehlo.optimization_barrier %d : tensor<3x35x11x8xf64>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x35x11x8xf64>, tensor<9x3x8x6xf64>) -> tensor<3x27x9x6xf64>
  check.expect_eq %y, %wanted : tensor<3x27x9x6xf64>
  func.return
}

// -----

// Pads that are negative.
func.func @cropped_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<1296xi32>
  %xa = stablehlo.constant dense<37> : tensor<1296xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<1296xi32>
  %xm = stablehlo.constant dense<5> : tensor<1296xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<1296xi32>
  %xc = stablehlo.convert %xr : (tensor<1296xi32>) -> tensor<1296xf32>
  %x = stablehlo.reshape %xc : (tensor<1296xf32>) -> tensor<1x16x9x9xf32>
  %wi = stablehlo.iota dim = 0 : tensor<5760xi32>
  %wa = stablehlo.constant dense<29> : tensor<5760xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<5760xi32>
  %wm = stablehlo.constant dense<7> : tensor<5760xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<5760xi32>
  %wc = stablehlo.convert %wr : (tensor<5760xi32>) -> tensor<5760xf32>
  %w = stablehlo.reshape %wc : (tensor<5760xf32>) -> tensor<16x10x6x6xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[-2, 1], [1, -4]], lhs_dilate = [3, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x9x9xf32>, tensor<16x10x6x6xf32>) -> tensor<1x10x19x17xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, -2, 1], high = [0, 0, 1, -4], interior = [0, 0, 2, 2] : (tensor<1x16x9x9xf32>, tensor<f32>) -> tensor<1x16x24x22xf32>
  %b = stablehlo.optimization_barrier %d : tensor<1x16x24x22xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x24x22xf32>, tensor<16x10x6x6xf32>) -> tensor<1x10x19x17xf32>
  check.expect_eq %y, %wanted : tensor<1x10x19x17xf32>
  func.return
}

// -----

// Two groups of features, read as integers.
func.func @groups_i32() {
  %xi = stablehlo.iota dim = 0 : tensor<1152xi32>
  %xa = stablehlo.constant dense<37> : tensor<1152xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<1152xi32>
  %xm = stablehlo.constant dense<5> : tensor<1152xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<1152xi32>
  %xc = stablehlo.convert %xr : (tensor<1152xi32>) -> tensor<1152xi32>
  %x = stablehlo.reshape %xc : (tensor<1152xi32>) -> tensor<2x9x8x8xi32>
  %wi = stablehlo.iota dim = 0 : tensor<384xi32>
  %wa = stablehlo.constant dense<29> : tensor<384xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<384xi32>
  %wm = stablehlo.constant dense<7> : tensor<384xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<384xi32>
  %wc = stablehlo.convert %wr : (tensor<384xi32>) -> tensor<384xi32>
  %w = stablehlo.reshape %wc : (tensor<384xi32>) -> tensor<4x2x4x12xi32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 2], [1, 0]], lhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x8x8xi32>, tensor<4x2x4x12xi32>) -> tensor<2x17x15x12xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %d = stablehlo.pad %x, %z, low = [0, 1, 1, 0], high = [0, 2, 0, 0], interior = [0, 1, 1, 0] : (tensor<2x9x8x8xi32>, tensor<i32>) -> tensor<2x20x16x8xi32>
  %b = stablehlo.optimization_barrier %d : tensor<2x20x16x8xi32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x20x16x8xi32>, tensor<4x2x4x12xi32>) -> tensor<2x17x15x12xi32>
  check.expect_eq %y, %wanted : tensor<2x17x15x12xi32>
  func.return
}

// -----

// The same with channels first.
func.func @groups_first_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<1152xi32>
  %xa = stablehlo.constant dense<37> : tensor<1152xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<1152xi32>
  %xm = stablehlo.constant dense<5> : tensor<1152xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<1152xi32>
  %xc = stablehlo.convert %xr : (tensor<1152xi32>) -> tensor<1152xf32>
  %x = stablehlo.reshape %xc : (tensor<1152xf32>) -> tensor<2x8x9x8xf32>
  %wi = stablehlo.iota dim = 0 : tensor<384xi32>
  %wa = stablehlo.constant dense<29> : tensor<384xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<384xi32>
  %wm = stablehlo.constant dense<7> : tensor<384xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<384xi32>
  %wc = stablehlo.convert %wr : (tensor<384xi32>) -> tensor<384xf32>
  %w = stablehlo.reshape %wc : (tensor<384xf32>) -> tensor<4x12x4x2xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 2], [1, 0]], lhs_dilate = [2, 2], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x9x8xf32>, tensor<4x12x4x2xf32>) -> tensor<2x12x17x15xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 1, 1], high = [0, 0, 2, 0], interior = [0, 0, 1, 1] : (tensor<2x8x9x8xf32>, tensor<f32>) -> tensor<2x8x20x16xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x8x20x16xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x20x16xf32>, tensor<4x12x4x2xf32>) -> tensor<2x12x17x15xf32>
  check.expect_eq %y, %wanted : tensor<2x12x17x15xf32>
  func.return
}

// -----

// Each channel by itself, with more places than parts that are compiled.
func.func @depthwise_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<1188xi32>
  %xa = stablehlo.constant dense<37> : tensor<1188xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<1188xi32>
  %xm = stablehlo.constant dense<5> : tensor<1188xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<1188xi32>
  %xc = stablehlo.convert %xr : (tensor<1188xi32>) -> tensor<1188xf32>
  %x = stablehlo.reshape %xc : (tensor<1188xf32>) -> tensor<1x12x9x11xf32>
  %wi = stablehlo.iota dim = 0 : tensor<3072xi32>
  %wa = stablehlo.constant dense<29> : tensor<3072xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<3072xi32>
  %wm = stablehlo.constant dense<7> : tensor<3072xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<3072xi32>
  %wc = stablehlo.convert %wr : (tensor<3072xi32>) -> tensor<3072xf32>
  %w = stablehlo.reshape %wc : (tensor<3072xf32>) -> tensor<1x12x16x16xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[11, 11], [11, 11]], lhs_dilate = [8, 8], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<1x12x9x11xf32>, tensor<1x12x16x16xf32>) -> tensor<1x12x72x88xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 11, 11], high = [0, 0, 11, 11], interior = [0, 0, 7, 7] : (tensor<1x12x9x11xf32>, tensor<f32>) -> tensor<1x12x87x103xf32>
  %b = stablehlo.optimization_barrier %d : tensor<1x12x87x103xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<1x12x87x103xf32>, tensor<1x12x16x16xf32>) -> tensor<1x12x72x88xf32>
  check.expect_eq %y, %wanted : tensor<1x12x72x88xf32>
  func.return
}

// -----

// Places between the windows see no pixel.
func.func @small_windows_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<2448xi32>
  %xa = stablehlo.constant dense<37> : tensor<2448xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2448xi32>
  %xm = stablehlo.constant dense<5> : tensor<2448xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2448xi32>
  %xc = stablehlo.convert %xr : (tensor<2448xi32>) -> tensor<2448xf32>
  %x = stablehlo.reshape %xc : (tensor<2448xf32>) -> tensor<2x9x8x17xf32>
  %wi = stablehlo.iota dim = 0 : tensor<2040xi32>
  %wa = stablehlo.constant dense<29> : tensor<2040xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<2040xi32>
  %wm = stablehlo.constant dense<7> : tensor<2040xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<2040xi32>
  %wc = stablehlo.convert %wr : (tensor<2040xi32>) -> tensor<2040xf32>
  %w = stablehlo.reshape %wc : (tensor<2040xf32>) -> tensor<2x3x17x20xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 3], [2, 4]], lhs_dilate = [3, 6], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x17xf32>, tensor<2x3x17x20xf32>) -> tensor<2x29x47x20xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 2, 2, 0], high = [0, 3, 4, 0], interior = [0, 2, 5, 0] : (tensor<2x9x8x17xf32>, tensor<f32>) -> tensor<2x30x49x17xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x30x49x17xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x30x49x17xf32>, tensor<2x3x17x20xf32>) -> tensor<2x29x47x20xf32>
  check.expect_eq %y, %wanted : tensor<2x29x47x20xf32>
  func.return
}

// -----

// Only one of twenty results sees a pixel.
func.func @one_position_bf16() {
  %xi = stablehlo.iota dim = 0 : tensor<5760xi32>
  %xa = stablehlo.constant dense<37> : tensor<5760xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<5760xi32>
  %xm = stablehlo.constant dense<5> : tensor<5760xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<5760xi32>
  %xc = stablehlo.convert %xr : (tensor<5760xi32>) -> tensor<5760xbf16>
  %x = stablehlo.reshape %xc : (tensor<5760xbf16>) -> tensor<2x40x9x8xbf16>
  %wi = stablehlo.iota dim = 0 : tensor<1320xi32>
  %wa = stablehlo.constant dense<29> : tensor<1320xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<1320xi32>
  %wm = stablehlo.constant dense<7> : tensor<1320xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<1320xi32>
  %wc = stablehlo.convert %wr : (tensor<1320xi32>) -> tensor<1320xbf16>
  %w = stablehlo.reshape %wc : (tensor<1320xbf16>) -> tensor<40x33x1x1xbf16>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[0, 3], [2, 0]], lhs_dilate = [5, 4], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x40x9x8xbf16>, tensor<40x33x1x1xbf16>) -> tensor<2x33x44x31xbf16>
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %d = stablehlo.pad %x, %z, low = [0, 0, 0, 2], high = [0, 0, 3, 0], interior = [0, 0, 4, 3] : (tensor<2x40x9x8xbf16>, tensor<bf16>) -> tensor<2x40x44x31xbf16>
  %b = stablehlo.optimization_barrier %d : tensor<2x40x44x31xbf16>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x40x44x31xbf16>, tensor<40x33x1x1xbf16>) -> tensor<2x33x44x31xbf16>
  check.expect_eq %y, %wanted : tensor<2x33x44x31xbf16>
  func.return
}

// -----

// An image of one pixel.
func.func @one_pixel_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<256xi32>
  %xa = stablehlo.constant dense<37> : tensor<256xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<256xi32>
  %xm = stablehlo.constant dense<5> : tensor<256xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<256xi32>
  %xc = stablehlo.convert %xr : (tensor<256xi32>) -> tensor<256xf32>
  %x = stablehlo.reshape %xc : (tensor<256xf32>) -> tensor<8x32x1x1xf32>
  %wi = stablehlo.iota dim = 0 : tensor<32768xi32>
  %wa = stablehlo.constant dense<29> : tensor<32768xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<32768xi32>
  %wm = stablehlo.constant dense<7> : tensor<32768xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<32768xi32>
  %wc = stablehlo.convert %wr : (tensor<32768xi32>) -> tensor<32768xf32>
  %w = stablehlo.reshape %wc : (tensor<32768xf32>) -> tensor<32x64x4x4xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x1x1xf32>, tensor<32x64x4x4xf32>) -> tensor<8x64x4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 3, 3], high = [0, 0, 3, 3], interior = [0, 0, 0, 0] : (tensor<8x32x1x1xf32>, tensor<f32>) -> tensor<8x32x7x7xf32>
  %b = stablehlo.optimization_barrier %d : tensor<8x32x7x7xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x7x7xf32>, tensor<32x64x4x4xf32>) -> tensor<8x64x4x4xf32>
  check.expect_eq %y, %wanted : tensor<8x64x4x4xf32>
  func.return
}

// -----

// An image of one pixel at one end, dilated and padded on both sides.
func.func @one_pixel_off_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<1584xi32>
  %xa = stablehlo.constant dense<37> : tensor<1584xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<1584xi32>
  %xm = stablehlo.constant dense<5> : tensor<1584xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<1584xi32>
  %xc = stablehlo.convert %xr : (tensor<1584xi32>) -> tensor<1584xf32>
  %x = stablehlo.reshape %xc : (tensor<1584xf32>) -> tensor<8x1x6x33xf32>
  %wi = stablehlo.iota dim = 0 : tensor<13200xi32>
  %wa = stablehlo.constant dense<29> : tensor<13200xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<13200xi32>
  %wm = stablehlo.constant dense<7> : tensor<13200xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<13200xi32>
  %wc = stablehlo.convert %wr : (tensor<13200xi32>) -> tensor<13200xf32>
  %w = stablehlo.reshape %wc : (tensor<13200xf32>) -> tensor<5x2x33x40xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 3], [1, 1]], lhs_dilate = [1, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x1x6x33xf32>, tensor<5x2x33x40xf32>) -> tensor<8x2x12x40xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 2, 1, 0], high = [0, 3, 1, 0], interior = [0, 0, 1, 0] : (tensor<8x1x6x33xf32>, tensor<f32>) -> tensor<8x6x13x33xf32>
  %b = stablehlo.optimization_barrier %d : tensor<8x6x13x33xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x6x13x33xf32>, tensor<5x2x33x40xf32>) -> tensor<8x2x12x40xf32>
  check.expect_eq %y, %wanted : tensor<8x2x12x40xf32>
  func.return
}

// -----

// Along one dimension.
func.func @one_row_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<6400xi32>
  %xa = stablehlo.constant dense<37> : tensor<6400xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<6400xi32>
  %xm = stablehlo.constant dense<5> : tensor<6400xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<6400xi32>
  %xc = stablehlo.convert %xr : (tensor<6400xi32>) -> tensor<6400xf32>
  %x = stablehlo.reshape %xc : (tensor<6400xf32>) -> tensor<2x64x50xf32>
  %wi = stablehlo.iota dim = 0 : tensor<40960xi32>
  %wa = stablehlo.constant dense<29> : tensor<40960xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<40960xi32>
  %wm = stablehlo.constant dense<7> : tensor<40960xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<40960xi32>
  %wc = stablehlo.convert %wr : (tensor<40960xi32>) -> tensor<40960xf32>
  %w = stablehlo.reshape %wc : (tensor<40960xf32>) -> tensor<64x40x16xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {pad = [[11, 12]], lhs_dilate = [8], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x50xf32>, tensor<64x40x16xf32>) -> tensor<2x40x401xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 11], high = [0, 0, 12], interior = [0, 0, 7] : (tensor<2x64x50xf32>, tensor<f32>) -> tensor<2x64x416xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x64x416xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x416xf32>, tensor<64x40x16xf32>) -> tensor<2x40x401xf32>
  check.expect_eq %y, %wanted : tensor<2x40x401xf32>
  func.return
}

// -----

// Along three dimensions.
func.func @volume_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<360xi32>
  %xa = stablehlo.constant dense<37> : tensor<360xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<360xi32>
  %xm = stablehlo.constant dense<5> : tensor<360xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<360xi32>
  %xc = stablehlo.convert %xr : (tensor<360xi32>) -> tensor<360xf32>
  %x = stablehlo.reshape %xc : (tensor<360xf32>) -> tensor<1x4x5x3x6xf32>
  %wi = stablehlo.iota dim = 0 : tensor<672xi32>
  %wa = stablehlo.constant dense<29> : tensor<672xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<672xi32>
  %wm = stablehlo.constant dense<7> : tensor<672xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<672xi32>
  %wc = stablehlo.convert %wr : (tensor<672xi32>) -> tensor<672xf32>
  %w = stablehlo.reshape %wc : (tensor<672xf32>) -> tensor<4x2x2x6x7xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {pad = [[2, 2], [1, 1], [1, 0]], lhs_dilate = [2, 2, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x5x3x6xf32>, tensor<4x2x2x6x7xf32>) -> tensor<1x8x10x3x7xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 2, 1, 1, 0], high = [0, 2, 1, 0, 0], interior = [0, 1, 1, 0, 0] : (tensor<1x4x5x3x6xf32>, tensor<f32>) -> tensor<1x11x11x4x6xf32>
  %b = stablehlo.optimization_barrier %d : tensor<1x11x11x4x6xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x11x11x4x6xf32>, tensor<4x2x2x6x7xf32>) -> tensor<1x8x10x3x7xf32>
  check.expect_eq %y, %wanted : tensor<1x8x10x3x7xf32>
  func.return
}

// -----

// A weight that is not finite makes NaN of all results that read zeros through it.
func.func @infinite_weight_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<756xi32>
  %xa = stablehlo.constant dense<37> : tensor<756xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<756xi32>
  %xm = stablehlo.constant dense<5> : tensor<756xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<756xi32>
  %xc = stablehlo.convert %xr : (tensor<756xi32>) -> tensor<756xf32>
  %x = stablehlo.reshape %xc : (tensor<756xf32>) -> tensor<2x9x7x6xf32>
  %wi = stablehlo.iota dim = 0 : tensor<1584xi32>
  %wa = stablehlo.constant dense<29> : tensor<1584xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<1584xi32>
  %wm = stablehlo.constant dense<7> : tensor<1584xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<1584xi32>
  %wc = stablehlo.convert %wr : (tensor<1584xi32>) -> tensor<1584xf32>
  %wk = stablehlo.constant dense<77> : tensor<1584xi32>
  %we = stablehlo.compare EQ, %wi, %wk : (tensor<1584xi32>, tensor<1584xi32>) -> tensor<1584xi1>
  %wv = stablehlo.constant dense<0x7F800000> : tensor<1584xf32>
  %ws = stablehlo.select %we, %wv, %wc : tensor<1584xi1>, tensor<1584xf32>
  %w = stablehlo.reshape %ws : (tensor<1584xf32>) -> tensor<9x11x4x4xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x7x6xf32>, tensor<9x11x4x4xf32>) -> tensor<2x11x14x12xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 2, 2], high = [0, 0, 2, 2], interior = [0, 0, 1, 1] : (tensor<2x9x7x6xf32>, tensor<f32>) -> tensor<2x9x17x15xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x9x17x15xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x17x15xf32>, tensor<9x11x4x4xf32>) -> tensor<2x11x14x12xf32>
  %yn = stablehlo.compare NE, %y, %y : (tensor<2x11x14x12xf32>, tensor<2x11x14x12xf32>) -> tensor<2x11x14x12xi1>
  %wn = stablehlo.compare NE, %wanted, %wanted : (tensor<2x11x14x12xf32>, tensor<2x11x14x12xf32>) -> tensor<2x11x14x12xi1>
  check.expect_eq %yn, %wn : tensor<2x11x14x12xi1>
  %zs = stablehlo.constant dense<0.0> : tensor<2x11x14x12xf32>
  %yk = stablehlo.select %yn, %zs, %y : tensor<2x11x14x12xi1>, tensor<2x11x14x12xf32>
  %wz = stablehlo.select %wn, %zs, %wanted : tensor<2x11x14x12xi1>, tensor<2x11x14x12xf32>
  check.expect_eq %yk, %wz : tensor<2x11x14x12xf32>
  func.return
}

// -----

// The same for windows smaller than the dilation.
func.func @infinite_weight_small_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<2448xi32>
  %xa = stablehlo.constant dense<37> : tensor<2448xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2448xi32>
  %xm = stablehlo.constant dense<5> : tensor<2448xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2448xi32>
  %xc = stablehlo.convert %xr : (tensor<2448xi32>) -> tensor<2448xf32>
  %x = stablehlo.reshape %xc : (tensor<2448xf32>) -> tensor<2x9x8x17xf32>
  %wi = stablehlo.iota dim = 0 : tensor<2040xi32>
  %wa = stablehlo.constant dense<29> : tensor<2040xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<2040xi32>
  %wm = stablehlo.constant dense<7> : tensor<2040xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<2040xi32>
  %wc = stablehlo.convert %wr : (tensor<2040xi32>) -> tensor<2040xf32>
  %wk = stablehlo.constant dense<211> : tensor<2040xi32>
  %we = stablehlo.compare EQ, %wi, %wk : (tensor<2040xi32>, tensor<2040xi32>) -> tensor<2040xi1>
  %wv = stablehlo.constant dense<0x7FC00000> : tensor<2040xf32>
  %ws = stablehlo.select %we, %wv, %wc : tensor<2040xi1>, tensor<2040xf32>
  %w = stablehlo.reshape %ws : (tensor<2040xf32>) -> tensor<2x3x17x20xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 3], [2, 4]], lhs_dilate = [3, 6], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x17xf32>, tensor<2x3x17x20xf32>) -> tensor<2x29x47x20xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 2, 2, 0], high = [0, 3, 4, 0], interior = [0, 2, 5, 0] : (tensor<2x9x8x17xf32>, tensor<f32>) -> tensor<2x30x49x17xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x30x49x17xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x30x49x17xf32>, tensor<2x3x17x20xf32>) -> tensor<2x29x47x20xf32>
  %yn = stablehlo.compare NE, %y, %y : (tensor<2x29x47x20xf32>, tensor<2x29x47x20xf32>) -> tensor<2x29x47x20xi1>
  %wn = stablehlo.compare NE, %wanted, %wanted : (tensor<2x29x47x20xf32>, tensor<2x29x47x20xf32>) -> tensor<2x29x47x20xi1>
  check.expect_eq %yn, %wn : tensor<2x29x47x20xi1>
  %zs = stablehlo.constant dense<0.0> : tensor<2x29x47x20xf32>
  %yk = stablehlo.select %yn, %zs, %y : tensor<2x29x47x20xi1>, tensor<2x29x47x20xf32>
  %wz = stablehlo.select %wn, %zs, %wanted : tensor<2x29x47x20xi1>, tensor<2x29x47x20xf32>
  check.expect_eq %yk, %wz : tensor<2x29x47x20xf32>
  func.return
}

// -----

// An infinite pixel is seen by its own places only.
func.func @infinite_pixel_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<2448xi32>
  %xa = stablehlo.constant dense<37> : tensor<2448xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<2448xi32>
  %xm = stablehlo.constant dense<5> : tensor<2448xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<2448xi32>
  %xc = stablehlo.convert %xr : (tensor<2448xi32>) -> tensor<2448xf32>
  %xk = stablehlo.constant dense<500> : tensor<2448xi32>
  %xe = stablehlo.compare EQ, %xi, %xk : (tensor<2448xi32>, tensor<2448xi32>) -> tensor<2448xi1>
  %xv = stablehlo.constant dense<0x7F800000> : tensor<2448xf32>
  %xs = stablehlo.select %xe, %xv, %xc : tensor<2448xi1>, tensor<2448xf32>
  %x = stablehlo.reshape %xs : (tensor<2448xf32>) -> tensor<2x9x8x17xf32>
  %wi = stablehlo.iota dim = 0 : tensor<2040xi32>
  %wa = stablehlo.constant dense<29> : tensor<2040xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<2040xi32>
  %wm = stablehlo.constant dense<7> : tensor<2040xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<2040xi32>
  %wc = stablehlo.convert %wr : (tensor<2040xi32>) -> tensor<2040xf32>
  %w = stablehlo.reshape %wc : (tensor<2040xf32>) -> tensor<2x3x17x20xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 3], [2, 4]], lhs_dilate = [3, 6], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x8x17xf32>, tensor<2x3x17x20xf32>) -> tensor<2x29x47x20xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 2, 2, 0], high = [0, 3, 4, 0], interior = [0, 2, 5, 0] : (tensor<2x9x8x17xf32>, tensor<f32>) -> tensor<2x30x49x17xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x30x49x17xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x30x49x17xf32>, tensor<2x3x17x20xf32>) -> tensor<2x29x47x20xf32>
  %yn = stablehlo.compare NE, %y, %y : (tensor<2x29x47x20xf32>, tensor<2x29x47x20xf32>) -> tensor<2x29x47x20xi1>
  %wn = stablehlo.compare NE, %wanted, %wanted : (tensor<2x29x47x20xf32>, tensor<2x29x47x20xf32>) -> tensor<2x29x47x20xi1>
  check.expect_eq %yn, %wn : tensor<2x29x47x20xi1>
  %zs = stablehlo.constant dense<0.0> : tensor<2x29x47x20xf32>
  %yk = stablehlo.select %yn, %zs, %y : tensor<2x29x47x20xi1>, tensor<2x29x47x20xf32>
  %wz = stablehlo.select %wn, %zs, %wanted : tensor<2x29x47x20xi1>, tensor<2x29x47x20xf32>
  check.expect_eq %yk, %wz : tensor<2x29x47x20xf32>
  func.return
}

// -----

// The same where windows overlap.
func.func @infinite_pixel_even_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<756xi32>
  %xa = stablehlo.constant dense<37> : tensor<756xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<756xi32>
  %xm = stablehlo.constant dense<5> : tensor<756xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<756xi32>
  %xc = stablehlo.convert %xr : (tensor<756xi32>) -> tensor<756xf32>
  %xk = stablehlo.constant dense<200> : tensor<756xi32>
  %xe = stablehlo.compare EQ, %xi, %xk : (tensor<756xi32>, tensor<756xi32>) -> tensor<756xi1>
  %xv = stablehlo.constant dense<0x7F800000> : tensor<756xf32>
  %xs = stablehlo.select %xe, %xv, %xc : tensor<756xi1>, tensor<756xf32>
  %x = stablehlo.reshape %xs : (tensor<756xf32>) -> tensor<2x9x7x6xf32>
  %wi = stablehlo.iota dim = 0 : tensor<1584xi32>
  %wa = stablehlo.constant dense<29> : tensor<1584xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<1584xi32>
  %wm = stablehlo.constant dense<7> : tensor<1584xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<1584xi32>
  %wc = stablehlo.convert %wr : (tensor<1584xi32>) -> tensor<1584xf32>
  %w = stablehlo.reshape %wc : (tensor<1584xf32>) -> tensor<9x11x4x4xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x7x6xf32>, tensor<9x11x4x4xf32>) -> tensor<2x11x14x12xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 0, 2, 2], high = [0, 0, 2, 2], interior = [0, 0, 1, 1] : (tensor<2x9x7x6xf32>, tensor<f32>) -> tensor<2x9x17x15xf32>
  %b = stablehlo.optimization_barrier %d : tensor<2x9x17x15xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x17x15xf32>, tensor<9x11x4x4xf32>) -> tensor<2x11x14x12xf32>
  %yn = stablehlo.compare NE, %y, %y : (tensor<2x11x14x12xf32>, tensor<2x11x14x12xf32>) -> tensor<2x11x14x12xi1>
  %wn = stablehlo.compare NE, %wanted, %wanted : (tensor<2x11x14x12xf32>, tensor<2x11x14x12xf32>) -> tensor<2x11x14x12xi1>
  check.expect_eq %yn, %wn : tensor<2x11x14x12xi1>
  %zs = stablehlo.constant dense<0.0> : tensor<2x11x14x12xf32>
  %yk = stablehlo.select %yn, %zs, %y : tensor<2x11x14x12xi1>, tensor<2x11x14x12xf32>
  %wz = stablehlo.select %wn, %zs, %wanted : tensor<2x11x14x12xi1>, tensor<2x11x14x12xf32>
  check.expect_eq %yk, %wz : tensor<2x11x14x12xf32>
  func.return
}

// -----

// Pixels far from each other, of which results see one or none.
func.func @far_pixels_f32() {
  %xi = stablehlo.iota dim = 0 : tensor<128xi32>
  %xa = stablehlo.constant dense<37> : tensor<128xi32>
  %xp = stablehlo.multiply %xi, %xa : tensor<128xi32>
  %xm = stablehlo.constant dense<5> : tensor<128xi32>
  %xr = stablehlo.remainder %xp, %xm : tensor<128xi32>
  %xc = stablehlo.convert %xr : (tensor<128xi32>) -> tensor<128xf32>
  %x = stablehlo.reshape %xc : (tensor<128xf32>) -> tensor<1x2x64xf32>
  %wi = stablehlo.iota dim = 0 : tensor<57600xi32>
  %wa = stablehlo.constant dense<29> : tensor<57600xi32>
  %wp = stablehlo.multiply %wi, %wa : tensor<57600xi32>
  %wm = stablehlo.constant dense<7> : tensor<57600xi32>
  %wr = stablehlo.remainder %wp, %wm : tensor<57600xi32>
  %wc = stablehlo.convert %wr : (tensor<57600xi32>) -> tensor<57600xf32>
  %w = stablehlo.reshape %wc : (tensor<57600xf32>) -> tensor<3x64x300xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, -1099511627773]], lhs_dilate = [1099511627776], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x64xf32>, tensor<3x64x300xf32>) -> tensor<1x3x300xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.pad %x, %z, low = [0, 1, 0], high = [0, -1099511627773, 0], interior = [0, 1099511627775, 0] : (tensor<1x2x64xf32>, tensor<f32>) -> tensor<1x5x64xf32>
  %b = stablehlo.optimization_barrier %d : tensor<1x5x64xf32>
  %wanted = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x64xf32>, tensor<3x64x300xf32>) -> tensor<1x3x300xf32>
  check.expect_eq %y, %wanted : tensor<1x3x300xf32>
  func.return
}
