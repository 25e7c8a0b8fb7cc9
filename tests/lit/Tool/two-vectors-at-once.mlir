// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry short --emit llvm | FileCheck %s --check-prefix=SHORT
// RUN: xlac compile %s --target avx2 --entry cheap --emit llvm | FileCheck %s --check-prefix=SHORT
// RUN: xlac compile %s --target avx2 --entry rows --emit llvm | FileCheck %s --check-prefix=ROWS

// A loop over elements that each take a long sequence of instructions computes
// two vectors of 8 lanes at a time.
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.exponential %x : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
// CHECK: load <16 x float>
// CHECK: store <16 x float>

// In few elements, or with one instruction each, there is one vector.
func.func @short(%x: tensor<40xf32>) -> tensor<40xf32> {
  %0 = stablehlo.exponential %x : tensor<40xf32>
  return %0 : tensor<40xf32>
}
func.func @cheap(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.add %x, %x : tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
// SHORT-NOT: 16 x float
// SHORT: store <8 x float>
// SHORT-NOT: 16 x float
// SHORT: ret

// So do sums over rows.
func.func @rows(%x: tensor<64x512xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<64x512xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
// ROWS: load <16 x float>
// ROWS: fadd <16 x float>
