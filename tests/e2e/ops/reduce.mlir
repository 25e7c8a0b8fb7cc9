func.func @reduce_f32_3x37_dims1() {
  %a = stablehlo.constant dense<[[-1.5, -1.75, -3.25, 1.0, -1.5, -0.75, -0.25, -1.5, 0.0, 3.5, 2.25, -3.75, -1.25, -0.75, 2.25, 2.5, -0.25, -3.75, -1.0, -0.5, -3.0, -3.75, -2.0, -3.5, -1.0, 1.0, 2.75, 3.75, -3.5, -2.75, 3.25, 2.5, -0.25, 2.25, 1.5, 0.5, -1.25], [-2.75, -2.75, 0.25, -3.0, -2.75, 3.5, 0.0, -3.5, 3.75, -3.5, 3.75, 0.75, 1.25, 3.0, 3.0, -1.25, 2.25, -2.75, 0.5, 2.5, -0.5, 1.75, -2.0, -2.75, -2.5, -1.5, 2.5, 3.75, -1.5, -3.25, 1.25, -1.25, -3.75, 0.5, -3.25, 1.5, -1.75], [2.75, -1.75, 2.0, 0.0, -1.5, -3.25, -2.25, -3.0, -1.25, 2.0, -3.75, -1.0, 0.5, -3.0, -3.75, -0.25, -2.75, -0.25, 3.25, 1.25, 2.75, -2.5, -3.75, -1.75, 3.0, 0.0, -2.75, -1.5, -2.0, -0.75, -1.75, -3.75, 3.75, 0.5, -3.5, 2.25, 1.25]]> : tensor<3x37xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<3x37xf32>, tensor<f32>) -> tensor<3xf32>
  %wanted = stablehlo.constant dense<[-13.75, -10.5, -26.5]> : tensor<3xf32>
  check.expect_eq %r, %wanted : tensor<3xf32>
  func.return
}

// -----

func.func @reduce_f32_65x2_dims1() {
  %a = stablehlo.constant dense<[[-1.5, -1.75], [-3.25, 1.0], [-1.5, -0.75], [-0.25, -1.5], [0.0, 3.5], [2.25, -3.75], [-1.25, -0.75], [2.25, 2.5], [-0.25, -3.75], [-1.0, -0.5], [-3.0, -3.75], [-2.0, -3.5], [-1.0, 1.0], [2.75, 3.75], [-3.5, -2.75], [3.25, 2.5], [-0.25, 2.25], [1.5, 0.5], [-1.25, -2.75], [-2.75, 0.25], [-3.0, -2.75], [3.5, 0.0], [-3.5, 3.75], [-3.5, 3.75], [0.75, 1.25], [3.0, 3.0], [-1.25, 2.25], [-2.75, 0.5], [2.5, -0.5], [1.75, -2.0], [-2.75, -2.5], [-1.5, 2.5], [3.75, -1.5], [-3.25, 1.25], [-1.25, -3.75], [0.5, -3.25], [1.5, -1.75], [2.75, -1.75], [2.0, 0.0], [-1.5, -3.25], [-2.25, -3.0], [-1.25, 2.0], [-3.75, -1.0], [0.5, -3.0], [-3.75, -0.25], [-2.75, -0.25], [3.25, 1.25], [2.75, -2.5], [-3.75, -1.75], [3.0, 0.0], [-2.75, -1.5], [-2.0, -0.75], [-1.75, -3.75], [3.75, 0.5], [-3.5, 2.25], [1.25, -1.0], [-1.5, -3.0], [3.25, 0.25], [-0.5, 2.75], [1.5, -3.25], [-3.75, -3.0], [-1.75, 2.0], [3.0, -0.5], [-1.5, 2.5], [2.5, 1.0]]> : tensor<65x2xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<65x2xf32>, tensor<f32>) -> tensor<65xf32>
  %wanted = stablehlo.constant dense<[-3.25, -2.25, -2.25, -1.75, 3.5, -1.5, -2.0, 4.75, -4.0, -1.5, -6.75, -5.5, 0.0, 6.5, -6.25, 5.75, 2.0, 2.0, -4.0, -2.5, -5.75, 3.5, 0.25, 0.25, 2.0, 6.0, 1.0, -2.25, 2.0, -0.25, -5.25, 1.0, 2.25, -2.0, -5.0, -2.75, -0.25, 1.0, 2.0, -4.75, -5.25, 0.75, -4.75, -2.5, -4.0, -3.0, 4.5, 0.25, -5.5, 3.0, -4.25, -2.75, -5.5, 4.25, -1.25, 0.25, -4.5, 3.5, 2.25, -1.75, -6.75, 0.25, 2.5, 1.0, 3.5]> : tensor<65xf32>
  check.expect_eq %r, %wanted : tensor<65xf32>
  func.return
}

// -----

