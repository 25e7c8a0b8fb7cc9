// RUN: xlac compile %s --target avx512 --emit llvm | FileCheck %s

// The indices are the same for all channels: a loop over the channels around
// each vector converts them once, before the loop.
func.func @main(%image: tensor<8x32x32xf32>, %y: tensor<64x64xf32>,
                %x: tensor<64x64xf32>) -> tensor<8x64x64xf32> {
  %y0 = stablehlo.floor %y : tensor<64x64xf32>
  %x0 = stablehlo.floor %x : tensor<64x64xf32>
  %iy = stablehlo.convert %y0 : (tensor<64x64xf32>) -> tensor<64x64xi32>
  %ix = stablehlo.convert %x0 : (tensor<64x64xf32>) -> tensor<64x64xi32>
  %ry = stablehlo.reshape %iy : (tensor<64x64xi32>) -> tensor<64x64x1xi32>
  %rx = stablehlo.reshape %ix : (tensor<64x64xi32>) -> tensor<64x64x1xi32>
  %at = stablehlo.concatenate %ry, %rx, dim = 2 : (tensor<64x64x1xi32>, tensor<64x64x1xi32>) -> tensor<64x64x2xi32>
  %0 = "stablehlo.gather"(%image, %at) <{
      dimension_numbers = #stablehlo.gather<offset_dims = [0],
          collapsed_slice_dims = [1, 2], start_index_map = [1, 2],
          index_vector_dim = 2>,
      indices_are_sorted = false, slice_sizes = array<i64: 8, 1, 1>}>
      : (tensor<8x32x32xf32>, tensor<64x64x2xi32>) -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// CHECK-COUNT-2: fptosi <16 x float>
// CHECK: call <16 x float> @llvm.masked.gather
// CHECK: loop{{[0-9]*}}:
// CHECK-NOT: fptosi
// CHECK: call <16 x float> @llvm.masked.gather
// CHECK-NOT: fptosi
// CHECK-NOT: @llvm.masked.gather
// CHECK: ret
