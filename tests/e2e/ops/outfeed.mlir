module @feeds {
  func.func @echo(%t: !stablehlo.token) -> (tensor<2xf32>, tensor<i8>, !stablehlo.token) {
    %a:3 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xf32>, tensor<i8>, !stablehlo.token)
    %b = "stablehlo.outfeed"(%a#0, %a#1, %a#2) {outfeed_config = ""} : (tensor<2xf32>, tensor<i8>, !stablehlo.token) -> !stablehlo.token
    return %a#0, %a#1, %b : tensor<2xf32>, tensor<i8>, !stablehlo.token
  }
  func.func @food() -> (tensor<2xf32>, tensor<i8>) {
    %0 = stablehlo.constant dense<[1.5, -2.5]> : tensor<2xf32>
    %1 = stablehlo.constant dense<7> : tensor<i8>
    return %0, %1 : tensor<2xf32>, tensor<i8>
  }
  func.func @main() {
    %t = stablehlo.after_all : !stablehlo.token
    %r:6 = "interpreter.run_parallel"(%t, %t) {infeed = [@food], programs = [[@echo], [@echo]]}
      : (!stablehlo.token, !stablehlo.token) -> (tensor<2xf32>, tensor<i8>, !stablehlo.token, tensor<2xf32>, tensor<i8>, !stablehlo.token)
    check.expect_eq_const %r#0, dense<[1.5, -2.5]> : tensor<2xf32>
    check.expect_eq_const %r#1, dense<7> : tensor<i8>
    check.expect_eq_const %r#4, dense<7> : tensor<i8>
    func.return
  }
}
