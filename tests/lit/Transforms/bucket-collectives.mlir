// RUN: xlac-opt %s --xlac-lower-collectives --xlac-bucket-collectives --split-input-file | FileCheck %s

// The gathers of two weights become one, where the first was. The shard of the
// second is a view of an argument and moves. The gather of what was computed
// stays, and so does one along another dimension.
// CHECK-LABEL: func.func @gathers
// CHECK-NEXT: %[[SHARD:.*]] = stablehlo.reshape %arg1
// CHECK-NEXT: %[[BOTH:.*]]:2 = xlac.tensor_collective <all_gather{{.*}}(%arg0, %[[SHARD]])
// CHECK-NEXT: stablehlo.dot_general %arg2, %[[BOTH]]#0
// CHECK-NEXT: %[[X:.*]] = stablehlo.dot_general %{{.*}}, %[[BOTH]]#1
// CHECK-NEXT: xlac.tensor_collective <all_gather{{.*}}(%[[X]])
// CHECK-NEXT: xlac.tensor_collective <all_gather{{.*}}dimension = 1>(%arg0)
func.func @gathers(%w: tensor<8x16xf32>, %v: tensor<128xf32>, %x: tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<8x32xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %shard = stablehlo.reshape %v : (tensor<128xf32>) -> tensor<8x16xf32>
  %2 = "stablehlo.all_gather"(%shard) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x16xf32>) -> tensor<16x16xf32>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x16xf32>) -> tensor<8x16xf32>
  %5 = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x16xf32>) -> tensor<8x32xf32>
  return %4, %5 : tensor<8x16xf32>, tensor<8x32xf32>
}

// -----

// A bucket has at least 256 KiB where the shards have less. The third weight
// is in the next one.
// CHECK-LABEL: func.func @full
// CHECK: xlac.tensor_collective <all_gather{{.*}}(%arg0, %arg1)
// CHECK: xlac.tensor_collective <all_gather{{.*}}(%arg2)
func.func @full(%u: tensor<4096xf32>, %v: tensor<4096xf32>, %w: tensor<4096xf32>) -> (tensor<32768xf32>, tensor<32768xf32>, tensor<32768xf32>) {
  %0 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<4096xf32>) -> tensor<32768xf32>
  %1 = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<4096xf32>) -> tensor<32768xf32>
  %2 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> : (tensor<4096xf32>) -> tensor<32768xf32>
  return %0, %1, %2 : tensor<32768xf32>, tensor<32768xf32>, tensor<32768xf32>
}

// -----

// The gradients are summed together, where the second is known. The update of
// the first weight waits.
// CHECK-LABEL: func.func @scatters
// CHECK: %[[A:.*]] = stablehlo.multiply
// CHECK-NEXT: %[[B:.*]] = stablehlo.negate
// CHECK-NEXT: %[[SUMS:.*]]:2 = xlac.tensor_collective <reduce_scatter{{.*}}(%[[A]], %[[B]]) by [@reducer{{.*}}, @reducer{{.*}}]
// CHECK-NEXT: stablehlo.subtract %arg1, %[[SUMS]]#0
// CHECK-NEXT: stablehlo.subtract %arg1, %[[SUMS]]#1
func.func @scatters(%x: tensor<8x16xf32>, %w: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %a = stablehlo.multiply %x, %x : tensor<8x16xf32>
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.subtract %w, %0 : tensor<4x16xf32>
  %b = stablehlo.negate %x : tensor<8x16xf32>
  %2 = "stablehlo.reduce_scatter"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>) -> tensor<4x16xf32>
  %3 = stablehlo.subtract %w, %2 : tensor<4x16xf32>
  return %1, %3 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// The second depends on the first: they stay apart.
// CHECK-LABEL: func.func @chain
// CHECK: %[[ONE:.*]] = xlac.tensor_collective <reduce_scatter{{.*}}(%arg0)
// CHECK: %[[TWO:.*]] = stablehlo.negate %[[ONE]]
// CHECK: xlac.tensor_collective <reduce_scatter{{.*}}(%[[TWO]])
func.func @chain(%x: tensor<8x16xf32>) -> tensor<2x16xf32> {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.negate %0 : tensor<4x16xf32>
  %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x16xf32>) -> tensor<2x16xf32>
  return %2 : tensor<2x16xf32>
}
