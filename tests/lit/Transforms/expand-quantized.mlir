// RUN: xlac-opt %s --xlac-expand-rare-ops --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @quantize
// CHECK-SAME: -> tensor<2xi8>
func.func @quantize(%a: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:-30>> {
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.clamp
  // CHECK: stablehlo.round_nearest_even
  // CHECK: stablehlo.convert {{.*}} -> tensor<2xi8>
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:-30>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.1:-30>>
}

// -----

// CHECK-LABEL: func @arithmetic_is_done_in_the_expressed_type
func.func @arithmetic_is_done_in_the_expressed_type(%a: tensor<2x!quant.uniform<u8:f32, 0.1:3>>) -> tensor<2x!quant.uniform<u8:f32, 0.1:3>> {
  // CHECK-NOT: quant
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<2xf32>
  %0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<u8:f32, 0.1:3>>
  return %0 : tensor<2x!quant.uniform<u8:f32, 0.1:3>>
}

// -----

// CHECK-LABEL: func @scales_along_an_axis
func.func @scales_along_an_axis(%a: tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30, 0.5:-20, 2.0}>>) -> tensor<2x3xf32> {
  // CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [1]
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : tensor<2x3xi32>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1:-30, 0.5:-20, 2.0}>>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
