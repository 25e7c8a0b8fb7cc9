// Bool constants in hex, one byte an element as newer versions of MLIR write
// them, and eight elements a byte as older ones do.
// RUN: xlac translate %s --to stablehlo | FileCheck %s
// RUN: xlac check %s

func.func @main() {
  // CHECK: stablehlo.constant dense<[true, false, true, true, false, false, false, false, true, true]> : tensor<10xi1>
  %bytes = stablehlo.constant dense<"0x01000101000000000101"> : tensor<10xi1>
  // CHECK: stablehlo.constant dense<[true, false, true, true, false, false, false, false, true, true]> : tensor<10xi1>
  %bits = stablehlo.constant dense<"0x0D03"> : tensor<10xi1>
  check.expect_eq %bytes, %bits : tensor<10xi1>
  // CHECK{LITERAL}: stablehlo.constant dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
  %matrix = stablehlo.constant dense<"0x010001000101"> : tensor<2x3xi1>
  check.expect_eq_const %matrix, dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
  // CHECK: stablehlo.constant dense<true> : tensor<20xi1>
  %splat = stablehlo.constant dense<"0x01"> : tensor<20xi1>
  check.expect_eq_const %splat, dense<true> : tensor<20xi1>
  // CHECK: stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
  %few = stablehlo.constant dense<"0x01"> : tensor<3xi1>
  check.expect_eq_const %few, dense<[true, false, false]> : tensor<3xi1>
  // CHECK: stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %spaced = stablehlo.constant dense<"0x010001" > : tensor < 3xi1 >
  check.expect_eq_const %spaced, dense<[true, false, true]> : tensor<3xi1>
  return
}
