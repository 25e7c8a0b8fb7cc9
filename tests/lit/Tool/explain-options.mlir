// Shardings come from attributes of arguments, results and ops, not from text
// that resembles them.
// RUN: split-file %s %t
// RUN: xlac explain %t/note.mlir --mesh 2 --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac explain %t/annotated.mlir --mesh 2 --device-gflops 1000 --device-bandwidth 100 | FileCheck %s --check-prefix=OWN
// RUN: xlac explain %t/annotated.mlir --mesh 2 --shard 0=x,- --shard 1=x,- --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac-opt %t/annotated.mlir --pass-pipeline="builtin.module(xlac-prepare-module{partitions=4 shardings={0:{devices=[2,2]0,1,2,3},1:{replicated}}})" | FileCheck %s --check-prefix=PASS
// RUN: not xlac-opt %t/annotated.mlir --pass-pipeline="builtin.module(xlac-prepare-module{partitions=4 shardings={2:{replicated}}})" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not xlac-opt %t/annotated.mlir --pass-pipeline="builtin.module(xlac-prepare-module{partitions=4 shardings={1:{devices=[3,1]0,1,2}}})" 2>&1 | FileCheck %s --check-prefix=COUNT

// Two halves of 8192 x 4 f32, and a half of the sum.
// CHECK: memory of a device: 0.19 MiB = 0.12 arguments + 0.06 results
// %x is replicated, its annotation says.
// OWN: memory of a device: {{.*}} = 0.25 arguments
// PASS: num_partitions = 4
// PASS: %arg0: tensor<8192x4xf32> {xlac.sharding = "{devices=[2,2]0,1,2,3}"}
// PASS-SAME: %arg1: tensor<8192x4xf32> {xlac.sharding = "{replicated}"}
// NUMBER: has no argument 2, which the option 'shardings' names
// COUNT: has the sharding {devices=[3,1]0,1,2} in a program of 4 partitions

//--- note.mlir
module @m attributes {jax.note = "from mhlo.sharding of the module"} {
  func.func @main(%x: tensor<8192x4xf32>, %y: tensor<8192x4xf32>) -> tensor<8192x4xf32> {
    %0 = stablehlo.add %x, %y : tensor<8192x4xf32>
    return %0 : tensor<8192x4xf32>
  }
}

//--- annotated.mlir
module @m {
  func.func @main(%x: tensor<8192x4xf32> {mhlo.sharding = "{replicated}"}, %y: tensor<8192x4xf32>) -> tensor<8192x4xf32> {
    %0 = stablehlo.add %x, %y : tensor<8192x4xf32>
    return %0 : tensor<8192x4xf32>
  }
}
