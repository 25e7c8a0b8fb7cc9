// error: fft_length [-1] is negative
func.func @main(%a: tensor<1xcomplex<f32>>) -> tensor<?xf32> {
  %r = stablehlo.fft %a, type = IRFFT, length = [-1] : (tensor<1xcomplex<f32>>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
