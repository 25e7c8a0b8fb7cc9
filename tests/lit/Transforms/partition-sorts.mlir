// RUN: xlac-opt %s --xlac-expand-chlo --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// Each device takes its first rows, and all devices sort those of all. Padding
// at the end of the last shard gets a value that comes last, here a negative
// NaN.
// CHECK-LABEL: module @uneven
// CHECK: stablehlo.constant dense<0xFFFFFFFF> : tensor<f32>
// CHECK: "stablehlo.sort"
// CHECK: (tensor<3x1251xf32>, tensor<3x1251xi32>)
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<3x5xf32>) -> tensor<3x20xf32>
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<3x5xi32>) -> tensor<3x20xi32>
// CHECK-NOT: all_gather
// CHECK: "stablehlo.sort"
// CHECK: stablehlo.slice
// CHECK-SAME: (tensor<3x20xf32>) -> tensor<3x5xf32>
module @uneven attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<3x5001xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) -> (tensor<3x5xf32>, tensor<3x5xi32>) {
    %0:2 = chlo.top_k(%x, k = 5) : tensor<3x5001xf32> -> (tensor<3x5xf32>, tensor<3x5xi32>)
    return %0#0, %0#1 : tensor<3x5xf32>, tensor<3x5xi32>
  }
}

// -----

// Another comparator takes an operand that marks padding.
// CHECK-LABEL: module @marked
// CHECK: (tensor<1251xf32>, tensor<1251xi1>)
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<5xf32>) -> tensor<20xf32>
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<5xi1>) -> tensor<20xi1>
// CHECK-NOT: all_gather
// CHECK: return
module @marked attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<5001xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<5xf32> {
    %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : (tensor<5001xf32>) -> tensor<5001xf32>
    %1 = stablehlo.slice %0 [0:5] : (tensor<5001xf32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
}

// -----

// Equal shards have no padding.
// CHECK-LABEL: module @even
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<3xf32>) -> tensor<12xf32>
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<3xi32>) -> tensor<12xi32>
// CHECK-NOT: all_gather
// CHECK: return
module @even attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<80000xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<3xf32>, tensor<3xi32>) {
    %0:2 = chlo.top_k(%x, k = 3) : tensor<80000xf32> -> (tensor<3xf32>, tensor<3xi32>)
    return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
  }
}

// -----

// Other dimensions are sorted where they are.
// CHECK-LABEL: module @batch
// CHECK-NOT: all_gather
// CHECK: "stablehlo.sort"(%arg0
// CHECK: (tensor<2x50xf32>, tensor<2x50xi32>)
// CHECK-NOT: all_gather
// CHECK: return
module @batch attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x50xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<8x5xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<8x5xi32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0:2 = chlo.top_k(%x, k = 5) : tensor<8x50xf32> -> (tensor<8x5xf32>, tensor<8x5xi32>)
    return %0#0, %0#1 : tensor<8x5xf32>, tensor<8x5xi32>
  }
}

// -----

// Rows that are not the first ones are read: the operand is gathered.
// CHECK-LABEL: module @others
// CHECK: "stablehlo.all_gather"(%arg0)
// CHECK: "stablehlo.sort"
// CHECK-NOT: "stablehlo.sort"
module @others attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<2xf32> {
    %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %1 = stablehlo.slice %0 [1:3] : (tensor<64xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
