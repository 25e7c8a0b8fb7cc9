// Softmaxes whose exponentials have another type than the result, against ones
// that store the exponentials. A kernel keeps those of one row.
func.func @bf16() {
  %0 = stablehlo.iota dim = 0 : tensor<37000xf32>
  %1 = stablehlo.sine %0 : tensor<37000xf32>
  %2 = stablehlo.reshape %1 : (tensor<37000xf32>) -> tensor<37x1000xf32>
  %3 = stablehlo.add %2, %2 : tensor<37x1000xf32>
  %4 = stablehlo.add %3, %3 : tensor<37x1000xf32>
  %5 = stablehlo.convert %4 : (tensor<37x1000xf32>) -> tensor<37x1000xbf16>
  %6 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %7 = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = stablehlo.reduce(%5 init: %6) applies stablehlo.maximum across dimensions = [1] : (tensor<37x1000xbf16>, tensor<bf16>) -> tensor<37xbf16>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<37xbf16>) -> tensor<37x1000xbf16>
  %10 = stablehlo.subtract %5, %9 : tensor<37x1000xbf16>
  %11 = stablehlo.exponential %10 : tensor<37x1000xbf16>
  %12 = stablehlo.convert %11 : (tensor<37x1000xbf16>) -> tensor<37x1000xf32>
  %13 = stablehlo.reduce(%12 init: %7) applies stablehlo.add across dimensions = [1] : (tensor<37x1000xf32>, tensor<f32>) -> tensor<37xf32>
  %14 = stablehlo.convert %13 : (tensor<37xf32>) -> tensor<37xbf16>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<37xbf16>) -> tensor<37x1000xbf16>
  %16 = stablehlo.divide %11, %15 : tensor<37x1000xbf16>
  %17 = stablehlo.optimization_barrier %5 : tensor<37x1000xbf16>
  %18 = stablehlo.reduce(%17 init: %6) applies stablehlo.maximum across dimensions = [1] : (tensor<37x1000xbf16>, tensor<bf16>) -> tensor<37xbf16>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<37xbf16>) -> tensor<37x1000xbf16>
  %20 = stablehlo.subtract %17, %19 : tensor<37x1000xbf16>
  %21 = stablehlo.exponential %20 : tensor<37x1000xbf16>
  %22 = stablehlo.optimization_barrier %21 : tensor<37x1000xbf16>
  %23 = stablehlo.convert %22 : (tensor<37x1000xbf16>) -> tensor<37x1000xf32>
  %24 = stablehlo.reduce(%23 init: %7) applies stablehlo.add across dimensions = [1] : (tensor<37x1000xf32>, tensor<f32>) -> tensor<37xf32>
  %25 = stablehlo.convert %24 : (tensor<37xf32>) -> tensor<37xbf16>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<37xbf16>) -> tensor<37x1000xbf16>
  %27 = stablehlo.divide %22, %26 : tensor<37x1000xbf16>
  check.expect_close %16, %27, max_ulp_difference = 1 : tensor<37x1000xbf16>
  return
}

func.func @f16() {
  %0 = stablehlo.iota dim = 0 : tensor<32960xf32>
  %1 = stablehlo.sine %0 : tensor<32960xf32>
  %2 = stablehlo.reshape %1 : (tensor<32960xf32>) -> tensor<64x515xf32>
  %3 = stablehlo.add %2, %2 : tensor<64x515xf32>
  %4 = stablehlo.add %3, %3 : tensor<64x515xf32>
  %5 = stablehlo.convert %4 : (tensor<64x515xf32>) -> tensor<64x515xf16>
  %6 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %7 = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = stablehlo.reduce(%5 init: %6) applies stablehlo.maximum across dimensions = [1] : (tensor<64x515xf16>, tensor<f16>) -> tensor<64xf16>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<64xf16>) -> tensor<64x515xf16>
  %10 = stablehlo.subtract %5, %9 : tensor<64x515xf16>
  %11 = stablehlo.exponential %10 : tensor<64x515xf16>
  %12 = stablehlo.convert %11 : (tensor<64x515xf16>) -> tensor<64x515xf32>
  %13 = stablehlo.reduce(%12 init: %7) applies stablehlo.add across dimensions = [1] : (tensor<64x515xf32>, tensor<f32>) -> tensor<64xf32>
  %14 = stablehlo.convert %13 : (tensor<64xf32>) -> tensor<64xf16>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<64xf16>) -> tensor<64x515xf16>
  %16 = stablehlo.divide %11, %15 : tensor<64x515xf16>
  %17 = stablehlo.optimization_barrier %5 : tensor<64x515xf16>
  %18 = stablehlo.reduce(%17 init: %6) applies stablehlo.maximum across dimensions = [1] : (tensor<64x515xf16>, tensor<f16>) -> tensor<64xf16>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<64xf16>) -> tensor<64x515xf16>
  %20 = stablehlo.subtract %17, %19 : tensor<64x515xf16>
  %21 = stablehlo.exponential %20 : tensor<64x515xf16>
  %22 = stablehlo.optimization_barrier %21 : tensor<64x515xf16>
  %23 = stablehlo.convert %22 : (tensor<64x515xf16>) -> tensor<64x515xf32>
  %24 = stablehlo.reduce(%23 init: %7) applies stablehlo.add across dimensions = [1] : (tensor<64x515xf32>, tensor<f32>) -> tensor<64xf32>
  %25 = stablehlo.convert %24 : (tensor<64xf32>) -> tensor<64xf16>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<64xf16>) -> tensor<64x515xf16>
  %27 = stablehlo.divide %22, %26 : tensor<64x515xf16>
  check.expect_close %16, %27, max_ulp_difference = 1 : tensor<64x515xf16>
  return
}

