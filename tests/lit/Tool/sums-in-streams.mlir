// RUN: xlac run %s --inputs random:1 --expected zeros --atol 1e-2
// RUN: xlac run %s --entry integers --expected zeros
// RUN: xlac compile %s --entry rows --emit kernels | FileCheck %s

// Sums of inputs that do not fit in a cache read several rows, or several parts
// of a long row, at a time. A row has a rest that fills no vector.
func.func @main(%x: tensor<1200x1101xf32>, %y: tensor<1300001xf32>) -> (tensor<1200xf32>, tensor<f32>, tensor<1200xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<1101x16xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1200x1101xf32>, tensor<f32>) -> tensor<1200xf32>
  %1 = stablehlo.dot_general %x, %one, contracting_dims = [1] x [0] : (tensor<1200x1101xf32>, tensor<1101x16xf32>) -> tensor<1200x16xf32>
  %2 = stablehlo.slice %1 [0:1200, 7:8] : (tensor<1200x16xf32>) -> tensor<1200x1xf32>
  %3 = stablehlo.reshape %2 : (tensor<1200x1xf32>) -> tensor<1200xf32>
  %4 = stablehlo.subtract %0, %3 : tensor<1200xf32>
  // A row that is longer than the parts of its chunks together.
  %5 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1300001xf32>, tensor<f32>) -> tensor<f32>
  %6 = stablehlo.slice %y [0:1300000] : (tensor<1300001xf32>) -> tensor<1300000xf32>
  %7 = stablehlo.reshape %6 : (tensor<1300000xf32>) -> tensor<1000x1300xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000x1300xf32>, tensor<f32>) -> tensor<1300xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1300xf32>, tensor<f32>) -> tensor<f32>
  %10 = stablehlo.slice %y [1300000:1300001] : (tensor<1300001xf32>) -> tensor<1xf32>
  %11 = stablehlo.reshape %10 : (tensor<1xf32>) -> tensor<f32>
  %12 = stablehlo.add %9, %11 : tensor<f32>
  %13 = stablehlo.subtract %5, %12 : tensor<f32>
  // No element is larger than a maximum, which rounds nothing.
  %14 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<1200x1101xf32>, tensor<f32>) -> tensor<1200xf32>
  %15 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1200x1101xf32>) -> tensor<1101x1200xf32>
  %16 = stablehlo.optimization_barrier %15 : tensor<1101x1200xf32>
  %17 = stablehlo.reduce(%16 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<1101x1200xf32>, tensor<f32>) -> tensor<1200xf32>
  %18 = stablehlo.subtract %14, %17 : tensor<1200xf32>
  %19 = stablehlo.reduce(%14 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<1200xf32>, tensor<f32>) -> tensor<f32>
  %20 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1200x1101xf32>, tensor<f32>) -> tensor<f32>
  %21 = stablehlo.subtract %19, %20 : tensor<f32>
  return %4, %13, %18, %21 : tensor<1200xf32>, tensor<f32>, tensor<1200xf32>, tensor<f32>
}

// Row i of iota has the sum 1101 (1101 i + 550). Two sums of one pass do not
// mix.
func.func @integers() -> (tensor<1200xi32>, tensor<1200xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.iota dim = 0 : tensor<1321200xi32>
  %stored = stablehlo.optimization_barrier %x : tensor<1321200xi32>
  %rows = stablehlo.reshape %stored : (tensor<1321200xi32>) -> tensor<1200x1101xi32>
  %0 = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1200x1101xi32>, tensor<i32>) -> tensor<1200xi32>
  %1 = stablehlo.reduce(%rows init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<1200x1101xi32>, tensor<i32>) -> tensor<1200xi32>
  %i = stablehlo.iota dim = 0 : tensor<1200xi32>
  %length = stablehlo.constant dense<1101> : tensor<1200xi32>
  %middle = stablehlo.constant dense<550> : tensor<1200xi32>
  %last = stablehlo.constant dense<1100> : tensor<1200xi32>
  %2 = stablehlo.multiply %i, %length : tensor<1200xi32>
  %3 = stablehlo.add %2, %middle : tensor<1200xi32>
  %4 = stablehlo.multiply %3, %length : tensor<1200xi32>
  %5 = stablehlo.subtract %0, %4 : tensor<1200xi32>
  %6 = stablehlo.add %2, %last : tensor<1200xi32>
  %7 = stablehlo.subtract %1, %6 : tensor<1200xi32>
  return %5, %7 : tensor<1200xi32>, tensor<1200xi32>
}

// A task has four rows, a quarter of all rows apart.
func.func @rows(%x: tensor<1200x1101xf32>) -> tensor<1200xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1200x1101xf32>, tensor<f32>) -> tensor<1200xf32>
  return %0 : tensor<1200xf32>
}
// CHECK: <reduction, tasks = [300]
