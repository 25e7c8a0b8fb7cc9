// Both ids, alone and in a grid.
module @grid {
  func.func @place() -> (tensor<ui32>, tensor<ui32>) {
    %r = stablehlo.replica_id : tensor<ui32>
    %p = stablehlo.partition_id : tensor<ui32>
    return %r, %p : tensor<ui32>, tensor<ui32>
  }
  func.func @main() {
    %r:12 = "interpreter.run_parallel"() {programs = [[@place, @place, @place], [@place, @place, @place]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %r#0, dense<0> : tensor<ui32>
    check.expect_eq_const %r#1, dense<0> : tensor<ui32>
    check.expect_eq_const %r#4, dense<0> : tensor<ui32>
    check.expect_eq_const %r#5, dense<2> : tensor<ui32>
    check.expect_eq_const %r#10, dense<1> : tensor<ui32>
    check.expect_eq_const %r#11, dense<2> : tensor<ui32>
    func.return
  }
}

// -----

module @alone {
  func.func @main() {
    %r = stablehlo.replica_id : tensor<ui32>
    %p = stablehlo.partition_id : tensor<ui32>
    check.expect_eq_const %r, dense<0> : tensor<ui32>
    check.expect_eq_const %p, dense<0> : tensor<ui32>
    func.return
  }
}
