// Groups as axes of a mesh: the first axis of two by two devices.
module @mesh_axes {
  func.func @gather(%x: tensor<1xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>
    } : (tensor<1xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<1> : tensor<1xi32>
    %1 = stablehlo.constant dense<2> : tensor<1xi32>
    %2 = stablehlo.constant dense<3> : tensor<1xi32>
    %3 = stablehlo.constant dense<4> : tensor<1xi32>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@gather, @gather, @gather, @gather]]}
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[1, 3]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[2, 4]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[1, 3]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<[2, 4]> : tensor<2xi32>
    func.return
  }
}

// -----

// Zero sizes meet like any others.
module @nothing {
  func.func @gather(%x: tensor<2x0xf16>) -> tensor<4x0xf16> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x0xf16>) -> tensor<4x0xf16>
    return %0 : tensor<4x0xf16>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<> : tensor<2x0xf16>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r:2 = "interpreter.run_parallel"(%0, %0) {programs = [[@gather], [@gather]]} : (tensor<2x0xf16>, tensor<2x0xf16>) -> (tensor<4x0xf16>, tensor<4x0xf16>)
    %empty = stablehlo.constant dense<> : tensor<4x0xf16>
    check.expect_eq %r#0, %empty : tensor<4x0xf16>
    check.expect_eq_const %one, dense<1> : tensor<i32>
    func.return
  }
}
