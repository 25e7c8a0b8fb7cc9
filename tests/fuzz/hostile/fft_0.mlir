// error: are not the last sizes of operand complex<f64>[3,64]
func.func @main(%a: tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>> {
  %r = stablehlo.fft %a, type = FFT, length = [0] : (tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>>
  return %r : tensor<3x64xcomplex<f64>>
}
