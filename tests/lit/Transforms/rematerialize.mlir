// RUN: xlac-opt %s --xlac-rematerialize=limit=160000 --split-input-file | FileCheck %s
// RUN: xlac-opt %s --xlac-rematerialize=limit=240000 --split-input-file | FileCheck %s --check-prefix=ENOUGH

// Three matrices of 64 KiB are in memory at a time. The first one is computed
// again where it is read for the last time.
// CHECK-LABEL: func.func @kernel
// CHECK: %[[A:.*]] = xlac.call @widen(%arg0)
// CHECK-NEXT: %[[B:.*]] = xlac.call @sum(%[[A]])
// CHECK-NEXT: %[[C:.*]] = xlac.call @widen(%[[B]])
// CHECK-NEXT: %[[D:.*]] = xlac.call @narrow(%[[C]])
// CHECK-NEXT: %[[E:.*]] = xlac.call @sum(%[[D]])
// CHECK-NEXT: %[[AGAIN:.*]] = xlac.call @widen(%arg0)
// CHECK-NEXT: xlac.call @join(%[[AGAIN]], %[[E]])
// ENOUGH-LABEL: func.func @kernel
// ENOUGH-COUNT-2: @widen
// ENOUGH-NOT: @widen
func.func @kernel(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = xlac.call @widen(%x) : (tensor<256xf32>) -> tensor<64x256xf32>
  %b = xlac.call @sum(%a) : (tensor<64x256xf32>) -> tensor<256xf32>
  %c = xlac.call @widen(%b) : (tensor<256xf32>) -> tensor<64x256xf32>
  %d = xlac.call @narrow(%c) : (tensor<64x256xf32>) -> tensor<64x256xf32>
  %e = xlac.call @sum(%d) : (tensor<64x256xf32>) -> tensor<256xf32>
  %f = xlac.call @join(%a, %e) : (tensor<64x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %f : tensor<256xf32>
}

// A result takes the memory of the argument, which is not read again.
// CHECK-LABEL: func.func @donated
// ENOUGH-LABEL: func.func @donated
// CHECK-COUNT-2: @widen
// CHECK-NOT: @widen
// CHECK: return
func.func @donated(%x: tensor<256xf32> {tf.aliasing_output = 0 : i32}) -> tensor<256xf32> {
  %a = xlac.call @widen(%x) : (tensor<256xf32>) -> tensor<64x256xf32>
  %b = xlac.call @sum(%a) : (tensor<64x256xf32>) -> tensor<256xf32>
  %c = xlac.call @widen(%b) : (tensor<256xf32>) -> tensor<64x256xf32>
  %d = xlac.call @narrow(%c) : (tensor<64x256xf32>) -> tensor<64x256xf32>
  %e = xlac.call @sum(%d) : (tensor<64x256xf32>) -> tensor<256xf32>
  %f = xlac.call @join(%a, %e) : (tensor<64x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %f : tensor<256xf32>
}

// A started collective and the view of its result: the copy is not started, and
// nothing awaits it.
// CHECK-LABEL: func.func @collective
// CHECK: xlac.tensor_collective started
// CHECK: xlac.await
// CHECK: %[[D:.*]] = xlac.call @narrow
// CHECK-NEXT: %[[E:.*]] = xlac.call @sum(%[[D]])
// CHECK-NEXT: %[[AGAIN:.*]] = xlac.tensor_collective <all_gather{{.*}}(%arg0)
// CHECK-NEXT: %[[VIEW:.*]] = stablehlo.reshape %[[AGAIN]]
// CHECK-NEXT: %[[MATRIX:.*]] = stablehlo.reshape %[[VIEW]]
// CHECK-NEXT: xlac.call @join(%[[MATRIX]], %[[E]])
func.func @collective(%x: tensor<8x256xf32>) -> tensor<256xf32> {
  %started = xlac.tensor_collective started <all_gather, flattened_ids, groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 8>(%x) : (tensor<8x256xf32>) -> tensor<64x256xf32>
  %gathered = xlac.await %started : tensor<64x256xf32> reading %x : tensor<8x256xf32> -> tensor<64x256xf32>
  %view = stablehlo.reshape %gathered : (tensor<64x256xf32>) -> tensor<16384xf32>
  %a = stablehlo.reshape %view : (tensor<16384xf32>) -> tensor<64x256xf32>
  %b = xlac.call @sum(%a) : (tensor<64x256xf32>) -> tensor<256xf32>
  %c = xlac.call @widen(%b) : (tensor<256xf32>) -> tensor<64x256xf32>
  %d = xlac.call @narrow(%c) : (tensor<64x256xf32>) -> tensor<64x256xf32>
  %e = xlac.call @sum(%d) : (tensor<64x256xf32>) -> tensor<256xf32>
  %f = xlac.call @join(%a, %e) : (tensor<64x256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %f : tensor<256xf32>
}

xlac.kernel @widen <loop> {
^bb0(%x: tensor<256xf32>):
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<256xf32>) -> tensor<64x256xf32>
  xlac.yield %0 : tensor<64x256xf32>
}
xlac.kernel @narrow <loop> {
^bb0(%x: tensor<64x256xf32>):
  %0 = stablehlo.reverse %x, dims = [1] : tensor<64x256xf32>
  xlac.yield %0 : tensor<64x256xf32>
}
xlac.kernel @sum <loop> {
^bb0(%x: tensor<64x256xf32>):
  %0 = stablehlo.slice %x [0:1, 0:256] : (tensor<64x256xf32>) -> tensor<1x256xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x256xf32>) -> tensor<256xf32>
  xlac.yield %1 : tensor<256xf32>
}
xlac.kernel @join <loop> {
^bb0(%x: tensor<64x256xf32>, %y: tensor<256xf32>):
  %0 = stablehlo.slice %x [0:1, 0:256] : (tensor<64x256xf32>) -> tensor<1x256xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x256xf32>) -> tensor<256xf32>
  %2 = stablehlo.add %1, %y : tensor<256xf32>
  xlac.yield %2 : tensor<256xf32>
}
