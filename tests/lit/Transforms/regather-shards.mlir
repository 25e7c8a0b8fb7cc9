// RUN: xlac-opt %s --xlac-regather-shards --split-input-file | FileCheck %s

// The weight of the first layer is read again after all others have been read
// twice, 1.5 MiB more than the shards of all. It is gathered again for that,
// with its transposition. The weight of the last layer stays.
// CHECK-LABEL: func.func @layers
// CHECK: %[[A:.*]] = xlac.tensor_collective <all_gather{{.*}}(%arg1)
// CHECK-NEXT: stablehlo.dot_general %arg0, %[[A]]
// CHECK-NEXT: xlac.tensor_collective <all_gather{{.*}}(%arg2)
// CHECK: %[[D:.*]] = xlac.tensor_collective <all_gather{{.*}}(%arg4)
// CHECK-NEXT: %[[E:.*]] = stablehlo.dot_general %{{.*}}, %[[D]]
// CHECK-NEXT: stablehlo.dot_general %[[E]], %[[D]]
// CHECK: %[[AGAIN:.*]] = xlac.tensor_collective <all_gather{{.*}}(%arg1)
// CHECK-NEXT: %[[T:.*]] = stablehlo.transpose %[[AGAIN]]
// CHECK-NEXT: stablehlo.dot_general %{{.*}}, %[[T]]
// CHECK-NOT: all_gather
func.func @layers(%x: tensor<4x256xf32>, %w0: tensor<32x256xf32>, %w1: tensor<32x256xf32>, %w2: tensor<32x256xf32>, %w3: tensor<32x256xf32>) -> tensor<4x256xf32> {
  %a = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w0) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %ta = stablehlo.transpose %a, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %b = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w1) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %c = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w2) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %2 = stablehlo.dot_general %1, %c, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %d = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w3) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %3 = stablehlo.dot_general %2, %d, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %4 = stablehlo.dot_general %3, %d, contracting_dims = [1] x [1] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %5 = stablehlo.dot_general %4, %c, contracting_dims = [1] x [1] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %6 = stablehlo.dot_general %5, %b, contracting_dims = [1] x [1] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  %7 = stablehlo.dot_general %6, %ta, contracting_dims = [1] x [0] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
  return %7 : tensor<4x256xf32>
}

// -----

// An activation is gathered again from its shard, which takes an eighth of its
// memory until then.
// CHECK-LABEL: func.func @activations
// CHECK: %[[Y:.*]] = stablehlo.tanh
// CHECK: %[[A:.*]] = xlac.tensor_collective <all_gather{{.*}}(%[[Y]])
// CHECK-COUNT-4: all_gather
// CHECK-COUNT-4: stablehlo.dot_general
// CHECK: %[[AGAIN:.*]] = xlac.tensor_collective <all_gather{{.*}}(%[[Y]])
// CHECK-NEXT: stablehlo.dot_general %{{.*}}, %[[AGAIN]]
// CHECK-NOT: all_gather
func.func @activations(%x: tensor<32x256xf32>, %w0: tensor<32x256xf32>, %w1: tensor<32x256xf32>, %w2: tensor<32x256xf32>, %w3: tensor<32x256xf32>) -> tensor<256x256xf32> {
  %y = stablehlo.tanh %x : tensor<32x256xf32>
  %a = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%y) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %b = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w0) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %c = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w1) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %d = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w2) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %e = xlac.tensor_collective <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%w3) : (tensor<32x256xf32>) -> tensor<256x256xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.dot_general %0, %c, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %2 = stablehlo.dot_general %1, %d, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %3 = stablehlo.dot_general %2, %e, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = stablehlo.dot_general %3, %a, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %4 : tensor<256x256xf32>
}
