module @jit_fft_2d attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x512xf32>, %arg1: tensor<512x512xf32>) -> (tensor<512x512xf32> {jax.result_info = "result[0]"}, tensor<512x512xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.complex %arg0, %arg1 : tensor<512x512xcomplex<f32>>
    %1 = call @fft(%0) : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>>
    %2 = stablehlo.real %1 : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xf32>
    %3 = stablehlo.imag %1 : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xf32>
    return %2, %3 : tensor<512x512xf32>, tensor<512x512xf32>
  }
  func.func private @fft(%arg0: tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [512, 512] : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>>
    return %0 : tensor<512x512xcomplex<f32>>
  }
}