func.func @reduce_f32_0x4_dims1() {
  %a = stablehlo.constant dense<> : tensor<0x4xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<0x4xf32>, tensor<f32>) -> tensor<0xf32>
  %wanted = stablehlo.constant dense<> : tensor<0xf32>
  check.expect_eq %r, %wanted : tensor<0xf32>
  func.return
}

// -----

func.func @reduce_f32_3x37_dims0() {
  %a = stablehlo.constant dense<[[-1.5, -1.75, -3.25, 1.0, -1.5, -0.75, -0.25, -1.5, 0.0, 3.5, 2.25, -3.75, -1.25, -0.75, 2.25, 2.5, -0.25, -3.75, -1.0, -0.5, -3.0, -3.75, -2.0, -3.5, -1.0, 1.0, 2.75, 3.75, -3.5, -2.75, 3.25, 2.5, -0.25, 2.25, 1.5, 0.5, -1.25], [-2.75, -2.75, 0.25, -3.0, -2.75, 3.5, 0.0, -3.5, 3.75, -3.5, 3.75, 0.75, 1.25, 3.0, 3.0, -1.25, 2.25, -2.75, 0.5, 2.5, -0.5, 1.75, -2.0, -2.75, -2.5, -1.5, 2.5, 3.75, -1.5, -3.25, 1.25, -1.25, -3.75, 0.5, -3.25, 1.5, -1.75], [2.75, -1.75, 2.0, 0.0, -1.5, -3.25, -2.25, -3.0, -1.25, 2.0, -3.75, -1.0, 0.5, -3.0, -3.75, -0.25, -2.75, -0.25, 3.25, 1.25, 2.75, -2.5, -3.75, -1.75, 3.0, 0.0, -2.75, -1.5, -2.0, -0.75, -1.75, -3.75, 3.75, 0.5, -3.5, 2.25, 1.25]]> : tensor<3x37xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<3x37xf32>, tensor<f32>) -> tensor<37xf32>
  %wanted = stablehlo.constant dense<[-1.5, -6.25, -1.0, -2.0, -5.75, -0.5, -2.5, -8.0, 2.5, 2.0, 2.25, -4.0, 0.5, -0.75, 1.5, 1.0, -0.75, -6.75, 2.75, 3.25, -0.75, -4.5, -7.75, -8.0, -0.5, -0.5, 2.5, 6.0, -7.0, -6.75, 2.75, -2.5, -0.25, 3.25, -5.25, 4.25, -1.75]> : tensor<37xf32>
  check.expect_eq %r, %wanted : tensor<37xf32>
  func.return
}

// -----

func.func @reduce_f32_65x2_dims0() {
  %a = stablehlo.constant dense<[[-1.5, -1.75], [-3.25, 1.0], [-1.5, -0.75], [-0.25, -1.5], [0.0, 3.5], [2.25, -3.75], [-1.25, -0.75], [2.25, 2.5], [-0.25, -3.75], [-1.0, -0.5], [-3.0, -3.75], [-2.0, -3.5], [-1.0, 1.0], [2.75, 3.75], [-3.5, -2.75], [3.25, 2.5], [-0.25, 2.25], [1.5, 0.5], [-1.25, -2.75], [-2.75, 0.25], [-3.0, -2.75], [3.5, 0.0], [-3.5, 3.75], [-3.5, 3.75], [0.75, 1.25], [3.0, 3.0], [-1.25, 2.25], [-2.75, 0.5], [2.5, -0.5], [1.75, -2.0], [-2.75, -2.5], [-1.5, 2.5], [3.75, -1.5], [-3.25, 1.25], [-1.25, -3.75], [0.5, -3.25], [1.5, -1.75], [2.75, -1.75], [2.0, 0.0], [-1.5, -3.25], [-2.25, -3.0], [-1.25, 2.0], [-3.75, -1.0], [0.5, -3.0], [-3.75, -0.25], [-2.75, -0.25], [3.25, 1.25], [2.75, -2.5], [-3.75, -1.75], [3.0, 0.0], [-2.75, -1.5], [-2.0, -0.75], [-1.75, -3.75], [3.75, 0.5], [-3.5, 2.25], [1.25, -1.0], [-1.5, -3.0], [3.25, 0.25], [-0.5, 2.75], [1.5, -3.25], [-3.75, -3.0], [-1.75, 2.0], [3.0, -0.5], [-1.5, 2.5], [2.5, 1.0]]> : tensor<65x2xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<65x2xf32>, tensor<f32>) -> tensor<2xf32>
  %wanted = stablehlo.constant dense<[-24.75, -27.0]> : tensor<2xf32>
  check.expect_eq %r, %wanted : tensor<2xf32>
  func.return
}

// -----

