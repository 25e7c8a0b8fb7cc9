// Groups within each partition of a grid of two by two.
module @cross_replica_of_a_grid {
  func.func @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
    %2 = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
    %3 = stablehlo.constant dense<[1000, 2000]> : tensor<2xi32>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@sum, @sum], [@sum, @sum]]}
      : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[101, 202]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[1010, 2020]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[101, 202]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<[1010, 2020]> : tensor<2xi32>
    func.return
  }
}

// -----

// Both dimensions of the grid; combined in the order (replica, partition) =
// (0, 0), (1, 0), (0, 1), (1, 1), in which nothing but the last sum rounds.
module @order_of_floats {
  func.func @sum(%x: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<1.0e30> : tensor<f32>
    %1 = stablehlo.constant dense<0.5> : tensor<f32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<f32>
    %3 = stablehlo.constant dense<0.25> : tensor<f32>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@sum, @sum], [@sum, @sum]]}
      : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
    check.expect_eq_const %r#0, dense<0.75> : tensor<f32>
    check.expect_eq_const %r#3, dense<0.75> : tensor<f32>
    func.return
  }
}

// -----

// A body of several ops and a constant, over two operands, inside a loop.
module @body_in_a_loop {
  func.func @clip(%x: tensor<3xf64>, %y: tensor<0x2xf64>) -> (tensor<3xf64>, tensor<0x2xf64>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf64>
      cond {
        %two = stablehlo.constant dense<2> : tensor<i32>
        %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %s:2 = "stablehlo.all_reduce"(%v, %y) ({
        ^bb0(%a: tensor<f64>, %b: tensor<f64>):
          %limit = stablehlo.constant dense<100.0> : tensor<f64>
          %sum = stablehlo.add %a, %b : tensor<f64>
          %small = stablehlo.compare LT, %sum, %limit : (tensor<f64>, tensor<f64>) -> tensor<i1>
          %1 = stablehlo.select %small, %sum, %limit : tensor<i1>, tensor<f64>
          stablehlo.return %1 : tensor<f64>
        }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<3xf64>, tensor<0x2xf64>) -> (tensor<3xf64>, tensor<0x2xf64>)
        stablehlo.return %next, %s#0 : tensor<i32>, tensor<3xf64>
      }
    return %r#1, %y : tensor<3xf64>, tensor<0x2xf64>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[1.0, 20.0, 90.0]> : tensor<3xf64>
    %1 = stablehlo.constant dense<[2.0, 30.0, 90.0]> : tensor<3xf64>
    %e = stablehlo.constant dense<> : tensor<0x2xf64>
    %r:4 = "interpreter.run_parallel"(%0, %e, %1, %e) {programs = [[@clip], [@clip]]}
      : (tensor<3xf64>, tensor<0x2xf64>, tensor<3xf64>, tensor<0x2xf64>) -> (tensor<3xf64>, tensor<0x2xf64>, tensor<3xf64>, tensor<0x2xf64>)
    check.expect_eq_const %r#0, dense<[6.0, 100.0, 100.0]> : tensor<3xf64>
    check.expect_eq_const %r#2, dense<[6.0, 100.0, 100.0]> : tensor<3xf64>
    func.return
  }
}

// -----

// The computation is wider than the operand.
module @promotion {
  func.func @sum(%x: tensor<2xbf16>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xbf16>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[256.0, 1.0]> : tensor<2xbf16>
    %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sum], [@sum]]}
      : (tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2xf32>, tensor<2xf32>)
    check.expect_eq_const %r#0, dense<[257.0, 3.0]> : tensor<2xf32>
    check.expect_eq_const %r#1, dense<[257.0, 3.0]> : tensor<2xf32>
    func.return
  }
}

// -----

// No groups at all mean one of everybody.
module @predicates_of_everybody {
  func.func @any(%x: tensor<3xi1>) -> tensor<3xi1> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %1 = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<3xi1>) -> tensor<3xi1>
    return %0 : tensor<3xi1>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
    %1 = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@any], [@any]]}
      : (tensor<3xi1>, tensor<3xi1>) -> (tensor<3xi1>, tensor<3xi1>)
    check.expect_eq_const %r#0, dense<[true, true, false]> : tensor<3xi1>
    check.expect_eq_const %r#1, dense<[true, true, false]> : tensor<3xi1>
    func.return
  }
}

// -----

module @complex_products_by_flattened_ids {
  func.func @product(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
      %1 = stablehlo.multiply %a, %b : tensor<complex<f32>>
      stablehlo.return %1 : tensor<complex<f32>>
    }) {replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<complex<f32>>) -> tensor<complex<f32>>
    return %0 : tensor<complex<f32>>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<(1.0, 1.0)> : tensor<complex<f32>>
    %1 = stablehlo.constant dense<(2.0, 0.0)> : tensor<complex<f32>>
    %2 = stablehlo.constant dense<(0.0, 3.0)> : tensor<complex<f32>>
    %3 = stablehlo.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@product, @product], [@product, @product]]}
      : (tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>)
      -> (tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>)
    check.expect_eq_const %r#0, dense<(-1.0, 1.0)> : tensor<complex<f32>>
    check.expect_eq_const %r#1, dense<(0.0, 6.0)> : tensor<complex<f32>>
    check.expect_eq_const %r#2, dense<(0.0, 6.0)> : tensor<complex<f32>>
    check.expect_eq_const %r#3, dense<(-1.0, 1.0)> : tensor<complex<f32>>
    func.return
  }
}

// -----

// cross-replica-sum is an all_reduce of sums.
module @cross_replica_sum {
  func.func @sum(%x: tensor<2xui8>) -> tensor<2xui8> {
    %0 = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xui8>) -> tensor<2xui8>
    return %0 : tensor<2xui8>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[200, 1]> : tensor<2xui8>
    %1 = stablehlo.constant dense<[100, 2]> : tensor<2xui8>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@sum], [@sum]]}
      : (tensor<2xui8>, tensor<2xui8>) -> (tensor<2xui8>, tensor<2xui8>)
    check.expect_eq_const %r#0, dense<[44, 3]> : tensor<2xui8>
    check.expect_eq_const %r#1, dense<[44, 3]> : tensor<2xui8>
    func.return
  }
}

// -----

module @quantized {
  func.func @sum(%x: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
      %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
      stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:1>>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    return %0 : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<[3.0, 100.0]> : tensor<2xf32>
    %q0 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %q1 = stablehlo.uniform_quantize %1 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    %r:2 = "interpreter.run_parallel"(%q0, %q1) {programs = [[@sum], [@sum]]}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>)
    %f = stablehlo.uniform_dequantize %r#1 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>
    check.expect_eq_const %f, dense<[4.5, 63.0]> : tensor<2xf32>
    func.return
  }
}

// -----

// The reducer twice, and the same sum in the program itself.
module @one_kernel_for_all {
  func.func @sum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    %1 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.all_reduce"(%0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
    %1 = stablehlo.constant dense<10.0> : tensor<4xf32>
    %r:6 = "interpreter.run_parallel"(%0, %1, %1, %1) {programs = [[@sum], [@sum]]}
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    check.expect_eq_const %r#0, dense<11.0> : tensor<4xf32>
    check.expect_eq_const %r#1, dense<11.0> : tensor<4xf32>
    check.expect_eq_const %r#2, dense<31.0> : tensor<4xf32>
    check.expect_eq_const %r#5, dense<31.0> : tensor<4xf32>
    func.return
  }
}
