func.func @sort_nothing_along_a_dimension() {
  %full = stablehlo.constant dense<1> : tensor<7x1xi32>
  %x = stablehlo.slice %full [0:7, 0:0] : (tensor<7x1xi32>) -> tensor<7x0xi32>
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<7x0xi32>) -> tensor<7x0xi32>
  %one = stablehlo.constant dense<5> : tensor<1x1xi32>
  %zero = stablehlo.constant dense<5> : tensor<i32>
  %padded = stablehlo.pad %r, %zero, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<7x0xi32>, tensor<i32>) -> tensor<7x1xi32>
  %first = stablehlo.slice %padded [0:1, 0:1] : (tensor<7x1xi32>) -> tensor<1x1xi32>
  check.expect_eq %first, %one : tensor<1x1xi32>
  func.return
}