func.func @reduce_f32_0x4_dims0() {
  %a = stablehlo.constant dense<> : tensor<0x4xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
  %wanted = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  check.expect_eq %r, %wanted : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_f32_3x37_dims01() {
  %a = stablehlo.constant dense<[[-1.5, -1.75, -3.25, 1.0, -1.5, -0.75, -0.25, -1.5, 0.0, 3.5, 2.25, -3.75, -1.25, -0.75, 2.25, 2.5, -0.25, -3.75, -1.0, -0.5, -3.0, -3.75, -2.0, -3.5, -1.0, 1.0, 2.75, 3.75, -3.5, -2.75, 3.25, 2.5, -0.25, 2.25, 1.5, 0.5, -1.25], [-2.75, -2.75, 0.25, -3.0, -2.75, 3.5, 0.0, -3.5, 3.75, -3.5, 3.75, 0.75, 1.25, 3.0, 3.0, -1.25, 2.25, -2.75, 0.5, 2.5, -0.5, 1.75, -2.0, -2.75, -2.5, -1.5, 2.5, 3.75, -1.5, -3.25, 1.25, -1.25, -3.75, 0.5, -3.25, 1.5, -1.75], [2.75, -1.75, 2.0, 0.0, -1.5, -3.25, -2.25, -3.0, -1.25, 2.0, -3.75, -1.0, 0.5, -3.0, -3.75, -0.25, -2.75, -0.25, 3.25, 1.25, 2.75, -2.5, -3.75, -1.75, 3.0, 0.0, -2.75, -1.5, -2.0, -0.75, -1.75, -3.75, 3.75, 0.5, -3.5, 2.25, 1.25]]> : tensor<3x37xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x37xf32>, tensor<f32>) -> tensor<f32>
  %wanted = stablehlo.constant dense<-50.75> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @reduce_f32_65x2_dims01() {
  %a = stablehlo.constant dense<[[-1.5, -1.75], [-3.25, 1.0], [-1.5, -0.75], [-0.25, -1.5], [0.0, 3.5], [2.25, -3.75], [-1.25, -0.75], [2.25, 2.5], [-0.25, -3.75], [-1.0, -0.5], [-3.0, -3.75], [-2.0, -3.5], [-1.0, 1.0], [2.75, 3.75], [-3.5, -2.75], [3.25, 2.5], [-0.25, 2.25], [1.5, 0.5], [-1.25, -2.75], [-2.75, 0.25], [-3.0, -2.75], [3.5, 0.0], [-3.5, 3.75], [-3.5, 3.75], [0.75, 1.25], [3.0, 3.0], [-1.25, 2.25], [-2.75, 0.5], [2.5, -0.5], [1.75, -2.0], [-2.75, -2.5], [-1.5, 2.5], [3.75, -1.5], [-3.25, 1.25], [-1.25, -3.75], [0.5, -3.25], [1.5, -1.75], [2.75, -1.75], [2.0, 0.0], [-1.5, -3.25], [-2.25, -3.0], [-1.25, 2.0], [-3.75, -1.0], [0.5, -3.0], [-3.75, -0.25], [-2.75, -0.25], [3.25, 1.25], [2.75, -2.5], [-3.75, -1.75], [3.0, 0.0], [-2.75, -1.5], [-2.0, -0.75], [-1.75, -3.75], [3.75, 0.5], [-3.5, 2.25], [1.25, -1.0], [-1.5, -3.0], [3.25, 0.25], [-0.5, 2.75], [1.5, -3.25], [-3.75, -3.0], [-1.75, 2.0], [3.0, -0.5], [-1.5, 2.5], [2.5, 1.0]]> : tensor<65x2xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<65x2xf32>, tensor<f32>) -> tensor<f32>
  %wanted = stablehlo.constant dense<-51.75> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @reduce_f32_0x4_dims01() {
  %a = stablehlo.constant dense<> : tensor<0x4xf32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<0x4xf32>, tensor<f32>) -> tensor<f32>
  %wanted = stablehlo.constant dense<0.0> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @reduce_f64_3x37_dims1() {
  %a = stablehlo.constant dense<[[-1.5, -1.75, -3.25, 1.0, -1.5, -0.75, -0.25, -1.5, 0.0, 3.5, 2.25, -3.75, -1.25, -0.75, 2.25, 2.5, -0.25, -3.75, -1.0, -0.5, -3.0, -3.75, -2.0, -3.5, -1.0, 1.0, 2.75, 3.75, -3.5, -2.75, 3.25, 2.5, -0.25, 2.25, 1.5, 0.5, -1.25], [-2.75, -2.75, 0.25, -3.0, -2.75, 3.5, 0.0, -3.5, 3.75, -3.5, 3.75, 0.75, 1.25, 3.0, 3.0, -1.25, 2.25, -2.75, 0.5, 2.5, -0.5, 1.75, -2.0, -2.75, -2.5, -1.5, 2.5, 3.75, -1.5, -3.25, 1.25, -1.25, -3.75, 0.5, -3.25, 1.5, -1.75], [2.75, -1.75, 2.0, 0.0, -1.5, -3.25, -2.25, -3.0, -1.25, 2.0, -3.75, -1.0, 0.5, -3.0, -3.75, -0.25, -2.75, -0.25, 3.25, 1.25, 2.75, -2.5, -3.75, -1.75, 3.0, 0.0, -2.75, -1.5, -2.0, -0.75, -1.75, -3.75, 3.75, 0.5, -3.5, 2.25, 1.25]]> : tensor<3x37xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<3x37xf64>, tensor<f64>) -> tensor<3xf64>
  %wanted = stablehlo.constant dense<[-13.75, -10.5, -26.5]> : tensor<3xf64>
  check.expect_eq %r, %wanted : tensor<3xf64>
  func.return
}

