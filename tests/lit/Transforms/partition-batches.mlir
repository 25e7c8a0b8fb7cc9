// RUN: xlac-opt %s --xlac-prepare-module "--xlac-partition=batch-targets=own_call" --split-input-file | FileCheck %s

// Each device calls the function for its own matrices.
// CHECK-LABEL: module @batches
// CHECK-NOT: all_gather
// CHECK: stablehlo.custom_call @lapack_sgeqrf_ffi
// CHECK-SAME: (tensor<2x4x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x4xf32>)
// CHECK: return %{{.*}} : tensor<2x4xf32>
module @batches attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4x5xf32> {mhlo.sharding = "{devices=[4,1,1]<=[4]}"}) -> tensor<8x4xf32> {
    %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>)
    return %0#1 : tensor<8x4xf32>
  }
}

// -----

// The other dimensions must be complete: the batches are cut instead.
// CHECK-LABEL: module @rows
// CHECK: "stablehlo.all_to_all"(%arg0)
// CHECK: stablehlo.custom_call @lapack_sgeqrf_ffi
// CHECK-SAME: (tensor<2x4x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x4xf32>)
module @rows attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4x5xf32> {mhlo.sharding = "{devices=[1,4,1]<=[4]}"}) -> tensor<8x4xf32> {
    %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8x4xf32>)
    return %0#1 : tensor<8x4xf32>
  }
}

// -----

// A batch that the devices do not divide, a number of batch dimensions that
// tensors do not have, and text that is no number: the function gets all.
// CHECK-LABEL: module @gathered
// CHECK: stablehlo.custom_call @lapack_sgeqrf_ffi
// CHECK-SAME: (tensor<7x4x5xf32>) -> (tensor<7x4x5xf32>, tensor<7x4xf32>)
// CHECK: stablehlo.custom_call @lapack_sgeqrf_ffi
// CHECK-SAME: (tensor<7x4x5xf32>) -> (tensor<7x4x5xf32>, tensor<7x4xf32>)
// CHECK: stablehlo.custom_call @lapack_sgeqrf_ffi
// CHECK-SAME: (tensor<7x4x5xf32>) -> (tensor<7x4x5xf32>, tensor<7x4xf32>)
module @gathered attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<7x4x5xf32> {mhlo.sharding = "{devices=[4,1,1]<=[4]}"}) -> tensor<7x4xf32> {
    %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%x) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<7x4x5xf32>) -> (tensor<7x4x5xf32>, tensor<7x4xf32>)
    %1:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%0#0) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "3"}} : (tensor<7x4x5xf32>) -> (tensor<7x4x5xf32>, tensor<7x4xf32>)
    %2:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%1#0) {api_version = 4 : i32, xlac.batch_dims = -1 : i64, mhlo.frontend_attributes = {num_batch_dims = "many"}} : (tensor<7x4x5xf32>) -> (tensor<7x4x5xf32>, tensor<7x4xf32>)
    return %2#1 : tensor<7x4xf32>
  }
}

// -----

// A function of another name gets all matrices.
// CHECK-LABEL: module @other
// CHECK: all_gather
// CHECK: stablehlo.custom_call @other
// CHECK-SAME: (tensor<8x4xf32>) -> tensor<8x4xf32>
module @other attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> tensor<8x4xf32> {
    %0 = stablehlo.custom_call @other(%x) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}

// -----

// A target of the embedder; another one is called with the complete operand.
// CHECK-LABEL: module @targets
// CHECK: custom_call @own_call({{.*}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: all_gather
// CHECK: custom_call @other_call({{.*}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
module @targets attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.custom_call @own_call(%x) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.custom_call @other_call(%0) {api_version = 4 : i32, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
