// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry short --emit llvm | FileCheck %s --check-prefix=SHORT
// RUN: xlac compile %s --target avx2 --entry masks --emit llvm | FileCheck %s --check-prefix=MASKS

// Fences cut a long chain of integer operations into short ones, so that
// instruction selection does not search all of it for known bits.
func.func @main(%x: tensor<4096xui32>, %y: tensor<4096xui32>) -> tensor<4096xui32> {
  %0 = stablehlo.add %x, %y : tensor<4096xui32>
  %1 = stablehlo.xor %0, %x : tensor<4096xui32>
  %2 = stablehlo.multiply %1, %0 : tensor<4096xui32>
  %3 = stablehlo.xor %2, %1 : tensor<4096xui32>
  %4 = stablehlo.add %3, %2 : tensor<4096xui32>
  %5 = stablehlo.xor %4, %3 : tensor<4096xui32>
  %6 = stablehlo.multiply %5, %4 : tensor<4096xui32>
  %7 = stablehlo.xor %6, %5 : tensor<4096xui32>
  %8 = stablehlo.add %7, %6 : tensor<4096xui32>
  %9 = stablehlo.xor %8, %7 : tensor<4096xui32>
  %10 = stablehlo.multiply %9, %8 : tensor<4096xui32>
  %11 = stablehlo.xor %10, %9 : tensor<4096xui32>
  %12 = stablehlo.add %11, %10 : tensor<4096xui32>
  %13 = stablehlo.xor %12, %11 : tensor<4096xui32>
  %14 = stablehlo.multiply %13, %12 : tensor<4096xui32>
  %15 = stablehlo.xor %14, %13 : tensor<4096xui32>
  return %15 : tensor<4096xui32>
}
// CHECK: %[[PRODUCT:.*]] = mul <16 x i32>
// CHECK-NEXT: %[[FLOATS:.*]] = bitcast <16 x i32> %[[PRODUCT]] to <16 x float>
// CHECK-NEXT: %[[FENCE:.*]] = call <16 x float> @llvm.arithmetic.fence.v16f32(<16 x float> %[[FLOATS]])
// CHECK-NEXT: %[[FENCED:.*]] = bitcast <16 x float> %[[FENCE]] to <16 x i32>
// CHECK-NEXT: xor <16 x i32> %[[FENCED]]

// A short chain has no fence.
func.func @short(%x: tensor<4096xui32>, %y: tensor<4096xui32>) -> tensor<4096xui32> {
  %0 = stablehlo.add %x, %y : tensor<4096xui32>
  %1 = stablehlo.xor %0, %x : tensor<4096xui32>
  %2 = stablehlo.multiply %1, %0 : tensor<4096xui32>
  %3 = stablehlo.xor %2, %1 : tensor<4096xui32>
  return %3 : tensor<4096xui32>
}
// SHORT-NOT: arithmetic.fence

// Products see that their operands have 32 bits.
func.func @masks(%x: tensor<4096xui64>, %y: tensor<4096xui64>) -> tensor<4096xui64> {
  %low = stablehlo.constant dense<4294967295> : tensor<4096xui64>
  %half = stablehlo.constant dense<32> : tensor<4096xui64>
  %0 = stablehlo.and %x, %low : tensor<4096xui64>
  %1 = stablehlo.multiply %0, %0 : tensor<4096xui64>
  %2 = stablehlo.shift_right_logical %1, %half : tensor<4096xui64>
  %3 = stablehlo.xor %2, %y : tensor<4096xui64>
  %4 = stablehlo.and %3, %low : tensor<4096xui64>
  %5 = stablehlo.multiply %4, %4 : tensor<4096xui64>
  %6 = stablehlo.shift_right_logical %5, %half : tensor<4096xui64>
  %7 = stablehlo.xor %6, %x : tensor<4096xui64>
  %8 = stablehlo.and %7, %low : tensor<4096xui64>
  %9 = stablehlo.multiply %8, %8 : tensor<4096xui64>
  %10 = stablehlo.shift_right_logical %9, %half : tensor<4096xui64>
  %11 = stablehlo.xor %10, %y : tensor<4096xui64>
  %12 = stablehlo.and %11, %low : tensor<4096xui64>
  %13 = stablehlo.multiply %12, %12 : tensor<4096xui64>
  %14 = stablehlo.shift_right_logical %13, %half : tensor<4096xui64>
  %15 = stablehlo.xor %14, %x : tensor<4096xui64>
  %16 = stablehlo.and %15, %low : tensor<4096xui64>
  %17 = stablehlo.multiply %16, %16 : tensor<4096xui64>
  %18 = stablehlo.shift_right_logical %17, %half : tensor<4096xui64>
  %19 = stablehlo.xor %18, %y : tensor<4096xui64>
  return %19 : tensor<4096xui64>
}
// MASKS: %[[PRODUCT:.*]] = mul nuw <8 x i64>
// MASKS-NEXT: bitcast <8 x i64> %[[PRODUCT]]
// MASKS-NEXT: arithmetic.fence
// MASKS: %[[XOR:.*]] = xor <8 x i64>
// MASKS-NEXT: mul nuw <8 x i64> %[[XOR]], %[[XOR]]