// -----

func.func @reduce_f64_65x2_dims1() {
  %a = stablehlo.constant dense<[[-1.5, -1.75], [-3.25, 1.0], [-1.5, -0.75], [-0.25, -1.5], [0.0, 3.5], [2.25, -3.75], [-1.25, -0.75], [2.25, 2.5], [-0.25, -3.75], [-1.0, -0.5], [-3.0, -3.75], [-2.0, -3.5], [-1.0, 1.0], [2.75, 3.75], [-3.5, -2.75], [3.25, 2.5], [-0.25, 2.25], [1.5, 0.5], [-1.25, -2.75], [-2.75, 0.25], [-3.0, -2.75], [3.5, 0.0], [-3.5, 3.75], [-3.5, 3.75], [0.75, 1.25], [3.0, 3.0], [-1.25, 2.25], [-2.75, 0.5], [2.5, -0.5], [1.75, -2.0], [-2.75, -2.5], [-1.5, 2.5], [3.75, -1.5], [-3.25, 1.25], [-1.25, -3.75], [0.5, -3.25], [1.5, -1.75], [2.75, -1.75], [2.0, 0.0], [-1.5, -3.25], [-2.25, -3.0], [-1.25, 2.0], [-3.75, -1.0], [0.5, -3.0], [-3.75, -0.25], [-2.75, -0.25], [3.25, 1.25], [2.75, -2.5], [-3.75, -1.75], [3.0, 0.0], [-2.75, -1.5], [-2.0, -0.75], [-1.75, -3.75], [3.75, 0.5], [-3.5, 2.25], [1.25, -1.0], [-1.5, -3.0], [3.25, 0.25], [-0.5, 2.75], [1.5, -3.25], [-3.75, -3.0], [-1.75, 2.0], [3.0, -0.5], [-1.5, 2.5], [2.5, 1.0]]> : tensor<65x2xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<65x2xf64>, tensor<f64>) -> tensor<65xf64>
  %wanted = stablehlo.constant dense<[-3.25, -2.25, -2.25, -1.75, 3.5, -1.5, -2.0, 4.75, -4.0, -1.5, -6.75, -5.5, 0.0, 6.5, -6.25, 5.75, 2.0, 2.0, -4.0, -2.5, -5.75, 3.5, 0.25, 0.25, 2.0, 6.0, 1.0, -2.25, 2.0, -0.25, -5.25, 1.0, 2.25, -2.0, -5.0, -2.75, -0.25, 1.0, 2.0, -4.75, -5.25, 0.75, -4.75, -2.5, -4.0, -3.0, 4.5, 0.25, -5.5, 3.0, -4.25, -2.75, -5.5, 4.25, -1.25, 0.25, -4.5, 3.5, 2.25, -1.75, -6.75, 0.25, 2.5, 1.0, 3.5]> : tensor<65xf64>
  check.expect_eq %r, %wanted : tensor<65xf64>
  func.return
}

// -----

func.func @reduce_f64_0x4_dims1() {
  %a = stablehlo.constant dense<> : tensor<0x4xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<0x4xf64>, tensor<f64>) -> tensor<0xf64>
  %wanted = stablehlo.constant dense<> : tensor<0xf64>
  check.expect_eq %r, %wanted : tensor<0xf64>
  func.return
}

// -----

