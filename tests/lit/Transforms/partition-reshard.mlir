// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// Axes move between dimensions that they do not divide: padded pieces travel.
// CHECK-LABEL: module @uneven
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<2x12xf32>) -> tensor<8x3xf32>
// CHECK-NOT: all_gather
module @uneven attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<7x10xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<7x10xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    return %x : tensor<7x10xf32>
  }
}

// -----

// Two shards of four become one of two: rows travel, but not all.
// CHECK-LABEL: module @coarser
// CHECK: "stablehlo.collective_permute"
// CHECK-NOT: all_gather
// CHECK: return %{{.*}} : tensor<5x4xf32>
module @coarser attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<10x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<10x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) {
    return %x : tensor<10x4xf32>
  }
}

// -----

// Partial sums of rows that do not divide are scattered with padding.
// CHECK-LABEL: module @uneven_scatter
// CHECK: %[[P:.*]] = stablehlo.dot_general
// CHECK: "stablehlo.reduce_scatter"
// CHECK: (tensor<8x9xf32>) -> tensor<2x9xf32>
module @uneven_scatter attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<7x128xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, %w: tensor<128x9xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<7x9xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<7x128xf32>, tensor<128x9xf32>) -> tensor<7x9xf32>
    return %0 : tensor<7x9xf32>
  }
}

// -----

// A sort along a sharded dimension sorts parts of another one.
// CHECK-LABEL: module @sort
// CHECK: "stablehlo.all_to_all"
// CHECK: "stablehlo.sort"{{.*}}
// CHECK: (tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK: "stablehlo.all_to_all"
// CHECK-NOT: all_gather
module @sort attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x256xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<64x256xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<64x256xf32>) -> tensor<64x256xf32>
    return %0 : tensor<64x256xf32>
  }
}

// -----

// Each device reads and writes the rows of a window that are its own.
// CHECK-LABEL: module @windows
// CHECK: %[[PART:.*]] = stablehlo.dynamic_slice {{.*}} sizes = [2, 256] : (tensor<20x256xf32>
// CHECK: "stablehlo.all_reduce"(%[[PART]])
// CHECK: stablehlo.dynamic_update_slice {{.*}} : (tensor<20x256xf32>, tensor<2x256xf32>
// CHECK-NOT: stablehlo.all
// CHECK-NOT: collective_permute
// CHECK: return
module @windows attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x256xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %u: tensor<2x256xf32>, %i: tensor<i32>) -> (tensor<2x256xf32>, tensor<64x256xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %x, %i, %z, sizes = [2, 256] : (tensor<64x256xf32>, tensor<i32>, tensor<i32>) -> tensor<2x256xf32>
    %1 = stablehlo.dynamic_update_slice %x, %u, %i, %z : (tensor<64x256xf32>, tensor<2x256xf32>, tensor<i32>, tensor<i32>) -> tensor<64x256xf32>
    return %0, %1 : tensor<2x256xf32>, tensor<64x256xf32>
  }
}

// -----

// Devices sort rows that they get complete, and gather only what is selected.
// CHECK-LABEL: module @select_sorted
// CHECK: "stablehlo.all_to_all"
// CHECK: "stablehlo.sort"
// CHECK: stablehlo.slice
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<16x4xf32>) -> tensor<64x4xf32>
module @select_sorted attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x512xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) -> (tensor<64x4xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) {dimension = 1 : i64} : (tensor<64x512xf32>) -> tensor<64x512xf32>
    %2 = stablehlo.slice %0 [0:64, 508:512] : (tensor<64x512xf32>) -> tensor<64x4xf32>
    return %2 : tensor<64x4xf32>
  }
}

// -----

// Small sums take as many rounds as a gather, and fewer bytes.
// CHECK-LABEL: module @small_sum
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_reduce"
module @small_sum attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x16xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16xf32> {mhlo.sharding = "{replicated}"}) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

// CHECK-LABEL: module @large_sum
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_reduce"
module @large_sum attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x16384xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16384xf32> {mhlo.sharding = "{replicated}"}) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16384xf32>, tensor<f32>) -> tensor<16384xf32>
    return %0 : tensor<16384xf32>
  }
}

// -----

// Four copies of the rows, one after the other: a device needs half of the
// operand. Pieces are permuted so that those of a half are neighbours, and four
// devices gather them.
// CHECK-LABEL: module @copies
// CHECK: "stablehlo.collective_permute"(%arg0){{.*}} -> tensor<64x16xf32>
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<64x16xf32>) -> tensor<256x16xf32>
// CHECK-NOT: all_gather
module @copies attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%x: tensor<512x16xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> (tensor<2048x16xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
    %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<512x16xf32>) -> tensor<4x512x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x512x16xf32>) -> tensor<2048x16xf32>
    return %1 : tensor<2048x16xf32>
  }
}

// -----

// Each value of a barrier keeps its own sharding along the same axis.
// CHECK-LABEL: module @barrier
// CHECK-NOT: all_gather
// CHECK: optimization_barrier %arg0
// CHECK: optimization_barrier %arg1
module @barrier attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x16xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %y: tensor<16x64xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) -> (tensor<64x16xf32>, tensor<16x64xf32>) {
    %0:2 = stablehlo.optimization_barrier %x, %y : tensor<64x16xf32>, tensor<16x64xf32>
    return %0#0, %0#1 : tensor<64x16xf32>, tensor<16x64xf32>
  }
}
