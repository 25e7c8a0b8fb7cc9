// RUN: xlac-opt %s --xlac-prepare-module="sizes=0:3x4" --split-input-file --verify-diagnostics | FileCheck %s

// Shapes flow through calls, size arithmetic and ops that take shapes.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4xf32>) -> (tensor<12xf32>, tensor<3x4xf32>, tensor<6x4xf32>, tensor<3xi32>)
// CHECK: stablehlo.dynamic_reshape {{.*}} -> tensor<12xf32>
// CHECK: stablehlo.dynamic_broadcast_in_dim {{.*}} -> tensor<3x4xf32>
// CHECK: stablehlo.concatenate {{.*}} -> tensor<6x4xf32>
// CHECK: stablehlo.dynamic_iota {{.*}} -> tensor<3xi32>
// CHECK-NOT: ?
func.func @main(%x: tensor<?x4xf32>, %b: tensor<4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %r:4 = func.call @inner(%n, %x, %b) : (tensor<i32>, tensor<?x4xf32>, tensor<4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>
}
func.func private @inner(%n: tensor<i32>, %x: tensor<?x4xf32>, %b: tensor<4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>) {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %vector = stablehlo.constant dense<4> : tensor<1xi32>
  %all = stablehlo.multiply %n, %four : tensor<i32>
  %flat = stablehlo.reshape %all : (tensor<i32>) -> tensor<1xi32>
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %flat : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %shape = stablehlo.concatenate %rows, %vector, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %2 = stablehlo.add %x, %1 : tensor<?x4xf32>
  %3 = stablehlo.concatenate %x, %2, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = stablehlo.dynamic_iota %rows, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0, %2, %3, %4 : tensor<?xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>
}

// -----

// A loop, branches, and a slice that moves with the loop.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>)
// CHECK: stablehlo.dynamic_slice {{.*}} -> tensor<1x4xf32>
// CHECK-NOT: ?
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %single = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %columns = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %start = stablehlo.dynamic_broadcast_in_dim %f, %columns, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<?xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %row = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %column = stablehlo.constant dense<0> : tensor<1xi32>
    %at = stablehlo.concatenate %row, %column, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %length = stablehlo.concatenate %single, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %end = stablehlo.add %at, %length : tensor<2xi32>
    %part = stablehlo.real_dynamic_slice %x, %at, %end, %ones : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
    %line = stablehlo.dynamic_reshape %part, %columns : (tensor<1x?xf32>, tensor<1xi32>) -> tensor<?xf32>
    %more = stablehlo.add %sum, %line : tensor<?xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %more : tensor<i32>, tensor<?xf32>
  }
  %1 = "stablehlo.case"(%n) ({
    %2 = stablehlo.negate %x : tensor<?x?xf32>
    stablehlo.return %2 : tensor<?x?xf32>
  }, {
    stablehlo.return %x : tensor<?x?xf32>
  }) : (tensor<i32>) -> tensor<?x?xf32>
  return %0#1, %1 : tensor<?xf32>, tensor<?x?xf32>
}

// -----

// Floor division and clamps of sizes, as jax.export writes them.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> tensor<1x2xi32>
// CHECK-NOT: ?
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %quotient = stablehlo.divide %n, %two : tensor<i32>
  %less = stablehlo.subtract %quotient, %one : tensor<i32>
  %a = stablehlo.sign %n : tensor<i32>
  %b = stablehlo.sign %two : tensor<i32>
  %differ = stablehlo.compare NE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %half = stablehlo.select %differ, %less, %quotient : tensor<i1>, tensor<i32>
  %bounded = stablehlo.clamp %zero, %m, %two : tensor<i32>
  %rows = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %bounded : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// An assertion that holds is removed, and bounds end with the sizes.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NOT: shape_assertion
func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %holds = stablehlo.compare GE, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%holds, %n) {error_message = "got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?x4xf32, #stablehlo.bounds<3, ?>>
}

// -----

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %holds = stablehlo.compare GE, %n, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @+1 {{expected at least 5 rows {and got 3, not {2}}}
  stablehlo.custom_call @shape_assertion(%holds, %five, %n) {error_message = "expected at least {0} rows {and got {1}, not {2}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %x : tensor<?x4xf32>
}

// -----

// expected-error @+1 {{argument 0 is 'tensor<?x5xf32>', but got the sizes 3x4: dimension 1 must have size 5}}
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  return %x : tensor<?x5xf32>
}

// -----

// expected-error @+1 {{argument 0 is 'tensor<?xf32>', but got the sizes 3x4}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{argument 0 is 'tensor<?x4xf32, #stablehlo.bounds<2, ?>>', but got the sizes 3x4: dimension 0 has at most 2 elements}}
func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<2, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<2, ?>> {
  return %x : tensor<?x4xf32, #stablehlo.bounds<2, ?>>
}

