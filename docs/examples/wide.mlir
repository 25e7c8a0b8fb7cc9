// A layer with many rows, for `xlac explain --auto`.
module {
  func.func @main(%x: tensor<4096x64xf32>, %w: tensor<64x64xf32>) -> tensor<4096x64xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
    %1 = stablehlo.tanh %0 : tensor<4096x64xf32>
    return %1 : tensor<4096x64xf32>
  }
}
