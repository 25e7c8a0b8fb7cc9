module @all_gather {
  func.func @gather(%x: tensor<2x1xf32>) -> tensor<2x2xf32> {
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2x1xf32>):
      %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x1xf32>) -> tensor<2x2xf32>
      stablehlo.return %1 : tensor<2x2xf32>
    }) : (tensor<2x1xf32>) -> !stablehlo.future<tensor<2x2xf32>>
    %twice = stablehlo.add %x, %x : tensor<2x1xf32>
    %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2x2xf32>>) -> tensor<2x2xf32>
    %wide = stablehlo.broadcast_in_dim %twice, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %r = stablehlo.add %d, %wide : tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
    %1 = stablehlo.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@gather], [@gather]]}
      : (tensor<2x1xf32>, tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    check.expect_eq_const %r#0, dense<[[3.0, 5.0], [6.0, 8.0]]> : tensor<2x2xf32>
    check.expect_eq_const %r#1, dense<[[7.0, 9.0], [10.0, 12.0]]> : tensor<2x2xf32>
    func.return
  }
}

// -----

func.func @slice() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<3xi32>):
    %1 = stablehlo.slice %a [1:3] : (tensor<3xi32>) -> tensor<2xi32>
    stablehlo.return %1 : tensor<2xi32>
  }) : (tensor<3xi32>) -> !stablehlo.future<tensor<2xi32>>
  %d = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq_const %d, dense<[2, 3]> : tensor<2xi32>
  func.return
}
