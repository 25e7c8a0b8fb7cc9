// RUN: xlac-opt %s | xlac-opt | FileCheck %s
// RUN: xlac-opt %s --mlir-print-op-generic | xlac-opt | FileCheck %s
// RUN: xlac translate %s --to bytecode -o %t.bc && xlac translate %t.bc --to stablehlo | FileCheck %s
// RUN: not xlac run %t.bc --inputs zeros --no-cache 2>&1 | FileCheck %s --check-prefix=REFUSED

// As JAX writes jax.shard_map over four devices.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// REFUSED: 'sdy.manual_computation' op works on 4 parts of its inputs, one a device, which is not supported

// CHECK-LABEL: func.func public @main
func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<2xi32>) {
  // CHECK: %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {"x"}]>, <@mesh, [{"x", ?}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}]>] manual_axes={"x", "y"} (%arg2: tensor<8x4xf32>, %arg3: tensor<4x8xf32>) {
  // CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %arg2, %arg3
  // CHECK: sdy.return %[[P]], %{{.*}} : tensor<8x8xf32>, tensor<1xi32>
  // CHECK-NEXT: } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<2xi32>)
  %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {"x"}]>, <@mesh, [{"x", ?}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}]>] manual_axes={"x", "y"} (%arg2: tensor<8x4xf32>, %arg3: tensor<4x8xf32>) {
    %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    sdy.return %1, %4 : tensor<8x8xf32>, tensor<1xi32>
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<2xi32>
}
