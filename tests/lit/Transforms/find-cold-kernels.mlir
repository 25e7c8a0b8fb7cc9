// RUN: xlac-opt %s --xlac-find-cold-kernels --split-input-file | FileCheck %s

// A kernel that takes little of the program's time is cold.
// CHECK: xlac.kernel @large <{{.*}}> {
// CHECK: xlac.kernel @small <{{.*}}> attributes {cold} {
xlac.kernel @large <loop, tasks = [256], grain = [4], tile = [1], workspace = 0, flops = 15728640, bytes = 8388608> {
^bb0(%a: tensor<1024x1024xf32>):
  %0 = stablehlo.exponential %a : tensor<1024x1024xf32>
  xlac.yield %0 : tensor<1024x1024xf32>
}
xlac.kernel @small <loop, tasks = [1], grain = [1], tile = [1], workspace = 0, flops = 1600, bytes = 512> {
^bb0(%a: tensor<64xf32>):
  %0 = stablehlo.tanh %a : tensor<64xf32>
  xlac.yield %0 : tensor<64xf32>
}
xlac.program @xlac_entry : (tensor<1024x1024xf32>, tensor<64xf32>) -> (tensor<1024x1024xf32>, tensor<64xf32>) arena = 0 {
  %0 = xlac.argument 0
  %1 = xlac.argument 1
  %2 = xlac.result 0
  %3 = xlac.result 1
  xlac.launch @large(%0) -> (%2)
  xlac.launch @small(%1) -> (%3)
}

// -----

// A kernel that a loop launches takes more.
// CHECK: xlac.kernel @once <{{.*}}> attributes {cold} {
// CHECK: xlac.kernel @often <{{.*}}> {
xlac.kernel @once <loop, tasks = [1], grain = [1], tile = [1], workspace = 0, flops = 24000, bytes = 8000> {
^bb0(%a: tensor<1000xf32>):
  %0 = stablehlo.tanh %a : tensor<1000xf32>
  xlac.yield %0 : tensor<1000xf32>
}
xlac.kernel @often <loop, tasks = [1], grain = [1], tile = [1], workspace = 0, flops = 24000, bytes = 8000> {
^bb0(%a: tensor<1000xf32>):
  %0 = stablehlo.exponential %a : tensor<1000xf32>
  xlac.yield %0 : tensor<1000xf32>
}
xlac.kernel @test <loop, tasks = [1], grain = [1], tile = [1], workspace = 0, flops = 1, bytes = 5> {
^bb0(%a: tensor<1000xf32>):
  %0 = stablehlo.slice %a [0:1] : (tensor<1000xf32>) -> tensor<1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
  %2 = stablehlo.compare GT, %1, %1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  xlac.yield %2 : tensor<i1>
}
xlac.program @xlac_entry : (tensor<1000xf32>) -> tensor<1000xf32> arena = 4096 {
  %0 = xlac.argument 0
  %2 = xlac.result 0
  %3 = xlac.arena [0, 4000]
  %1 = xlac.arena [4032, 1]
  xlac.launch @once(%0) -> (%3)
  xlac.while %1 {
    xlac.launch @test(%3) -> (%1)
  } do {
    xlac.launch @often(%3) -> (%2)
  }
}

// -----

// Most of a product's time is in its tile function, which is optimized in any
// case, but not that of a product of integers, whose packing takes long. A
// prologue runs once for many runs of the program.
// CHECK: xlac.kernel @wait <{{.*}}> {
// CHECK: xlac.kernel @product <{{.*}}> attributes {cold} {
// CHECK: xlac.kernel @integers <{{.*}}> {
// CHECK: xlac.kernel @pack <{{.*}}> attributes {cold} {
xlac.kernel @wait <loop, tasks = [256], grain = [4], tile = [1], workspace = 0, flops = 2097152, bytes = 8388608> {
^bb0(%a: tensor<1024x1024xf32>):
  %0 = stablehlo.add %a, %a : tensor<1024x1024xf32>
  xlac.yield %0 : tensor<1024x1024xf32>
}
xlac.kernel @product <contraction, tasks = [4], grain = [1], tile = [6, 16, 256], workspace = 0, flops = 33554432, bytes = 786432> {
^bb0(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  xlac.yield %0 : tensor<256x256xf32>
}
xlac.kernel @integers <contraction, tasks = [4], grain = [1], tile = [6, 16, 256], workspace = 0, flops = 33554432, bytes = 786432> {
^bb0(%a: tensor<256x256xi32>, %b: tensor<256x256xi32>):
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi32>
  xlac.yield %0 : tensor<256x256xi32>
}
xlac.kernel @pack <loop, tasks = [64], grain = [1], tile = [1], workspace = 0, flops = 262144, bytes = 2097152> {
^bb0(%a: tensor<512x512xf32>):
  %0 = stablehlo.negate %a : tensor<512x512xf32>
  xlac.yield %0 : tensor<512x512xf32>
}
xlac.program @xlac_prologue : (tensor<512x512xf32>) -> tensor<512x512xf32> arena = 0 {
  %0 = xlac.argument 0
  %1 = xlac.result 0
  xlac.launch @pack(%0) -> (%1)
}
xlac.program @xlac_entry : (tensor<1024x1024xf32>, tensor<256x256xf32>, tensor<256x256xi32>) -> (tensor<1024x1024xf32>, tensor<256x256xf32>, tensor<256x256xi32>) arena = 0 {
  %0 = xlac.argument 0
  %1 = xlac.argument 1
  %2 = xlac.result 0
  %3 = xlac.result 1
  %4 = xlac.argument 2
  %5 = xlac.result 2
  xlac.launch @wait(%0) -> (%2)
  xlac.launch @product(%1, %1) -> (%3)
  xlac.launch @integers(%4, %4) -> (%5)
}
