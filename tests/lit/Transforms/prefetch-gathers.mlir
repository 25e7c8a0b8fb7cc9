// RUN: xlac-opt %s --xlac-start-collectives --xlac-prefetch-gathers --xlac-order-launches | FileCheck %s

xlac.kernel @layer <loop> {
^bb0(%a: tensor<64x128xf32>, %w: tensor<1024x128xf32>):
  xlac.yield %a : tensor<64x128xf32>
}
xlac.kernel @narrow <loop> {
^bb0(%a: tensor<64x128xf32>, %w: tensor<256x128xf32>):
  xlac.yield %a : tensor<64x128xf32>
}
xlac.kernel @turn <loop> {
^bb0(%w: tensor<512x128xf32>):
  %0 = stablehlo.negate %w : tensor<512x128xf32>
  xlac.yield %0 : tensor<512x128xf32>
}

// The second weight travels while the first is used, the third while the
// second is. Nothing starts earlier. A kernel that computes a shard from an
// argument moves with the gather.
// CHECK-LABEL: func.func @ahead
// CHECK-NEXT: %[[U:.*]] = xlac.tensor_collective started <all_gather{{.*}}(%arg1)
// CHECK-NEXT: %[[SHARD:.*]] = xlac.call @turn(%arg2)
// CHECK-NEXT: %[[V:.*]] = xlac.tensor_collective started <all_gather{{.*}}(%[[SHARD]])
// CHECK-NEXT: %[[UW:.*]] = xlac.await %[[U]]
// CHECK-NEXT: %[[X1:.*]] = xlac.call @layer(%arg0, %[[UW]])
// CHECK-NEXT: %[[W:.*]] = xlac.tensor_collective started <all_gather{{.*}}(%arg3)
// CHECK-NEXT: %[[VW:.*]] = xlac.await %[[V]]
// CHECK-NEXT: %[[X2:.*]] = xlac.call @layer(%[[X1]], %[[VW]])
// CHECK-NEXT: %[[WW:.*]] = xlac.await %[[W]]
// CHECK-NEXT: %[[X3:.*]] = xlac.call @layer(%[[X2]], %[[WW]])
// CHECK-NEXT: return %[[X3]]
func.func @ahead(%x: tensor<64x128xf32>, %u: tensor<512x128xf32>, %v: tensor<512x128xf32>, %w: tensor<512x128xf32>) -> tensor<64x128xf32> {
  %0 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%u) : (tensor<512x128xf32>) -> tensor<1024x128xf32>
  %1 = xlac.call @layer(%x, %0) : (tensor<64x128xf32>, tensor<1024x128xf32>) -> tensor<64x128xf32>
  %shard = xlac.call @turn(%v) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %2 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%shard) : (tensor<512x128xf32>) -> tensor<1024x128xf32>
  %3 = xlac.call @layer(%1, %2) : (tensor<64x128xf32>, tensor<1024x128xf32>) -> tensor<64x128xf32>
  %4 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%w) : (tensor<512x128xf32>) -> tensor<1024x128xf32>
  %5 = xlac.call @layer(%3, %4) : (tensor<64x128xf32>, tensor<1024x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}

// A device holds 512 KiB of all weights, which is how much may be in flight: the
// three small ones start together with the use of the first, the large one when
// the last of them is used.
// CHECK-LABEL: func.func @window
// CHECK: xlac.tensor_collective started <all_gather{{.*}}(%arg1)
// CHECK-NEXT: xlac.tensor_collective started <all_gather{{.*}}(%arg2)
// CHECK-NEXT: xlac.tensor_collective started <all_gather{{.*}}(%arg3)
// CHECK-NEXT: xlac.tensor_collective started <all_gather{{.*}}(%arg4)
// CHECK-NEXT: xlac.await
// CHECK-NEXT: xlac.call @narrow(%arg0
// CHECK: xlac.call @narrow
// CHECK: xlac.call @narrow
// CHECK: xlac.tensor_collective started <all_gather{{.*}}(%arg5)
// CHECK-NOT: xlac.tensor_collective
// CHECK: xlac.call @narrow
// CHECK: xlac.call @layer
func.func @window(%x: tensor<64x128xf32>, %a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>, %d: tensor<128x128xf32>, %e: tensor<512x128xf32>) -> tensor<64x128xf32> {
  %g0 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%a) : (tensor<128x128xf32>) -> tensor<256x128xf32>
  %x0 = xlac.call @narrow(%x, %g0) : (tensor<64x128xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %g1 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%b) : (tensor<128x128xf32>) -> tensor<256x128xf32>
  %x1 = xlac.call @narrow(%x0, %g1) : (tensor<64x128xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %g2 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%c) : (tensor<128x128xf32>) -> tensor<256x128xf32>
  %x2 = xlac.call @narrow(%x1, %g2) : (tensor<64x128xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %g3 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%d) : (tensor<128x128xf32>) -> tensor<256x128xf32>
  %x3 = xlac.call @narrow(%x2, %g3) : (tensor<64x128xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %g4 = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%e) : (tensor<512x128xf32>) -> tensor<1024x128xf32>
  %x4 = xlac.call @layer(%x3, %g4) : (tensor<64x128xf32>, tensor<1024x128xf32>) -> tensor<64x128xf32>
  return %x4 : tensor<64x128xf32>
}
