// error: are not the last sizes of operand complex<f64>[3,4,4]
func.func @main(%a: tensor<3x4x4xcomplex<f64>>) -> tensor<3x4x4xcomplex<f64>> {
  %r = stablehlo.fft %a, type = IFFT, length = [4, 512] : (tensor<3x4x4xcomplex<f64>>) -> tensor<3x4x4xcomplex<f64>>
  return %r : tensor<3x4x4xcomplex<f64>>
}
