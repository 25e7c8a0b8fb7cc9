// Dilated operands longer than 2^31 elements, few of which are used.
func.func @pad_wide() {
  %x = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %a = stablehlo.optimization_barrier %x : tensor<3xf32>
  %b = stablehlo.constant dense<0.5> : tensor<f32>
  %r = stablehlo.pad %a, %b, low = [-8589934590], high = [-8589934578], interior = [8589934591] : (tensor<3xf32>, tensor<f32>) -> tensor<17xf32>
  %wanted = stablehlo.constant dense<[0.5, 0.5, 2.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]> : tensor<17xf32>
  check.expect_eq %r, %wanted : tensor<17xf32>
  func.return
}

// -----

func.func @reduce_window_wide() {
  %x = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %a = stablehlo.optimization_barrier %x : tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %z) <{base_dilations = array<i64: 8589934592>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2147483648>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  %wanted = stablehlo.constant dense<[1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0]> : tensor<8xf32>
  check.expect_eq %r, %wanted : tensor<8xf32>
  func.return
}
