// RUN: xlac-opt %s --xlac-simplify --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @movement
func.func @movement(%a: tensor<2x3xf32>) -> tensor<6xf32> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.reshape %2 : (tensor<3x2xf32>) -> tensor<6xf32>
  return %3 : tensor<6xf32>
}

// -----

// Adding +0.0 turns -0.0 into +0.0 and must stay; multiplying by 1 may go.
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: stablehlo.add
  // CHECK-NOT: stablehlo.multiply
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.add %a, %zero : tensor<2xf32>
  %1 = stablehlo.multiply %0, %one : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @folds
func.func @folds() -> (tensor<2xi32>, tensor<4xf32>, tensor<f32>) {
  // CHECK-DAG: stablehlo.constant dense<[4, 6]> : tensor<2xi32>
  // CHECK-DAG: stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
  // CHECK: stablehlo.exponential
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0 = stablehlo.add %a, %b : tensor<2xi32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.exponential %half : tensor<f32>
  return %0, %1, %2 : tensor<2xi32>, tensor<4xf32>, tensor<f32>
}

// -----

// A relu's mask can be told from its result; max(x, c) >= c is always true, so
// that of >= cannot.
// CHECK-LABEL: func.func @relu_mask
func.func @relu_mask(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>) {
  // CHECK: %[[R:.*]] = stablehlo.maximum %arg0
  // CHECK: stablehlo.compare GT, %[[R]], %{{.*}}, FLOAT
  // CHECK: stablehlo.compare LT, %{{.*}}, %[[R]], FLOAT
  // CHECK: stablehlo.compare GE, %arg0, %{{.*}}, FLOAT
  %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
  %0 = stablehlo.maximum %a, %zero : tensor<8xf32>
  %1 = stablehlo.compare GT, %a, %zero, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %2 = stablehlo.compare LT, %zero, %a, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %3 = stablehlo.compare GE, %a, %zero, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>
}

// -----

// A mask of masks, and an infinity that is never the larger or smaller operand.
// CHECK-LABEL: func.func @operands_alone
func.func @operands_alone(%p: tensor<4xi1>, %a: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %yes = stablehlo.constant dense<true> : tensor<4xi1>
  %no = stablehlo.constant dense<false> : tensor<4xi1>
  // CHECK-DAG: %[[LOW:.*]] = stablehlo.constant dense<0xFF800000>
  %low = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  %0 = stablehlo.select %p, %yes, %no : tensor<4xi1>, tensor<4xi1>
  %1 = stablehlo.maximum %low, %a : tensor<4xf32>
  %2 = stablehlo.minimum %a, %high : tensor<4xf32>
  // CHECK: %[[MIN:.*]] = stablehlo.minimum %arg1, %[[LOW]]
  %3 = stablehlo.minimum %a, %low : tensor<4xf32>
  // CHECK: return %arg0, %arg1, %arg1, %[[MIN]]
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Stacked vectors are joined along another dimension instead of transposed.
// CHECK-LABEL: func.func @stacked
func.func @stacked(%a: tensor<7xf32>, %b: tensor<7xf32>) -> (tensor<7x2xf32>, tensor<7x4xf32>) {
  // CHECK: %[[JOINED:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 1 : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x2xf32>
  %0 = stablehlo.reshape %a : (tensor<7xf32>) -> tensor<1x7xf32>
  %1 = stablehlo.reshape %b : (tensor<7xf32>) -> tensor<1x7xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<2x7xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x7xf32>) -> tensor<7x2xf32>
  // The rows of an input would move.
  // CHECK: %[[ROWS:.*]] = stablehlo.transpose
  %4 = stablehlo.concatenate %0, %1, %0, %1, dim = 0 : (tensor<1x7xf32>, tensor<1x7xf32>, tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<4x7xf32>
  %5 = stablehlo.slice %4 [1:3, 0:7] : (tensor<4x7xf32>) -> tensor<2x7xf32>
  %6 = stablehlo.exponential %5 : tensor<2x7xf32>
  %7 = stablehlo.concatenate %6, %5, dim = 0 : (tensor<2x7xf32>, tensor<2x7xf32>) -> tensor<4x7xf32>
  %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<4x7xf32>) -> tensor<7x4xf32>
  // CHECK: return %[[JOINED]], %[[ROWS]]
  return %3, %8 : tensor<7x2xf32>, tensor<7x4xf32>
}

// -----

