// The check dialect in all of its spellings.
// RUN: xlac-opt %s | xlac-opt | FileCheck %s
// RUN: xlac-opt %s --mlir-print-op-generic | xlac-opt | FileCheck %s
// RUN: xlac check %s
// RUN: not xlac check --mutate %s

func.func @bounds() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.05, 2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[0x3F800005, 2.0]> : tensor<2xf32>
  // CHECK: check.expect_almost_eq %{{.*}}, %{{[^,]*}}, tolerance = 1.000000e-01 : tensor<2xf32>
  check.expect_almost_eq %a, %b, tolerance = 1.0e-1 : tensor<2xf32>
  // CHECK: check.expect_almost_eq %{{.*}}, %{{[^,]*}} : tensor<2xf32>
  check.expect_almost_eq %a, %a : tensor<2xf32>, tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<{{.*}}> : tensor<2xf32>, tolerance = 1.000000e-01
  check.expect_almost_eq_const %a, dense<[1.05, 2.0]> : tensor<2xf32>, tolerance = 0.1
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<{{.*}}> : tensor<2xf32>, tolerance = 1.000000e-01
  check.expect_almost_eq_const %a, dense<[1.05, 2.0]> : tensor<2xf32> {tolerance = 0.1}
  // CHECK: check.expect_close %{{.*}}, %{{[^,]*}}, max_ulp_difference = 5, min_ulp_difference = 5 : tensor<1xf32>
  %first = stablehlo.slice %a [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %moved = stablehlo.slice %c [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  check.expect_close %first, %moved, max_ulp_difference = 5, min_ulp_difference = 5 : tensor<1xf32>, tensor<1xf32>
  // CHECK: check.expect_close %{{.*}}, %{{[^,]*}}, max_ulp_difference = 0 : tensor<2xf32>
  check.expect_close %a, %a, max_ulp_difference = 0 : tensor<2xf32>
  // CHECK: check.expect_close %{{.*}}, %{{[^,]*}} : tensor<2xf32>
  check.expect_close %a, %a : tensor<2xf32>, tensor<2xf32>
  return
}
