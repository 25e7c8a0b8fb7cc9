// The shardings of a named computation are those of its operands and results.
// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// CHECK-LABEL: module @of_inputs
// CHECK: stablehlo.negate %{{.*}} : tensor<4x4xf32>
module @of_inputs attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = sdy.named_computation<"f">(%a) in_shardings=[<@mesh, [{"x"}, {}]>] (%b: tensor<8x4xf32>) {
      %1 = stablehlo.negate %b : tensor<8x4xf32>
      sdy.return %1 : tensor<8x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}

// -----

// CHECK-LABEL: module @of_results
// CHECK: stablehlo.negate %{{.*}} : tensor<8x4xf32>
// CHECK: stablehlo.exponential %{{.*}} : tensor<8x2xf32>
module @of_results attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %0:2 = sdy.named_computation<"f">(%a, %a) out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>] (%b: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
      %1 = stablehlo.negate %b : tensor<8x4xf32>
      %2 = stablehlo.exponential %c : tensor<8x4xf32>
      sdy.return %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
    } : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
    return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
  }
}
