// Philox as XLA draws it (jaxlib 0.10.2): each block's four words in order, the
// key above a counter of one word, a carry into the upper half of a counter of
// two.

func.func @default_words() {
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui32>)
  check.expect_eq_const %a, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[2100602697, 2847456232, 2074354647, 800269529, 1828267006, 3135207875, 3972719319, 2171987788, 433598563]> : tensor<9xui32>
  return
}

func.func @philox_words_of_64_bits() {
  %s = stablehlo.constant dense<[1311768467463790320, 18364758544493064720]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  check.expect_eq_const %a, dense<[1311768467463790320, 18364758544493064723]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[11806536631397518251, 18287371812999769369, 2372688214173612639, 17602070603753381527, 16979722557571815272]> : tensor<5xui64>
  return
}

func.func @bytes() {
  %s = stablehlo.constant dense<[7, 9]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui8>)
  check.expect_eq_const %a, dense<[7, 11]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[[26, 164, 123], [14, 53, 174]]> : tensor<2x3xui8>
  return
}

func.func @halves() {
  %s = stablehlo.constant dense<[7, 9]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xi16>)
  check.expect_eq_const %a, dense<[7, 11]> : tensor<2xui64>
  %c = stablehlo.bitcast_convert %b : (tensor<6xi16>) -> tensor<6xui16>
  check.expect_eq_const %c, dense<[37146, 54180, 56443, 63246, 13621, 38830]> : tensor<6xui16>
  return
}

func.func @floats_are_bits() {
  %s = stablehlo.constant dense<[3, 4]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xf32>)
  check.expect_eq_const %a, dense<[3, 6]> : tensor<2xui64>
  %c = stablehlo.bitcast_convert %b : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %c, dense<[3144060952, 1693593194, 2328100114, 3250740911, 514065308]> : tensor<5xui32>
  return
}

func.func @carry_without_an_upper_half() {
  %s = stablehlo.constant dense<[1, 18446744073709551615]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  check.expect_eq_const %a, dense<[1, 1]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[1483621553, 651866410, 3635972313, 3644338380, 3878945999, 2364392915, 1057429302, 168492509]> : tensor<8xui32>
  return
}

func.func @carry_into_the_upper_half() {
  %s = stablehlo.constant dense<[1, 18446744073709551615, 3]> : tensor<3xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  check.expect_eq_const %a, dense<[1, 1, 4]> : tensor<3xui64>
  check.expect_eq_const %b, dense<[3023135040, 2618764561, 763147620, 1543521082, 3140572256, 1890473413, 1605976525, 2919565505]> : tensor<8xui32>
  return
}

func.func @carry_out_of_the_upper_half() {
  %s = stablehlo.constant dense<[1, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x2xui64>)
  check.expect_eq_const %a, dense<[1, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %b, dense<[[8032705884220704523, 3452055503030902873], [7960091461177981329, 11713350092424558376], [16504019988892878448, 13120580176409928384]]> : tensor<3x2xui64>
  return
}

func.func @nothing() {
  %s = stablehlo.constant dense<[5, 6]> : tensor<2xui64>
  %a, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xui32>)
  check.expect_eq_const %a, dense<[5, 6]> : tensor<2xui64>
  return
}
