// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// Each device draws its own bits. The number of the first one is a word of the
// state, and the new state is that of the whole program.
// CHECK-LABEL: module @philox
// CHECK: stablehlo.concatenate
// CHECK-SAME: -> tensor<4xui64>
// CHECK: stablehlo.rng_bit_generator
// CHECK-SAME: algorithm = DEFAULT
// CHECK-SAME: xlac.part_of = array<i64: 5, 7>
// CHECK-SAME: (tensor<4xui64>) -> (tensor<4xui64>, tensor<3x4xui16>)
// CHECK: stablehlo.constant dense<9> : tensor<1xui64>
// CHECK-NOT: dynamic_slice
// CHECK: return
module @philox attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5x7xui16> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) {
    %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x7xui16>)
    return %0#0, %0#1 : tensor<2xui64>, tensor<5x7xui16>
  }
}

// -----

// The counter of Threefry numbers elements.
// CHECK-LABEL: module @threefry
// CHECK: stablehlo.rng_bit_generator
// CHECK-SAME: algorithm = THREE_FRY
// CHECK-SAME: xlac.part_of = array<i64: 3, 7>
// CHECK-SAME: (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2xui64>)
module @threefry attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%s: tensor<2xui64>) -> (tensor<3x7xui64> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x7xui64>)
    return %0#1 : tensor<3x7xui64>
  }
}

// -----

// Nothing is a part: the op stays as it is.
// CHECK-LABEL: module @whole
// CHECK: stablehlo.rng_bit_generator
// CHECK-NOT: xlac.part_of
// CHECK: return
module @whole attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%s: tensor<2xui64>, %x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<8xf32>, tensor<3xui64>) {
    %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
    return %x, %0#1 : tensor<8xf32>, tensor<3xui64>
  }
}
