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

// -----

// A reducer of several ops that keeps its initial value. Windows that grow are
// scanned.
func.func @logarithms_of_cumulative_sums() {
  %a = stablehlo.constant dense<[0.0, 1.0, 0xFF800000, 2.0, -1.0, 0.5, 3.0]> : tensor<7xf32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 7>, padding = dense<[[6, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %m = stablehlo.maximum %x, %y : tensor<f32>
    %d = stablehlo.subtract %x, %y : tensor<f32>
    %p = stablehlo.compare NE, %d, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.add %x, %y : tensor<f32>
    %b = stablehlo.abs %d : tensor<f32>
    %n = stablehlo.negate %b : tensor<f32>
    %e = stablehlo.exponential %n : tensor<f32>
    %l = stablehlo.log_plus_one %e : tensor<f32>
    %t = stablehlo.add %m, %l : tensor<f32>
    %c = stablehlo.select %p, %s, %t : tensor<i1>, tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
  %wanted = stablehlo.constant dense<[0.0, 1.31326168, 1.31326168, 2.407605964, 2.440189699, 2.57443794, 3.502835244]> : tensor<7xf32>
  check.expect_close %r, %wanted, min_ulp_difference = 0, max_ulp_difference = 4 : tensor<7xf32>, tensor<7xf32>
  func.return
}

// -----

// This reducer changes its initial value, so that padding counts.
func.func @padding_counts() {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %r = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    %h = stablehlo.add %s, %half : tensor<f32>
    stablehlo.return %h : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %wanted = stablehlo.constant dense<[10.0, 11.0, 13.0, 16.0, 20.0, 25.0]> : tensor<6xf32>
  check.expect_eq %r, %wanted : tensor<6xf32>
  func.return
}

// -----

// The rows of the result are shorter than vectors.
func.func @short_rows() {
  %n = stablehlo.iota dim = 0 : tensor<240xi32>
  %m = stablehlo.constant dense<37> : tensor<240xi32>
  %p = stablehlo.multiply %n, %m : tensor<240xi32>
  %d = stablehlo.constant dense<101> : tensor<240xi32>
  %r = stablehlo.remainder %p, %d : tensor<240xi32>
  %v = stablehlo.reshape %r : (tensor<240xi32>) -> tensor<2x5x4x6xi32>
  %c = stablehlo.convert %v : (tensor<2x5x4x6xi32>) -> tensor<2x5x4x6xf32>
  %x = stablehlo.optimization_barrier %c : tensor<2x5x4x6xf32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %max = "stablehlo.reduce_window"(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>} : (tensor<2x5x4x6xf32>, tensor<f32>) -> tensor<2x5x2x3xf32>
  %s0 = stablehlo.slice %x [0:2, 0:5, 0:4:2, 0:6:2] : (tensor<2x5x4x6xf32>) -> tensor<2x5x2x3xf32>
  %s1 = stablehlo.slice %x [0:2, 0:5, 0:4:2, 1:6:2] : (tensor<2x5x4x6xf32>) -> tensor<2x5x2x3xf32>
  %s2 = stablehlo.slice %x [0:2, 0:5, 1:4:2, 0:6:2] : (tensor<2x5x4x6xf32>) -> tensor<2x5x2x3xf32>
  %s3 = stablehlo.slice %x [0:2, 0:5, 1:4:2, 1:6:2] : (tensor<2x5x4x6xf32>) -> tensor<2x5x2x3xf32>
  %m0 = stablehlo.maximum %s0, %s1 : tensor<2x5x2x3xf32>
  %m1 = stablehlo.maximum %s2, %s3 : tensor<2x5x2x3xf32>
  %wanted = stablehlo.maximum %m0, %m1 : tensor<2x5x2x3xf32>
  check.expect_eq %max, %wanted : tensor<2x5x2x3xf32>
  func.return
}