// -----

// expected-error @+1 {{argument 1 is 'tensor<?xf32>'; its sizes must be given}}
func.func @main(%x: tensor<3x4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  return %y : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<3x4xf32>, %shape: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{has a result of type 'tensor<?xf32>', whose size depends on values that are known only when the program runs}}
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?x?xf32>, %y: tensor<3x5xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{differ in shape}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<?x?xf32>, tensor<3x5xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %go = stablehlo.constant dense<true> : tensor<i1>
  // expected-error @+1 {{carries value 0 of type 'tensor<3x4xf32>', which an iteration turns into 'tensor<6x4xf32>'}}
  %0 = stablehlo.while(%v = %x) : tensor<?x4xf32>
  cond {
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.concatenate %v, %v, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    stablehlo.return %1 : tensor<?x4xf32>
  }
  return %0 : tensor<?x4xf32>
}

// -----

func.func @main(%x: tensor<?x4xf32>) -> tensor<5x4xf32> {
  // expected-error @+1 {{result is f32[5,4], f32[3,4] expected}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// -----

// Calls that stand for ops have their shape rules.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
// CHECK: %[[E:.*]] = chlo.erf %arg0 : tensor<3x4xf32> -> tensor<3x4xf32>
// CHECK: chlo.top_k(%[[E]], k = 2) : tensor<3x4xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1:2 = stablehlo.custom_call @mhlo.topk(%0) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %1#0, %1#1 : tensor<?x2xf32>, tensor<?x2xi32>
}

// -----

// Branches that are not taken may not fit the sizes.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> tensor<12xf32>
// CHECK-NOT: stablehlo.case
func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %twelve = stablehlo.constant dense<12> : tensor<1xi32>
  %which = stablehlo.subtract %n, %three : tensor<i32>
  %0 = "stablehlo.case"(%which) ({
    %1 = stablehlo.dynamic_reshape %x, %twelve : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %1 = stablehlo.constant dense<1.0> : tensor<7xf32>
    stablehlo.return %1 : tensor<7xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A group has as many members as its row has ids, if these are device ids.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> (tensor<6x4xf32>, tensor<3x2xf32>)
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<?x4xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x?xf32>
}

// -----

// JAX exports windows whose sizes are unknown, and random bits, as custom calls.
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2xui64>) -> (tensor<2x4xf32>, tensor<3x4xui32>)
// CHECK: %[[W:.*]] = "stablehlo.reduce_window"(%arg0, %{{.*}}) <{base_dilations = array<i64: 1, 1>, padding = dense<{{\[\[}}0, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: %[[M:.*]] = stablehlo.maximum %[[A]], %[[B]]
// CHECK-NEXT: stablehlo.return %[[M]]
// CHECK: %{{.*}}, %[[R:.*]] = stablehlo.rng_bit_generator %arg1, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
// CHECK: return %[[W]], %[[R]]
func.func @main(%x: tensor<?x4xf32>, %state: tensor<2xui64>) -> (tensor<?x4xf32>, tensor<?x4xui32>) {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %first = stablehlo.constant dense<[[0, 1]]> : tensor<1x2xi32>
  %second = stablehlo.constant dense<0> : tensor<1x2xi32>
  %padding = stablehlo.concatenate %first, %second, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %window = stablehlo.concatenate %rows, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %low, %window, %ones, %ones, %ones, %padding) {called_computations = [@larger]} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x4xf32>
  %shape = stablehlo.concatenate %rows, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x4xui32>)
  return %0, %1#1 : tensor<?x4xf32>, tensor<?x4xui32>
}

// -----

func.func @main(%x: tensor<?x4xf32>, %state: tensor<2xui64>) -> tensor<?x4xui32> {
  %shape = stablehlo.constant dense<[3, -4]> : tensor<2xi32>
  // expected-error @+1 {{has no shape of its result 'tensor<?x4xui32>'}}
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x4xui32>)
  return %1#1 : tensor<?x4xui32>
}

// -----

func.func @main(%x: tensor<?x4xf32>, %shape: tensor<2xi32>, %state: tensor<2xui64>) -> tensor<?x4xui32> {
  // expected-error @+1 {{has a result of type 'tensor<?x4xui32>', whose size depends on values that are known only when the program runs}}
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x4xui32>)
  return %1#1 : tensor<?x4xui32>
}

// -----

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{takes inputs, as many initial values, five vectors of sizes and a computation}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %padding = stablehlo.constant dense<0> : tensor<2x2xi32>
  // expected-error @+1 {{window_dimensions}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %none, %ones, %ones, %ones, %padding) {called_computations = [@sum]} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
