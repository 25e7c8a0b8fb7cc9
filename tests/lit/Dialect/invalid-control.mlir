// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of control flow, tuples and calls; labels are the
// specification's.

func.func @if_c1(%p: tensor<i1>, %a: tensor<2xf32>) {
  // expected-error@+1 {{branch 0 takes (f32[2]), but no arguments wanted (C1)}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @if_c2(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{branch 0 returns (f32[2]), but branch 1 (f32[3]) (C2)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %b : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @if_c3(%p: tensor<i1>, %a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C3)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @if_pred(%p: tensor<1xi1>) {
  // expected-error@+1 {{pred is i1[1], but i1[] wanted}}
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<1xi1>) -> ()
  return
}

// -----

func.func @case_c1(%i: tensor<i32>) {
  // expected-error@+1 {{has no branches (C1)}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @case_c2(%i: tensor<i32>) {
  // expected-error@+1 {{branch 0 takes (i32[]), but no arguments wanted (C2)}}
  %0 = "stablehlo.case"(%i) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @case_c3(%i: tensor<i32>, %a: tensor<2xf32>) {
  // expected-error@+1 {{branch 0 returns (f32[2]), but branch 1 (i32[]) (C3)}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @case_c4(%i: tensor<i32>, %a: tensor<2xf32>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C4)}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf64>
  return
}

// -----

func.func @while_c1(%a: tensor<2xf32>, %b: tensor<3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{cond returns (f32[2]), but i1[] wanted (C1)}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_arguments_c1(%a: tensor<2xf32>, %b: tensor<3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{cond takes (f32[3]), but operands are (f32[2]) (C1)}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<3xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c2(%a: tensor<2xf32>, %b: tensor<3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{body returns (f32[3]), but operands are (f32[2]) (C2)}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %b : tensor<3xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_arguments_c2(%a: tensor<2xf32>, %b: tensor<3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{body takes (f32[3]), but operands are (f32[2]) (C2)}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%y: tensor<3xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c3(%a: tensor<2xf32>, %b: tensor<3xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C3)}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @optimization_barrier_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @tuple_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is tuple<f32[3]>, tuple<f32[2]> expected (C1)}}
  %0 = "stablehlo.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<3xf32>>
  return
}

// -----

func.func @get_tuple_element_c1(%a: tuple<tensor<2xf32>>) {
  // expected-error@+1 {{index 1 leaves the 1 elements of operand (C1)}}
  %0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// -----

func.func @get_tuple_element_c2(%a: tuple<tensor<2xf32>>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C2)}}
  %0 = stablehlo.get_tuple_element %a[0] : (tuple<tensor<2xf32>>) -> tensor<3xf32>
  return
}

// -----

func.func @composite_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{name 'name' is not of the form namespace.op (C1)}}
  %0 = stablehlo.composite "name" %a {decomposition = @impl} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @composite_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{has the decomposition @impl, which is not defined (C2)}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @impl} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @composite_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{takes ('tensor<2xf32>', 'tensor<2xf32>'), but its decomposition ('tensor<2xf32>') (C3)}}
  %0 = stablehlo.composite "my.op" %a, %a {decomposition = @composite_c3} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @composite_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{returns ('tensor<2xf32>'), but its decomposition () (C4)}}
  %0 = stablehlo.composite "my.op" %a {decomposition = @composite_c4} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call(%a: tensor<2xf32>) {
  // expected-error@+1 {{alias of operand 1, but there are 1 operands}}
  %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
