// Code 0 of f8E8M0FNU is 2^-127, a denormal f32: moving it must not change it.
func.func @transpose_least_e8m0() {
  %x = stablehlo.constant dense<[[0, 1, 2], [127, 254, 0]]> : tensor<2x3xui8>
  %codes = stablehlo.bitcast_convert %x : (tensor<2x3xui8>) -> tensor<2x3xf8E8M0FNU>
  %moved = stablehlo.transpose %codes, dims = [1, 0] : (tensor<2x3xf8E8M0FNU>) -> tensor<3x2xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %moved : (tensor<3x2xf8E8M0FNU>) -> tensor<3x2xui8>
  %wanted = stablehlo.constant dense<[[0, 127], [1, 254], [2, 0]]> : tensor<3x2xui8>
  check.expect_eq %r, %wanted : tensor<3x2xui8>
  func.return
}

// -----

// Halfway goes up, as LLVM's APFloat has it.
func.func @convert_to_e8m0() {
  %x = stablehlo.constant dense<[0.0, 1.5, 3.0, 2.9, 8.0e-39, 9.0e-39, -1.0]> : tensor<7xf32>
  %y = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %y : (tensor<7xf8E8M0FNU>) -> tensor<7xui8>
  %wanted = stablehlo.constant dense<[0, 128, 129, 128, 0, 1, 255]> : tensor<7xui8>
  check.expect_eq %r, %wanted : tensor<7xui8>
  func.return
}

// -----

// Fused ops round to the type too: there is no 8 in f6E2M3FN, no negative
// number in f8E8M0FNU, no negative zero in f8E4M3FNUZ.
func.func @narrow_floats_stay_narrow_when_fused() {
  %x = stablehlo.constant dense<[7.5, 3.5]> : tensor<2xf6E2M3FN>
  %up = stablehlo.ceil %x : tensor<2xf6E2M3FN>
  %up32 = stablehlo.convert %up : (tensor<2xf6E2M3FN>) -> tensor<2xf32>
  %wanted_up = stablehlo.constant dense<[7.5, 4.0]> : tensor<2xf32>
  check.expect_eq %up32, %wanted_up : tensor<2xf32>
  %y = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf8E8M0FNU>
  %minus = stablehlo.negate %y : tensor<2xf8E8M0FNU>
  %minus32 = stablehlo.convert %minus : (tensor<2xf8E8M0FNU>) -> tensor<2xf32>
  %wanted_minus = stablehlo.constant dense<0x7FC00000> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%minus32, %wanted_minus) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %z = stablehlo.constant dense<[-2.0, -1.0]> : tensor<2xf8E4M3FNUZ>
  %rest = stablehlo.remainder %z, %z : tensor<2xf8E4M3FNUZ>
  %rest32 = stablehlo.convert %rest : (tensor<2xf8E4M3FNUZ>) -> tensor<2xf32>
  %wanted_rest = stablehlo.constant dense<0.0> : tensor<2xf32>
  check.expect_eq %rest32, %wanted_rest : tensor<2xf32>
  func.return
}

// -----

func.func @constant_nan_of_e8m0() {
  %x = stablehlo.constant dense<0xFF> : tensor<2xf8E8M0FNU>
  %root = stablehlo.rsqrt %x : tensor<2xf8E8M0FNU>
  %r = stablehlo.convert %root : (tensor<2xf8E8M0FNU>) -> tensor<2xf32>
  %wanted = stablehlo.constant dense<0x7FC00000> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%r, %wanted) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  func.return
}

// -----

func.func @fold_to_e8m0() {
  %x = stablehlo.constant dense<-3.0> : tensor<1xf32>
  %y = stablehlo.convert %x : (tensor<1xf32>) -> tensor<1xf8E8M0FNU>
  %r = stablehlo.convert %y : (tensor<1xf8E8M0FNU>) -> tensor<1xf32>
  %wanted = stablehlo.constant dense<0x7FC00000> : tensor<1xf32>
  stablehlo.custom_call @check.expect_close(%r, %wanted) {has_side_effect = true} : (tensor<1xf32>, tensor<1xf32>) -> ()
  func.return
}
