// Root by root: each result from a member of its own.
module @dynamic_roots {
  func.func @spread(%x: tensor<2xf8E4M3FN>, %y: tensor<i2>, %root: tensor<2xi32>) -> (tensor<2xf8E4M3FN>, tensor<i2>) {
    %0:2 = "stablehlo.collective_broadcast"(%x, %y, %root) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, has_dynamic_root}
      : (tensor<2xf8E4M3FN>, tensor<i2>, tensor<2xi32>) -> (tensor<2xf8E4M3FN>, tensor<i2>)
    return %0#0, %0#1 : tensor<2xf8E4M3FN>, tensor<i2>
  }
  func.func @main() {
    %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
    %y0 = stablehlo.constant dense<1> : tensor<i2>
    %x1 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf8E4M3FN>
    %y1 = stablehlo.constant dense<-1> : tensor<i2>
    %root = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
    %r:6 = "interpreter.run_parallel"(%x0, %y0, %root, %x1, %y1, %root, %x0, %y0, %root) {programs = [[@spread], [@spread], [@spread]]}
      : (tensor<2xf8E4M3FN>, tensor<i2>, tensor<2xi32>, tensor<2xf8E4M3FN>, tensor<i2>, tensor<2xi32>, tensor<2xf8E4M3FN>, tensor<i2>, tensor<2xi32>)
      -> (tensor<2xf8E4M3FN>, tensor<i2>, tensor<2xf8E4M3FN>, tensor<i2>, tensor<2xf8E4M3FN>, tensor<i2>)
    check.expect_eq_const %r#0, dense<[3.0, 4.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %r#1, dense<1> : tensor<i2>
    check.expect_eq_const %r#2, dense<[3.0, 4.0]> : tensor<2xf8E4M3FN>
    check.expect_eq_const %r#3, dense<1> : tensor<i2>
    check.expect_eq_const %r#4, dense<0.0> : tensor<2xf8E4M3FN>
    check.expect_eq_const %r#5, dense<0> : tensor<i2>
    func.return
  }
}
