module @seed attributes {mhlo.num_partitions = 1 : i32, x.note = "text", x.list = [1, 2.5, true, unit, i32]} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<?x4xi8>) -> (tensor<2x3xf32>, tensor<2xi64>) {
    %c = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
    %cst = stablehlo.constant dense<0.5> : tensor<2x3xf32>
    %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %z = stablehlo.constant dense<(1.0,2.0)> : tensor<2xcomplex<f32>>
    %q = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
    %i = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi4>
    %0 = stablehlo.add %arg0, %cst : tensor<2x3xf32>
    %1:2 = stablehlo.while(%a = %0, %b = %c) : tensor<2x3xf32>, tensor<2xi64>
      cond {
        %t = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %t : tensor<i1>
      } do {
        %s = stablehlo.multiply %a, %a : tensor<2x3xf32>
        stablehlo.return %s, %b : tensor<2x3xf32>, tensor<2xi64>
      }
    %2 = stablehlo.dot_general %1#0, %1#0, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    return %1#0, %1#1 : tensor<2x3xf32>, tensor<2xi64>
  }
}
