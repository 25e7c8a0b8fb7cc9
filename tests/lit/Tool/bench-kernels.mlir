// RUN: xlac bench %s --inputs zeros --iters 3 --no-cache --kernels --threads 1 | FileCheck %s
// RUN: xlac bench %s --inputs zeros --iters 3 --no-cache --kernels --threads 2 | FileCheck %s --check-prefix=TWO
// RUN: xlac bench %s --inputs zeros --iters 3 --no-cache --scaling --threads 2 | FileCheck %s --check-prefix=SCALING
// RUN: xlac bench %s --inputs zeros --iters 3 --no-cache --kernels --json | FileCheck %s --check-prefix=JSON

// The loop's kernels run fifty times a run; names are those of --emit kernels.
// CHECK: kernel phases
// CHECK: of the roofline
// CHECK: ms share times GFLOP/s GB/s roof kernel kind
// CHECK-DAG: {{ 50 .*}}multiply.{{[0-9]+}} {{.*}}loop {{.*}}multiply {{.*}}64x64xf32
// CHECK-DAG: {{ 1 .*}}reduce_add.{{[0-9]+}} {{.*}}reduction {{.*}}reduce {{.*}}-> f32
// CHECK-DAG: driver driver
// CHECK: 100.0% total
// CHECK: times are means of the middle 1 of 3 timed runs, {{.*}} than the median of
// JSON: "percent_of_roofline":{{[0-9]}}
// JSON-SAME: "timed_run_ms":{{[0-9]}}
// JSON-SAME: "kernel_times":[{{.*}}"symbol":"k{{[0-9a-f]+}}.0","kind":"reduction",{{.*}}"launches":1.0,"flops":{{[1-9]}}
// TWO: ms share times GFLOP/s GB/s roof 1 thread busy wake wait kernel kind
// TWO: 100.0% total
// TWO: on one thread {{[0-9.]+}} ms: the parallel efficiency of 2 threads is {{[0-9.]+}}
// SCALING: threads ms speedup busy wake wait serial GB/s most unused time in
// SCALING-NEXT: 1 {{[0-9.]+}} 1.00
// SCALING: 128 {{[0-9.]+}}
func.func @main(%x: tensor<64x64xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %fifty = stablehlo.constant dense<50> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<64x64xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %fifty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %y, %y : tensor<64x64xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<64x64xf32>
    }
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%0#1 init: %init) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
