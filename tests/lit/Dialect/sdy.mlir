// RUN: xlac-opt %s | xlac-opt | FileCheck %s
// RUN: xlac-opt %s --mlir-print-op-generic | xlac-opt | FileCheck %s
// RUN: xlac translate %s --to bytecode -o %t.bc && xlac translate %t.bc --to stablehlo | FileCheck %s
// RUN: xlac run %t.bc --inputs zeros --no-cache
// RUN: xlac-opt %s --xlac-prepare-module | FileCheck %s --check-prefix=PLAIN

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]> {stablehlo.mesh = {axes = []}}
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]> {stablehlo.mesh = {axes = []}}
// CHECK: sdy.mesh @none = <[]>
sdy.mesh @none = <[]>

// CHECK: func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}p1]>})
// CHECK: %[[S:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x":(1)2}, {"y"}], replicated={"z"}> : tensor<8x4xf32>
// CHECK: stablehlo.add %[[S]], %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
// PLAIN-NOT: sdy.
// PLAIN: stablehlo.add %arg0, %arg0
// PLAIN-NOT: sdy.
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}p1]>}) -> tensor<8x4xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x":(1)2}, {"y"}], replicated={"z"}> : tensor<8x4xf32>
  %1 = stablehlo.add %0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