func.func @reduce_f64_3x37_dims0() {
  %a = stablehlo.constant dense<[[-1.5, -1.75, -3.25, 1.0, -1.5, -0.75, -0.25, -1.5, 0.0, 3.5, 2.25, -3.75, -1.25, -0.75, 2.25, 2.5, -0.25, -3.75, -1.0, -0.5, -3.0, -3.75, -2.0, -3.5, -1.0, 1.0, 2.75, 3.75, -3.5, -2.75, 3.25, 2.5, -0.25, 2.25, 1.5, 0.5, -1.25], [-2.75, -2.75, 0.25, -3.0, -2.75, 3.5, 0.0, -3.5, 3.75, -3.5, 3.75, 0.75, 1.25, 3.0, 3.0, -1.25, 2.25, -2.75, 0.5, 2.5, -0.5, 1.75, -2.0, -2.75, -2.5, -1.5, 2.5, 3.75, -1.5, -3.25, 1.25, -1.25, -3.75, 0.5, -3.25, 1.5, -1.75], [2.75, -1.75, 2.0, 0.0, -1.5, -3.25, -2.25, -3.0, -1.25, 2.0, -3.75, -1.0, 0.5, -3.0, -3.75, -0.25, -2.75, -0.25, 3.25, 1.25, 2.75, -2.5, -3.75, -1.75, 3.0, 0.0, -2.75, -1.5, -2.0, -0.75, -1.75, -3.75, 3.75, 0.5, -3.5, 2.25, 1.25]]> : tensor<3x37xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<3x37xf64>, tensor<f64>) -> tensor<37xf64>
  %wanted = stablehlo.constant dense<[-1.5, -6.25, -1.0, -2.0, -5.75, -0.5, -2.5, -8.0, 2.5, 2.0, 2.25, -4.0, 0.5, -0.75, 1.5, 1.0, -0.75, -6.75, 2.75, 3.25, -0.75, -4.5, -7.75, -8.0, -0.5, -0.5, 2.5, 6.0, -7.0, -6.75, 2.75, -2.5, -0.25, 3.25, -5.25, 4.25, -1.75]> : tensor<37xf64>
  check.expect_eq %r, %wanted : tensor<37xf64>
  func.return
}

// -----

func.func @reduce_f64_65x2_dims0() {
  %a = stablehlo.constant dense<[[-1.5, -1.75], [-3.25, 1.0], [-1.5, -0.75], [-0.25, -1.5], [0.0, 3.5], [2.25, -3.75], [-1.25, -0.75], [2.25, 2.5], [-0.25, -3.75], [-1.0, -0.5], [-3.0, -3.75], [-2.0, -3.5], [-1.0, 1.0], [2.75, 3.75], [-3.5, -2.75], [3.25, 2.5], [-0.25, 2.25], [1.5, 0.5], [-1.25, -2.75], [-2.75, 0.25], [-3.0, -2.75], [3.5, 0.0], [-3.5, 3.75], [-3.5, 3.75], [0.75, 1.25], [3.0, 3.0], [-1.25, 2.25], [-2.75, 0.5], [2.5, -0.5], [1.75, -2.0], [-2.75, -2.5], [-1.5, 2.5], [3.75, -1.5], [-3.25, 1.25], [-1.25, -3.75], [0.5, -3.25], [1.5, -1.75], [2.75, -1.75], [2.0, 0.0], [-1.5, -3.25], [-2.25, -3.0], [-1.25, 2.0], [-3.75, -1.0], [0.5, -3.0], [-3.75, -0.25], [-2.75, -0.25], [3.25, 1.25], [2.75, -2.5], [-3.75, -1.75], [3.0, 0.0], [-2.75, -1.5], [-2.0, -0.75], [-1.75, -3.75], [3.75, 0.5], [-3.5, 2.25], [1.25, -1.0], [-1.5, -3.0], [3.25, 0.25], [-0.5, 2.75], [1.5, -3.25], [-3.75, -3.0], [-1.75, 2.0], [3.0, -0.5], [-1.5, 2.5], [2.5, 1.0]]> : tensor<65x2xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<65x2xf64>, tensor<f64>) -> tensor<2xf64>
  %wanted = stablehlo.constant dense<[-24.75, -27.0]> : tensor<2xf64>
  check.expect_eq %r, %wanted : tensor<2xf64>
  func.return
}

// -----

func.func @reduce_f64_0x4_dims0() {
  %a = stablehlo.constant dense<> : tensor<0x4xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<0x4xf64>, tensor<f64>) -> tensor<4xf64>
  %wanted = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf64>
  check.expect_eq %r, %wanted : tensor<4xf64>
  func.return
}

// -----

