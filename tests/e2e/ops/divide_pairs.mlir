// Quotients and remainders of vectors of narrow integers, which floats compute,
// beside those of 64 bits, which integer instructions compute.

func.func @i8() {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %shift = stablehlo.constant dense<8> : tensor<65536xui32>
  %ua = stablehlo.shift_right_logical %i, %shift : tensor<65536xui32>
  %a0 = stablehlo.convert %ua : (tensor<65536xui32>) -> tensor<65536xi8>
  %b0 = stablehlo.convert %i : (tensor<65536xui32>) -> tensor<65536xi8>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<65536xi8>, tensor<65536xi8>
  %wa = stablehlo.convert %a : (tensor<65536xi8>) -> tensor<65536xi64>
  %wb = stablehlo.convert %b : (tensor<65536xi8>) -> tensor<65536xi64>
  %divide = stablehlo.divide %a, %b : tensor<65536xi8>
  %wide_divide = stablehlo.divide %wa, %wb : tensor<65536xi64>
  %wanted_divide = stablehlo.convert %wide_divide : (tensor<65536xi64>) -> tensor<65536xi8>
  check.expect_eq %divide, %wanted_divide : tensor<65536xi8>
  %remainder = stablehlo.remainder %a, %b : tensor<65536xi8>
  %wide_remainder = stablehlo.remainder %wa, %wb : tensor<65536xi64>
  %wanted_remainder = stablehlo.convert %wide_remainder : (tensor<65536xi64>) -> tensor<65536xi8>
  check.expect_eq %remainder, %wanted_remainder : tensor<65536xi8>
  func.return
}

func.func @ui8() {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %shift = stablehlo.constant dense<8> : tensor<65536xui32>
  %ua = stablehlo.shift_right_logical %i, %shift : tensor<65536xui32>
  %a0 = stablehlo.convert %ua : (tensor<65536xui32>) -> tensor<65536xui8>
  %b0 = stablehlo.convert %i : (tensor<65536xui32>) -> tensor<65536xui8>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<65536xui8>, tensor<65536xui8>
  %wa = stablehlo.convert %a : (tensor<65536xui8>) -> tensor<65536xui64>
  %wb = stablehlo.convert %b : (tensor<65536xui8>) -> tensor<65536xui64>
  %divide = stablehlo.divide %a, %b : tensor<65536xui8>
  %wide_divide = stablehlo.divide %wa, %wb : tensor<65536xui64>
  %wanted_divide = stablehlo.convert %wide_divide : (tensor<65536xui64>) -> tensor<65536xui8>
  check.expect_eq %divide, %wanted_divide : tensor<65536xui8>
  %remainder = stablehlo.remainder %a, %b : tensor<65536xui8>
  %wide_remainder = stablehlo.remainder %wa, %wb : tensor<65536xui64>
  %wanted_remainder = stablehlo.convert %wide_remainder : (tensor<65536xui64>) -> tensor<65536xui8>
  check.expect_eq %remainder, %wanted_remainder : tensor<65536xui8>
  func.return
}

