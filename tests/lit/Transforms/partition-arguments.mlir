// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// Open arguments are sharded beside an annotated one: the weight is gathered,
// and each device computes some of the rows. A result that reuses an argument
// has its sharding.
// CHECK-LABEL: module @beside
// CHECK-SAME: xlac.argument_shardings = ["{devices=[4,1]0,1,2,3}", "{devices=[4,1]0,1,2,3}", "{devices=[4,1]0,1,2,3}"]
// CHECK-SAME: xlac.result_shardings = ["{devices=[4,1]0,1,2,3}", "{devices=[4,1]0,1,2,3}"]
// CHECK: func.func @main(%arg0: tensor<256x1024xf32>, %[[W:arg1]]: tensor<256x1024xf32>
// CHECK: all_gather"(%[[W]])
// CHECK: stablehlo.dot_general {{.*}} -> tensor<256x1024xf32>
// CHECK-NOT: stablehlo.all
module @beside attributes {mhlo.num_partitions = 4 : i32, mhlo.use_auto_spmd_partitioning = true} {
  func.func @main(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %v: tensor<1024x1024xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %1 = stablehlo.tanh %v : tensor<1024x1024xf32>
    return %0, %1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  }
}

// -----

// Eight rows against weights of 4 MiB: the first weight is cut along its
// columns, the second along its rows, and devices sum eight rows instead of
// gathering weights.
// CHECK-LABEL: module @few_rows
// CHECK-SAME: xlac.argument_shardings = ["{{[^"]*}}", "{devices=[1,8]0,1,2,3,4,5,6,7}", "{devices=[8,1]0,1,2,3,4,5,6,7}", "{devices=[1,8]0,1,2,3,4,5,6,7}", "{{[^"]*}}"]
// CHECK: func.func
// CHECK-NOT: tensor<{{1024x4096|4096x1024}}xf32>
// CHECK: return
module @few_rows attributes {mhlo.num_partitions = 8 : i32, mhlo.use_auto_spmd_partitioning = true} {
  func.func @main(%x: tensor<8x1024xf32>, %a: tensor<1024x4096xf32>, %b: tensor<4096x1024xf32>, %c: tensor<1024x4096xf32>, %d: tensor<4096x1024xf32>) -> tensor<8x1024xf32> {
    %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<8x1024xf32>, tensor<1024x4096xf32>) -> tensor<8x4096xf32>
    %1 = stablehlo.tanh %0 : tensor<8x4096xf32>
    %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : (tensor<8x4096xf32>, tensor<4096x1024xf32>) -> tensor<8x1024xf32>
    %3 = stablehlo.dot_general %2, %c, contracting_dims = [1] x [0] : (tensor<8x1024xf32>, tensor<1024x4096xf32>) -> tensor<8x4096xf32>
    %4 = stablehlo.tanh %3 : tensor<8x4096xf32>
    %5 = stablehlo.dot_general %4, %d, contracting_dims = [1] x [0] : (tensor<8x4096xf32>, tensor<4096x1024xf32>) -> tensor<8x1024xf32>
    return %5 : tensor<8x1024xf32>
  }
}
