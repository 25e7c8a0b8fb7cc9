// RUN: xlac-opt %s --xlac-skip-masked-columns='min-rows=64 min-columns=64 min-scores=0' --split-input-file | FileCheck %s

// A query attends to itself and to the keys before it. Each of four blocks of
// queries reads the keys up to its last query, in steps of 64.
// CHECK-LABEL: func.func @causal
// CHECK-NOT: tensor<2x128x128xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x64xf32>
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%{{.*}}) applies stablehlo.add across dimensions = [2] : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x8xf32>
// The weight of the other keys times the mean of their values.
// CHECK: %[[REST:.*]] = stablehlo.slice %arg2 [0:2, 64:128, 0:8]
// CHECK: %[[SHARE:.*]] = stablehlo.multiply %[[REST]]
// CHECK: stablehlo.reduce(%[[SHARE]] {{.*}} -> tensor<2x8xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x64xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x8xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x128xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x8xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x128xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x32x8xf32>
// CHECK: stablehlo.concatenate {{.*}}, dim = 1 : {{.*}} -> tensor<2x128x8xf32>
func.func @causal(%q: tensor<2x128x16xf32>, %k: tensor<2x128x16xf32>, %v: tensor<2x128x8xf32>) -> tensor<2x128x8xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %hidden = stablehlo.constant dense<-1.0e+30> : tensor<2x128x128xf32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x128x16xf32>, tensor<2x128x16xf32>) -> tensor<2x128x128xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x128x128xi32>
  %j = stablehlo.iota dim = 2 : tensor<2x128x128xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<2x128x128xi32>, tensor<2x128x128xi32>) -> tensor<2x128x128xi1>
  %x = stablehlo.select %m, %s, %hidden : tensor<2x128x128xi1>, tensor<2x128x128xf32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
  %maxs = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
  %d = stablehlo.subtract %x, %maxs : tensor<2x128x128xf32>
  %e = stablehlo.exponential %d : tensor<2x128x128xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<2x128xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x128xf32>) -> tensor<2x128x128xf32>
  %p = stablehlo.divide %e, %sums : tensor<2x128x128xf32>
  %r = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x128x128xf32>, tensor<2x128x8xf32>) -> tensor<2x128x8xf32>
  return %r : tensor<2x128x8xf32>
}

// -----

// The weights are also a result.
// CHECK-LABEL: func.func @read_twice
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
func.func @read_twice(%q: tensor<128x16xf32>, %k: tensor<128x16xf32>, %v: tensor<128x8xf32>) -> (tensor<128x8xf32>, tensor<128x128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<128x128xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x128xf32>
  %i = stablehlo.iota dim = 0 : tensor<128x128xi32>
  %j = stablehlo.iota dim = 1 : tensor<128x128xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
  %x = stablehlo.select %m, %s, %zero : tensor<128x128xi1>, tensor<128x128xf32>
  %r = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
  return %r, %x : tensor<128x8xf32>, tensor<128x128xf32>
}

// -----

// An addend does not hide a score, which may be NaN.
// CHECK-LABEL: func.func @added_mask
// CHECK-COUNT-2: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
func.func @added_mask(%q: tensor<128x16xf32>, %k: tensor<128x16xf32>, %v: tensor<128x8xf32>) -> tensor<128x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<128x128xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<128x128xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x128xf32>
  %i = stablehlo.iota dim = 0 : tensor<128x128xi32>
  %j = stablehlo.iota dim = 1 : tensor<128x128xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
  %a = stablehlo.select %m, %zero, %low : tensor<128x128xi1>, tensor<128x128xf32>
  %x = stablehlo.add %s, %a : tensor<128x128xf32>
  %e = stablehlo.exponential %x : tensor<128x128xf32>
  %r = stablehlo.dot_general %e, %v, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
  return %r : tensor<128x8xf32>
}

// -----

// A constant mask, and weights that are the right operand.
// CHECK-LABEL: func.func @constant_mask
// CHECK: stablehlo.dot_general {{.*}} -> tensor<16x64xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<8x16xf32>
// CHECK: stablehlo.concatenate {{.*}}, dim = 1 : {{.*}} -> tensor<8x64xf32>
func.func @constant_mask(%q: tensor<64x16xf32>, %k: tensor<128x16xf32>, %v: tensor<8x128xf32>) -> tensor<8x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<64x128xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<64x16xf32>, tensor<128x16xf32>) -> tensor<64x128xf32>
  %keys = stablehlo.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : tensor<128xi1>
  %m = stablehlo.broadcast_in_dim %keys, dims = [1] : (tensor<128xi1>) -> tensor<64x128xi1>
  %x = stablehlo.select %m, %s, %zero : tensor<64x128xi1>, tensor<64x128xf32>
  %r = stablehlo.dot_general %v, %x, contracting_dims = [1] x [1] : (tensor<8x128xf32>, tensor<64x128xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
