// RUN: xlac compile %s --target avx2 --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry channels --emit llvm | FileCheck %s
// RUN: xlac compile %s --target avx2 --entry every_second --emit llvm | FileCheck %s

// A loop over an image that is padded by its own rows and columns has a box for
// each part. No vector decides which part it reads.
func.func @main(%x: tensor<8x60x60xf32>) -> tensor<8x66x66xf32> {
  %0 = stablehlo.slice %x [0:8, 1:4, 0:60] : (tensor<8x60x60xf32>) -> tensor<8x3x60xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<8x3x60xf32>
  %2 = stablehlo.concatenate %1, %x, dim = 1 : (tensor<8x3x60xf32>, tensor<8x60x60xf32>) -> tensor<8x63x60xf32>
  %3 = stablehlo.slice %2 [0:8, 59:62, 0:60] : (tensor<8x63x60xf32>) -> tensor<8x3x60xf32>
  %4 = stablehlo.reverse %3, dims = [1] : tensor<8x3x60xf32>
  %5 = stablehlo.concatenate %2, %4, dim = 1 : (tensor<8x63x60xf32>, tensor<8x3x60xf32>) -> tensor<8x66x60xf32>
  %6 = stablehlo.slice %5 [0:8, 0:66, 1:4] : (tensor<8x66x60xf32>) -> tensor<8x66x3xf32>
  %7 = stablehlo.reverse %6, dims = [2] : tensor<8x66x3xf32>
  %8 = stablehlo.concatenate %7, %5, dim = 2 : (tensor<8x66x3xf32>, tensor<8x66x60xf32>) -> tensor<8x66x63xf32>
  %9 = stablehlo.slice %8 [0:8, 0:66, 59:62] : (tensor<8x66x63xf32>) -> tensor<8x66x3xf32>
  %10 = stablehlo.reverse %9, dims = [2] : tensor<8x66x3xf32>
  %11 = stablehlo.concatenate %8, %10, dim = 2 : (tensor<8x66x63xf32>, tensor<8x66x3xf32>) -> tensor<8x66x66xf32>
  return %11 : tensor<8x66x66xf32>
}
// CHECK-NOT: select
// CHECK: load <8 x float>
// CHECK-NOT: select
// CHECK: ret i32
// CHECK-NOT: select <{{[0-9]+}} x i1>

// Vectors of three channels do not cross the ends of pixels.
func.func @channels(%x: tensor<4x60x60x3xf32>) -> tensor<4x66x60x3xf32> {
  %0 = stablehlo.slice %x [0:4, 1:4, 0:60, 0:3] : (tensor<4x60x60x3xf32>) -> tensor<4x3x60x3xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<4x3x60x3xf32>
  %2 = stablehlo.concatenate %1, %x, dim = 1 : (tensor<4x3x60x3xf32>, tensor<4x60x60x3xf32>) -> tensor<4x63x60x3xf32>
  %3 = stablehlo.slice %2 [0:4, 59:62, 0:60, 0:3] : (tensor<4x63x60x3xf32>) -> tensor<4x3x60x3xf32>
  %4 = stablehlo.reverse %3, dims = [1] : tensor<4x3x60x3xf32>
  %5 = stablehlo.concatenate %2, %4, dim = 1 : (tensor<4x63x60x3xf32>, tensor<4x3x60x3xf32>) -> tensor<4x66x60x3xf32>
  return %5 : tensor<4x66x60x3xf32>
}

// Indices with a step are divided, too.
func.func @every_second(%x: tensor<64x200xf32>, %y: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<64x200xf32>, tensor<64x100xf32>) -> tensor<64x300xf32>
  %1 = stablehlo.slice %0 [0:64, 101:300:2] : (tensor<64x300xf32>) -> tensor<64x100xf32>
  %2 = stablehlo.add %1, %y : tensor<64x100xf32>
  return %2 : tensor<64x100xf32>
}