func.func @reduce_f64_3x37_dims01() {
  %a = stablehlo.constant dense<[[-1.5, -1.75, -3.25, 1.0, -1.5, -0.75, -0.25, -1.5, 0.0, 3.5, 2.25, -3.75, -1.25, -0.75, 2.25, 2.5, -0.25, -3.75, -1.0, -0.5, -3.0, -3.75, -2.0, -3.5, -1.0, 1.0, 2.75, 3.75, -3.5, -2.75, 3.25, 2.5, -0.25, 2.25, 1.5, 0.5, -1.25], [-2.75, -2.75, 0.25, -3.0, -2.75, 3.5, 0.0, -3.5, 3.75, -3.5, 3.75, 0.75, 1.25, 3.0, 3.0, -1.25, 2.25, -2.75, 0.5, 2.5, -0.5, 1.75, -2.0, -2.75, -2.5, -1.5, 2.5, 3.75, -1.5, -3.25, 1.25, -1.25, -3.75, 0.5, -3.25, 1.5, -1.75], [2.75, -1.75, 2.0, 0.0, -1.5, -3.25, -2.25, -3.0, -1.25, 2.0, -3.75, -1.0, 0.5, -3.0, -3.75, -0.25, -2.75, -0.25, 3.25, 1.25, 2.75, -2.5, -3.75, -1.75, 3.0, 0.0, -2.75, -1.5, -2.0, -0.75, -1.75, -3.75, 3.75, 0.5, -3.5, 2.25, 1.25]]> : tensor<3x37xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x37xf64>, tensor<f64>) -> tensor<f64>
  %wanted = stablehlo.constant dense<-50.75> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @reduce_f64_65x2_dims01() {
  %a = stablehlo.constant dense<[[-1.5, -1.75], [-3.25, 1.0], [-1.5, -0.75], [-0.25, -1.5], [0.0, 3.5], [2.25, -3.75], [-1.25, -0.75], [2.25, 2.5], [-0.25, -3.75], [-1.0, -0.5], [-3.0, -3.75], [-2.0, -3.5], [-1.0, 1.0], [2.75, 3.75], [-3.5, -2.75], [3.25, 2.5], [-0.25, 2.25], [1.5, 0.5], [-1.25, -2.75], [-2.75, 0.25], [-3.0, -2.75], [3.5, 0.0], [-3.5, 3.75], [-3.5, 3.75], [0.75, 1.25], [3.0, 3.0], [-1.25, 2.25], [-2.75, 0.5], [2.5, -0.5], [1.75, -2.0], [-2.75, -2.5], [-1.5, 2.5], [3.75, -1.5], [-3.25, 1.25], [-1.25, -3.75], [0.5, -3.25], [1.5, -1.75], [2.75, -1.75], [2.0, 0.0], [-1.5, -3.25], [-2.25, -3.0], [-1.25, 2.0], [-3.75, -1.0], [0.5, -3.0], [-3.75, -0.25], [-2.75, -0.25], [3.25, 1.25], [2.75, -2.5], [-3.75, -1.75], [3.0, 0.0], [-2.75, -1.5], [-2.0, -0.75], [-1.75, -3.75], [3.75, 0.5], [-3.5, 2.25], [1.25, -1.0], [-1.5, -3.0], [3.25, 0.25], [-0.5, 2.75], [1.5, -3.25], [-3.75, -3.0], [-1.75, 2.0], [3.0, -0.5], [-1.5, 2.5], [2.5, 1.0]]> : tensor<65x2xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<65x2xf64>, tensor<f64>) -> tensor<f64>
  %wanted = stablehlo.constant dense<-51.75> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @reduce_f64_0x4_dims01() {
  %a = stablehlo.constant dense<> : tensor<0x4xf64>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<0x4xf64>, tensor<f64>) -> tensor<f64>
  %wanted = stablehlo.constant dense<0.0> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @reduce_i32_3x37_dims1() {
  %a = stablehlo.constant dense<[[2, 1, -5, -4, 2, 5, 7, 2, -8, 6, 1, -7, 3, 5, 1, 2, 7, -7, 4, 6, -4, -7, 0, -6, 4, -4, 3, 7, -6, -3, 5, 2, 7, 1, -2, -6, 3], [-3, -3, -7, -4, -3, 6, -8, -6, 7, -6, 7, -5, -3, 4, 4, 3, 1, -3, -6, 2, 6, -1, 0, -3, -2, 2, 2, 7, 2, -5, -3, 3, -7, -6, -5, -2, 1], [3, 1, 0, -8, 2, -5, -1, -4, 3, 0, -7, 4, -6, -4, -7, 7, -3, 7, 5, -3, 3, -2, -7, 1, 4, -8, -3, 2, 0, 5, 1, -7, 7, -6, -6, 1, -3]]> : tensor<3x37xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<3x37xi32>, tensor<i32>) -> tensor<3xi32>
  %wanted = stablehlo.constant dense<[17, -34, -34]> : tensor<3xi32>
  check.expect_eq %r, %wanted : tensor<3xi32>
  func.return
}

// -----

