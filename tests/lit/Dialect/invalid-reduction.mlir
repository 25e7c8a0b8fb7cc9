// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of reductions, windows and sorting; labels are the
// specification's.

func.func @reduce_c1(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{input 0 f32[2,3] and input 1 f32[3,3] differ in shape (C1)}}
  %0:2 = "stablehlo.reduce"(%a, %b, %i, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %u: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>):
    stablehlo.return %x, %u : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @reduce_c2(%a: tensor<2x3xf32>, %i: tensor<f64>) {
  // expected-error@+1 {{input 0 f32[2,3] and init_value f64[] differ in element type (C2)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f64>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_c3(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{has 3 operands, as many inputs as init_values wanted (C3)}}
  %0 = "stablehlo.reduce"(%a, %b, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_c4(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{dimensions [2] leave those of input f32[2,3] (C4)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_c5(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{dimensions [1, 1] name one twice (C5)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_c6(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{body works on f16, to which f32 cannot be promoted (C6)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_arguments_c6(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{body takes 1 arguments, 2 expected (C6)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_kept_sizes_c6(%a: tensor<2x3xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{body returns f32[3], a scalar expected (C6)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x : tensor<3xf32>
  }) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @reduce_c7(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C7)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<3xf32>)
  return
}

// -----

func.func @reduce_c8(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C8)}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf64>)
  return
}

// -----

func.func @reduce_window_c1(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{has 3 operands, as many inputs as init_values wanted (C1)}}
  %0 = "stablehlo.reduce_window"(%a, %b, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c2(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{input 0 f32[2,3] and input 1 f32[3,3] differ in shape (C2)}}
  %0:2 = "stablehlo.reduce_window"(%a, %b, %i, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %u: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>):
    stablehlo.return %x, %u : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c3(%a: tensor<2x3xf32>, %i: tensor<f64>) {
  // expected-error@+1 {{input 0 f32[2,3] and init_value f64[] differ in element type (C3)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f64>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c4(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{window_dimensions [2] has not the 2 entries of the operand (C4)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c5(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{window_dimensions [2, 0] is not positive (C5)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c6(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{window_strides [1] has not the 2 entries of the operand (C6)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c7(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{window_strides [0, 1] is not positive (C7)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c8(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{base_dilations [1] has not the 2 entries of the operand (C8)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c9(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{base_dilations [0, 1] is not positive (C9)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c10(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{window_dilations [1] has not the 2 entries of the operand (C10)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, window_dilations = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c11(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{window_dilations [0, 1] is not positive (C11)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, window_dilations = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c12(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{padding has shape [1, 2], [2, 2] wanted (C12)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c13(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{body returns 2 values, 1 expected (C13)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf32>)
  return
}

// -----

func.func @reduce_window_c15(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{result is f32[2,3], f32[1,3] expected (C15)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>)
  return
}

// -----

func.func @reduce_window_c16(%a: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@+1 {{result is f64[1,3], f32[1,3] expected (C16)}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<1x3xf64>)
  return
}

// -----

func.func @select_and_scatter_c1(%a: tensor<4xf32>, %s: tensor<2xf64>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{operand f32[4] and source f64[2] differ in element type (C1)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf64>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c2(%a: tensor<4xf32>, %s: tensor<3xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{source f32[3] has not one element for each window, f32[2] wanted (C2)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c3(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f64>, %p: tensor<i1>) {
  // expected-error@+1 {{init_value is f64[], but a scalar of operand f32[4] wanted (C3)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c4(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{window_dimensions [2, 2] has not the 1 entries of the operand (C4)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c5(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{window_dimensions [0] is not positive (C5)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 0>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c6(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{window_strides [2, 2] has not the 1 entries of the operand (C6)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c7(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{window_strides [0] is not positive (C7)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c8(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{padding has shape [2, 2], [1, 2] wanted (C8)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c9(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i8>) {
  // expected-error@+1 {{select does not take two f32[] to i1[] (C9)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i8>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c10(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{scatter works on f16, to which f32 cannot be promoted (C10)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_and_scatter_c11(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{result is f32[5], f32[4] expected (C11)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @select_and_scatter_c12(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{result is f64[4], f32[4] expected (C12)}}
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// -----

func.func @sort_c1(%p: tensor<i1>) {
  // expected-error@+1 {{has no inputs (C1)}}
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : () -> ()
  return
}

// -----

func.func @sort_c2(%a: tensor<2x3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{result is f64[2,3], f32[2,3] expected (C2)}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x3xf32>) -> (tensor<2x3xf64>)
  return
}

// -----

func.func @sort_c3(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{input 0 f32[2,3] and input 1 f32[2,4] differ in shape (C3)}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %u: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @sort_c4(%a: tensor<2x3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{dimension 2 leaves those of input f32[2,3] (C4)}}
  %0 = "stablehlo.sort"(%a) <{dimension = 2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

// -----

func.func @sort_c5(%a: tensor<2x3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{argument 1 of comparator is f64[], but f32[] wanted (C5)}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f64>):
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}

// -----

func.func @sort_result_c5(%a: tensor<2x3xf32>, %p: tensor<i8>) {
  // expected-error@+1 {{comparator does not return one i1[] (C5)}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %p : tensor<i8>
  }) : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  return
}
