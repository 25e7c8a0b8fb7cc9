// RUN: xlac-opt %s --xlac-fuse-kernels --xlac-plan-buffers --split-input-file --verify-diagnostics | FileCheck %s

// The updated array of a loop is the result's buffer, written in place; what
// does not change is read where it lies.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-DAG: %[[OUT:[0-9]+]] = xlac.result 0
// CHECK-DAG: %[[X:[0-9]+]] = xlac.argument 0
// CHECK: xlac.while
// CHECK: do
// CHECK-NOT: xlac.copy {{.*}}, 256
// CHECK: xlac.launch @{{[a-z_0-9.]+}}(%[[X]], %[[OUT]], {{.*}}) -> (%[[OUT]])
func.func @main(%x: tensor<4xf32>) -> tensor<16x4xf32> {
  %out = stablehlo.constant dense<0.0> : tensor<16x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %c = %x, %o = %out) : tensor<i32>, tensor<4xf32>, tensor<16x4xf32>
    cond {
      %end = stablehlo.constant dense<16> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %none = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.exponential %c : tensor<4xf32>
      %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.dynamic_update_slice %o, %2, %i, %none : (tensor<16x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<16x4xf32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %c, %3 : tensor<i32>, tensor<4xf32>, tensor<16x4xf32>
    }
  return %0#2 : tensor<16x4xf32>
}

// -----

// The next value of the carry reads it at other indices. Their buffers exchange
// their memory.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-DAG: %[[RESULT:[0-9]+]] = xlac.result 0
// CHECK: xlac.while
// CHECK: do
// CHECK: xlac.launch @{{[a-z_0-9.]+}}(%[[RESULT]]) -> (%[[NEXT:[0-9]+]])
// CHECK-NOT: xlac.copy {{.*}}, 64
// CHECK: xlac.swap %[[NEXT]] with %[[RESULT]], 64
func.func @main(%x: tensor<16xf32>, %n: tensor<i32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<16xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.reverse %c, dims = [0] : tensor<16xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<16xf32>
    }
  return %0#1 : tensor<16xf32>
}

// -----

// A carry that becomes another one is copied.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: xlac.while
// CHECK: do
// CHECK-NOT: xlac.swap
// CHECK: xlac.copy {{.*}}, 64
func.func @main(%x: tensor<16xf32>, %y: tensor<16xf32>, %n: tensor<i32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %c = %x, %d = %y) : tensor<i32>, tensor<16xf32>, tensor<16xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.reverse %c, dims = [0] : tensor<16xf32>
      %2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %d, %1 : tensor<i32>, tensor<16xf32>, tensor<16xf32>
    }
  return %0#1, %0#2 : tensor<16xf32>, tensor<16xf32>
}

// -----

