// RUN: xlac-opt %s --xlac-order-launches --split-input-file | FileCheck %s

xlac.kernel @fill <loop> {
  %0 = stablehlo.constant dense<0.0> : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}
xlac.kernel @layer <loop> {
^bb0(%a: tensor<1024xf32>):
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}
xlac.kernel @both <loop> {
^bb0(%a: tensor<1024xf32>, %b: tensor<1024xf32>):
  %0 = stablehlo.add %a, %b : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}

// What only takes memory waits; what frees some does not.
// CHECK-LABEL: func.func @step
// CHECK-NEXT: %[[ONE:.*]] = xlac.call @layer(%arg0)
// CHECK-NEXT: %[[TWO:.*]] = xlac.call @layer(%[[ONE]])
// CHECK-NEXT: %[[UPDATE:.*]] = xlac.call @both(%[[ONE]], %[[TWO]])
// CHECK-NEXT: %[[THREE:.*]] = xlac.call @layer(%[[TWO]])
// CHECK-NEXT: %[[ZERO:.*]] = xlac.call @fill()
// CHECK-NEXT: %[[LAST:.*]] = xlac.call @both(%[[THREE]], %[[ZERO]])
// CHECK-NEXT: return %[[LAST]], %[[UPDATE]]
func.func @step(%a: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %zero = xlac.call @fill() : () -> tensor<1024xf32>
  %one = xlac.call @layer(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %two = xlac.call @layer(%one) : (tensor<1024xf32>) -> tensor<1024xf32>
  %three = xlac.call @layer(%two) : (tensor<1024xf32>) -> tensor<1024xf32>
  %last = xlac.call @both(%three, %zero) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %update = xlac.call @both(%one, %two) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %last, %update : tensor<1024xf32>, tensor<1024xf32>
}

// -----

xlac.kernel @layer <loop> {
^bb0(%a: tensor<1024xf32>):
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}
xlac.kernel @both <loop> {
^bb0(%a: tensor<1024xf32>, %b: tensor<1024xf32>):
  %0 = stablehlo.add %a, %b : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}

// The update takes the donated argument's place: not before that was read.
// CHECK-LABEL: func.func @donated
// CHECK-NEXT: %[[ONE:.*]] = xlac.call @layer(%arg0)
// CHECK-NEXT: %[[TWO:.*]] = xlac.call @layer(%[[ONE]])
// CHECK-NEXT: %[[USED:.*]] = xlac.call @both(%[[TWO]], %arg1)
// CHECK-NEXT: %[[NEW:.*]] = xlac.call @both(%[[ONE]], %arg1)
// CHECK-NEXT: return %[[USED]], %[[NEW]]
func.func @donated(%a: tensor<1024xf32>, %w: tensor<1024xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %one = xlac.call @layer(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  %two = xlac.call @layer(%one) : (tensor<1024xf32>) -> tensor<1024xf32>
  %used = xlac.call @both(%two, %w) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %new = xlac.call @both(%one, %w) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %used, %new : tensor<1024xf32>, tensor<1024xf32>
}

// -----

xlac.kernel @layer <loop> {
^bb0(%a: tensor<1024xf32>):
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}
xlac.kernel @both <loop> {
^bb0(%a: tensor<1024xf32>, %b: tensor<1024xf32>):
  %0 = stablehlo.add %a, %b : tensor<1024xf32>
  xlac.yield %0 : tensor<1024xf32>
}

// A reader that stands behind the update goes before it, unless it needs what
// the update makes.
// CHECK-LABEL: func.func @late
// CHECK-NEXT: %[[USED:.*]] = xlac.call @layer(%arg0)
// CHECK-NEXT: %[[NEW:.*]] = xlac.call @both(%arg0, %arg1)
// CHECK-NEXT: %[[AFTER:.*]] = xlac.call @both(%[[NEW]], %arg1)
// CHECK-NEXT: return %[[NEW]], %[[USED]], %[[AFTER]]
func.func @late(%w: tensor<1024xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
  %new = xlac.call @both(%w, %g) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %after = xlac.call @both(%new, %g) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %used = xlac.call @layer(%w) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %new, %used, %after : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}

// -----

xlac.kernel @product <contraction> {
^bb0(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  xlac.yield %0 : tensor<32x32xf32>
}
xlac.kernel @row <contraction> {
^bb0(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>):
  %0 = stablehlo.slice %b [0:1, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  xlac.yield %1 : tensor<1x32xf32>
}
xlac.kernel @first <loop> {
^bb0(%a: tensor<32x32xf32>):
  %0 = stablehlo.slice %a [0:1, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
  xlac.yield %0 : tensor<1x32xf32>
}
xlac.kernel @two <loop> {
^bb0(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>):
  %0 = stablehlo.tanh %a : tensor<32x32xf32>
  %1 = stablehlo.tanh %b : tensor<32x32xf32>
  xlac.yield %0, %1 : tensor<32x32xf32>, tensor<32x32xf32>
}

// Of two launches that free memory, the one that only reads a value is first.
// CHECK-LABEL: func.func @one_pass
// CHECK-NEXT: xlac.call @product
// CHECK-NEXT: %[[TWO:.*]]:2 = xlac.call @two
// CHECK-NEXT: %[[B:.*]] = xlac.call @first(%[[TWO]]#1)
// CHECK-NEXT: %[[A:.*]] = xlac.call @row(%[[TWO]]#0, %arg1)
func.func @one_pass(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>) {
  %z = xlac.call @product(%x, %y) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %two:2 = xlac.call @two(%z, %y) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  %b = xlac.call @first(%two#1) : (tensor<32x32xf32>) -> tensor<1x32xf32>
  %a = xlac.call @row(%two#0, %y) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %a, %b : tensor<1x32xf32>, tensor<1x32xf32>
}