func.func @i16() {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %ka = stablehlo.constant dense<2654435769> : tensor<65536xui32>
  %kb = stablehlo.constant dense<2246822519> : tensor<65536xui32>
  %mask = stablehlo.constant dense<15> : tensor<65536xui32>
  %half = stablehlo.constant dense<16> : tensor<65536xui32>
  %ha = stablehlo.multiply %i, %ka : tensor<65536xui32>
  %hb = stablehlo.multiply %ha, %kb : tensor<65536xui32>
  %ra = stablehlo.shift_right_logical %ha, %half : tensor<65536xui32>
  %rb = stablehlo.shift_right_logical %hb, %half : tensor<65536xui32>
  %ma = stablehlo.xor %ha, %ra : tensor<65536xui32>
  %mb = stablehlo.xor %hb, %rb : tensor<65536xui32>
  %a0 = stablehlo.convert %ma : (tensor<65536xui32>) -> tensor<65536xi16>
  %fullb = stablehlo.convert %mb : (tensor<65536xui32>) -> tensor<65536xi16>
  %by = stablehlo.and %i, %mask : tensor<65536xui32>
  %places = stablehlo.convert %by : (tensor<65536xui32>) -> tensor<65536xi16>
  %b0 = stablehlo.shift_right_arithmetic %fullb, %places : tensor<65536xi16>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<65536xi16>, tensor<65536xi16>
  %wa = stablehlo.convert %a : (tensor<65536xi16>) -> tensor<65536xi64>
  %wb = stablehlo.convert %b : (tensor<65536xi16>) -> tensor<65536xi64>
  %divide = stablehlo.divide %a, %b : tensor<65536xi16>
  %wide_divide = stablehlo.divide %wa, %wb : tensor<65536xi64>
  %wanted_divide = stablehlo.convert %wide_divide : (tensor<65536xi64>) -> tensor<65536xi16>
  check.expect_eq %divide, %wanted_divide : tensor<65536xi16>
  %remainder = stablehlo.remainder %a, %b : tensor<65536xi16>
  %wide_remainder = stablehlo.remainder %wa, %wb : tensor<65536xi64>
  %wanted_remainder = stablehlo.convert %wide_remainder : (tensor<65536xi64>) -> tensor<65536xi16>
  check.expect_eq %remainder, %wanted_remainder : tensor<65536xi16>
  %one = stablehlo.constant dense<1> : tensor<65536xi16>
  %exact = stablehlo.multiply %divide, %b : tensor<65536xi16>
  %below = stablehlo.subtract %exact, %one : tensor<65536xi16>
  %near = stablehlo.optimization_barrier %below : tensor<65536xi16>
  %wnear = stablehlo.convert %near : (tensor<65536xi16>) -> tensor<65536xi64>
  %near_divide = stablehlo.divide %near, %b : tensor<65536xi16>
  %wide_near = stablehlo.divide %wnear, %wb : tensor<65536xi64>
  %wanted_near = stablehlo.convert %wide_near : (tensor<65536xi64>) -> tensor<65536xi16>
  check.expect_eq %near_divide, %wanted_near : tensor<65536xi16>
  func.return
}

func.func @ui16() {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %ka = stablehlo.constant dense<2654435769> : tensor<65536xui32>
  %kb = stablehlo.constant dense<2246822519> : tensor<65536xui32>
  %mask = stablehlo.constant dense<15> : tensor<65536xui32>
  %half = stablehlo.constant dense<16> : tensor<65536xui32>
  %ha = stablehlo.multiply %i, %ka : tensor<65536xui32>
  %hb = stablehlo.multiply %ha, %kb : tensor<65536xui32>
  %ra = stablehlo.shift_right_logical %ha, %half : tensor<65536xui32>
  %rb = stablehlo.shift_right_logical %hb, %half : tensor<65536xui32>
  %ma = stablehlo.xor %ha, %ra : tensor<65536xui32>
  %mb = stablehlo.xor %hb, %rb : tensor<65536xui32>
  %a0 = stablehlo.convert %ma : (tensor<65536xui32>) -> tensor<65536xui16>
  %fullb = stablehlo.convert %mb : (tensor<65536xui32>) -> tensor<65536xui16>
  %by = stablehlo.and %i, %mask : tensor<65536xui32>
  %places = stablehlo.convert %by : (tensor<65536xui32>) -> tensor<65536xui16>
  %b0 = stablehlo.shift_right_logical %fullb, %places : tensor<65536xui16>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<65536xui16>, tensor<65536xui16>
  %wa = stablehlo.convert %a : (tensor<65536xui16>) -> tensor<65536xui64>
  %wb = stablehlo.convert %b : (tensor<65536xui16>) -> tensor<65536xui64>
  %divide = stablehlo.divide %a, %b : tensor<65536xui16>
  %wide_divide = stablehlo.divide %wa, %wb : tensor<65536xui64>
  %wanted_divide = stablehlo.convert %wide_divide : (tensor<65536xui64>) -> tensor<65536xui16>
  check.expect_eq %divide, %wanted_divide : tensor<65536xui16>
  %remainder = stablehlo.remainder %a, %b : tensor<65536xui16>
  %wide_remainder = stablehlo.remainder %wa, %wb : tensor<65536xui64>
  %wanted_remainder = stablehlo.convert %wide_remainder : (tensor<65536xui64>) -> tensor<65536xui16>
  check.expect_eq %remainder, %wanted_remainder : tensor<65536xui16>
  %one = stablehlo.constant dense<1> : tensor<65536xui16>
  %exact = stablehlo.multiply %divide, %b : tensor<65536xui16>
  %below = stablehlo.subtract %exact, %one : tensor<65536xui16>
  %near = stablehlo.optimization_barrier %below : tensor<65536xui16>
  %wnear = stablehlo.convert %near : (tensor<65536xui16>) -> tensor<65536xui64>
  %near_divide = stablehlo.divide %near, %b : tensor<65536xui16>
  %wide_near = stablehlo.divide %wnear, %wb : tensor<65536xui64>
  %wanted_near = stablehlo.convert %wide_near : (tensor<65536xui64>) -> tensor<65536xui16>
  check.expect_eq %near_divide, %wanted_near : tensor<65536xui16>
  func.return
}

