// RUN: xlac-opt %s --xlac-expand-rare-ops --split-input-file | FileCheck %s

// CHECK-LABEL: func @broadcast
func.func @broadcast(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1]
  %0 = stablehlo.broadcast %a, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @dot
func.func @dot(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0]
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @einsum
func.func @einsum(%a: tensor<4x2x3xf32>, %b: tensor<4x3x5xf32>) -> tensor<4x5x2xf32> {
  // CHECK: %[[D:.*]] = stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1]
  // CHECK: stablehlo.transpose %[[D]], dims = [0, 2, 1]
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "bij,bjk->bki"} : (tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x5x2xf32>
  return %0 : tensor<4x5x2xf32>
}

// -----

// CHECK-LABEL: func @unary_einsum
func.func @unary_einsum(%a: tensor<2x3xf32>) -> tensor<3xf32> {
  // CHECK: stablehlo.reduce{{.*}} across dimensions = [0]
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->j"} : (tensor<2x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @torch_index_select
func.func @torch_index_select(%a: tensor<5x6x7xf32>, %i: tensor<2x3xi32>) -> tensor<5x2x3x7xf32> {
  // CHECK: "stablehlo.gather"
  // CHECK-SAME: offset_dims = [0, 3]
  // CHECK-SAME: collapsed_slice_dims = [1]
  // CHECK-SAME: slice_sizes = array<i64: 5, 1, 7>
  %0 = "stablehlo.torch_index_select"(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<5x6x7xf32>, tensor<2x3xi32>) -> tensor<5x2x3x7xf32>
  return %0 : tensor<5x2x3x7xf32>
}

// -----

// CHECK-LABEL: func @map
func.func @map(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: stablehlo.map
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = "stablehlo.map"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.multiply %x, %c : tensor<f32>
    %2 = stablehlo.add %1, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @batch_norm_inference
func.func @batch_norm_inference(%a: tensor<2x3x4xf32>, %f: tensor<3xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NOT: batch_norm
  // CHECK: stablehlo.sqrt
  // CHECK: stablehlo.divide
  %0 = "stablehlo.batch_norm_inference"(%a, %f, %f, %f, %f) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func @batch_norm_training
func.func @batch_norm_training(%a: tensor<2x3x4xf32>, %f: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NOT: batch_norm
  // CHECK-COUNT-2: stablehlo.reduce{{.*}} across dimensions = [0, 2]
  %0:3 = "stablehlo.batch_norm_training"(%a, %f, %f) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#2 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @batch_norm_grad
func.func @batch_norm_grad(%a: tensor<2x3x4xf32>, %f: tensor<3xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NOT: batch_norm
  %0:3 = "stablehlo.batch_norm_grad"(%a, %f, %f, %f, %a) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func @select_from_no_batches
func.func @select_from_no_batches(%a: tensor<0x3xf32>, %i: tensor<0xi32>) -> tensor<0xf32> {
  // CHECK: "stablehlo.gather"{{.*}}slice_sizes = array<i64: 0, 1>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<0x3xf32>, tensor<0xi32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

// CHECK-LABEL: func @rng_ops_differ
func.func @rng_ops_differ(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: stablehlo.constant dense<[11400714819323198485, 0]> : tensor<2xui64>
  // CHECK-DAG: stablehlo.constant dense<[4354685564936845354, 0]> : tensor<2xui64>
  // CHECK-DAG: chlo.erf_inv
  %s = stablehlo.constant dense<[4]> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @dynamic_ops_of_static_result
func.func @dynamic_ops_of_static_result(%a: tensor<2x3xf32>, %s: tensor<2xi64>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
  // CHECK-DAG: stablehlo.reshape
  // CHECK-DAG: stablehlo.iota dim = 1
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %1 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<3x2xi32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func @constant_padding
func.func @constant_padding(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [1], high = [2], interior = [0]
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<2> : tensor<1xi64>
  %interior = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %v, %low, %high, %interior : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func @padding_known_at_run_time
func.func @padding_known_at_run_time(%a: tensor<3xf32>, %v: tensor<f32>, %n: tensor<1xi64>) -> tensor<6xf32> {
  // CHECK: "stablehlo.gather"
  // CHECK: stablehlo.select
  %0 = stablehlo.dynamic_pad %a, %v, %n, %n, %n : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK-LABEL: func @sizes_of_dimensions
func.func @sizes_of_dimensions(%a: tensor<3x7xf32>) -> tensor<i32> {
  // CHECK: stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<3x7xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: func @dynamic_results_are_left_alone
func.func @dynamic_results_are_left_alone(%s: tensor<2xi64>) -> tensor<?x2xi32> {
  // CHECK: stablehlo.dynamic_iota
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}
