// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file --verify-diagnostics | FileCheck %s

// Without priorities, the first operand decides.
// CHECK-LABEL: module @none
// CHECK-SAME: xlac.result_shardings = ["{devices=[4,1]0,1,2,3}"]
module @none attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// A dimension of priority 1 is propagated after those of priority 0.
// CHECK-LABEL: module @second
// CHECK-SAME: xlac.result_shardings = ["{devices=[1,4]0,1,2,3}"]
// CHECK-NOT: xlac.priority
module @second attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p0]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// The rounds are in the order of the numbers, which may have gaps.
// CHECK-LABEL: module @gaps
// CHECK-SAME: xlac.result_shardings = ["{devices=[1,4]0,1,2,3}"]
module @gaps attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p7, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p3]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
