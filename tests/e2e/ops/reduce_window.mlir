// Windows that differ in their padding alone are two kernels.
func.func @reduce_window_two_paddings() {
  %x = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %start = stablehlo.constant dense<10.0> : tensor<f32>
  %a = "stablehlo.reduce_window"(%x, %start) <{window_dimensions = array<i64: 2>, padding = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %b = "stablehlo.reduce_window"(%x, %start) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %wanted_a = stablehlo.constant dense<[13.0, 16.0, 24.0]> : tensor<3xf32>
  check.expect_eq %a, %wanted_a : tensor<3xf32>
  %wanted_b = stablehlo.constant dense<[21.0, 13.0, 16.0]> : tensor<3xf32>
  check.expect_eq %b, %wanted_b : tensor<3xf32>
  func.return
}