func.func @f32_to_bf16() {
  %0 = stablehlo.iota dim = 0 : tensor<8580xf32>
  %1 = stablehlo.sine %0 : tensor<8580xf32>
  %2 = stablehlo.reshape %1 : (tensor<8580xf32>) -> tensor<33x260xf32>
  %3 = stablehlo.add %2, %2 : tensor<33x260xf32>
  %4 = stablehlo.add %3, %3 : tensor<33x260xf32>
  %5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %6 = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%4 init: %5) applies stablehlo.maximum across dimensions = [1] : (tensor<33x260xf32>, tensor<f32>) -> tensor<33xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<33xf32>) -> tensor<33x260xf32>
  %9 = stablehlo.subtract %4, %8 : tensor<33x260xf32>
  %10 = stablehlo.exponential %9 : tensor<33x260xf32>
  %11 = stablehlo.reduce(%10 init: %6) applies stablehlo.add across dimensions = [1] : (tensor<33x260xf32>, tensor<f32>) -> tensor<33xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<33xf32>) -> tensor<33x260xf32>
  %13 = stablehlo.divide %10, %12 : tensor<33x260xf32>
  %14 = stablehlo.convert %13 : (tensor<33x260xf32>) -> tensor<33x260xbf16>
  %15 = stablehlo.optimization_barrier %4 : tensor<33x260xf32>
  %16 = stablehlo.reduce(%15 init: %5) applies stablehlo.maximum across dimensions = [1] : (tensor<33x260xf32>, tensor<f32>) -> tensor<33xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<33xf32>) -> tensor<33x260xf32>
  %18 = stablehlo.subtract %15, %17 : tensor<33x260xf32>
  %19 = stablehlo.exponential %18 : tensor<33x260xf32>
  %20 = stablehlo.optimization_barrier %19 : tensor<33x260xf32>
  %21 = stablehlo.reduce(%20 init: %6) applies stablehlo.add across dimensions = [1] : (tensor<33x260xf32>, tensor<f32>) -> tensor<33xf32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<33xf32>) -> tensor<33x260xf32>
  %23 = stablehlo.divide %20, %22 : tensor<33x260xf32>
  %24 = stablehlo.convert %23 : (tensor<33x260xf32>) -> tensor<33x260xbf16>
  check.expect_close %14, %24, max_ulp_difference = 1 : tensor<33x260xbf16>
  return
}

