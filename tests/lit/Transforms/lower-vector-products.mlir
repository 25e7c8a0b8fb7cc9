// RUN: xlac-opt %s --xlac-lower-vector-products --split-input-file | FileCheck %s

// The vector is computed before, not for each row.
// CHECK-LABEL: func.func @matrix_vector
// CHECK: %[[X:.*]] = stablehlo.negate
// CHECK: %[[ONCE:.*]] = stablehlo.optimization_barrier %[[X]]
// CHECK: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[ONCE]], dims = [1]
// CHECK: %[[P:.*]] = stablehlo.multiply %arg0, %[[ROWS]]
// CHECK: stablehlo.reduce(%[[P]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK-NOT: stablehlo.dot_general
func.func @matrix_vector(%a: tensor<300x400xf32>, %x: tensor<400xf32>) -> tensor<300xf32> {
  %n = stablehlo.negate %x : tensor<400xf32>
  %0 = stablehlo.dot_general %a, %n, contracting_dims = [1] x [0] : (tensor<300x400xf32>, tensor<400xf32>) -> tensor<300xf32>
  return %0 : tensor<300xf32>
}

// -----

// Products of bf16 are summed in f32.
// CHECK-LABEL: func.func @narrow
// CHECK: stablehlo.convert %arg1 : (tensor<400x500xbf16>) -> tensor<400x500xf32>
// CHECK: stablehlo.reduce({{.*}}across dimensions = [0] : (tensor<400x500xf32>
// CHECK: stablehlo.convert {{.*}} -> tensor<500xbf16>
func.func @narrow(%x: tensor<1x400xbf16>, %a: tensor<400x500xbf16>) -> tensor<1x500xbf16> {
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<1x400xbf16>, tensor<400x500xbf16>) -> tensor<1x500xbf16>
  return %0 : tensor<1x500xbf16>
}

// -----

// A transposed matrix is read in place.
// CHECK-LABEL: func.func @transposed
// CHECK: stablehlo.multiply %arg1
// CHECK: stablehlo.reduce({{.*}}across dimensions = [1] : (tensor<500x400xf32>
func.func @transposed(%x: tensor<1x400xf32>, %a: tensor<500x400xf32>) -> tensor<1x500xf32> {
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<500x400xf32>) -> tensor<400x500xf32>
  %0 = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<1x400xf32>, tensor<400x500xf32>) -> tensor<1x500xf32>
  return %0 : tensor<1x500xf32>
}

// -----

// So is one whose dimensions are joined, in the type that it has in memory. Ops
// that nothing uses any more are erased.
// CHECK-LABEL: func.func @joined
// CHECK-NOT: stablehlo.transpose
// CHECK: %[[F:.*]] = stablehlo.convert %arg1 : (tensor<500x4x100xi8>) -> tensor<500x4x100xf32>
// CHECK: %[[X:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 2] : (tensor<4x100xf32>) -> tensor<500x4x100xf32>
// CHECK: stablehlo.multiply %[[F]], %[[X]]
// CHECK: stablehlo.reduce({{.*}}across dimensions = [1, 2] : (tensor<500x4x100xf32>
func.func @joined(%x: tensor<1x400xf32>, %a: tensor<500x4x100xi8>) -> tensor<1x500xf32> {
  %j = stablehlo.reshape %a : (tensor<500x4x100xi8>) -> tensor<500x400xi8>
  %t = stablehlo.transpose %j, dims = [1, 0] : (tensor<500x400xi8>) -> tensor<400x500xi8>
  %f = stablehlo.convert %t : (tensor<400x500xi8>) -> tensor<400x500xf32>
  %0 = stablehlo.dot_general %x, %f, contracting_dims = [1] x [0] : (tensor<1x400xf32>, tensor<400x500xf32>) -> tensor<1x500xf32>
  return %0 : tensor<1x500xf32>
}

// -----

// If batches are not first in the matrix, the sums are transposed.
// CHECK-LABEL: func.func @batches_behind
// CHECK: %[[S:.*]] = stablehlo.reduce({{.*}}across dimensions = [2] : (tensor<301x4x130xf32>
// CHECK: stablehlo.transpose %[[S]], dims = [1, 0] : (tensor<301x4xf32>) -> tensor<4x301xf32>
func.func @batches_behind(%b: tensor<301x4x130xf32>, %y: tensor<4x130xf32>) -> tensor<4x301xf32> {
  %0 = stablehlo.dot_general %b, %y, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<301x4x130xf32>, tensor<4x130xf32>) -> tensor<4x301xf32>
  return %0 : tensor<4x301xf32>
}

// -----

// A product with few columns has a few rows instead, along which a GEMM reads
// the large matrix in place. The transposed one would not be contiguous.
// CHECK-LABEL: func.func @few_columns
// CHECK: %[[T:.*]] = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<400x3xf32>) -> tensor<3x400xf32>
// CHECK: %[[B:.*]] = stablehlo.optimization_barrier %[[T]]
// CHECK: %[[P:.*]] = stablehlo.dot_general %[[B]], %arg0, contracting_dims = [1] x [2]{{.*}} -> tensor<3x5x100xf32>
// CHECK: stablehlo.transpose %[[P]], dims = [1, 2, 0]
// CHECK: stablehlo.dot_general {{.*}}contracting_dims = [1] x [0]{{.*}} -> tensor<500x3xf32>
func.func @few_columns(%x: tensor<5x100x400xf32>, %w: tensor<400x3xf32>, %y: tensor<400x500xf32>) -> (tensor<5x100x3xf32>, tensor<500x3xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<5x100x400xf32>, tensor<400x3xf32>) -> tensor<5x100x3xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<400x500xf32>) -> tensor<500x400xf32>
  %1 = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : (tensor<500x400xf32>, tensor<400x3xf32>) -> tensor<500x3xf32>
  return %0, %1 : tensor<5x100x3xf32>, tensor<500x3xf32>
}

// -----

// Small matrices, several rows, and sums of other types stay products.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: stablehlo.dot_general
func.func @stay(%s: tensor<40x40xf32>, %x: tensor<40xf32>, %a: tensor<400x500xf32>, %m: tensor<2x400xf32>, %i: tensor<800x700xi8>, %j: tensor<700xi8>) -> (tensor<40xf32>, tensor<2x500xf32>, tensor<800xi32>) {
  %0 = stablehlo.dot_general %s, %x, contracting_dims = [1] x [0] : (tensor<40x40xf32>, tensor<40xf32>) -> tensor<40xf32>
  %1 = stablehlo.dot_general %m, %a, contracting_dims = [1] x [0] : (tensor<2x400xf32>, tensor<400x500xf32>) -> tensor<2x500xf32>
  %2 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<800x700xi8>, tensor<700xi8>) -> tensor<800xi32>
  return %0, %1, %2 : tensor<40xf32>, tensor<2x500xf32>, tensor<800xi32>
}
