// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// Rows that leave one end of a value enter at the other: one permute.
// CHECK-LABEL: module @roll
// CHECK: %[[SENT:.*]] = stablehlo.slice %arg0 [0:3, 0:64]
// CHECK: "stablehlo.collective_permute"(%[[SENT]])
// CHECK-SAME: (tensor<3x64xf32>) -> tensor<3x64xf32>
// CHECK-NOT: collective_permute
// CHECK-NOT: all_gather
module @roll attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %a = stablehlo.slice %x [3:16, 0:64] : (tensor<16x64xf32>) -> tensor<13x64xf32>
    %b = stablehlo.slice %x [0:3, 0:64] : (tensor<16x64xf32>) -> tensor<3x64xf32>
    %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<13x64xf32>, tensor<3x64xf32>) -> tensor<16x64xf32>
    return %r : tensor<16x64xf32>
  }
}

// -----

// A slice and a padding each get one row of a neighbour.
// CHECK-LABEL: module @shift
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME: dense<{{\[\[}}1, 0], [2, 1], [3, 2]]>
// CHECK-SAME: (tensor<1x64xf32>) -> tensor<1x64xf32>
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME: (tensor<1x64xf32>) -> tensor<1x64xf32>
// CHECK-NOT: collective_permute
// CHECK-NOT: all_gather
module @shift attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<15x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %z = stablehlo.constant dense<1.0> : tensor<f32>
    %s = stablehlo.slice %x [1:16, 0:64] : (tensor<16x64xf32>) -> tensor<15x64xf32>
    %p = stablehlo.pad %x, %z, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
    return %s, %p : tensor<15x64xf32>, tensor<16x64xf32>
  }
}

// -----

// The rows of two values move to where the concatenation has them.
// CHECK-LABEL: module @join
// CHECK-NOT: all_gather
// CHECK: stablehlo.select
// CHECK-NOT: all_gather
// CHECK: return
module @join attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %y: tensor<8x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<24x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %r = stablehlo.concatenate %x, %y, dim = 0 : (tensor<16x64xf32>, tensor<8x64xf32>) -> tensor<24x64xf32>
    return %r : tensor<24x64xf32>
  }
}

// -----

// Each transfer takes rows of one operand, those that stay too: nothing joins
// the operands.
// CHECK-LABEL: module @join_equal
// CHECK-NOT: stablehlo.concatenate
// CHECK: stablehlo.select %{{.*}}, %arg1, %arg0
// CHECK: %[[SENT:.*]] = stablehlo.select %{{.*}}, %arg1, %arg0
// CHECK-NEXT: "stablehlo.collective_permute"(%[[SENT]])
// CHECK-NOT: stablehlo.concatenate
// CHECK: return
module @join_equal attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %y: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<32x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %r = stablehlo.concatenate %x, %y, dim = 0 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
    return %r : tensor<32x64xf32>
  }
}

// -----

// A spatial convolution gets one row of each neighbour and computes its own
// rows; the gradient of its kernel sums over them. Rows of one direction travel
// at a time, so they have the same places on all devices.
// CHECK-LABEL: module @convolution
// CHECK-NOT: stablehlo.dynamic_slice
// CHECK-COUNT-2: "stablehlo.collective_permute"{{.*}}(tensor<2x3x1x32xf32>) -> tensor<2x3x1x32xf32>
// CHECK-NEXT: stablehlo.concatenate %{{.*}}, %arg0, %{{.*}}, dim = 2
// CHECK: stablehlo.convolution{{.*}}pad = {{\[\[}}0, 0], [1, 1]]{{.*}}(tensor<2x3x10x32xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x32xf32>
// CHECK: %[[PART:.*]] = stablehlo.convolution{{.*}}(tensor<2x3x10x32xf32>, tensor<2x4x8x32xf32>) -> tensor<3x4x3x3xf32>
// CHECK: "stablehlo.all_reduce"(%[[PART]])
// CHECK-NOT: all_gather
module @convolution attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<2x3x32x32xf32> {mhlo.sharding = "{devices=[1,1,4,1]<=[4]}"}, %k: tensor<4x3x3x3xf32>) -> (tensor<2x4x32x32xf32> {mhlo.sharding = "{devices=[1,1,4,1]<=[4]}"}, tensor<3x4x3x3xf32>) {
    %y = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x32x32xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x32x32xf32>
    %g = stablehlo.convolution(%x, %y) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x32x32xf32>, tensor<2x4x32x32xf32>) -> tensor<3x4x3x3xf32>
    return %y, %g : tensor<2x4x32x32xf32>, tensor<3x4x3x3xf32>
  }
}

// -----