// Parts of constants, and their elements in another order, are constants.
// CHECK-LABEL: func.func @choices
func.func @choices() -> (tensor<2x1xui32>, tensor<2x3xf32>, tensor<3x2xf32>) {
  // CHECK-DAG: stablehlo.constant dense<{{\[\[}}2], [8]]> : tensor<2x1xui32>
  // CHECK-DAG: stablehlo.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  // CHECK-DAG: stablehlo.constant dense<{{\[\[}}2.000000e+00, 1.000000e+00], [4.000000e+00, 3.000000e+00], [6.000000e+00, 5.000000e+00]]> : tensor<3x2xf32>
  // CHECK-NOT: stablehlo.transpose
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xui32>
  %3 = stablehlo.slice %a [0:3:2, 1:2] : (tensor<3x3xui32>) -> tensor<2x1xui32>
  %b = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %4 = stablehlo.transpose %b, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.reverse %b, dims = [1] : tensor<3x2xf32>
  return %3, %4, %5 : tensor<2x1xui32>, tensor<2x3xf32>, tensor<3x2xf32>
}

// -----

// The signs of odd functions and products move outward and vanish in sums, so
// that f(x) and f(-x) are computed once. One that others read stays.
// CHECK-LABEL: func.func @signs
func.func @signs(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[PRODUCT:.*]] = stablehlo.multiply %arg0, %arg1
  // CHECK-NEXT: %[[ERF:.*]] = chlo.erf %[[PRODUCT]]
  // CHECK-NEXT: %[[PLUS:.*]] = stablehlo.add %arg1, %[[ERF]]
  // CHECK-NEXT: %[[MINUS:.*]] = stablehlo.subtract %arg1, %[[ERF]]
  // CHECK-NEXT: %[[NEGATED:.*]] = stablehlo.negate %arg1
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[NEGATED]]
  // CHECK-NEXT: return %[[PLUS]], %[[MINUS]], %[[TANH]], %[[NEGATED]]
  %0 = stablehlo.multiply %a, %b : tensor<8xf32>
  %1 = chlo.erf %0 : tensor<8xf32> -> tensor<8xf32>
  %2 = stablehlo.add %b, %1 : tensor<8xf32>
  %3 = stablehlo.negate %a : tensor<8xf32>
  %4 = stablehlo.multiply %3, %b : tensor<8xf32>
  %5 = chlo.erf %4 : tensor<8xf32> -> tensor<8xf32>
  %6 = stablehlo.add %b, %5 : tensor<8xf32>
  %7 = stablehlo.negate %b : tensor<8xf32>
  %8 = stablehlo.tanh %7 : tensor<8xf32>
  return %2, %6, %8, %7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// f8E8M0FNU has no signs.
// CHECK-LABEL: func.func @no_signs
func.func @no_signs(%a: tensor<8xf8E8M0FNU>) -> tensor<8xf8E8M0FNU> {
  // CHECK: stablehlo.negate
  // CHECK: stablehlo.add
  %0 = stablehlo.negate %a : tensor<8xf8E8M0FNU>
  %1 = stablehlo.add %a, %0 : tensor<8xf8E8M0FNU>
  return %1 : tensor<8xf8E8M0FNU>
}

// -----

