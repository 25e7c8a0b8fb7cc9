// An unsigned start past INT64_MAX is large, not negative.
func.func @dynamic_slice_unsigned_start() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %start = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %r = stablehlo.dynamic_slice %x, %start, sizes = [2] : (tensor<4xi32>, tensor<ui64>) -> tensor<2xi32>
  %wanted = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  check.expect_eq %r, %wanted : tensor<2xi32>
  func.return
}
