// RUN: xlac graph %s -o %t.svg && FileCheck %s --check-prefix=SVG < %t.svg
// RUN: xlac graph %s -o %t.dot && FileCheck %s --check-prefix=DOT < %t.dot
// RUN: xlac graph %s -o %t.html && FileCheck %s --check-prefix=HTML < %t.html
// RUN: xlac graph %s --expand -o %t.all.dot && FileCheck %s --check-prefix=DOT < %t.all.dot
// RUN: not xlac graph %s -o %t.png 2>&1 | FileCheck %s --check-prefix=PNG
// RUN: xlac bench %s --inputs random:1 --iters 2 --no-cache --report %t.report.html --trace %t.json --timeline %t.time.html --memory 2>&1 | FileCheck %s --check-prefix=BENCH
// RUN: FileCheck %s --check-prefix=REPORT < %t.report.html
// RUN: FileCheck %s --check-prefix=TRACE < %t.json
// RUN: FileCheck %s --check-prefix=TIMELINE < %t.time.html
// RUN: xlac run %s --inputs random:1 --no-cache --trace %t.run.json --timeline %t.run.html --memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: FileCheck %s --check-prefix=TRACE < %t.run.json
// RUN: FileCheck %s --check-prefix=TIMELINE < %t.run.html

// The sum goes into the product's kernel; the sine is one of its own.
// SVG: <svg xmlns
// SVG: dot_general 64x64xf32 graph.mlir:[[# @LINE + 34]]
// SVG: class="title">dot_add.{{[0-9]+}}<tspan class="kind"> contraction</tspan></text>
// SVG-SAME: dot_general add</text>
// SVG-SAME: 64x64xf32</text>
// SVG-SAME: in factor, argument 0</text>
// SVG-SAME: out result[0]</text>
// DOT: digraph
// DOT: dot_add.{{[0-9]+}}: contraction\ldot_general 64x64xf32\ladd 64x64xf32\lin factor\lin argument 0\lout result[0]\l
// DOT: n{{[0-9]+}} -> n{{[0-9]+}} [tooltip="16.0 KiB"]
// HTML: <!doctype html>
// HTML: type="search"
// HTML: <svg
// PNG: neither svg, dot nor html

// BENCH: memory: {{.*}} = 32.0 KiB arguments + 16.0 KiB results
// BENCH: % of the roofline
// REPORT: <tr data-kernel="{{dot_add|sine}}.{{[0-9]+}}">
// REPORT: dot_general 64x64xf32 <i>graph.mlir:[[# @LINE + 17]]</i>
// REPORT: <svg
// TRACE: "thread_name"
// TRACE-DAG: "cat":"compile","name":"transforms"
// TRACE-DAG: "cat":"compile","name":"emit {{.*}} kernels"
// TRACE-DAG: "cat":"run"
// TRACE-DAG: "cat":"kernel","name":"dot_add.{{[0-9]+}} contraction","args":{"details":"dot_general add
// TRACE-DAG: "cat":"piece","name":"dot_add.{{[0-9]+}} contraction"
// TIMELINE: <dt>this run</dt>
// TIMELINE: "name":"dot_add.{{[0-9]+}}"
// TIMELINE-SAME: "name":"driver: launches"
// MEMORY: memory: {{.*}} arena
// MEMORY: tensor<64x64xf32>
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32> loc("factor"))
    -> (tensor<64x64xf32> {jax.result_info = "result[0]"}) {
  %0 = stablehlo.sine %x : tensor<64x64xf32>

  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.add %1, %x : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
