func.func @floor_f16_scalar() {
  %a = stablehlo.constant dense<-1.5> : tensor<f16>
  %r = stablehlo.floor %a : tensor<f16>
  %wanted = stablehlo.constant dense<-2.0> : tensor<f16>
  check.expect_eq %r, %wanted : tensor<f16>
  func.return
}

// -----

func.func @floor_f16_21() {
  %a = stablehlo.constant dense<[-1.5, 2.0, 2.25, -3.25, 2.0, -2.0, -4.0, 1.25, 3.25, 0.75, -1.5, -1.25, 2.25, -1.75, -1.5, 1.25, 1.75, -2.5, -4.0, 1.0, -1.0]> : tensor<21xf16>
  %r = stablehlo.floor %a : tensor<21xf16>
  %wanted = stablehlo.constant dense<[-2.0, 2.0, 2.0, -4.0, 2.0, -2.0, -4.0, 1.0, 3.0, 0.0, -2.0, -2.0, 2.0, -2.0, -2.0, 1.0, 1.0, -3.0, -4.0, 1.0, -1.0]> : tensor<21xf16>
  check.expect_eq %r, %wanted : tensor<21xf16>
  func.return
}

// -----

func.func @floor_f16_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf16>
  %r = stablehlo.floor %a : tensor<2x0xf16>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf16>
  check.expect_eq %r, %wanted : tensor<2x0xf16>
  func.return
}

// -----

func.func @floor_f32_scalar() {
  %a = stablehlo.constant dense<-1.5> : tensor<f32>
  %r = stablehlo.floor %a : tensor<f32>
  %wanted = stablehlo.constant dense<-2.0> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @floor_f32_21() {
  %a = stablehlo.constant dense<[-1.5, 2.0, 2.25, -3.25, 2.0, -2.0, -4.0, 1.25, 3.25, 0.75, -1.5, -1.25, 2.25, -1.75, -1.5, 1.25, 1.75, -2.5, -4.0, 1.0, -1.0]> : tensor<21xf32>
  %r = stablehlo.floor %a : tensor<21xf32>
  %wanted = stablehlo.constant dense<[-2.0, 2.0, 2.0, -4.0, 2.0, -2.0, -4.0, 1.0, 3.0, 0.0, -2.0, -2.0, 2.0, -2.0, -2.0, 1.0, 1.0, -3.0, -4.0, 1.0, -1.0]> : tensor<21xf32>
  check.expect_eq %r, %wanted : tensor<21xf32>
  func.return
}

// -----

func.func @floor_f32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.floor %a : tensor<2x0xf32>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf32>
  check.expect_eq %r, %wanted : tensor<2x0xf32>
  func.return
}

// -----

func.func @floor_f64_scalar() {
  %a = stablehlo.constant dense<-1.5> : tensor<f64>
  %r = stablehlo.floor %a : tensor<f64>
  %wanted = stablehlo.constant dense<-2.0> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @floor_f64_21() {
  %a = stablehlo.constant dense<[-1.5, 2.0, 2.25, -3.25, 2.0, -2.0, -4.0, 1.25, 3.25, 0.75, -1.5, -1.25, 2.25, -1.75, -1.5, 1.25, 1.75, -2.5, -4.0, 1.0, -1.0]> : tensor<21xf64>
  %r = stablehlo.floor %a : tensor<21xf64>
  %wanted = stablehlo.constant dense<[-2.0, 2.0, 2.0, -4.0, 2.0, -2.0, -4.0, 1.0, 3.0, 0.0, -2.0, -2.0, 2.0, -2.0, -2.0, 1.0, 1.0, -3.0, -4.0, 1.0, -1.0]> : tensor<21xf64>
  check.expect_eq %r, %wanted : tensor<21xf64>
  func.return
}

// -----

func.func @floor_f64_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf64>
  %r = stablehlo.floor %a : tensor<2x0xf64>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf64>
  check.expect_eq %r, %wanted : tensor<2x0xf64>
  func.return
}
