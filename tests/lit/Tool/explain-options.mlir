// Shardings come from attributes of arguments, results and ops, not from text
// that resembles them.
// RUN: split-file %s %t
// RUN: xlac explain %t/note.mlir --mesh 2 --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac explain %t/annotated.mlir --mesh 2 --device-gflops 1000 --device-bandwidth 100 | FileCheck %s --check-prefix=OWN
// RUN: xlac explain %t/annotated.mlir --mesh 2 --shard 0=x,- --shard 1=x,- --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac-opt %t/annotated.mlir --pass-pipeline="builtin.module(xlac-prepare-module{partitions=4 shardings={0:{devices=[2,2]0,1,2,3},1:{replicated}}})" | FileCheck %s --check-prefix=PASS
// RUN: not xlac-opt %t/annotated.mlir --pass-pipeline="builtin.module(xlac-prepare-module{partitions=4 shardings={2:{replicated}}})" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not xlac-opt %t/annotated.mlir --pass-pipeline="builtin.module(xlac-prepare-module{partitions=4 shardings={1:{devices=[3,1]0,1,2}}})" 2>&1 | FileCheck %s --check-prefix=COUNT

// RUN: xlac explain %t/sum.mlir --mesh 2 --sharding --device-gflops 1000 --device-bandwidth 100 | FileCheck %s --check-prefix=SHARDING
// RUN: xlac explain %t/sum.mlir --mesh 2 --sharding --json --device-gflops 1000 --device-bandwidth 100 | FileCheck %s --check-prefix=JSON

// Half of the sums of 4096 columns go to the other device, and half of the
// result comes back.
// SHARDING: KiB received
// SHARDING: 0.0  argument 0 tensor<8192x4096xf32> {{.*}}{devices=[2,1]0,1} {{.*}}annotation
// SHARDING: 0.0  stablehlo.negate tensor<8192x4096xf32> {{.*}}{devices=[2,1]0,1} {{.*}}stablehlo.negate at
// SHARDING: 16.0  stablehlo.reduce tensor<4096xf32> {{.*}}{replicated} {{.*}}nothing
// JSON: "op":"stablehlo.reduce tensor<4096xf32>"
// JSON-SAME: "bytes_received":16384

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

//--- sum.mlir
module @m attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8192x4096xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> (tensor<4096xf32> {mhlo.sharding = "{replicated}"}) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.negate %x : tensor<8192x4096xf32>
    %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8192x4096xf32>, tensor<f32>) -> tensor<4096xf32>
    return %1 : tensor<4096xf32>
  }
}
