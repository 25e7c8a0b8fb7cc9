// A bound that a check names is the one that it keeps.
// RUN: not xlac check %s | FileCheck %s
// CHECK-DAG: check-bounds.mlir:tolerance: {{.*}}1
// CHECK-DAG: check-bounds.mlir:ulp: {{.*}}
// CHECK: 0 passed, 2 failed

func.func @tolerance() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.05, 2.0]> : tensor<2xf32>
  check.expect_almost_eq %a, %b, tolerance = 1.0e-2 : tensor<2xf32>
  return
}

func.func @ulp() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[0x3F800001, 2.0]> : tensor<2xf32>
  check.expect_close %a, %b, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  return
}
