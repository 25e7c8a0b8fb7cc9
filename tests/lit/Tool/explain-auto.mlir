// The best shardings of a program's arguments.
// RUN: xlac explain %s --mesh 8 --auto --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac explain %s --mesh 4x2 --axes a,b --auto --device-gflops 1000 --device-bandwidth 100 --json | FileCheck %s --check-prefix=JSON
// RUN: not xlac explain %s --mesh 8 --auto --shard 0=x,- 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not xlac explain %S/../../e2e/models/missing.mlir --mesh 8 --auto 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: mesh {{ *}}memory, MiB {{ *}}MiB sent {{ *}}collectives {{ *}}work, ms {{ *}}sent, ms {{ *}}step, ms
// Rows of x on all devices, which need no communication.
// CHECK-NEXT: {{[0-9x]+ +[0-9.]+ +[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$}}
// CHECK-NEXT: --shard {{.*}}={{x|x\+y}},-
// JSON: {"plans":[{"mesh":"4x2","memory_bytes":{{[0-9]+}},"bytes_sent":{{.*}},"shard":["{{.*}}a+b,-
// BOTH: --shard excludes --auto
// MISSING: missing.mlir
module {
  func.func @main(%x: tensor<4096x64xf32>, %w: tensor<64x64xf32>) -> tensor<4096x64xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
    %1 = stablehlo.tanh %0 : tensor<4096x64xf32>
    return %1 : tensor<4096x64xf32>
  }
}
