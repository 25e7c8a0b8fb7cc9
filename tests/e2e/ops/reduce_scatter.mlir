// Over the middle dimension, in the order of the group.
module @middle {
  func.func @scatter(%x: tensor<2x2x3xf32>) -> tensor<2x1x3xf32> {
    %0 = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
    return %0 : tensor<2x1x3xf32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
    %1 = stablehlo.constant dense<100.0> : tensor<2x2x3xf32>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@scatter], [@scatter]]}
      : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>)
    check.expect_eq_const %r#0, dense<[[[96.0, 95.0, 94.0]], [[90.0, 89.0, 88.0]]]> : tensor<2x1x3xf32>
    check.expect_eq_const %r#1, dense<[[[99.0, 98.0, 97.0]], [[93.0, 92.0, 91.0]]]> : tensor<2x1x3xf32>
    func.return
  }
}
