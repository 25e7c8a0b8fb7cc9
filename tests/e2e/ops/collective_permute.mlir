// Who receives nothing gets zero, whose storage is the zero point.
module @quantized {
  func.func @turn(%x: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>> {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    return %0 : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
    %q = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %r:2 = "interpreter.run_parallel"(%q, %q) {programs = [[@turn], [@turn]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>)
    %a = stablehlo.uniform_dequantize %r#0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
    %b = stablehlo.uniform_dequantize %r#1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
    check.expect_eq_const %a, dense<0.0> : tensor<2xf32>
    check.expect_eq_const %b, dense<[1.5, 2.0]> : tensor<2xf32>
    func.return
  }
}

// -----

// A ring within each partition of two by two.
module @ring {
  func.func @turn(%x: tensor<i4>) -> tensor<i4> {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<i4>) -> tensor<i4>
    return %0 : tensor<i4>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<1> : tensor<i4>
    %1 = stablehlo.constant dense<-2> : tensor<i4>
    %2 = stablehlo.constant dense<3> : tensor<i4>
    %3 = stablehlo.constant dense<-4> : tensor<i4>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@turn, @turn], [@turn, @turn]]}
      : (tensor<i4>, tensor<i4>, tensor<i4>, tensor<i4>) -> (tensor<i4>, tensor<i4>, tensor<i4>, tensor<i4>)
    check.expect_eq_const %r#0, dense<3> : tensor<i4>
    check.expect_eq_const %r#1, dense<-4> : tensor<i4>
    check.expect_eq_const %r#2, dense<1> : tensor<i4>
    check.expect_eq_const %r#3, dense<-2> : tensor<i4>
    func.return
  }
}
