// From device to device along pairs; who is no target receives zeros. The order
// of transfers on one channel is that of the program, token or not.
module @pairs {
  func.func @shift(%x: tensor<2xi16>, %t: !stablehlo.token) -> (tensor<2xi16>, tensor<2xi16>) {
    %y = stablehlo.add %x, %x : tensor<2xi16>
    %s0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
      is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2xi16>, !stablehlo.token) -> !stablehlo.token
    %s1 = "stablehlo.send"(%y, %s0) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
      is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2xi16>, !stablehlo.token) -> !stablehlo.token
    %a, %r0 = "stablehlo.recv"(%s1) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
      is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<2xi16>, !stablehlo.token)
    %b, %r1 = "stablehlo.recv"(%r0) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>,
      is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<2xi16>, !stablehlo.token)
    return %a, %b : tensor<2xi16>, tensor<2xi16>
  }
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi16>
    %1 = stablehlo.constant dense<[3, 4]> : tensor<2xi16>
    %2 = stablehlo.constant dense<[5, 6]> : tensor<2xi16>
    %r:6 = "interpreter.run_parallel"(%0, %t, %1, %t, %2, %t) {programs = [[@shift, @shift, @shift]]}
      : (tensor<2xi16>, !stablehlo.token, tensor<2xi16>, !stablehlo.token, tensor<2xi16>, !stablehlo.token) -> (tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>)
    check.expect_eq_const %r#0, dense<0> : tensor<2xi16>
    check.expect_eq_const %r#1, dense<0> : tensor<2xi16>
    check.expect_eq_const %r#2, dense<[1, 2]> : tensor<2xi16>
    check.expect_eq_const %r#3, dense<[2, 4]> : tensor<2xi16>
    check.expect_eq_const %r#4, dense<[3, 4]> : tensor<2xi16>
    check.expect_eq_const %r#5, dense<[6, 8]> : tensor<2xi16>
    func.return
  }
}

// -----

// A value that a transfer needs and one that needs a later transfer must not
// share a kernel.
module @values_around_transfers {
  func.func @program(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %t = stablehlo.after_all : !stablehlo.token
    %y = stablehlo.exponential %x : tensor<64xf32>
    %s = "stablehlo.send"(%y, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<64xf32>, !stablehlo.token) -> !stablehlo.token
    %r, %u = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<64xf32>, !stablehlo.token)
    %z = stablehlo.subtract %y, %r : tensor<64xf32>
    return %z, %r : tensor<64xf32>, tensor<64xf32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<0.0> : tensor<64xf32>
    %r:2 = "interpreter.run_parallel"(%0) {programs = [[@program]]} : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    check.expect_eq_const %r#0, dense<0.0> : tensor<64xf32>
    check.expect_eq_const %r#1, dense<1.0> : tensor<64xf32>
    func.return
  }
}