func.func @reduce_i32_65x2_dims1() {
  %a = stablehlo.constant dense<[[2, 1], [-5, -4], [2, 5], [7, 2], [-8, 6], [1, -7], [3, 5], [1, 2], [7, -7], [4, 6], [-4, -7], [0, -6], [4, -4], [3, 7], [-6, -3], [5, 2], [7, 1], [-2, -6], [3, -3], [-3, -7], [-4, -3], [6, -8], [-6, 7], [-6, 7], [-5, -3], [4, 4], [3, 1], [-3, -6], [2, 6], [-1, 0], [-3, -2], [2, 2], [7, 2], [-5, -3], [3, -7], [-6, -5], [-2, 1], [3, 1], [0, -8], [2, -5], [-1, -4], [3, 0], [-7, 4], [-6, -4], [-7, 7], [-3, 7], [5, -3], [3, -2], [-7, 1], [4, -8], [-3, 2], [0, 5], [1, -7], [7, -6], [-6, 1], [-3, 4], [2, -4], [5, -7], [6, 3], [-2, -5], [-7, -4], [1, 0], [4, 6], [2, 2], [2, -4]]> : tensor<65x2xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<65x2xi32>, tensor<i32>) -> tensor<65xi32>
  %wanted = stablehlo.constant dense<[3, -9, 7, 9, -2, -6, 8, 3, 0, 10, -11, -6, 0, 10, -9, 7, 8, -8, 0, -10, -7, -2, 1, 1, -8, 8, 4, -9, 8, -1, -5, 4, 9, -8, -4, -11, -1, 4, -8, -3, -5, 3, -3, -10, 0, 4, 2, 1, -6, -4, -1, 5, -6, 1, -5, 1, -2, -2, 9, -7, -11, 1, 10, 4, -2]> : tensor<65xi32>
  check.expect_eq %r, %wanted : tensor<65xi32>
  func.return
}

// -----

func.func @reduce_i32_0x4_dims1() {
  %a = stablehlo.constant dense<> : tensor<0x4xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<0x4xi32>, tensor<i32>) -> tensor<0xi32>
  %wanted = stablehlo.constant dense<> : tensor<0xi32>
  check.expect_eq %r, %wanted : tensor<0xi32>
  func.return
}

// -----

func.func @reduce_i32_3x37_dims0() {
  %a = stablehlo.constant dense<[[2, 1, -5, -4, 2, 5, 7, 2, -8, 6, 1, -7, 3, 5, 1, 2, 7, -7, 4, 6, -4, -7, 0, -6, 4, -4, 3, 7, -6, -3, 5, 2, 7, 1, -2, -6, 3], [-3, -3, -7, -4, -3, 6, -8, -6, 7, -6, 7, -5, -3, 4, 4, 3, 1, -3, -6, 2, 6, -1, 0, -3, -2, 2, 2, 7, 2, -5, -3, 3, -7, -6, -5, -2, 1], [3, 1, 0, -8, 2, -5, -1, -4, 3, 0, -7, 4, -6, -4, -7, 7, -3, 7, 5, -3, 3, -2, -7, 1, 4, -8, -3, 2, 0, 5, 1, -7, 7, -6, -6, 1, -3]]> : tensor<3x37xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<3x37xi32>, tensor<i32>) -> tensor<37xi32>
  %wanted = stablehlo.constant dense<[2, -1, -12, -16, 1, 6, -2, -8, 2, 0, 1, -8, -6, 5, -2, 12, 5, -3, 3, 5, 5, -10, -7, -8, 6, -10, 2, 16, -4, -3, 3, -2, 7, -11, -13, -7, 1]> : tensor<37xi32>
  check.expect_eq %r, %wanted : tensor<37xi32>
  func.return
}

// -----

func.func @reduce_i32_65x2_dims0() {
  %a = stablehlo.constant dense<[[2, 1], [-5, -4], [2, 5], [7, 2], [-8, 6], [1, -7], [3, 5], [1, 2], [7, -7], [4, 6], [-4, -7], [0, -6], [4, -4], [3, 7], [-6, -3], [5, 2], [7, 1], [-2, -6], [3, -3], [-3, -7], [-4, -3], [6, -8], [-6, 7], [-6, 7], [-5, -3], [4, 4], [3, 1], [-3, -6], [2, 6], [-1, 0], [-3, -2], [2, 2], [7, 2], [-5, -3], [3, -7], [-6, -5], [-2, 1], [3, 1], [0, -8], [2, -5], [-1, -4], [3, 0], [-7, 4], [-6, -4], [-7, 7], [-3, 7], [5, -3], [3, -2], [-7, 1], [4, -8], [-3, 2], [0, 5], [1, -7], [7, -6], [-6, 1], [-3, 4], [2, -4], [5, -7], [6, 3], [-2, -5], [-7, -4], [1, 0], [4, 6], [2, 2], [2, -4]]> : tensor<65x2xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<65x2xi32>, tensor<i32>) -> tensor<2xi32>
  %wanted = stablehlo.constant dense<[5, -52]> : tensor<2xi32>
  check.expect_eq %r, %wanted : tensor<2xi32>
  func.return
}

// -----

func.func @reduce_i32_0x4_dims0() {
  %a = stablehlo.constant dense<> : tensor<0x4xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<0x4xi32>, tensor<i32>) -> tensor<4xi32>
  %wanted = stablehlo.constant dense<[0, 0, 0, 0]> : tensor<4xi32>
  check.expect_eq %r, %wanted : tensor<4xi32>
  func.return
}

// -----

