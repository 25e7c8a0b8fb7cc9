// Within each replica, between dimensions that others stand between.
module @across_dimensions {
  func.func @swap(%x: tensor<2x1x3xf16>) -> tensor<1x1x6xf16> {
    %0 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 2 : i64, split_count = 2 : i64,
      replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<2x1x3xf16>) -> tensor<1x1x6xf16>
    return %0 : tensor<1x1x6xf16>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf16>
    %1 = stablehlo.constant dense<[[[-1.0, -2.0, -3.0]], [[-4.0, -5.0, -6.0]]]> : tensor<2x1x3xf16>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@swap, @swap]]}
      : (tensor<2x1x3xf16>, tensor<2x1x3xf16>) -> (tensor<1x1x6xf16>, tensor<1x1x6xf16>)
    check.expect_eq_const %r#0, dense<[[[-4.0, -5.0, -6.0, 4.0, 5.0, 6.0]]]> : tensor<1x1x6xf16>
    check.expect_eq_const %r#1, dense<[[[-1.0, -2.0, -3.0, 1.0, 2.0, 3.0]]]> : tensor<1x1x6xf16>
    func.return
  }
}
