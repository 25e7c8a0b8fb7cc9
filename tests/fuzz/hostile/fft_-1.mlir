// error: fft_length [-1] is negative
func.func @main(%a: tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>> {
  %r = stablehlo.fft %a, type = FFT, length = [-1] : (tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>>
  return %r : tensor<3x64xcomplex<f64>>
}
