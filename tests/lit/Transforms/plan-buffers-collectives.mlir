// RUN: xlac-opt %s --xlac-lower-collectives --xlac-fuse-kernels --xlac-plan-buffers --split-input-file | FileCheck %s

// A collective between replicas may fail. Arguments are then what they were:
// results that are written before it have buffers of their own.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: aliases = array<i64: 1, 1>}
func.func @main(%v: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %w: tensor<64xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.exponential %v : tensor<64xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// What a loop carries is there when the loop collectives.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-NOT: aliases
// CHECK: xlac.while
func.func @main(%w: tensor<64xf32> {tf.aliasing_output = 0 : i32}) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %e = stablehlo.exponential %w : tensor<64xf32>
  %0:2 = stablehlo.while(%i = %zero, %x = %e) : tensor<i32>, tensor<64xf32>
    cond {
      %n = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %4 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %2 = stablehlo.exponential %1 : tensor<64xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<64xf32>
    }
  return %0#1 : tensor<64xf32>
}

// -----

// The result of an all_reduce replaces an operand that nothing reads later, in
// the memory of the program's result. It does not replace one that is read
// again or is an argument, and no other collective replaces its operand.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-DAG: %[[BESIDE:.*]] = xlac.arena
// CHECK-DAG: %[[SUM:.*]] = xlac.result 0
// CHECK-DAG: %[[KEPT:.*]] = xlac.result 1
// CHECK-DAG: %[[OTHER:.*]] = xlac.result 2
// CHECK-DAG: %[[V:.*]] = xlac.argument 0
// CHECK: xlac.launch @{{.*}}(%[[V]]) -> (%[[SUM]])
// CHECK: xlac.collective 0 <all_reduce, {{.*}}>(%[[SUM]]) -> (%[[SUM]])
// CHECK: xlac.collective 1 <all_reduce, {{.*}}>(%[[V]]) -> (%[[OTHER]])
// CHECK: xlac.collective 2 <all_reduce, {{.*}}>(%[[KEPT]]) -> (%[[BESIDE]])
// CHECK: xlac.launch @{{.*}}(%[[KEPT]], %[[BESIDE]]) -> (%[[KEPT]])
func.func @main(%v: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.exponential %v : tensor<64xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = "stablehlo.all_reduce"(%v) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %3 = stablehlo.tanh %v : tensor<64xf32>
  %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %5 = stablehlo.subtract %3, %4 : tensor<64xf32>
  return %1, %5, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-DAG: %[[A:.*]] = xlac.arena[0, 256]
// CHECK-DAG: %[[B:.*]] = xlac.arena[256, 256]
// CHECK: xlac.collective 0 <all_to_all, {{.*}}>(%[[A]]) -> (%[[B]])
// CHECK: xlac.launch @{{.*}}(%[[B]]) -> (%[[B]])
// CHECK: xlac.collective 1 <all_reduce, {{.*}}>(%[[B]]) -> (%[[B]])
func.func @main(%v: tensor<64xf32>) -> tensor<f32> {
  %0 = stablehlo.exponential %v : tensor<64xf32>
  %1 = "stablehlo.all_to_all"(%0) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<64xf32>) -> tensor<64xf32>
  %2 = stablehlo.tanh %1 : tensor<64xf32>
  %3 = "stablehlo.all_reduce"(%2) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}
