// What a program costs on a mesh that is not there.
// RUN: xlac explain %s --mesh 16x16 --axes data,model --shard 0=data,- --shard 1=-,model --shard 2=model,- --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac explain %s --mesh 4 --topology switch --bandwidth 10 --latency 5 --device-gflops 1000 --device-bandwidth 100 --json | FileCheck %s --check-prefix=JSON
// RUN: not xlac explain %s --mesh 4x4 --shard 0=z,- 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not xlac explain %s --mesh 4x4 --shard 7=x,- 2>&1 | FileCheck %s --check-prefix=NUMBER

// CHECK: mesh: data=16, model=16 (256 devices, torus)
// Rows of x: 16 of 256 times 1024 f32; a sixteenth of each weight: 0.0625 MiB and 2 x 0.25.
// CHECK: memory of a device: {{.*}} = 0.56 arguments + 0.06 results
// Two products of 16 x 1024 x 64.
// CHECK: work of a device: 0.004 GFLOP
// The sum over model is of 16 x 1024 f32: 65536 bytes, 30/16 of them sent.
// CHECK: all_reduce model 1 0.117
// CHECK: step: {{[0-9.]+}} ms one after the other
// JSON: "devices":4
// JSON: "communication_ms"
// AXIS: the mesh has no axis 'z'
// NUMBER: --shard 7=x,-: is not of the form
module {
  func.func @main(%x: tensor<256x1024xf32>, %w: tensor<1024x1024xf32>, %v: tensor<1024x1024xf32>) -> tensor<256x1024xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
    %1 = stablehlo.tanh %0 : tensor<256x1024xf32>
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
    return %2 : tensor<256x1024xf32>
  }
}
