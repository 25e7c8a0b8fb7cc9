// Names of meshes and axes may hold any character, those of the attributes' own
// brackets too, and may be written with escapes.
// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition | FileCheck %s

// CHECK-LABEL: module @quoted
// CHECK-SAME: xlac.argument_shardings = ["{devices=[2,1]0,1}"]
// CHECK: stablehlo.negate %{{.*}} : tensor<2x2xf32>
module @quoted attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @"a mesh, >\22" = <["x\"]>\5C, {"=2]>
  func.func @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@"a mesh, >\22", [{"x\22]>\\, {"}, {}], replicated={}>}) -> tensor<4x2xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
}