// A loop over nothing would go through the sizes that are not 0.
// CHECK-LABEL: func.func @empty_reduce
// CHECK-SAME: (%{{.*}}, %[[F:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>)
func.func @empty_reduce(%a: tensor<9x8589934592x0xf32>, %f: tensor<f32>, %i: tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>) {
  // CHECK-NOT: stablehlo.reduce
  // CHECK-DAG: %[[X:.*]] = stablehlo.broadcast_in_dim %[[F]], dims = [] : (tensor<f32>) -> tensor<9xf32>
  // CHECK-DAG: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[I]], dims = [] : (tensor<i32>) -> tensor<9xi32>
  // CHECK: return %[[X]], %[[Y]]
  %b = stablehlo.constant dense<> : tensor<9x8589934592x0xi32>
  %r:2 = stablehlo.reduce(%a init: %f), (%b init: %i) across dimensions = [1, 2] : (tensor<9x8589934592x0xf32>, tensor<9x8589934592x0xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %s = stablehlo.add %x, %y : tensor<f32>
    %t = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi32>
}

// -----

// What the front end marks with a gradient is no barrier; a program's own is.
// CHECK-LABEL: func.func @own_gradient
func.func @own_gradient(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: %[[B:.*]] = stablehlo.optimization_barrier %arg0
  // CHECK-NEXT: return %[[B]], %arg0
  %own:2 = stablehlo.optimization_barrier {xlac.own_gradient} %a, %b : tensor<2xf32>, tensor<2xf32>
  %0 = stablehlo.optimization_barrier %own#0 : tensor<2xf32>
  return %0, %own#0 : tensor<2xf32>, tensor<2xf32>
}

// -----

// The branch of a constant predicate replaces the op, whatever the others call.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[A:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[B:.*]] = stablehlo.cosine %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %beyond = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.case"(%beyond) ({
    %1 = stablehlo.custom_call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %1 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %2 = "stablehlo.if"(%no) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    %3 = stablehlo.cosine %0 : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A scatter of one window at a constant place, as JAX's x.at[1:-1, 2:5].add(y).
// CHECK-LABEL: func.func @scatter_of_one_window
// CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i64>
// CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i64>
// CHECK-DAG: %[[BEFORE:.*]] = stablehlo.slice %arg0 [1:7, 2:5]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[BEFORE]], %arg1
// CHECK: stablehlo.dynamic_update_slice %arg0, %[[SUM]], %[[ONE]], %[[TWO]]
func.func @scatter_of_one_window(%x: tensor<8x8xf32>, %y: tensor<6x3xf32>) -> tensor<8x8xf32> {
  %a = stablehlo.constant dense<1> : tensor<1xi32>
  %b = stablehlo.constant dense<2> : tensor<1xi32>
  %i = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<2xi32>, tensor<6x3xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A row; the window lacks its dimension, and another one comes from the indices.
// CHECK-LABEL: func.func @scatter_of_a_row
// CHECK: %[[ROW:.*]] = stablehlo.reshape %arg1 : (tensor<5xf32>) -> tensor<1x5xf32>
// CHECK: stablehlo.dynamic_update_slice %arg0, %[[ROW]]
func.func @scatter_of_a_row(%x: tensor<8x5xf32>, %y: tensor<5xf32>) -> tensor<8x5xf32> {
  %i = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) : (tensor<8x5xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

// Elements outside of the operand are dropped, which an update would not do.
// CHECK-LABEL: func.func @scatter_across_the_end
// CHECK: stablehlo.scatter
func.func @scatter_across_the_end(%x: tensor<8xf32>, %y: tensor<3xf32>) -> tensor<8xf32> {
  %i = stablehlo.constant dense<6> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Two updates of the same element, whose index vectors are empty.
// CHECK-LABEL: func.func @scatter_without_indices
// CHECK: stablehlo.scatter
func.func @scatter_without_indices(%x: tensor<1xi32>, %y: tensor<2x1xi32>) -> tensor<1xi32> {
  %i = stablehlo.constant dense<> : tensor<2x0xi32>
  %0 = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<1xi32>, tensor<2x0xi32>, tensor<2x1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}

// -----

// One update a row into zeros, as the gradient of picking one class for each
// example: indices are compared, and nothing is stored to be updated.
// CHECK-LABEL: func.func @scatter_of_one_update_a_row
// CHECK-NOT: stablehlo.scatter
// CHECK-DAG: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<4x9xi32>
// CHECK-DAG: %[[AT:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0] : (tensor<4xi32>) -> tensor<4x9xi32>
// CHECK: %[[HIT:.*]] = stablehlo.compare EQ, %[[I]], %[[AT]]
// CHECK: stablehlo.select %[[HIT]]
func.func @scatter_of_one_update_a_row(%i: tensor<4x1x1xi32>, %u: tensor<4x1xf32>) -> tensor<4x9xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4x9xf32>
  %0 = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x9xf32>, tensor<4x1x1xi32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

// Two updates a row may meet.
// CHECK-LABEL: func.func @scatter_of_two_updates_a_row
// CHECK: stablehlo.scatter
func.func @scatter_of_two_updates_a_row(%i: tensor<4x2x1xi32>, %u: tensor<4x2xf32>) -> tensor<4x9xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<4x9xf32>
  %0 = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x9xf32>, tensor<4x2x1xi32>, tensor<4x2xf32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

// A reduction of one element is its body, with the initial value.
// CHECK-LABEL: func.func @reduction_of_one_element
// CHECK-NOT: stablehlo.reduce(
// CHECK: %[[X:.*]] = stablehlo.reshape %arg0
// CHECK: stablehlo.multiply %[[X]], %{{.*}} : tensor<4xf32>
func.func @reduction_of_one_element(%x: tensor<4x1xf32>) -> tensor<4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %two) applies stablehlo.multiply across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The sum of a row with one number and zeros is that number. A place outside
// gives zero.
// CHECK-LABEL: func.func @sum_of_one_number
// CHECK-NOT: stablehlo.reduce(
// CHECK: %[[N:.*]] = stablehlo.negate %{{.*}} : tensor<4xf32>
// CHECK: %[[S:.*]] = stablehlo.select %{{.*}}, %[[N]], %{{.*}} : tensor<4xi1>, tensor<4xf32>
// CHECK: stablehlo.add %{{.*}} : tensor<4xf32>
func.func @sum_of_one_number(%i: tensor<4xi32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<4x9xf32>
  %0 = stablehlo.iota dim = 1 : tensor<4x9xi32>
  %1 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<4xi32>) -> tensor<4x9xi32>
  %2 = stablehlo.broadcast_in_dim %u, dims = [0] : (tensor<4xf32>) -> tensor<4x9xf32>
  %3 = stablehlo.compare EQ, %0, %1 : (tensor<4x9xi32>, tensor<4x9xi32>) -> tensor<4x9xi1>
  %4 = stablehlo.select %3, %2, %zero : tensor<4x9xi1>, tensor<4x9xf32>
  %5 = stablehlo.negate %4 : tensor<4x9xf32>
  %6 = stablehlo.reduce(%5 init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// -----

// The gradient of a weight: a product with exchanged operands has the order of
// the transposition.
// CHECK-LABEL: func.func @transposed_product
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0, 1] x [0, 1], precision = [HIGH, DEFAULT] : (tensor<4x8x6xf32>, tensor<4x8x5xf32>) -> tensor<6x5xf32>
// CHECK-NEXT: return %[[DOT]]
func.func @transposed_product(%a: tensor<4x8x5xf32>, %b: tensor<4x8x6xf32>) -> tensor<6x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, HIGH] : (tensor<4x8x5xf32>, tensor<4x8x6xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  return %1 : tensor<6x5xf32>
}

// -----

// What is left moves whole rows.
// CHECK-LABEL: func.func @rows_of_product
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 1] x [0, 1]
// CHECK-SAME: -> tensor<2x3x7x6xf32>
// CHECK-NEXT: stablehlo.transpose %[[DOT]], dims = [0, 2, 1, 3]
func.func @rows_of_product(%a: tensor<2x3x5x6xf32>, %b: tensor<2x3x5x7xf32>) -> tensor<2x7x3x6xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x3x5x6xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x6x7xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x3x6x7xf32>) -> tensor<2x7x3x6xf32>
  return %1 : tensor<2x7x3x6xf32>
}