func.func @i32() {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %ka = stablehlo.constant dense<2654435769> : tensor<65536xui32>
  %kb = stablehlo.constant dense<2246822519> : tensor<65536xui32>
  %mask = stablehlo.constant dense<31> : tensor<65536xui32>
  %half = stablehlo.constant dense<16> : tensor<65536xui32>
  %ha = stablehlo.multiply %i, %ka : tensor<65536xui32>
  %hb = stablehlo.multiply %ha, %kb : tensor<65536xui32>
  %ra = stablehlo.shift_right_logical %ha, %half : tensor<65536xui32>
  %rb = stablehlo.shift_right_logical %hb, %half : tensor<65536xui32>
  %ma = stablehlo.xor %ha, %ra : tensor<65536xui32>
  %mb = stablehlo.xor %hb, %rb : tensor<65536xui32>
  %a0 = stablehlo.convert %ma : (tensor<65536xui32>) -> tensor<65536xi32>
  %fullb = stablehlo.convert %mb : (tensor<65536xui32>) -> tensor<65536xi32>
  %by = stablehlo.and %i, %mask : tensor<65536xui32>
  %places = stablehlo.convert %by : (tensor<65536xui32>) -> tensor<65536xi32>
  %b0 = stablehlo.shift_right_arithmetic %fullb, %places : tensor<65536xi32>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<65536xi32>, tensor<65536xi32>
  %wa = stablehlo.convert %a : (tensor<65536xi32>) -> tensor<65536xi64>
  %wb = stablehlo.convert %b : (tensor<65536xi32>) -> tensor<65536xi64>
  %divide = stablehlo.divide %a, %b : tensor<65536xi32>
  %wide_divide = stablehlo.divide %wa, %wb : tensor<65536xi64>
  %wanted_divide = stablehlo.convert %wide_divide : (tensor<65536xi64>) -> tensor<65536xi32>
  check.expect_eq %divide, %wanted_divide : tensor<65536xi32>
  %remainder = stablehlo.remainder %a, %b : tensor<65536xi32>
  %wide_remainder = stablehlo.remainder %wa, %wb : tensor<65536xi64>
  %wanted_remainder = stablehlo.convert %wide_remainder : (tensor<65536xi64>) -> tensor<65536xi32>
  check.expect_eq %remainder, %wanted_remainder : tensor<65536xi32>
  %one = stablehlo.constant dense<1> : tensor<65536xi32>
  %exact = stablehlo.multiply %divide, %b : tensor<65536xi32>
  %below = stablehlo.subtract %exact, %one : tensor<65536xi32>
  %near = stablehlo.optimization_barrier %below : tensor<65536xi32>
  %wnear = stablehlo.convert %near : (tensor<65536xi32>) -> tensor<65536xi64>
  %near_divide = stablehlo.divide %near, %b : tensor<65536xi32>
  %wide_near = stablehlo.divide %wnear, %wb : tensor<65536xi64>
  %wanted_near = stablehlo.convert %wide_near : (tensor<65536xi64>) -> tensor<65536xi32>
  check.expect_eq %near_divide, %wanted_near : tensor<65536xi32>
  func.return
}

