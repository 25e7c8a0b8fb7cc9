// RUN: env XLAC_LOGS=collectives xlac-opt %s --xlac-prepare-module --xlac-partition -o /dev/null 2>&1 | FileCheck %s

// A sort along a dimension that is cut gathers it if the other one has fewer
// rows than there are devices; along another dimension it does not.
// CHECK-NOT: stablehlo.negate
// CHECK: xlac: stablehlo.sort at {{.*}} gathers operand 0, tensor<8x3xf32>, from {devices=[4,1]0,1,2,3} to {replicated}
// CHECK-NOT: gathers
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x3xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<8x3xf32>, tensor<8x3xf32>) {
    %0 = stablehlo.negate %x : tensor<8x3xf32>
    %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %2 = "stablehlo.sort"(%0) <{dimension = 1 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %1, %2 : tensor<8x3xf32>, tensor<8x3xf32>
  }
}
