// RUN: xlac-opt %s --xlac-start-collectives --xlac-order-launches | FileCheck %s

xlac.kernel @columns <loop> {
^bb0(%a: tensor<1024x128xf32>):
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1024x128xf32>, tensor<f32>) -> tensor<128xf32>
  xlac.yield %0 : tensor<128xf32>
}
xlac.kernel @layer <loop> {
^bb0(%a: tensor<512x128xf32>):
  %0 = stablehlo.tanh %a : tensor<512x128xf32>
  xlac.yield %0 : tensor<512x128xf32>
}

// The wait moves down to the first reader. A gather does not move up: it takes
// more memory than what it reads did.
// CHECK-LABEL: func.func @gathers
// CHECK-NEXT: %[[SENT:.*]] = xlac.tensor_collective started <all_gather{{.*}}(%arg0)
// CHECK-NEXT: %[[ONE:.*]] = xlac.call @layer(%arg0)
// CHECK-NEXT: %[[TWO:.*]] = xlac.call @layer(%[[ONE]])
// CHECK-NEXT: %[[BACK:.*]] = xlac.await %[[SENT]] : tensor<1024x128xf32> reading %arg0
// CHECK-NEXT: xlac.call @columns(%[[BACK]])
// CHECK-NEXT: %[[LAST:.*]] = xlac.tensor_collective <all_gather{{.*}}(%[[TWO]])
// CHECK-NEXT: xlac.call @columns(%[[LAST]])
// CHECK-NEXT: return
func.func @gathers(%x: tensor<512x128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %one = xlac.call @layer(%x) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %sent = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%x) : (tensor<512x128xf32>) -> tensor<1024x128xf32>
  %two = xlac.call @layer(%one) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %0 = xlac.call @columns(%sent) : (tensor<1024x128xf32>) -> tensor<128xf32>
  %last = xlac.tensor_collective <all_gather, cross_replica, groups = [0, 1], columns = 2>(%two) : (tensor<512x128xf32>) -> tensor<1024x128xf32>
  %1 = xlac.call @columns(%last) : (tensor<1024x128xf32>) -> tensor<128xf32>
  return %0, %1 : tensor<128xf32>, tensor<128xf32>
}

// A collective of what was computed does: its operand goes with it.
// CHECK-LABEL: func.func @permutes
// CHECK-NEXT: %[[ZERO:.*]] = xlac.call @layer(%arg0)
// CHECK-NEXT: %[[ONE:.*]] = xlac.call @layer(%[[ZERO]])
// CHECK-NEXT: %[[SENT:.*]] = xlac.tensor_collective started <permute{{.*}}(%[[ONE]])
// CHECK-NEXT: %[[TWO:.*]] = xlac.call @layer(%[[ONE]])
// CHECK-NEXT: %[[BACK:.*]] = xlac.await %[[SENT]] : tensor<512x128xf32> reading %[[ONE]]
// CHECK-NEXT: %[[THREE:.*]] = xlac.call @layer(%[[BACK]])
// CHECK-NEXT: return %[[TWO]], %[[THREE]]
func.func @permutes(%x: tensor<512x128xf32>) -> (tensor<512x128xf32>, tensor<512x128xf32>) {
  %zero = xlac.call @layer(%x) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %one = xlac.call @layer(%zero) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %two = xlac.call @layer(%one) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %0 = xlac.tensor_collective <permute, cross_replica, groups = [0, 1], columns = 2>(%one) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  %three = xlac.call @layer(%0) : (tensor<512x128xf32>) -> tensor<512x128xf32>
  return %two, %three : tensor<512x128xf32>, tensor<512x128xf32>
}
