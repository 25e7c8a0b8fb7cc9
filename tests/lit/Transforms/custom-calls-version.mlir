// RUN: xlac-opt %s --xlac-prepare-module | FileCheck %s

// Functions of the untyped interface get a status from version 2 on. Programs
// cannot set the attribute.
// CHECK: stablehlo.custom_call @one
// CHECK-SAME: xlac.config = {}
// CHECK: stablehlo.custom_call @two
// CHECK-SAME: xlac.api_version = 2
// CHECK: stablehlo.custom_call @three
// CHECK-SAME: "" = "text"
// CHECK-SAME: xlac.api_version = 3
// CHECK: stablehlo.custom_call @four
// CHECK-SAME: xlac.config = {}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @one(%x) {api_version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @two(%0) {api_version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @three(%1) {api_version = 3 : i32, backend_config = "text"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.custom_call @four(%2) {api_version = 4 : i32, backend_config = {xlac.api_version = 2 : i32}} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
