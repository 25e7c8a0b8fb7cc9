// RUN: not xlac translate %s --to stablehlo 2>&1 | FileCheck %s

// A byte that is neither 0 nor 1 makes no bool.
// CHECK: invalid-bool-constant.mlir:6:27: error: elements hex data size is invalid for provided type: 'tensor<10xi1>'
func.func @main() -> tensor<10xi1> {
  %0 = stablehlo.constant dense<"0x01000102000000000101"> : tensor<10xi1>
  return %0 : tensor<10xi1>
}
