// RUN: xlac-opt %s --xlac-lower-collectives --split-input-file --verify-diagnostics | FileCheck %s
// RUN: xlac-opt %s --xlac-lower-collectives --xlac-fuse-kernels --xlac-plan-buffers --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=PLAN

// The computation becomes a kernel over a piece of the tensor.
// CHECK-LABEL: func.func @main
// CHECK: xlac.tensor_collective <all_reduce, cross_replica_and_partition, groups = [0, 1, 2, -1], columns = 2, channel = 1, body = {{[0-9]+}}>(%arg0) by [@reducer]
// CHECK: xlac.kernel @reducer <loop>
// CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
// PLAN-LABEL: xlac.program @xlac_entry
// PLAN: xlac.collective 0 <all_reduce
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Transfers keep their order without tokens, whatever is fused around them.
// CHECK-LABEL: func.func @main
// CHECK: xlac.tensor_collective <send
// CHECK-SAME: host = true
// CHECK: xlac.tensor_collective <recv
// CHECK: xlac.tensor_collective <outfeed
// CHECK: xlac.tensor_collective <infeed
// CHECK: xlac.tensor_collective <replica_id
// PLAN-LABEL: xlac.program @xlac_entry
// PLAN: xlac.launch
// PLAN: xlac.collective 0 <send
// PLAN: xlac.collective 1 <recv
// PLAN: xlac.collective 2 <outfeed
// PLAN: xlac.collective 3 <infeed
// PLAN: xlac.collective 4 <replica_id
// PLAN: xlac.launch
func.func @main(%x: tensor<64xf32>, %t: !stablehlo.token) -> (tensor<64xf32>, tensor<ui32>, !stablehlo.token) {
  %y = stablehlo.exponential %x : tensor<64xf32>
  %0 = "stablehlo.send"(%y, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<64xf32>, !stablehlo.token) -> !stablehlo.token
  %1, %2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<64xf32>, !stablehlo.token)
  %3 = "stablehlo.outfeed"(%y, %2) : (tensor<64xf32>, !stablehlo.token) -> !stablehlo.token
  %4, %5 = "stablehlo.infeed"(%3) : (!stablehlo.token) -> (tensor<64xf32>, !stablehlo.token)
  %6 = stablehlo.replica_id : tensor<ui32>
  %7 = stablehlo.subtract %y, %1 : tensor<64xf32>
  %8 = stablehlo.subtract %7, %4 : tensor<64xf32>
  return %8, %6, %5 : tensor<64xf32>, tensor<ui32>, !stablehlo.token
}

// -----

// Parts of axes of a mesh: the second half of y, groups apart by the rest.
// CHECK-LABEL: func.func @main
// CHECK: groups = [0, 1, 2, 3, 4, 5, 6, 7], columns = 2
func.func @main(%a: tensor<4xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<
    mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 4>]>,
    axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (2)2>]>} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a computation that reads a value of its surroundings, which is not supported}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{names axis 'z', which its mesh does not have}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<
    mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>,
    axes = [#stablehlo.axis_ref<name = "z">]>} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A function of the host stays in its place among collectives.
// CHECK-LABEL: func.func @main
// CHECK: xlac.tensor_collective <custom_call, cross_replica, target = "somewhere", config = {factor = 2 : i64}>(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
// PLAN-LABEL: xlac.program @xlac_entry
// PLAN: xlac.collective 0 <custom_call
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @somewhere(%a) {xlac.config = {factor = 2 : i64}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
