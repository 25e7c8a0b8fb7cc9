// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// Each device looks up the rows of its shard for all indices, and rows that
// others have are summed into the part of the result that it keeps.
// CHECK-LABEL: module @embedding
// CHECK: "stablehlo.all_gather"(%arg1){{.*}}(tensor<16xi32>) -> tensor<64xi32>
// CHECK-NOT: all_gather
// CHECK: stablehlo.gather
// CHECK-SAME: (tensor<250x32xf32>, tensor<64xi32>) -> tensor<64x32xf32>
// CHECK: "stablehlo.reduce_scatter"
// CHECK: return %{{.*}} : tensor<16x32xf32>
module @embedding attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%table: tensor<1000x32xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %ids: tensor<64xi32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<64x32xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<1000x32xf32>, tensor<64xi32>) -> tensor<64x32xf32>
    return %0 : tensor<64x32xf32>
  }
}

// -----

// Indices of any width; booleans are summed as bytes.
// CHECK-LABEL: module @narrow
// CHECK: stablehlo.convert %arg1 : (tensor<8xui8>) -> tensor<8xi64>
// CHECK: stablehlo.gather
// CHECK-SAME: (tensor<75x32xi1>, tensor<8xi64>) -> tensor<8x32xi1>
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.convert %{{.*}} : (tensor<8x32xui8>) -> tensor<8x32xi1>
module @narrow attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%table: tensor<300x32xi1> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %ids: tensor<8xui8>) -> tensor<8x32xi1> {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<300x32xi1>, tensor<8xui8>) -> tensor<8x32xi1>
    return %0 : tensor<8x32xi1>
  }
}

// -----

// Windows of three rows move over a shard with margins.
// CHECK-LABEL: module @windows
// CHECK: stablehlo.pad %arg0
// CHECK-SAME: (tensor<250x32xf32>, tensor<f32>) -> tensor<256x32xf32>
// CHECK: stablehlo.gather
// CHECK-SAME: (tensor<256x32xf32>, tensor<8xi32>) -> tensor<8x3x32xf32>
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_reduce"
module @windows attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%table: tensor<1000x32xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %ids: tensor<8xi32>) -> tensor<8x3x32xf32> {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 3, 32>}> : (tensor<1000x32xf32>, tensor<8xi32>) -> tensor<8x3x32xf32>
    return %0 : tensor<8x3x32xf32>
  }
}

// -----

// Each device applies its own updates, of which the last ones are padding, and
// the results are combined by the maximum. The input may count on all.
// CHECK-LABEL: module @maxima
// CHECK-NOT: all_gather
// CHECK: "stablehlo.scatter"(%arg0
// CHECK: (tensor<10x6xf32>, tensor<100xi64>, tensor<100x6xf32>) -> tensor<10x6xf32>
// CHECK: "stablehlo.reduce_scatter"
// CHECK: stablehlo.maximum
// CHECK: return %{{.*}} : tensor<3x6xf32>
module @maxima attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<10x6xf32>, %i: tensor<398xui8> {mhlo.sharding = "{devices=[4]<=[4]}"}, %u: tensor<398x6xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<10x6xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<10x6xf32>, tensor<398xui8>, tensor<398x6xf32>) -> tensor<10x6xf32>
    return %0 : tensor<10x6xf32>
  }
}

// -----

// The input of a product counts on the first device only.
// CHECK-LABEL: module @products
// CHECK-NOT: all_gather
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1>
// CHECK: %[[INPUT:.*]] = stablehlo.select %{{.*}}, %arg0, %[[ONE]]
// CHECK: "stablehlo.scatter"(%[[INPUT]]
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.multiply
module @products attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<10xi32>, %i: tensor<400x1xi32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %u: tensor<400xi32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<10xi32> {
    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %m = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }) : (tensor<10xi32>, tensor<400x1xi32>, tensor<400xi32>) -> tensor<10xi32>
    return %0 : tensor<10xi32>
  }
}

// -----

// Windows that replace rows: each device writes those in its shard.
// CHECK-LABEL: module @replace
// CHECK-NOT: all_gather
// CHECK-NOT: all_reduce
// CHECK: "stablehlo.scatter"
// CHECK: (tensor<250x4xf32>, tensor<2x1xi32>, tensor<2x3x4xf32>) -> tensor<250x4xf32>
module @replace attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<1000x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %i: tensor<2x1xi32>, %u: tensor<2x3x4xf32>) -> (tensor<1000x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<1000x4xf32>, tensor<2x1xi32>, tensor<2x3x4xf32>) -> tensor<1000x4xf32>
    return %0 : tensor<1000x4xf32>
  }
}

// -----

// Shards that are smaller than a window are padded.
// CHECK-LABEL: module @small
// CHECK-NOT: all_gather
// CHECK: %[[X:.*]] = stablehlo.pad %arg0
// CHECK: "stablehlo.scatter"(%[[X]]
// CHECK: (tensor<3xi32>, tensor<400x1xi32>, tensor<400x3xi32>) -> tensor<3xi32>
// CHECK: stablehlo.slice
// CHECK-SAME: (tensor<3xi32>) -> tensor<2xi32>
module @small attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8xi32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %i: tensor<400x1xi32>, %u: tensor<400x3xi32>) -> (tensor<8xi32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %m = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }) : (tensor<8xi32>, tensor<400x1xi32>, tensor<400x3xi32>) -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

// The last row is in one shard: the devices add what they have of it, zeros
// elsewhere. The columns are selected afterwards.
// CHECK-LABEL: module @last_row
// CHECK: %[[ROW:.*]] = stablehlo.dynamic_slice %arg0
// CHECK-SAME: sizes = [8, 1, 16]
// CHECK: %[[OWN:.*]] = stablehlo.select %{{.*}}, %[[ROW]]
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[OWN]])
// CHECK: stablehlo.slice %[[SUM]] [0:8, 0:1, 0:8]
module @last_row attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x64x16xf32> {mhlo.sharding = "{devices=[1,4,1]<=[4]}"}) -> tensor<8x1x8xf32> {
    %0 = stablehlo.slice %x [0:8, 63:64, 0:8] : (tensor<8x64x16xf32>) -> tensor<8x1x8xf32>
    return %0 : tensor<8x1x8xf32>
  }
}

// -----

// Rows that move to other places of one value are not selected first.
// CHECK-LABEL: module @rolled
// CHECK-NOT: dynamic_slice %arg0
// CHECK: collective_permute
// CHECK-NOT: all_reduce
module @rolled attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x16xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<64x16xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.slice %x [63:64, 0:16] : (tensor<64x16xf32>) -> tensor<1x16xf32>
    %1 = stablehlo.slice %x [0:63, 0:16] : (tensor<64x16xf32>) -> tensor<63x16xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x16xf32>, tensor<63x16xf32>) -> tensor<64x16xf32>
    return %2 : tensor<64x16xf32>
  }
}
