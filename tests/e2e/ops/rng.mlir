// Uniform numbers lie in [a, b), whatever rounds and however far apart the ends
// are; normal ones without a deviation are the mean. Which numbers they are is
// open.
func.func @uniform_float() {
  %a = stablehlo.constant dense<0.0> : tensor<bf16>
  %b = stablehlo.constant dense<1.0> : tensor<bf16>
  %shape = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<2xi64>) -> tensor<64x64xbf16>
  %low = stablehlo.constant dense<0.0> : tensor<64x64xbf16>
  %high = stablehlo.constant dense<1.0> : tensor<64x64xbf16>
  %1 = stablehlo.compare GE, %0, %low : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xi1>
  %2 = stablehlo.compare LT, %0, %high : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xi1>
  %3 = stablehlo.and %1, %2 : tensor<64x64xi1>
  check.expect_eq_const %3, dense<true> : tensor<64x64xi1>
  return
}

func.func @uniform_widest_interval() {
  %a = stablehlo.constant dense<-128> : tensor<i8>
  %b = stablehlo.constant dense<127> : tensor<i8>
  %shape = stablehlo.constant dense<[64, 64]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<2xi64>) -> tensor<64x64xi8>
  %high = stablehlo.constant dense<127> : tensor<64x64xi8>
  %1 = stablehlo.compare LT, %0, %high : (tensor<64x64xi8>, tensor<64x64xi8>) -> tensor<64x64xi1>
  check.expect_eq_const %1, dense<true> : tensor<64x64xi1>
  return
}

func.func @uniform_one_number() {
  %a = stablehlo.constant dense<-7> : tensor<i32>
  %b = stablehlo.constant dense<-6> : tensor<i32>
  %shape = stablehlo.constant dense<5> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<-7> : tensor<5xi32>
  return
}

func.func @normal_without_deviation() {
  %mean = stablehlo.constant dense<2.5> : tensor<f32>
  %deviation = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<5> : tensor<1xi64>
  %0 = stablehlo.rng %mean, %deviation, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<5xf32>
  check.expect_eq_const %0, dense<2.5> : tensor<5xf32>
  return
}
