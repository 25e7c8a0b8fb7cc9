func.func @sqrt_f32_scalar() {
  %a = stablehlo.constant dense<1.5> : tensor<f32>
  %r = stablehlo.sqrt %a : tensor<f32>
  %wanted = stablehlo.constant dense<1.2247449159622192> : tensor<f32>
  check.expect_eq %r, %wanted : tensor<f32>
  func.return
}

// -----

func.func @sqrt_f32_21() {
  %a = stablehlo.constant dense<[1.5, 2.0, 2.25, 3.25, 2.0, 2.0, 4.0, 1.25, 3.25, 0.75, 1.5, 1.25, 2.25, 1.75, 1.5, 1.25, 1.75, 2.5, 4.0, 1.0, 1.0]> : tensor<21xf32>
  %r = stablehlo.sqrt %a : tensor<21xf32>
  %wanted = stablehlo.constant dense<[1.2247449159622192, 1.4142135381698608, 1.5, 1.8027756214141846, 1.4142135381698608, 1.4142135381698608, 2.0, 1.1180340051651, 1.8027756214141846, 0.8660253882408142, 1.2247449159622192, 1.1180340051651, 1.5, 1.3228756189346313, 1.2247449159622192, 1.1180340051651, 1.3228756189346313, 1.5811388492584229, 2.0, 1.0, 1.0]> : tensor<21xf32>
  check.expect_eq %r, %wanted : tensor<21xf32>
  func.return
}

// -----

func.func @sqrt_f32_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.sqrt %a : tensor<2x0xf32>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf32>
  check.expect_eq %r, %wanted : tensor<2x0xf32>
  func.return
}

// -----

func.func @sqrt_f64_scalar() {
  %a = stablehlo.constant dense<1.5> : tensor<f64>
  %r = stablehlo.sqrt %a : tensor<f64>
  %wanted = stablehlo.constant dense<1.224744871391589> : tensor<f64>
  check.expect_eq %r, %wanted : tensor<f64>
  func.return
}

// -----

func.func @sqrt_f64_21() {
  %a = stablehlo.constant dense<[1.5, 2.0, 2.25, 3.25, 2.0, 2.0, 4.0, 1.25, 3.25, 0.75, 1.5, 1.25, 2.25, 1.75, 1.5, 1.25, 1.75, 2.5, 4.0, 1.0, 1.0]> : tensor<21xf64>
  %r = stablehlo.sqrt %a : tensor<21xf64>
  %wanted = stablehlo.constant dense<[1.224744871391589, 1.4142135623730951, 1.5, 1.8027756377319946, 1.4142135623730951, 1.4142135623730951, 2.0, 1.118033988749895, 1.8027756377319946, 0.8660254037844386, 1.224744871391589, 1.118033988749895, 1.5, 1.3228756555322954, 1.224744871391589, 1.118033988749895, 1.3228756555322954, 1.5811388300841898, 2.0, 1.0, 1.0]> : tensor<21xf64>
  check.expect_eq %r, %wanted : tensor<21xf64>
  func.return
}

// -----

func.func @sqrt_f64_2x0() {
  %a = stablehlo.constant dense<> : tensor<2x0xf64>
  %r = stablehlo.sqrt %a : tensor<2x0xf64>
  %wanted = stablehlo.constant dense<> : tensor<2x0xf64>
  check.expect_eq %r, %wanted : tensor<2x0xf64>
  func.return
}
