// RUN: xlac check --report %s | FileCheck %s
// RUN: xlac check --json %s | FileCheck %s --check-prefix=JSON

// Constants of the case are inputs of what is compiled, those of the functions
// that it calls as well: nothing may be folded away.
// CHECK: check-report.mlir:sum: ok
// CHECK-NEXT: kernel loop: add
// JSON: {"passed":3,"failed":0,"cases":[{"name":"{{.*}}:sum","passed":true,"compiled":["kernel loop: add"]}
func.func @sum() {
  %0:2 = call @numbers() : () -> (tensor<2xi16>, tensor<2xi16>)
  %1 = stablehlo.add %0#0, %0#1 : tensor<2xi16>
  check.expect_eq_const %1, dense<-4> : tensor<2xi16>
  return
}
func.func private @numbers() -> (tensor<2xi16>, tensor<2xi16>) {
  %0 = stablehlo.constant dense<[-2, -1]> : tensor<2xi16>
  %1 = stablehlo.constant dense<[-2, -3]> : tensor<2xi16>
  return %0, %1 : tensor<2xi16>, tensor<2xi16>
}

// -----

// CHECK: check-report.mlir:factor: ok
// CHECK-NEXT: library call: cholesky
// CHECK-NEXT: custom call: @lapack_spotrf_ffi
func.func @factor() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %want = stablehlo.constant dense<[[2.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_eq %0, %want : tensor<2x2xf32>
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %1#1, dense<0> : tensor<i32>
  return
}

// -----

// CHECK: check-report.mlir:same: ok
// CHECK-NEXT: nothing but copies
// CHECK: 1 kernel loop
// CHECK: 3 passed, 0 failed
func.func @same() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi16>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi16>
  return
}
