module @fixed_root {
  func.func @sum(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %1 = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %1 : tensor<i64>
    }) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %0 : tensor<1x2xi64>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@sum], [@sum], [@sum], [@sum]]}
      : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %r#0, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#2, dense<[[9, 12]]> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<0> : tensor<1x2xi64>
    func.return
  }
}

// -----

module @dynamic_root {
  func.func @sum(%x: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_reduce"(%x, %root) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<[3.0, 2.0]> : tensor<2xf32>
    %root = stablehlo.constant dense<1> : tensor<1xi32>
    %r:2 = "interpreter.run_parallel"(%0, %root, %1, %root) {programs = [[@sum], [@sum]]}
      : (tensor<2xf32>, tensor<1xi32>, tensor<2xf32>, tensor<1xi32>) -> (tensor<2xf32>, tensor<2xf32>)
    check.expect_eq_const %r#0, dense<0.0> : tensor<2xf32>
    check.expect_eq_const %r#1, dense<[3.0, 4.0]> : tensor<2xf32>
    func.return
  }
}