func.func @bf16_to_f32() {
  %0 = stablehlo.iota dim = 0 : tensor<5160xf32>
  %1 = stablehlo.sine %0 : tensor<5160xf32>
  %2 = stablehlo.reshape %1 : (tensor<5160xf32>) -> tensor<40x129xf32>
  %3 = stablehlo.add %2, %2 : tensor<40x129xf32>
  %4 = stablehlo.add %3, %3 : tensor<40x129xf32>
  %5 = stablehlo.convert %4 : (tensor<40x129xf32>) -> tensor<40x129xbf16>
  %6 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %7 = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = stablehlo.reduce(%5 init: %6) applies stablehlo.maximum across dimensions = [1] : (tensor<40x129xbf16>, tensor<bf16>) -> tensor<40xbf16>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<40xbf16>) -> tensor<40x129xbf16>
  %10 = stablehlo.subtract %5, %9 : tensor<40x129xbf16>
  %11 = stablehlo.exponential %10 : tensor<40x129xbf16>
  %12 = stablehlo.convert %11 : (tensor<40x129xbf16>) -> tensor<40x129xf32>
  %13 = stablehlo.reduce(%12 init: %7) applies stablehlo.add across dimensions = [1] : (tensor<40x129xf32>, tensor<f32>) -> tensor<40xf32>
  %14 = stablehlo.convert %13 : (tensor<40xf32>) -> tensor<40xbf16>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<40xbf16>) -> tensor<40x129xbf16>
  %16 = stablehlo.divide %11, %15 : tensor<40x129xbf16>
  %17 = stablehlo.convert %16 : (tensor<40x129xbf16>) -> tensor<40x129xf32>
  %18 = stablehlo.optimization_barrier %5 : tensor<40x129xbf16>
  %19 = stablehlo.reduce(%18 init: %6) applies stablehlo.maximum across dimensions = [1] : (tensor<40x129xbf16>, tensor<bf16>) -> tensor<40xbf16>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<40xbf16>) -> tensor<40x129xbf16>
  %21 = stablehlo.subtract %18, %20 : tensor<40x129xbf16>
  %22 = stablehlo.exponential %21 : tensor<40x129xbf16>
  %23 = stablehlo.optimization_barrier %22 : tensor<40x129xbf16>
  %24 = stablehlo.convert %23 : (tensor<40x129xbf16>) -> tensor<40x129xf32>
  %25 = stablehlo.reduce(%24 init: %7) applies stablehlo.add across dimensions = [1] : (tensor<40x129xf32>, tensor<f32>) -> tensor<40xf32>
  %26 = stablehlo.convert %25 : (tensor<40xf32>) -> tensor<40xbf16>
  %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<40xbf16>) -> tensor<40x129xbf16>
  %28 = stablehlo.divide %23, %27 : tensor<40x129xbf16>
  %29 = stablehlo.convert %28 : (tensor<40x129xbf16>) -> tensor<40x129xf32>
  check.expect_close %17, %29, max_ulp_difference = 1 : tensor<40x129xf32>
  return
}

func.func @heads() {
  %0 = stablehlo.iota dim = 0 : tensor<12800xf32>
  %1 = stablehlo.sine %0 : tensor<12800xf32>
  %2 = stablehlo.reshape %1 : (tensor<12800xf32>) -> tensor<4x16x200xf32>
  %3 = stablehlo.add %2, %2 : tensor<4x16x200xf32>
  %4 = stablehlo.add %3, %3 : tensor<4x16x200xf32>
  %5 = stablehlo.convert %4 : (tensor<4x16x200xf32>) -> tensor<4x16x200xbf16>
  %6 = stablehlo.convert %5 : (tensor<4x16x200xbf16>) -> tensor<4x16x200xf32>
  %7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %8 = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.reduce(%6 init: %7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x200xf32>, tensor<f32>) -> tensor<4x16xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x200xf32>
  %11 = stablehlo.subtract %6, %10 : tensor<4x16x200xf32>
  %12 = stablehlo.exponential %11 : tensor<4x16x200xf32>
  %13 = stablehlo.reduce(%12 init: %8) applies stablehlo.add across dimensions = [2] : (tensor<4x16x200xf32>, tensor<f32>) -> tensor<4x16xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x200xf32>
  %15 = stablehlo.divide %12, %14 : tensor<4x16x200xf32>
  %16 = stablehlo.convert %15 : (tensor<4x16x200xf32>) -> tensor<4x16x200xbf16>
  %17 = stablehlo.optimization_barrier %6 : tensor<4x16x200xf32>
  %18 = stablehlo.reduce(%17 init: %7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x200xf32>, tensor<f32>) -> tensor<4x16xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x200xf32>
  %20 = stablehlo.subtract %17, %19 : tensor<4x16x200xf32>
  %21 = stablehlo.exponential %20 : tensor<4x16x200xf32>
  %22 = stablehlo.optimization_barrier %21 : tensor<4x16x200xf32>
  %23 = stablehlo.reduce(%22 init: %8) applies stablehlo.add across dimensions = [2] : (tensor<4x16x200xf32>, tensor<f32>) -> tensor<4x16xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x200xf32>
  %25 = stablehlo.divide %22, %24 : tensor<4x16x200xf32>
  %26 = stablehlo.convert %25 : (tensor<4x16x200xf32>) -> tensor<4x16x200xbf16>
  check.expect_close %16, %26, max_ulp_difference = 1 : tensor<4x16x200xbf16>
  return
}
