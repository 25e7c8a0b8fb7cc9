// error: are not the last sizes
func.func @main(%a: tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>> {
  %r = stablehlo.fft %a, type = FFT, length = [2] : (tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>>
  return %r : tensor<3x64xcomplex<f64>>
}
