// The mesh, and what another annotation of a program changes.
// RUN: sed 's/\[2,1,2\]<=\[2,2\]/[1,2,2]<=[2,2]/' %s > %t.mlir
// RUN: xlac explain %s --mesh 2x2 --axes a,b --sharding --against %t.mlir --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac explain %s --mesh 2x2 --sharding --against %s --device-gflops 1000 --device-bandwidth 100 | FileCheck %s --check-prefix=SAME
// RUN: not xlac explain %s --mesh 2x2 --against %s 2>&1 | FileCheck %s --check-prefix=NEEDS

// CHECK: devices: b to the right, a down
// CHECK-NEXT: {{^  0 1$}}
// CHECK-NEXT: {{^  2 3$}}
// CHECK: 0.0 {{.*}}argument 0 tensor<64x64xf32> {{ *}}{devices=[2,1,2]{{.*}} {devices=[1,2,2]
// CHECK: all ops
// SAME-NOT: argument 0
// SAME: all ops
// NEEDS: --against requires --sharding
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x64xf32> {mhlo.sharding = "{devices=[2,1,2]<=[2,2] last_tile_dim_replicate}"}) -> tensor<64x64xf32> {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