func.func @ui32() {
  %i = stablehlo.iota dim = 0 : tensor<65536xui32>
  %ka = stablehlo.constant dense<2654435769> : tensor<65536xui32>
  %kb = stablehlo.constant dense<2246822519> : tensor<65536xui32>
  %mask = stablehlo.constant dense<31> : tensor<65536xui32>
  %half = stablehlo.constant dense<16> : tensor<65536xui32>
  %ha = stablehlo.multiply %i, %ka : tensor<65536xui32>
  %hb = stablehlo.multiply %ha, %kb : tensor<65536xui32>
  %ra = stablehlo.shift_right_logical %ha, %half : tensor<65536xui32>
  %rb = stablehlo.shift_right_logical %hb, %half : tensor<65536xui32>
  %ma = stablehlo.xor %ha, %ra : tensor<65536xui32>
  %mb = stablehlo.xor %hb, %rb : tensor<65536xui32>
  %a0 = stablehlo.convert %ma : (tensor<65536xui32>) -> tensor<65536xui32>
  %fullb = stablehlo.convert %mb : (tensor<65536xui32>) -> tensor<65536xui32>
  %by = stablehlo.and %i, %mask : tensor<65536xui32>
  %places = stablehlo.convert %by : (tensor<65536xui32>) -> tensor<65536xui32>
  %b0 = stablehlo.shift_right_logical %fullb, %places : tensor<65536xui32>
  %a, %b = stablehlo.optimization_barrier %a0, %b0 : tensor<65536xui32>, tensor<65536xui32>
  %wa = stablehlo.convert %a : (tensor<65536xui32>) -> tensor<65536xui64>
  %wb = stablehlo.convert %b : (tensor<65536xui32>) -> tensor<65536xui64>
  %divide = stablehlo.divide %a, %b : tensor<65536xui32>
  %wide_divide = stablehlo.divide %wa, %wb : tensor<65536xui64>
  %wanted_divide = stablehlo.convert %wide_divide : (tensor<65536xui64>) -> tensor<65536xui32>
  check.expect_eq %divide, %wanted_divide : tensor<65536xui32>
  %remainder = stablehlo.remainder %a, %b : tensor<65536xui32>
  %wide_remainder = stablehlo.remainder %wa, %wb : tensor<65536xui64>
  %wanted_remainder = stablehlo.convert %wide_remainder : (tensor<65536xui64>) -> tensor<65536xui32>
  check.expect_eq %remainder, %wanted_remainder : tensor<65536xui32>
  %one = stablehlo.constant dense<1> : tensor<65536xui32>
  %exact = stablehlo.multiply %divide, %b : tensor<65536xui32>
  %below = stablehlo.subtract %exact, %one : tensor<65536xui32>
  %near = stablehlo.optimization_barrier %below : tensor<65536xui32>
  %wnear = stablehlo.convert %near : (tensor<65536xui32>) -> tensor<65536xui64>
  %near_divide = stablehlo.divide %near, %b : tensor<65536xui32>
  %wide_near = stablehlo.divide %wnear, %wb : tensor<65536xui64>
  %wanted_near = stablehlo.convert %wide_near : (tensor<65536xui64>) -> tensor<65536xui32>
  check.expect_eq %near_divide, %wanted_near : tensor<65536xui32>
  func.return
}
