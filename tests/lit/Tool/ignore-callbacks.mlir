// Calls of Python that have no results, as jax.debug.print makes them, are left
// out where that is asked for; who waits for a token gets the one before it.
// RUN: xlac run %s --ignore-callbacks --no-cache --inputs zeros 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.err
// RUN: xlac bench %s --ignore-callbacks --no-cache --inputs zeros --iters 1 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: xlac compile %s --ignore-callbacks -o %t.xlax 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: xlac compile %s --ignore-callbacks --emit kernels 2>&1 | FileCheck %s --check-prefixes=WARNING,KERNELS
// RUN: not xlac run %s --no-cache --inputs zeros 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not xlac run %s --entry data --ignore-callbacks --no-cache --inputs zeros 2>&1 | FileCheck %s --check-prefix=DATA

// A cache keeps both forms apart.
// RUN: rm -rf %t.cache
// RUN: xlac run %s --ignore-callbacks --cache-dir %t.cache --inputs zeros
// RUN: not xlac run %s --cache-dir %t.cache --inputs zeros

// WARNING: xlac: warning: 3 callbacks are left out: {{.*}}ignore-callbacks.mlir:[[#@LINE+8]]:{{.*}}
// KERNELS-NOT: python_cpu_callback
// REFUSED: it calls Python for side effects alone, which --ignore-callbacks leaves out
// DATA: it calls Python for its results

// CHECK: tensor<2xf32> [2, 2]
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %token = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%token, %a) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token
  %1 = stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%a) {has_side_effect = true} : (tensor<2xf32>) -> !stablehlo.token
  %2 = stablehlo.after_all %0, %1 : !stablehlo.token
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %3:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xf32>
  cond {
    %4 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    stablehlo.custom_call @xla_python_cpu_callback(%x) {has_side_effect = true} : (tensor<2xf32>) -> ()
    %5 = stablehlo.add %x, %one : tensor<2xf32>
    %6 = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %6, %5 : tensor<i32>, tensor<2xf32>
  }
  return %3#1 : tensor<2xf32>
}

func.func @data(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%a) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