// A donated argument may be the result's buffer: it is read element by element.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: aliases = array<i64: 0, 0>
func.func @main(%w: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.subtract %w, %g : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Results of one kernel take the places of all that it reads element by element.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: aliases = array<i64: 0, 0, 1, 1>
func.func @main(%m: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %w: tensor<64xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.add %m, %g : tensor<64xf32>
  %1 = stablehlo.compare GT, %0, %g : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
  %2 = stablehlo.select %1, %w, %0 : tensor<64xi1>, tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// What a product is added to is read element by element too.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: aliases = array<i64: 0, 0>
func.func @main(%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.subtract %w, %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// The same argument read in order and turned, as two operands of one kernel.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-NOT: aliases = array<i64: 0, 0>
// CHECK: xlac.launch
func.func @main(%w: tensor<64xf32> {tf.aliasing_output = 0 : i32}) -> tensor<64xf32> {
  %0 = stablehlo.reshape %w : (tensor<64xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<8x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x8xf32>) -> tensor<64xf32>
  %3 = stablehlo.add %w, %2 : tensor<64xf32>
  return %3 : tensor<64xf32>
}

// -----

// Returned twice, and an argument returned as it is: copies.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: xlac.launch
// CHECK-COUNT-2: xlac.copy
func.func @main(%a: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.negate %a : tensor<64xf32>
  return %0, %0, %a : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is not supported}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A result holds a value that is read for the last time before the result is
// written.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-SAME: arena = 16384
// CHECK: %[[OTHER:[0-9]+]] = xlac.arena[0, 16384]
// CHECK: %[[RESULT:[0-9]+]] = xlac.result 0
// CHECK: xlac.launch @dot.0({{.*}}) -> (%[[RESULT]])
// CHECK: xlac.launch @dot.0(%[[RESULT]], {{.*}}) -> (%[[OTHER]])
// CHECK: xlac.launch @dot.0(%[[OTHER]], {{.*}}) -> (%[[RESULT]])
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// The memory of a donated argument holds the argument until the result is
// written.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-SAME: arena = 32768 attributes {aliases = array<i64: 0, 1>}
// CHECK: %[[RESULT:[0-9]+]] = xlac.result 0
// CHECK-COUNT-2: xlac.launch @dot.0({{.*}}) -> (%{{[0-9]+}})
// CHECK: xlac.launch @dot.0({{.*}}) -> (%[[RESULT]])
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// A value that the launch of a result overwrites is in the result's buffer,
// whoever else reads it before.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-NOT: xlac.arena[{{[0-9]+}}, 65536]
// CHECK: %[[RESULT:[0-9]+]] = xlac.result 0
// CHECK: xlac.launch @exp.0({{.*}}) -> (%[[RESULT]])
// CHECK: xlac.launch @divide.{{[0-9]+}}({{.*}}%[[RESULT]]) -> (%[[RESULT]])
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<64x256xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [1] : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.reduce(%2 init: %1) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
  %5 = stablehlo.divide %0, %4 : tensor<64x256xf32>
  return %5 : tensor<64x256xf32>
}

// -----

// The largest values first would leave gaps that no other value fits into: 576
// bytes for values of which at most 448 are in use at once.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK-SAME: arena = 448 {
xlac.kernel @begin <loop> {
^bb0(%a: tensor<16xf32>):
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0], high = [48], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<64xf32>
  xlac.yield %0 : tensor<64xf32>
}
xlac.kernel @halve <loop> {
^bb0(%a: tensor<64xf32>):
  %0 = stablehlo.slice %a [0:32] : (tensor<64xf32>) -> tensor<32xf32>
  xlac.yield %0 : tensor<32xf32>
}
xlac.kernel @grow <loop> {
^bb0(%a: tensor<32xf32>):
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [16], high = [0], interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<48xf32>
  xlac.yield %0 : tensor<48xf32>
}
xlac.kernel @grow_again <loop> {
^bb0(%a: tensor<48xf32>):
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [16], high = [0], interior = [0] : (tensor<48xf32>, tensor<f32>) -> tensor<64xf32>
  xlac.yield %0 : tensor<64xf32>
}
xlac.kernel @end <loop> {
^bb0(%a: tensor<64xf32>):
  %0 = stablehlo.slice %a [8:24] : (tensor<64xf32>) -> tensor<16xf32>
  xlac.yield %0 : tensor<16xf32>
}
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = xlac.call @begin(%x) : (tensor<16xf32>) -> tensor<64xf32>
  %1 = xlac.call @halve(%0) : (tensor<64xf32>) -> tensor<32xf32>
  %2 = xlac.call @grow(%1) : (tensor<32xf32>) -> tensor<48xf32>
  %3 = xlac.call @grow_again(%2) : (tensor<48xf32>) -> tensor<64xf32>
  %4 = xlac.call @end(%3) : (tensor<64xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}

// -----

// A result in the memory of an operand separates launches that were to run slice
// by slice, if another one reads all of that operand in each slice.
// CHECK-LABEL: xlac.program @xlac_entry
// CHECK: xlac.launch @negate
// CHECK-NEXT: xlac.launch @turn({{.*}}) -> ({{%[0-9]+}}){{$}}
// CHECK-NEXT: xlac.launch @add({{.*}}) -> ({{%[0-9]+}}){{$}}
xlac.kernel @negate <loop, tasks = [4], grain = [1]> {
^bb0(%a: tensor<4x8xf32>):
  %0 = stablehlo.negate %a : tensor<4x8xf32>
  xlac.yield %0 : tensor<4x8xf32>
}
xlac.kernel @turn <loop, tasks = [4], grain = [1]> {
^bb0(%a: tensor<4x8xf32>):
  %0 = stablehlo.reverse %a, dims = [0] : tensor<4x8xf32>
  xlac.yield %0 : tensor<4x8xf32>
}
xlac.kernel @add <loop, tasks = [4], grain = [1]> {
^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>):
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  xlac.yield %0 : tensor<4x8xf32>
}
xlac.kernel @last <loop, tasks = [4], grain = [1]> {
^bb0(%a: tensor<4x8xf32>):
  %0 = stablehlo.reverse %a, dims = [1] : tensor<4x8xf32>
  xlac.yield %0 : tensor<4x8xf32>
}
func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = xlac.call @negate(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = xlac.call @turn(%0) {slices = 4 : i64, whole = array<i64: 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = xlac.call @add(%0, %1) {joined, slices = 4 : i64, whole = array<i64>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = xlac.call @last(%2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
