// RUN: xlac-opt %s | xlac-opt | FileCheck %s
// RUN: xlac-opt %s --mlir-print-op-generic | xlac-opt | FileCheck %s
// RUN: xlac-opt %s --xlac-prepare-module | FileCheck %s --check-prefix=PLAIN
// RUN: xlac check %s

// What moves values or their parts between devices gives the same values: all
// that stays of the program is what it computes.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// PLAIN-LABEL: func.func @main
// PLAIN-NEXT: %[[A:.*]] = stablehlo.constant
// PLAIN-NEXT: %[[C:.*]] = stablehlo.constant
// PLAIN-NEXT: %[[S:.*]] = stablehlo.add %[[A]], %[[C]]
// PLAIN-NEXT: check.expect_eq_const %[[S]]
// PLAIN-NEXT: return
// CHECK-LABEL: func.func @main
func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id = 1 : tensor<2x2xf32>
  sdy.sharding_group %0 group_id=1 : tensor<2x2xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction = NONE : tensor<2x2xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<2x2xf32>
  // CHECK: sdy.constant dense<1.000000e+00> : tensor<2x2xf32>
  %2 = sdy.constant dense<1.0> : tensor<2x2xf32>
  // CHECK: sdy.named_computation<"sum">(%{{.*}}, %{{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%{{.*}}: tensor<2x2xf32>, %{{.*}}: tensor<2x2xf32>) {
  %3 = sdy.named_computation<"sum">(%1, %2) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%b: tensor<2x2xf32>, %c: tensor<2x2xf32>) {
    // CHECK: sdy.named_computation<"inner">(%{{.*}}) (%{{.*}}: tensor<2x2xf32>) {
    %i = sdy.named_computation<"inner">(%b) (%d: tensor<2x2xf32>) {
      sdy.return %d : tensor<2x2xf32>
    } : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %s = stablehlo.add %i, %c : tensor<2x2xf32>
    sdy.return %s : tensor<2x2xf32>
  } : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: sdy.all_gather [{"x"}, {}] %{{.*}} out_sharding = <@mesh, [{}, {}]> : tensor<2x2xf32>
  %4 = sdy.all_gather [{"x"}, {}] %3 out_sharding=<@mesh, [{}, {}]> : tensor<2x2xf32>
  // CHECK: sdy.all_slice [{"x"}, {"y"}]
  %5 = sdy.all_slice [{"x"}, {"y"}] %4 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<2x2xf32>
  // CHECK: sdy.all_gather [{}, {"y"}]
  %6 = sdy.all_gather [{}, {"y"}] %5 out_sharding=<@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  // CHECK: sdy.all_to_all [{"x"}: 0->1] %{{.*}} out_sharding = <@mesh, [{}, {"x"}]> : tensor<2x2xf32>
  %7 = sdy.all_to_all [{"x"}: 0->1] %6 out_sharding=<@mesh, [{}, {"x"}]> : tensor<2x2xf32>
  // CHECK: sdy.collective_permute %{{.*}} out_sharding = <@mesh, [{}, {"y"}]> : tensor<2x2xf32>
  %8 = sdy.collective_permute %7 out_sharding=<@mesh, [{}, {"y"}]> : tensor<2x2xf32>
  // CHECK: sdy.replicated_to_unreduced {"x"} %{{.*}} out_sharding = <@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<2x2xf32>
  %9 = sdy.replicated_to_unreduced {"x"} %8 out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<2x2xf32>
  // CHECK: sdy.reduce_scatter [{"x"}, {}] %{{.*}} out_sharding = <@mesh, [{"x"}, {"y"}]> : tensor<2x2xf32>
  %10 = sdy.reduce_scatter [{"x"}, {}] %9 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<2x2xf32>
  // CHECK: sdy.sharded_to_unreduced [{}, {"y"}] %{{.*}} out_sharding = <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<2x2xf32>
  %11 = sdy.sharded_to_unreduced [{}, {"y"}] %10 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<2x2xf32>
  // CHECK: sdy.all_reduce {"y"} %{{.*}} out_sharding = <@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  %12 = sdy.all_reduce {"y"} %11 out_sharding=<@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  %13 = sdy.data_flow_edge %12 sharding=<@mesh, [{"x"}, {}]> : tensor<2x2xf32>
  // CHECK: sdy.data_flow_edge %{{[^ ]*}} : tensor<2x2xf32>
  %14 = sdy.data_flow_edge %13 : tensor<2x2xf32>
  // CHECK: sdy.func_data_flow_edge %{{[^ ]*}} : tensor<2x2xf32>
  %15 = sdy.func_data_flow_edge %14 : tensor<2x2xf32>
  check.expect_eq_const %15, dense<[[2.0, 3.0], [4.0, 5.0]]> : tensor<2x2xf32>
  return
}
