func.func @real_dynamic_slice_strides() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %start = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.constant dense<5> : tensor<1xi64>
  %step = stablehlo.constant dense<2> : tensor<1xi64>
  %r = stablehlo.real_dynamic_slice %x, %start, %limit, %step : (tensor<5xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  %wanted = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  check.expect_eq %r, %wanted : tensor<2xi32>
  func.return
}

// -----

func.func @real_dynamic_slice_scalar() {
  %x = stablehlo.constant dense<7> : tensor<i32>
  %none = stablehlo.constant dense<> : tensor<0xi64>
  %r = stablehlo.real_dynamic_slice %x, %none, %none, %none : (tensor<i32>, tensor<0xi64>, tensor<0xi64>, tensor<0xi64>) -> tensor<i32>
  check.expect_eq %r, %x : tensor<i32>
  func.return
}

// -----

func.func @real_dynamic_slice_nothing() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %start = stablehlo.constant dense<2> : tensor<1xi64>
  %step = stablehlo.constant dense<1> : tensor<1xi64>
  %r = stablehlo.real_dynamic_slice %x, %start, %start, %step : (tensor<3xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xi32>
  %wanted = stablehlo.constant dense<> : tensor<0xi32>
  check.expect_eq %r, %wanted : tensor<0xi32>
  func.return
}
