// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// The device of a maximal sharding alone makes the call; all get its results.
// CHECK-LABEL: module @one_device
// CHECK: %[[OWN:.*]] = stablehlo.custom_call @xla_ffi_python_cpu_callback
// CHECK-SAME: xlac.only_partition = 0
// CHECK: stablehlo.collective_broadcast{{.*}}%[[OWN]]
// CHECK-SAME: [0, 1]
module @one_device attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["d"=2]>
  sdy.mesh @first = <[], device_ids=[0]>
  func.func @main(%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> tensor<4x2xf32> {
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {api_version = 4 : i32, mhlo.backend_config = {index = 0 : ui64}, sdy.sharding = #sdy.sharding_per_value<[<@first, []>]>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    return %0 : tensor<4x2xf32>
  }
}

// -----

// A partitioned callback is called on each device with its shards.
// CHECK-LABEL: module @partitioned
// CHECK-NOT: all_gather
// CHECK: stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback
// CHECK-NOT: xlac.only_partition
// CHECK-SAME: (tensor<2x2xf32>) -> ()
module @partitioned attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["d"=2]>
  sdy.mesh @first = <[], device_ids=[0]>
  func.func @main(%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> tensor<4x2xf32> {
    stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%x) {api_version = 4 : i32, has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, sdy.sharding = #sdy.sharding_per_value<[<@first, []>]>} : (tensor<4x2xf32>) -> ()
    return %x : tensor<4x2xf32>
  }
}

// -----

// Each operand keeps its own sharding, also among operands of one shape.
// CHECK-LABEL: module @different
// CHECK: stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback
// CHECK-SAME: (tensor<4xf32>, tensor<2xf32>) -> ()
module @different attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %y: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%0, %y) {api_version = 4 : i32, has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (tensor<4xf32>, tensor<4xf32>) -> ()
    return %x : tensor<4xf32>
  }
}

// -----

// Tokens pass into and out of manual computations as they are.
// CHECK-LABEL: module @tokens
// CHECK: stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0, %arg1)
// CHECK-SAME: (!stablehlo.token, tensor<2x2xf32>) -> !stablehlo.token
module @tokens attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%t: !stablehlo.token, %x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> !stablehlo.token {
    %0 = sdy.manual_computation(%t, %x) in_shardings=[<@mesh, []>, <@mesh, [{"d"}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"d"} (%arg0: !stablehlo.token, %arg1: tensor<2x2xf32>) {
      %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0, %arg1) {api_version = 4 : i32, has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (!stablehlo.token, tensor<2x2xf32>) -> !stablehlo.token
      sdy.return %1 : !stablehlo.token
    } : (!stablehlo.token, tensor<4x2xf32>) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
}