func.func @reduce_i32_3x37_dims01() {
  %a = stablehlo.constant dense<[[2, 1, -5, -4, 2, 5, 7, 2, -8, 6, 1, -7, 3, 5, 1, 2, 7, -7, 4, 6, -4, -7, 0, -6, 4, -4, 3, 7, -6, -3, 5, 2, 7, 1, -2, -6, 3], [-3, -3, -7, -4, -3, 6, -8, -6, 7, -6, 7, -5, -3, 4, 4, 3, 1, -3, -6, 2, 6, -1, 0, -3, -2, 2, 2, 7, 2, -5, -3, 3, -7, -6, -5, -2, 1], [3, 1, 0, -8, 2, -5, -1, -4, 3, 0, -7, 4, -6, -4, -7, 7, -3, 7, 5, -3, 3, -2, -7, 1, 4, -8, -3, 2, 0, 5, 1, -7, 7, -6, -6, 1, -3]]> : tensor<3x37xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x37xi32>, tensor<i32>) -> tensor<i32>
  %wanted = stablehlo.constant dense<-51> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

func.func @reduce_i32_65x2_dims01() {
  %a = stablehlo.constant dense<[[2, 1], [-5, -4], [2, 5], [7, 2], [-8, 6], [1, -7], [3, 5], [1, 2], [7, -7], [4, 6], [-4, -7], [0, -6], [4, -4], [3, 7], [-6, -3], [5, 2], [7, 1], [-2, -6], [3, -3], [-3, -7], [-4, -3], [6, -8], [-6, 7], [-6, 7], [-5, -3], [4, 4], [3, 1], [-3, -6], [2, 6], [-1, 0], [-3, -2], [2, 2], [7, 2], [-5, -3], [3, -7], [-6, -5], [-2, 1], [3, 1], [0, -8], [2, -5], [-1, -4], [3, 0], [-7, 4], [-6, -4], [-7, 7], [-3, 7], [5, -3], [3, -2], [-7, 1], [4, -8], [-3, 2], [0, 5], [1, -7], [7, -6], [-6, 1], [-3, 4], [2, -4], [5, -7], [6, 3], [-2, -5], [-7, -4], [1, 0], [4, 6], [2, 2], [2, -4]]> : tensor<65x2xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<65x2xi32>, tensor<i32>) -> tensor<i32>
  %wanted = stablehlo.constant dense<-47> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

func.func @reduce_i32_0x4_dims01() {
  %a = stablehlo.constant dense<> : tensor<0x4xi32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<0x4xi32>, tensor<i32>) -> tensor<i32>
  %wanted = stablehlo.constant dense<0> : tensor<i32>
  check.expect_eq %r, %wanted : tensor<i32>
  func.return
}

// -----

// Sums of slices that fill no cache, in the order of memory.
func.func @one_dimension() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.iota dim = 1 : tensor<1030x2056xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1030x2056xf32>, tensor<f32>) -> tensor<2056xf32>
  %2 = stablehlo.iota dim = 0 : tensor<2056xf32>
  %3 = stablehlo.constant dense<1030.0> : tensor<2056xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<2056xf32>
  check.expect_eq %1, %4 : tensor<2056xf32>
  func.return
}

// -----

func.func @several_dimensions() {
  %low = stablehlo.constant dense<-5> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<35x3x21x1031xi32>
  %1 = stablehlo.iota dim = 1 : tensor<35x3x21x1031xi32>
  %2 = stablehlo.iota dim = 2 : tensor<35x3x21x1031xi32>
  %3 = stablehlo.iota dim = 3 : tensor<35x3x21x1031xi32>
  %4 = stablehlo.add %0, %1 : tensor<35x3x21x1031xi32>
  %5 = stablehlo.add %2, %3 : tensor<35x3x21x1031xi32>
  %6 = stablehlo.add %4, %5 : tensor<35x3x21x1031xi32>
  %7 = stablehlo.reduce(%6 init: %low) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<35x3x21x1031xi32>, tensor<i32>) -> tensor<1031xi32>
  %8 = stablehlo.iota dim = 0 : tensor<1031xi32>
  %9 = stablehlo.constant dense<56> : tensor<1031xi32>
  %10 = stablehlo.add %8, %9 : tensor<1031xi32>
  check.expect_eq %7, %10 : tensor<1031xi32>
  func.return
}

// -----

// Few sums of many addends, over the first dimensions: their chunks' sums are
// added up row by row of the result.
func.func @several_rows_of_results() {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.iota dim = 2 : tensor<8x128x6x32xf32>
  %1 = stablehlo.iota dim = 3 : tensor<8x128x6x32xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x128x6x32xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x128x6x32xf32>, tensor<f32>) -> tensor<6x32xf32>
  %4 = stablehlo.iota dim = 0 : tensor<6x32xf32>
  %5 = stablehlo.iota dim = 1 : tensor<6x32xf32>
  %6 = stablehlo.add %4, %5 : tensor<6x32xf32>
  %7 = stablehlo.constant dense<1024.0> : tensor<6x32xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<6x32xf32>
  check.expect_eq %3, %8 : tensor<6x32xf32>
  func.return
}
