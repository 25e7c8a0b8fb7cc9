// RUN: xlac-opt %s --xlac-fuse-kernels --xlac-pack-last-reads --split-input-file | FileCheck %s

// What only the product reads is packed before it: its memory is free when the
// product is written.
// CHECK-LABEL: func.func @main
// CHECK: %[[B:.*]] = xlac.call @{{tanh.*}}(%arg1)
// CHECK: %[[PACKED:.*]] = xlac.call @pack_dot(%[[B]]) : (tensor<512x1024xf32>) -> tensor<{{[0-9]+}}xi8>
// CHECK: xlac.call @{{dot.*}}(%arg0, %[[PACKED]])
func.func @main(%a: tensor<2048x512xf32>, %b: tensor<512x1024xf32>) -> tensor<2048x1024xf32> {
  %0 = stablehlo.tanh %b : tensor<512x1024xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0] : (tensor<2048x512xf32>, tensor<512x1024xf32>) -> tensor<2048x1024xf32>
  return %1 : tensor<2048x1024xf32>
}

// -----

// An argument stays where it is, and so does what another kernel or the caller
// reads.
// CHECK-LABEL: func.func @main
// CHECK-NOT: @pack_dot
func.func @main(%a: tensor<256x512xf32>, %b: tensor<512x1024xf32>) -> (tensor<256x1024xf32>, tensor<256x1024xf32>, tensor<512x1024xf32>) {
  %0 = stablehlo.tanh %b : tensor<512x1024xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
  return %1, %2, %0 : tensor<256x1024xf32>, tensor<256x1024xf32>, tensor<512x1024xf32>
}

// -----

// A small operand is not worth a kernel.
// CHECK-LABEL: func.func @main
// CHECK-NOT: @pack_dot
func.func @main(%a: tensor<256x128xf32>, %b: tensor<128x256xf32>) -> tensor<256x256xf32> {
  %0 = stablehlo.tanh %b : tensor<128x256xf32>
  %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>
  return %1 : tensor<256x256xf32>
}