// -----

// Another reader needs the product as it is.
// CHECK-LABEL: func.func @read_twice
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
// CHECK-NEXT: stablehlo.transpose
func.func @read_twice(%a: tensor<8x5xf32>, %b: tensor<8x6xf32>) -> (tensor<6x5xf32>, tensor<5x6xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<8x5xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  return %1, %0 : tensor<6x5xf32>, tensor<5x6xf32>
}

// -----

// CHECK-LABEL: func.func @reversed_twice
// CHECK-NEXT: %[[R:.*]] = stablehlo.reverse %arg0, dims = [0] : tensor<2x3x1xf32>
// CHECK-NEXT: return %[[R]], %arg0
func.func @reversed_twice(%a: tensor<2x3x1xf32>) -> (tensor<2x3x1xf32>, tensor<2x3x1xf32>) {
  %0 = stablehlo.reverse %a, dims = [0, 1, 2] : tensor<2x3x1xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3x1xf32>
  %2 = stablehlo.reverse %0, dims = [1, 0] : tensor<2x3x1xf32>
  return %1, %2 : tensor<2x3x1xf32>, tensor<2x3x1xf32>
}

// -----

// Transposes before and behind a reshape that splits dimensions are one.
// CHECK-LABEL: func.func @transposes_around_split
// CHECK: %[[S:.*]] = stablehlo.reshape %arg0 : (tensor<6x20x3xf32>) -> tensor<2x3x4x5x3xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[S]], dims = [0, 3, 4, 2, 1] : {{.*}} -> tensor<2x5x3x4x3xf32>
// CHECK-NEXT: return %[[T]]
func.func @transposes_around_split(%x: tensor<6x20x3xf32>) -> tensor<2x5x3x4x3xf32> {
  %t = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<6x20x3xf32>) -> tensor<20x3x6xf32>
  %s = stablehlo.reshape %t : (tensor<20x3x6xf32>) -> tensor<4x5x3x2x3xf32>
  %r = stablehlo.transpose %s, dims = [3, 1, 2, 0, 4] : (tensor<4x5x3x2x3xf32>) -> tensor<2x5x3x4x3xf32>
  func.return %r : tensor<2x5x3x4x3xf32>
}
