// RUN: xlac-opt %s --xlac-unroll-loops --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rounds
// CHECK-NOT: stablehlo.while
// CHECK-COUNT-3: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: return
func.func @rounds(%x: tensor<8xui32>) -> tensor<8xui32> {
  %zero = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xui32>
    cond {
      %end = stablehlo.constant dense<6> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %1 = stablehlo.add %two, %i : tensor<i32>
      %2 = stablehlo.multiply %y, %y : tensor<8xui32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<8xui32>
    }
  return %0#1 : tensor<8xui32>
}

// -----

// A loop that never runs gives what it began with.
// CHECK-LABEL: func.func @never
// CHECK-NOT: stablehlo.while
// CHECK: return %arg0
func.func @never(%x: tensor<8xui32>) -> tensor<8xui32> {
  %five = stablehlo.constant dense<5> : tensor<ui8>
  %0:2 = stablehlo.while(%i = %five, %y = %x) : tensor<ui8>, tensor<8xui32>
    cond {
      %end = stablehlo.constant dense<5> : tensor<ui8>
      %1 = stablehlo.compare LT, %i, %end, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<ui8>
      %1 = stablehlo.add %i, %one : tensor<ui8>
      %2 = stablehlo.multiply %y, %y : tensor<8xui32>
      stablehlo.return %1, %2 : tensor<ui8>, tensor<8xui32>
    }
  return %0#1 : tensor<8xui32>
}

// -----

// A counter that may wrap around, a long loop and one with a product stay.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: stablehlo.while
func.func @stay(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %low = stablehlo.constant dense<120> : tensor<i8>
  %0:2 = stablehlo.while(%i = %low, %y = %x) : tensor<i8>, tensor<8x8xf32>
    cond {
      %end = stablehlo.constant dense<127> : tensor<i8>
      %1 = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %step = stablehlo.constant dense<5> : tensor<i8>
      %1 = stablehlo.add %i, %step : tensor<i8>
      %2 = stablehlo.add %y, %y : tensor<8x8xf32>
      stablehlo.return %1, %2 : tensor<i8>, tensor<8x8xf32>
    }
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %3:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32>
    cond {
      %end = stablehlo.constant dense<100> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %y, %y : tensor<8x8xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<8x8xf32>
    }
  %4:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x8xf32>
    cond {
      %end = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<8x8xf32>
    }
  return %0#1, %3#1, %4#1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