// Windows with overlaps, and what they select.
// CHECK-LABEL: module @pool
// CHECK: "stablehlo.collective_permute"{{.*}}(tensor<1xf32>) -> tensor<1xf32>
// CHECK: "stablehlo.reduce_window"{{.*}}padding = dense<0>
// CHECK-SAME: window_dimensions = array<i64: 3>
// CHECK: "stablehlo.select_and_scatter"
// CHECK-NOT: all_gather
module @pool attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<32768xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<32768xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %m = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<32768xf32>, tensor<f32>) -> tensor<16384xf32>
    %g = "stablehlo.select_and_scatter"(%x, %m, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<32768xf32>, tensor<16384xf32>, tensor<f32>) -> tensor<32768xf32>
    return %g : tensor<32768xf32>
  }
}

// -----

// Each device sums its own rows; the totals of the others travel.
// CHECK-LABEL: module @scan
// CHECK: "stablehlo.reduce_window"(%arg0{{.*}}padding = dense<{{\[\[}}7, 0], [0, 0]]>
// CHECK: "stablehlo.all_gather"{{.*}}(tensor<1x4xf32>) -> tensor<4x4xf32>
// CHECK: stablehlo.reduce
// CHECK-NOT: all_gather
module @scan attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<32x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<32x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 32, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    return %s : tensor<32x4xf32>
  }
}

// -----

// Another reducer is not computed apart: the operand is gathered.
// CHECK-LABEL: module @other_scan
// CHECK: "stablehlo.all_gather"(%arg0)
module @other_scan attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<32xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %i: tensor<f32>) -> (tensor<32xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    %s = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 32>, padding = dense<[[31, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
    return %s : tensor<32xf32>
  }
}

// -----

// A part of a complete dimension keeps its limits.
// CHECK-LABEL: module @columns
// CHECK: stablehlo.slice %arg0 [0:4, 8:24] : (tensor<4x64xf32>) -> tensor<4x16xf32>
// CHECK-NOT: all_gather
module @columns attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16x16xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %s = stablehlo.slice %x [0:16, 8:24] : (tensor<16x64xf32>) -> tensor<16x16xf32>
    return %s : tensor<16x16xf32>
  }
}
// -----

// A pad and a slice of its result move one row: no value of 17 rows is made.
// CHECK-LABEL: module @pad_then_slice
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME: dense<{{\[\[}}0, 1], [1, 2], [2, 3]]>
// CHECK-SAME: (tensor<1x64xf32>) -> tensor<1x64xf32>
// CHECK-NOT: "stablehlo.collective_permute"
// CHECK: return
module @pad_then_slice attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %z = stablehlo.constant dense<1.0> : tensor<f32>
    %p = stablehlo.pad %x, %z, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<17x64xf32>
    %s = stablehlo.slice %p [0:16, 0:64] : (tensor<17x64xf32>) -> tensor<16x64xf32>
    return %s : tensor<16x64xf32>
  }
}

// -----

// The removed row must not come back where a row is added: two ops stay.
// CHECK-LABEL: module @slice_then_pad
// CHECK: stablehlo.pad %{{.*}} low = [0, 3], high = [0, -2]
// CHECK: stablehlo.slice %arg0 [0:4, 2:8]
// CHECK: stablehlo.pad %{{.*}} low = [0, 2], high = [0, 0]
module @slice_then_pad attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16x9xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<16x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %z = stablehlo.constant dense<1.0> : tensor<f32>
    %a = stablehlo.slice %x [0:16, 0:6] : (tensor<16x8xf32>) -> tensor<16x6xf32>
    %b = stablehlo.pad %a, %z, low = [0, 3], high = [0, 0], interior = [0, 0] : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x9xf32>
    %c = stablehlo.slice %x [0:16, 2:8] : (tensor<16x8xf32>) -> tensor<16x6xf32>
    %d = stablehlo.pad %c, %z, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x8xf32>
    return %b, %d : tensor<16x9xf32>, tensor<16x8xf32>
  }
}

// -----

// One row of a roll leaves the last device; nothing else is sent.
// CHECK-LABEL: module @roll_one
// CHECK-NOT: all_to_all
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME: (tensor<1x64xf32>) -> tensor<1x64xf32>
// CHECK-NOT: collective_permute
// CHECK: return
module @roll_one attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %a = stablehlo.slice %x [15:16, 0:64] : (tensor<16x64xf32>) -> tensor<1x64xf32>
    %b = stablehlo.slice %x [0:15, 0:64] : (tensor<16x64xf32>) -> tensor<15x64xf32>
    %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x64xf32>, tensor<15x64xf32>) -> tensor<16x64xf32>
    return %r : tensor<16x64xf32>
  }
}

// -----

// Rows of two operands that are sharded along the dimension are selected from
// padded pieces. No buffer of the result's size is written for each piece.
// CHECK-LABEL: module @joined
// CHECK-COUNT-2: "stablehlo.collective_permute"
// CHECK-NOT: stablehlo.dynamic_update_slice
// CHECK: stablehlo.pad
// CHECK: stablehlo.select
module @joined attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %y: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<32x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
    return %0 : tensor<32x8xf32>
  }
}
