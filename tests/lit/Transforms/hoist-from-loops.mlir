// RUN: xlac-opt %s --xlac-hoist-from-loops --split-input-file | FileCheck %s

// The inputs of all steps are multiplied by the weights in one product. The
// weights are transposed before the loop, where the product reads them in place.
// CHECK-LABEL: func.func @recurrent
// CHECK: %[[W:.*]] = stablehlo.transpose %arg1, dims = [1, 0]
// CHECK: %[[ALL:.*]] = stablehlo.dot_general %arg0, %[[W]], contracting_dims = [2] x [0]{{.*}} -> tensor<50x8x96xf32>
// CHECK: stablehlo.while
// CHECK: do {
// CHECK: %[[PART:.*]] = stablehlo.dynamic_slice %[[ALL]], %[[I:.*]], %[[Z:.*]], %[[Z]], sizes = [1, 8, 96]
// CHECK: stablehlo.reshape %[[PART]] : (tensor<1x8x96xf32>) -> tensor<8x96xf32>
// CHECK-NOT: stablehlo.dot_general
func.func @recurrent(%xs: tensor<50x8x64xf32>, %w: tensor<96x64xf32>, %h: tensor<8x96xf32>) -> tensor<8x96xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %xs, %b = %w, %c = %h) : tensor<i32>, tensor<50x8x64xf32>, tensor<96x64xf32>, tensor<8x96xf32>
  cond {
    %end = stablehlo.constant dense<50> : tensor<i32>
    %p = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %s = stablehlo.dynamic_slice %a, %i, %zero, %zero, sizes = [1, 8, 64] : (tensor<50x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x64xf32>
    %x = stablehlo.reshape %s : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
    %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<96x64xf32>) -> tensor<64x96xf32>
    %y = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x96xf32>) -> tensor<8x96xf32>
    %n = stablehlo.add %c, %y : tensor<8x96xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %a, %b, %n : tensor<i32>, tensor<50x8x64xf32>, tensor<96x64xf32>, tensor<8x96xf32>
  }
  func.return %r#3 : tensor<8x96xf32>
}

// -----

// A function of an array is computed once. A conversion takes less time than
// reading its wider result, and the product transposes what it reads. A loop
// that may read few slices keeps their products.
// CHECK-LABEL: func.func @invariant
// CHECK: %[[E:.*]] = stablehlo.exponential %arg1
// CHECK-NOT: stablehlo.dot_general
// CHECK: stablehlo.while
// CHECK: do {
// CHECK-NOT: stablehlo.exponential
// CHECK: stablehlo.convert
// CHECK: stablehlo.transpose
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.add %{{.*}}, %[[E]]
// CHECK: stablehlo.dot_general
func.func @invariant(%x: tensor<64x64xf32>, %a: tensor<64x64xf32>, %k: tensor<64x64xi8>, %xs: tensor<50x64x64xf32>, %until: tensor<i32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<64x64xf32>
  cond {
    %p = stablehlo.compare LT, %i, %until, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %e = stablehlo.exponential %a : tensor<64x64xf32>
    %f = stablehlo.convert %k : (tensor<64x64xi8>) -> tensor<64x64xf32>
    %u = stablehlo.add %c, %f : tensor<64x64xf32>
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = stablehlo.dot_general %u, %t, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %n = stablehlo.add %y, %e : tensor<64x64xf32>
    %s = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 64, 64] : (tensor<50x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %v = stablehlo.reshape %s : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %z = stablehlo.dot_general %v, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %m = stablehlo.add %n, %z : tensor<64x64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %m : tensor<i32>, tensor<64x64xf32>
  }
  func.return %r#1 : tensor<64x64xf32>
}

// -----

// What leaves the inner loop leaves the outer one too.
// CHECK-LABEL: func.func @nested
// CHECK: stablehlo.tanh %arg1
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.tanh
func.func @nested(%x: tensor<64xf32>, %a: tensor<64xf32>, %until: tensor<i32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<64xf32>
  cond {
    %p = stablehlo.compare LT, %i, %until, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %q:2 = stablehlo.while(%l = %zero, %d = %c) : tensor<i32>, tensor<64xf32>
    cond {
      %p = stablehlo.compare LT, %l, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %t = stablehlo.tanh %a : tensor<64xf32>
      %s = stablehlo.subtract %t, %d : tensor<64xf32>
      %k = stablehlo.add %l, %one : tensor<i32>
      stablehlo.return %k, %s : tensor<i32>, tensor<64xf32>
    }
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %q#1 : tensor<i32>, tensor<64xf32>
  }
  func.return %r#1 : tensor<64xf32>
}
