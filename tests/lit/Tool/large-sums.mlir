// RUN: xlac run %s --inputs random:1 --expected zeros --atol 1e-2

// Sums of inputs that do not fit in a cache prefetch rows. Lanes of a result
// vector lie in one row, or in several, as here. The same numbers in other
// dimensions have the same sums.
func.func @main(%x: tensor<64x64x16x16xf32>, %y: tensor<512x512x3x3xf32>) -> (tensor<256xf32>, tensor<4608xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64x16x16xf32>, tensor<f32>) -> tensor<16x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<16x16xf32>) -> tensor<256xf32>
  %2 = stablehlo.reshape %x : (tensor<64x64x16x16xf32>) -> tensor<4096x256xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x256xf32>, tensor<f32>) -> tensor<256xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<256xf32>
  %5 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x512x3x3xf32>, tensor<f32>) -> tensor<512x3x3xf32>
  %6 = stablehlo.reshape %5 : (tensor<512x3x3xf32>) -> tensor<4608xf32>
  %7 = stablehlo.reshape %y : (tensor<512x512x3x3xf32>) -> tensor<512x4608xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x4608xf32>, tensor<f32>) -> tensor<4608xf32>
  %9 = stablehlo.subtract %6, %8 : tensor<4608xf32>
  return %4, %9 : tensor<256xf32>, tensor<4608xf32>
}
