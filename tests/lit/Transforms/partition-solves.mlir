// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition | FileCheck %s

// Right-hand sides are solved where they are.
// CHECK-LABEL: module @sides
// CHECK-NOT: all_gather
// CHECK: "stablehlo.triangular_solve"(%arg0, %arg1){{.*}}(tensor<5x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
// CHECK: "stablehlo.triangular_solve"(%arg0, %arg2){{.*}}(tensor<5x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
// CHECK: return %{{.*}} : tensor<5x3xf32>, tensor<3x5xf32>
module @sides attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<5x5xf32>, %x: tensor<5x10xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, %y: tensor<10x5xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<5x10xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, tensor<10x5xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = "stablehlo.triangular_solve"(%a, %x) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<5x5xf32>, tensor<5x10xf32>) -> tensor<5x10xf32>
    %1 = "stablehlo.triangular_solve"(%a, %y) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<5x5xf32>, tensor<10x5xf32>) -> tensor<10x5xf32>
    return %0, %1 : tensor<5x10xf32>, tensor<10x5xf32>
  }
}
