// RUN: xlac inspect %s | FileCheck %s
// RUN: xlac inspect %s --json | FileCheck %s --check-prefix=JSON
// RUN: xlac compile %s -o %t.xlax --target avx2
// RUN: xlac inspect %t.xlax | FileCheck %s --check-prefix=IMAGE
// RUN: xlac compile %s -o %t.alone.xlax --target avx2 --without-program
// RUN: xlac inspect %t.alone.xlax | FileCheck %s --check-prefix=ALONE
// RUN: head -c 200 %t.xlax > %t.cut.xlax
// RUN: not xlac inspect %t.cut.xlax 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not xlac inspect %s --entry none 2>&1 | FileCheck %s --check-prefix=ENTRY

// CHECK: inspect.mlir: StableHLO program
// CHECK-NEXT: arguments:
// CHECK-NEXT: {{^}}   0  f32[2,3]  weights
// CHECK-NEXT: {{^}}   1  f32[3]{{$}}
// CHECK-NEXT: results:
// CHECK-NEXT: {{^}}   0  f32[2,3]  result['sum']
// CHECK-SAME: (in the memory of argument 0)
// CHECK-NEXT: entries: mean, main
// CHECK-NEXT: custom calls: outside
// CHECK-NEXT: meshes: mesh = #sdy.mesh<["x"=2]>
// CHECK-NEXT: bytes of arguments: 36
// CHECK-NEXT: bytes of results: 24
// CHECK-NEXT: replicas: 1
// CHECK-NEXT: partitions: 1
// JSON: {"form":"StableHLO program","arguments":[{"type":"f32[2,3]","name":"weights"},{"type":"f32[3]","name":""}],"results":[{"type":"f32[2,3]","name":"result['sum']","aliased_argument":0}],"entries":["mean","main"],"custom_calls":["outside"],"meshes":["mesh = #sdy.mesh<[\"x\"=2]>"],"bytes of arguments":36,"bytes of results":24,"replicas":1,"partitions":1}
// IMAGE: image for avx2
// IMAGE-NEXT: arguments:
// IMAGE-NEXT: {{^}}   0  f32[2,3]  weights
// IMAGE-NEXT: {{^}}   1  f32[3]{{$}}
// IMAGE-NEXT: results:
// IMAGE-NEXT: {{^}}   0  f32[2,3]  result['sum']  (in the memory of argument 0)
// IMAGE-NEXT: entries: main
// IMAGE: bytes of temporaries: 0
// IMAGE-NEXT: bytes of the program inside: {{[1-9][0-9]*}}
// ALONE: 0  f32[2,3]  weights
// ALONE: bytes of the program inside: 0
// CUT: cut.xlax: the executable image is incomplete
// ENTRY: has no function @none
sdy.mesh @mesh = <["x"=2]>
func.func @mean(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @outside(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.custom_call @outside(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @main(%w: tensor<2x3xf32> {tf.aliasing_output = 0 : i32} loc("weights"), %x: tensor<3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result['sum']"}) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.add %w, %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
