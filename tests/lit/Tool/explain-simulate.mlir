// Replays the messages of a sum over hosts: each byte crosses a link once for each
// process of a host with the plan, and once with hierarchical sums.
// RUN: xlac explain %s --mesh 16 --axes data --shard 0=data,- --simulate --device-gflops 1000 --device-bandwidth 100 | FileCheck %s
// RUN: xlac explain %s --mesh 16 --axes data --shard 0=data,- --simulate --host-devices 16 --message-cost 0 --device-gflops 1000 --device-bandwidth 100 --json | FileCheck %s --check-prefix=JSON
// RUN: env XLAC_LINKS=0,1000,0,1 xlac explain %s --mesh 16 --axes data --shard 0=data,- --simulate --message-cost 0 --device-gflops 1000 --device-bandwidth 100 | FileCheck %s --check-prefix=LINKS
// RUN: env XLAC_LINKS=1,2 not xlac explain %s --mesh 16 --simulate 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: not xlac explain %s --mesh 16 --measure 2>&1 | FileCheck %s --check-prefix=ALONE

// CHECK: simulated: 8 devices on each host; 1 us and 4 GB/s within a host, 10 us and 12 GB/s between hosts
// CHECK: collectives ms messages of a rank MiB on a link step, ms
// 4 MiB: 8 ranks send a sixteenth to 8 others, twice; or two hosts a half, twice.
// CHECK: plan {{.*}} 32.000
// CHECK: hierarchical {{.*}} 4.000
// CHECK: engine {{.*}} 4.000

// Within one host no link is used.
// JSON: "simulated":[{"collectives":"plan",{{.*}}"link_bytes":0.0},{"collectives":"hierarchical",{{.*}}"link_bytes":0.0},{"collectives":"engine",{{.*}}"link_bytes":0.0}]

// LINKS: plan 33.5{{.*}} 32.000
// LINKS: hierarchical 4.2{{.*}} 4.000

// INVALID: XLAC_LINKS is '1,2', wanted four numbers

// ALONE: --measure: no launcher such as mpirun has started this process with others

func.func @main(%x: tensor<4096x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<4096x1024xf32>, tensor<4096x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
