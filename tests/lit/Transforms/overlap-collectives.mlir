// RUN: xlac-opt %s --xlac-bucket-all-reduces --split-input-file | FileCheck %s --check-prefix=BUCKET
// RUN: xlac-opt %s --xlac-bucket-all-reduces --xlac-lower-collectives --xlac-fuse-kernels --xlac-start-collectives --xlac-order-launches --split-input-file | FileCheck %s --check-prefix=ORDER
// RUN: xlac-opt %s --xlac-bucket-all-reduces --xlac-lower-collectives --xlac-fuse-kernels --xlac-start-collectives --xlac-order-launches --xlac-plan-buffers --split-input-file | FileCheck %s --check-prefix=PLAN

// Gradients of a step in the order of the weights: the last layer's are there
// first, so they are in the first bucket, and on their way before the first
// layer's are computed.
// BUCKET-LABEL: func.func @main
// BUCKET: %[[LAST:.*]] = stablehlo.dot_general %arg0, %arg1
// BUCKET: stablehlo.dot_general
// BUCKET: %[[FIRST:.*]] = stablehlo.dot_general
// BUCKET: "stablehlo.all_reduce"(%[[LAST]])
// BUCKET: "stablehlo.all_reduce"(%[[FIRST]])

// ORDER-LABEL: func.func @main
// ORDER: %[[LAST:.*]] = xlac.call @[[DOT:.*]](%{{.*}}, %arg1)
// ORDER: %[[SENT:.*]] = xlac.tensor_collective started <all_reduce{{.*}}(%[[LAST]])
// ORDER: xlac.call
// ORDER: %[[FIRST:.*]] = xlac.call
// ORDER-NOT: xlac.await
// ORDER: xlac.await %[[SENT]] : tensor<1024x1024xf32> reading %[[LAST]]
// ORDER: return

// What peers read and write lies nowhere else until the wait.
// PLAN-LABEL: xlac.program @xlac_entry
// PLAN: xlac.collective started 0 <all_reduce{{.*}}>(%[[SUM:[0-9]+]]) -> (%[[SUM]])
// PLAN: xlac.launch
// PLAN: xlac.collective 1 <all_reduce
// PLAN: xlac.await_collective 0
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
  %last = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %back = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %first = stablehlo.dot_general %back, %x, contracting_dims = [0] x [1] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %sums:2 = "stablehlo.all_reduce"(%first, %last) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>)
  %u = stablehlo.subtract %x, %sums#0 : tensor<1024x1024xf32>
  %v = stablehlo.subtract %y, %sums#1 : tensor<1024x1024xf32>
  return %u, %v : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}

// -----

// Nothing runs beside it, and the other is too small for a thread.
// ORDER-LABEL: func.func @main
// ORDER-NOT: started
// ORDER-NOT: xlac.await
func.func @main(%x: tensor<65536xf32>, %y: tensor<4xf32>) -> (tensor<65536xf32>, tensor<4xf32>) {
  %s = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<65536xf32>) -> tensor<65536xf32>
  %e = stablehlo.exponential %s : tensor<65536xf32>
  %t = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %e, %t : tensor<65536xf32>, tensor<4xf32>
}

// -----

// A launch that reads a value for the last time and frees it runs before the
// next launch for peers. What needs nothing from peers runs while they send.
// ORDER-LABEL: func.func @main
// ORDER: %[[A:.*]] = xlac.call @[[DOT:dot.*]](%arg0, %arg1)
// ORDER-NEXT: %[[B:.*]] = xlac.call @{{dot.*}}(%[[A]], %arg1)
// ORDER-NEXT: xlac.call @reduce{{.*}}(%[[A]])
// ORDER-NEXT: %[[C:.*]] = xlac.call @{{dot.*}}(%[[B]], %arg1)
// ORDER-NEXT: xlac.tensor_collective started <all_reduce{{.*}}(%[[C]])
// ORDER-NEXT: xlac.call @{{dot.*}}(%arg1, %arg0)
// ORDER-NEXT: xlac.await
func.func @main(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024x1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %c = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = "stablehlo.all_reduce"(%c) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %1 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %d = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %r = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %s, %r, %d : tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024x1024xf32>
}
