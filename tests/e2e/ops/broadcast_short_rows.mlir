// Values that are broadcast along short innermost dimensions, and sums over them
// and outer ones, against the linear index of each element.
func.func @four() {
  %1 = stablehlo.iota dim = 0 : tensor<6400xi32>
  %2 = stablehlo.reshape %1 : (tensor<6400xi32>) -> tensor<50x32x4xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<50x32x4xi32>
  %4 = stablehlo.iota dim = 0 : tensor<32xi32>
  %5 = stablehlo.constant dense<10> : tensor<32xi32>
  %6 = stablehlo.multiply %4, %5 : tensor<32xi32>
  %7 = stablehlo.optimization_barrier %6 : tensor<32xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<32xi32>) -> tensor<50x32x4xi32>
  %9 = stablehlo.add %3, %8 : tensor<50x32x4xi32>
  %10 = stablehlo.constant dense<4> : tensor<6400xi32>
  %11 = stablehlo.divide %1, %10 : tensor<6400xi32>
  %12 = stablehlo.constant dense<32> : tensor<6400xi32>
  %13 = stablehlo.remainder %11, %12 : tensor<6400xi32>
  %14 = stablehlo.constant dense<10> : tensor<6400xi32>
  %15 = stablehlo.multiply %13, %14 : tensor<6400xi32>
  %16 = stablehlo.add %1, %15 : tensor<6400xi32>
  %17 = stablehlo.reshape %16 : (tensor<6400xi32>) -> tensor<50x32x4xi32>
  check.expect_eq %9, %17 : tensor<50x32x4xi32>
  func.return
}
func.func @four_f32() {
  %1 = stablehlo.iota dim = 0 : tensor<6400xi32>
  %2 = stablehlo.convert %1 : (tensor<6400xi32>) -> tensor<6400xf32>
  %3 = stablehlo.reshape %2 : (tensor<6400xf32>) -> tensor<50x32x4xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x32x4xf32>
  %5 = stablehlo.iota dim = 0 : tensor<32xi32>
  %6 = stablehlo.constant dense<10> : tensor<32xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<32xi32>
  %8 = stablehlo.convert %7 : (tensor<32xi32>) -> tensor<32xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<32xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<32xf32>) -> tensor<50x32x4xf32>
  %11 = stablehlo.add %4, %10 : tensor<50x32x4xf32>
  %12 = stablehlo.constant dense<4> : tensor<6400xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6400xi32>
  %14 = stablehlo.constant dense<32> : tensor<6400xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6400xi32>
  %16 = stablehlo.constant dense<10> : tensor<6400xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6400xi32>
  %18 = stablehlo.add %1, %17 : tensor<6400xi32>
  %19 = stablehlo.convert %18 : (tensor<6400xi32>) -> tensor<6400xf32>
  %20 = stablehlo.reshape %19 : (tensor<6400xf32>) -> tensor<50x32x4xf32>
  check.expect_eq %11, %20 : tensor<50x32x4xf32>
  func.return
}
func.func @four_f64() {
  %1 = stablehlo.iota dim = 0 : tensor<6400xi32>
  %2 = stablehlo.convert %1 : (tensor<6400xi32>) -> tensor<6400xf64>
  %3 = stablehlo.reshape %2 : (tensor<6400xf64>) -> tensor<50x32x4xf64>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x32x4xf64>
  %5 = stablehlo.iota dim = 0 : tensor<50xi32>
  %6 = stablehlo.constant dense<3> : tensor<50xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<50xi32>
  %8 = stablehlo.convert %7 : (tensor<50xi32>) -> tensor<50xf64>
  %9 = stablehlo.optimization_barrier %8 : tensor<50xf64>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<50xf64>) -> tensor<50x32x4xf64>
  %11 = stablehlo.add %4, %10 : tensor<50x32x4xf64>
  %12 = stablehlo.constant dense<128> : tensor<6400xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6400xi32>
  %14 = stablehlo.constant dense<50> : tensor<6400xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6400xi32>
  %16 = stablehlo.constant dense<3> : tensor<6400xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6400xi32>
  %18 = stablehlo.add %1, %17 : tensor<6400xi32>
  %19 = stablehlo.iota dim = 0 : tensor<32xi32>
  %20 = stablehlo.constant dense<10> : tensor<32xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<32xi32>
  %22 = stablehlo.convert %21 : (tensor<32xi32>) -> tensor<32xf64>
  %23 = stablehlo.optimization_barrier %22 : tensor<32xf64>
  %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<32xf64>) -> tensor<50x32x4xf64>
  %25 = stablehlo.add %11, %24 : tensor<50x32x4xf64>
  %26 = stablehlo.constant dense<4> : tensor<6400xi32>
  %27 = stablehlo.divide %1, %26 : tensor<6400xi32>
  %28 = stablehlo.constant dense<32> : tensor<6400xi32>
  %29 = stablehlo.remainder %27, %28 : tensor<6400xi32>
  %30 = stablehlo.constant dense<10> : tensor<6400xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<6400xi32>
  %32 = stablehlo.add %18, %31 : tensor<6400xi32>
  %33 = stablehlo.convert %32 : (tensor<6400xi32>) -> tensor<6400xf64>
  %34 = stablehlo.reshape %33 : (tensor<6400xf64>) -> tensor<50x32x4xf64>
  check.expect_eq %25, %34 : tensor<50x32x4xf64>
  func.return
}
func.func @four_i8() {
  %1 = stablehlo.iota dim = 0 : tensor<6400xi32>
  %2 = stablehlo.convert %1 : (tensor<6400xi32>) -> tensor<6400xi8>
  %3 = stablehlo.reshape %2 : (tensor<6400xi8>) -> tensor<50x32x4xi8>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x32x4xi8>
  %5 = stablehlo.iota dim = 0 : tensor<32xi32>
  %6 = stablehlo.constant dense<10> : tensor<32xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<32xi32>
  %8 = stablehlo.convert %7 : (tensor<32xi32>) -> tensor<32xi8>
  %9 = stablehlo.optimization_barrier %8 : tensor<32xi8>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<32xi8>) -> tensor<50x32x4xi8>
  %11 = stablehlo.add %4, %10 : tensor<50x32x4xi8>
  %12 = stablehlo.constant dense<4> : tensor<6400xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6400xi32>
  %14 = stablehlo.constant dense<32> : tensor<6400xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6400xi32>
  %16 = stablehlo.constant dense<10> : tensor<6400xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6400xi32>
  %18 = stablehlo.add %1, %17 : tensor<6400xi32>
  %19 = stablehlo.convert %18 : (tensor<6400xi32>) -> tensor<6400xi8>
  %20 = stablehlo.reshape %19 : (tensor<6400xi8>) -> tensor<50x32x4xi8>
  check.expect_eq %11, %20 : tensor<50x32x4xi8>
  func.return
}
func.func @four_i64() {
  %1 = stablehlo.iota dim = 0 : tensor<2688xi32>
  %2 = stablehlo.convert %1 : (tensor<2688xi32>) -> tensor<2688xi64>
  %3 = stablehlo.reshape %2 : (tensor<2688xi64>) -> tensor<21x32x4xi64>
  %4 = stablehlo.optimization_barrier %3 : tensor<21x32x4xi64>
  %5 = stablehlo.iota dim = 0 : tensor<32xi32>
  %6 = stablehlo.constant dense<10> : tensor<32xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<32xi32>
  %8 = stablehlo.convert %7 : (tensor<32xi32>) -> tensor<32xi64>
  %9 = stablehlo.optimization_barrier %8 : tensor<32xi64>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<32xi64>) -> tensor<21x32x4xi64>
  %11 = stablehlo.add %4, %10 : tensor<21x32x4xi64>
  %12 = stablehlo.constant dense<4> : tensor<2688xi32>
  %13 = stablehlo.divide %1, %12 : tensor<2688xi32>
  %14 = stablehlo.constant dense<32> : tensor<2688xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<2688xi32>
  %16 = stablehlo.constant dense<10> : tensor<2688xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<2688xi32>
  %18 = stablehlo.add %1, %17 : tensor<2688xi32>
  %19 = stablehlo.convert %18 : (tensor<2688xi32>) -> tensor<2688xi64>
  %20 = stablehlo.reshape %19 : (tensor<2688xi64>) -> tensor<21x32x4xi64>
  check.expect_eq %11, %20 : tensor<21x32x4xi64>
  func.return
}
func.func @four_of_five() {
  %1 = stablehlo.iota dim = 0 : tensor<1000xi32>
  %2 = stablehlo.reshape %1 : (tensor<1000xi32>) -> tensor<50x5x4xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<50x5x4xi32>
  %4 = stablehlo.iota dim = 0 : tensor<5xi32>
  %5 = stablehlo.constant dense<10> : tensor<5xi32>
  %6 = stablehlo.multiply %4, %5 : tensor<5xi32>
  %7 = stablehlo.optimization_barrier %6 : tensor<5xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<5xi32>) -> tensor<50x5x4xi32>
  %9 = stablehlo.add %3, %8 : tensor<50x5x4xi32>
  %10 = stablehlo.constant dense<4> : tensor<1000xi32>
  %11 = stablehlo.divide %1, %10 : tensor<1000xi32>
  %12 = stablehlo.constant dense<5> : tensor<1000xi32>
  %13 = stablehlo.remainder %11, %12 : tensor<1000xi32>
  %14 = stablehlo.constant dense<10> : tensor<1000xi32>
  %15 = stablehlo.multiply %13, %14 : tensor<1000xi32>
  %16 = stablehlo.add %1, %15 : tensor<1000xi32>
  %17 = stablehlo.reshape %16 : (tensor<1000xi32>) -> tensor<50x5x4xi32>
  check.expect_eq %9, %17 : tensor<50x5x4xi32>
  func.return
}
func.func @four_of_24() {
  %1 = stablehlo.iota dim = 0 : tensor<6144xi32>
  %2 = stablehlo.convert %1 : (tensor<6144xi32>) -> tensor<6144xf32>
  %3 = stablehlo.reshape %2 : (tensor<6144xf32>) -> tensor<64x24x4xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<64x24x4xf32>
  %5 = stablehlo.iota dim = 0 : tensor<64xi32>
  %6 = stablehlo.constant dense<3> : tensor<64xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<64xi32>
  %8 = stablehlo.convert %7 : (tensor<64xi32>) -> tensor<64xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<64xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<64xf32>) -> tensor<64x24x4xf32>
  %11 = stablehlo.add %4, %10 : tensor<64x24x4xf32>
  %12 = stablehlo.constant dense<96> : tensor<6144xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6144xi32>
  %14 = stablehlo.constant dense<64> : tensor<6144xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6144xi32>
  %16 = stablehlo.constant dense<3> : tensor<6144xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6144xi32>
  %18 = stablehlo.add %1, %17 : tensor<6144xi32>
  %19 = stablehlo.iota dim = 0 : tensor<24xi32>
  %20 = stablehlo.constant dense<10> : tensor<24xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<24xi32>
  %22 = stablehlo.convert %21 : (tensor<24xi32>) -> tensor<24xf32>
  %23 = stablehlo.optimization_barrier %22 : tensor<24xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<24xf32>) -> tensor<64x24x4xf32>
  %25 = stablehlo.add %11, %24 : tensor<64x24x4xf32>
  %26 = stablehlo.constant dense<4> : tensor<6144xi32>
  %27 = stablehlo.divide %1, %26 : tensor<6144xi32>
  %28 = stablehlo.constant dense<24> : tensor<6144xi32>
  %29 = stablehlo.remainder %27, %28 : tensor<6144xi32>
  %30 = stablehlo.constant dense<10> : tensor<6144xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<6144xi32>
  %32 = stablehlo.add %18, %31 : tensor<6144xi32>
  %33 = stablehlo.convert %32 : (tensor<6144xi32>) -> tensor<6144xf32>
  %34 = stablehlo.reshape %33 : (tensor<6144xf32>) -> tensor<64x24x4xf32>
  check.expect_eq %25, %34 : tensor<64x24x4xf32>
  func.return
}
func.func @two() {
  %1 = stablehlo.iota dim = 0 : tensor<666xi32>
  %2 = stablehlo.convert %1 : (tensor<666xi32>) -> tensor<666xf32>
  %3 = stablehlo.reshape %2 : (tensor<666xf32>) -> tensor<333x2xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<333x2xf32>
  %5 = stablehlo.iota dim = 0 : tensor<333xi32>
  %6 = stablehlo.constant dense<3> : tensor<333xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<333xi32>
  %8 = stablehlo.convert %7 : (tensor<333xi32>) -> tensor<333xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<333xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<333xf32>) -> tensor<333x2xf32>
  %11 = stablehlo.add %4, %10 : tensor<333x2xf32>
  %12 = stablehlo.constant dense<2> : tensor<666xi32>
  %13 = stablehlo.divide %1, %12 : tensor<666xi32>
  %14 = stablehlo.constant dense<333> : tensor<666xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<666xi32>
  %16 = stablehlo.constant dense<3> : tensor<666xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<666xi32>
  %18 = stablehlo.add %1, %17 : tensor<666xi32>
  %19 = stablehlo.convert %18 : (tensor<666xi32>) -> tensor<666xf32>
  %20 = stablehlo.reshape %19 : (tensor<666xf32>) -> tensor<333x2xf32>
  check.expect_eq %11, %20 : tensor<333x2xf32>
  func.return
}
func.func @two_of_12() {
  %1 = stablehlo.iota dim = 0 : tensor<2400xi32>
  %2 = stablehlo.convert %1 : (tensor<2400xi32>) -> tensor<2400xf32>
  %3 = stablehlo.reshape %2 : (tensor<2400xf32>) -> tensor<100x12x2xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<100x12x2xf32>
  %5 = stablehlo.iota dim = 0 : tensor<12xi32>
  %6 = stablehlo.constant dense<10> : tensor<12xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<12xi32>
  %8 = stablehlo.convert %7 : (tensor<12xi32>) -> tensor<12xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<12xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<12xf32>) -> tensor<100x12x2xf32>
  %11 = stablehlo.add %4, %10 : tensor<100x12x2xf32>
  %12 = stablehlo.constant dense<2> : tensor<2400xi32>
  %13 = stablehlo.divide %1, %12 : tensor<2400xi32>
  %14 = stablehlo.constant dense<12> : tensor<2400xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<2400xi32>
  %16 = stablehlo.constant dense<10> : tensor<2400xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<2400xi32>
  %18 = stablehlo.add %1, %17 : tensor<2400xi32>
  %19 = stablehlo.convert %18 : (tensor<2400xi32>) -> tensor<2400xf32>
  %20 = stablehlo.reshape %19 : (tensor<2400xf32>) -> tensor<100x12x2xf32>
  check.expect_eq %11, %20 : tensor<100x12x2xf32>
  func.return
}
func.func @eight() {
  %1 = stablehlo.iota dim = 0 : tensor<10560xi32>
  %2 = stablehlo.convert %1 : (tensor<10560xi32>) -> tensor<10560xf32>
  %3 = stablehlo.reshape %2 : (tensor<10560xf32>) -> tensor<40x33x8xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<40x33x8xf32>
  %5 = stablehlo.iota dim = 0 : tensor<33xi32>
  %6 = stablehlo.constant dense<10> : tensor<33xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<33xi32>
  %8 = stablehlo.convert %7 : (tensor<33xi32>) -> tensor<33xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<33xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<33xf32>) -> tensor<40x33x8xf32>
  %11 = stablehlo.add %4, %10 : tensor<40x33x8xf32>
  %12 = stablehlo.constant dense<8> : tensor<10560xi32>
  %13 = stablehlo.divide %1, %12 : tensor<10560xi32>
  %14 = stablehlo.constant dense<33> : tensor<10560xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<10560xi32>
  %16 = stablehlo.constant dense<10> : tensor<10560xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<10560xi32>
  %18 = stablehlo.add %1, %17 : tensor<10560xi32>
  %19 = stablehlo.convert %18 : (tensor<10560xi32>) -> tensor<10560xf32>
  %20 = stablehlo.reshape %19 : (tensor<10560xf32>) -> tensor<40x33x8xf32>
  check.expect_eq %11, %20 : tensor<40x33x8xf32>
  func.return
}
func.func @sixteen() {
  %1 = stablehlo.iota dim = 0 : tensor<1008xi32>
  %2 = stablehlo.convert %1 : (tensor<1008xi32>) -> tensor<1008xf32>
  %3 = stablehlo.reshape %2 : (tensor<1008xf32>) -> tensor<9x7x16xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<9x7x16xf32>
  %5 = stablehlo.iota dim = 0 : tensor<7xi32>
  %6 = stablehlo.constant dense<10> : tensor<7xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<7xi32>
  %8 = stablehlo.convert %7 : (tensor<7xi32>) -> tensor<7xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<7xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<7xf32>) -> tensor<9x7x16xf32>
  %11 = stablehlo.add %4, %10 : tensor<9x7x16xf32>
  %12 = stablehlo.constant dense<16> : tensor<1008xi32>
  %13 = stablehlo.divide %1, %12 : tensor<1008xi32>
  %14 = stablehlo.constant dense<7> : tensor<1008xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<1008xi32>
  %16 = stablehlo.constant dense<10> : tensor<1008xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<1008xi32>
  %18 = stablehlo.add %1, %17 : tensor<1008xi32>
  %19 = stablehlo.convert %18 : (tensor<1008xi32>) -> tensor<1008xf32>
  %20 = stablehlo.reshape %19 : (tensor<1008xf32>) -> tensor<9x7x16xf32>
  check.expect_eq %11, %20 : tensor<9x7x16xf32>
  func.return
}
func.func @three() {
  %1 = stablehlo.iota dim = 0 : tensor<6720xi32>
  %2 = stablehlo.convert %1 : (tensor<6720xi32>) -> tensor<6720xf32>
  %3 = stablehlo.reshape %2 : (tensor<6720xf32>) -> tensor<70x32x3xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<70x32x3xf32>
  %5 = stablehlo.iota dim = 0 : tensor<32xi32>
  %6 = stablehlo.constant dense<10> : tensor<32xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<32xi32>
  %8 = stablehlo.convert %7 : (tensor<32xi32>) -> tensor<32xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<32xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<32xf32>) -> tensor<70x32x3xf32>
  %11 = stablehlo.add %4, %10 : tensor<70x32x3xf32>
  %12 = stablehlo.constant dense<3> : tensor<6720xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6720xi32>
  %14 = stablehlo.constant dense<32> : tensor<6720xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6720xi32>
  %16 = stablehlo.constant dense<10> : tensor<6720xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6720xi32>
  %18 = stablehlo.add %1, %17 : tensor<6720xi32>
  %19 = stablehlo.convert %18 : (tensor<6720xi32>) -> tensor<6720xf32>
  %20 = stablehlo.reshape %19 : (tensor<6720xf32>) -> tensor<70x32x3xf32>
  check.expect_eq %11, %20 : tensor<70x32x3xf32>
  func.return
}
func.func @inner() {
  %1 = stablehlo.iota dim = 0 : tensor<6400xi32>
  %2 = stablehlo.convert %1 : (tensor<6400xi32>) -> tensor<6400xf32>
  %3 = stablehlo.reshape %2 : (tensor<6400xf32>) -> tensor<50x32x4xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x32x4xf32>
  %5 = stablehlo.iota dim = 0 : tensor<4xi32>
  %6 = stablehlo.constant dense<17> : tensor<4xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<4xi32>
  %8 = stablehlo.convert %7 : (tensor<4xi32>) -> tensor<4xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [2] : (tensor<4xf32>) -> tensor<50x32x4xf32>
  %11 = stablehlo.add %4, %10 : tensor<50x32x4xf32>
  %12 = stablehlo.constant dense<1> : tensor<6400xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6400xi32>
  %14 = stablehlo.constant dense<4> : tensor<6400xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6400xi32>
  %16 = stablehlo.constant dense<17> : tensor<6400xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6400xi32>
  %18 = stablehlo.add %1, %17 : tensor<6400xi32>
  %19 = stablehlo.convert %18 : (tensor<6400xi32>) -> tensor<6400xf32>
  %20 = stablehlo.reshape %19 : (tensor<6400xf32>) -> tensor<50x32x4xf32>
  check.expect_eq %11, %20 : tensor<50x32x4xf32>
  func.return
}
func.func @both() {
  %1 = stablehlo.iota dim = 0 : tensor<6400xi32>
  %2 = stablehlo.convert %1 : (tensor<6400xi32>) -> tensor<6400xf32>
  %3 = stablehlo.reshape %2 : (tensor<6400xf32>) -> tensor<50x32x4xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x32x4xf32>
  %5 = stablehlo.iota dim = 0 : tensor<32xi32>
  %6 = stablehlo.constant dense<10> : tensor<32xi32>
  %7 = stablehlo.multiply %5, %6 : tensor<32xi32>
  %8 = stablehlo.convert %7 : (tensor<32xi32>) -> tensor<32xf32>
  %9 = stablehlo.optimization_barrier %8 : tensor<32xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<32xf32>) -> tensor<50x32x4xf32>
  %11 = stablehlo.add %4, %10 : tensor<50x32x4xf32>
  %12 = stablehlo.constant dense<4> : tensor<6400xi32>
  %13 = stablehlo.divide %1, %12 : tensor<6400xi32>
  %14 = stablehlo.constant dense<32> : tensor<6400xi32>
  %15 = stablehlo.remainder %13, %14 : tensor<6400xi32>
  %16 = stablehlo.constant dense<10> : tensor<6400xi32>
  %17 = stablehlo.multiply %15, %16 : tensor<6400xi32>
  %18 = stablehlo.add %1, %17 : tensor<6400xi32>
  %19 = stablehlo.iota dim = 0 : tensor<4xi32>
  %20 = stablehlo.constant dense<17> : tensor<4xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<4xi32>
  %22 = stablehlo.convert %21 : (tensor<4xi32>) -> tensor<4xf32>
  %23 = stablehlo.optimization_barrier %22 : tensor<4xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [2] : (tensor<4xf32>) -> tensor<50x32x4xf32>
  %25 = stablehlo.add %11, %24 : tensor<50x32x4xf32>
  %26 = stablehlo.constant dense<1> : tensor<6400xi32>
  %27 = stablehlo.divide %1, %26 : tensor<6400xi32>
  %28 = stablehlo.constant dense<4> : tensor<6400xi32>
  %29 = stablehlo.remainder %27, %28 : tensor<6400xi32>
  %30 = stablehlo.constant dense<17> : tensor<6400xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<6400xi32>
  %32 = stablehlo.add %18, %31 : tensor<6400xi32>
  %33 = stablehlo.convert %32 : (tensor<6400xi32>) -> tensor<6400xf32>
  %34 = stablehlo.reshape %33 : (tensor<6400xf32>) -> tensor<50x32x4xf32>
  check.expect_eq %25, %34 : tensor<50x32x4xf32>
  func.return
}
func.func @sum_groups() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.convert %7 : (tensor<100352xi32>) -> tensor<100352xf32>
  %9 = stablehlo.reshape %8 : (tensor<100352xf32>) -> tensor<4x14x14x32x4xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x14x14x32x4xf32>
  %11 = stablehlo.constant dense<0.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x14x14x32x4xf32>, tensor<f32>) -> tensor<4x32xf32>
  %13 = stablehlo.transpose %10, dims = [1, 2, 4, 0, 3] : (tensor<4x14x14x32x4xf32>) -> tensor<14x14x4x4x32xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<14x14x4x4x32xf32>
  %15 = stablehlo.reshape %14 : (tensor<14x14x4x4x32xf32>) -> tensor<784x128xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<784x128xf32>, tensor<f32>) -> tensor<128xf32>
  %17 = stablehlo.reshape %16 : (tensor<128xf32>) -> tensor<4x32xf32>
  check.expect_eq %12, %17 : tensor<4x32xf32>
  func.return
}
func.func @sum_groups_f64() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.convert %7 : (tensor<100352xi32>) -> tensor<100352xf64>
  %9 = stablehlo.reshape %8 : (tensor<100352xf64>) -> tensor<4x14x14x32x4xf64>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x14x14x32x4xf64>
  %11 = stablehlo.constant dense<0.0> : tensor<f64>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x14x14x32x4xf64>, tensor<f64>) -> tensor<4x32xf64>
  %13 = stablehlo.transpose %10, dims = [1, 2, 4, 0, 3] : (tensor<4x14x14x32x4xf64>) -> tensor<14x14x4x4x32xf64>
  %14 = stablehlo.optimization_barrier %13 : tensor<14x14x4x4x32xf64>
  %15 = stablehlo.reshape %14 : (tensor<14x14x4x4x32xf64>) -> tensor<784x128xf64>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<784x128xf64>, tensor<f64>) -> tensor<128xf64>
  %17 = stablehlo.reshape %16 : (tensor<128xf64>) -> tensor<4x32xf64>
  check.expect_eq %12, %17 : tensor<4x32xf64>
  func.return
}
func.func @sum_groups_i32() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.reshape %7 : (tensor<100352xi32>) -> tensor<4x14x14x32x4xi32>
  %9 = stablehlo.optimization_barrier %8 : tensor<4x14x14x32x4xi32>
  %10 = stablehlo.constant dense<0> : tensor<i32>
  %11 = stablehlo.reduce(%9 init: %10) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x14x14x32x4xi32>, tensor<i32>) -> tensor<4x32xi32>
  %12 = stablehlo.transpose %9, dims = [1, 2, 4, 0, 3] : (tensor<4x14x14x32x4xi32>) -> tensor<14x14x4x4x32xi32>
  %13 = stablehlo.optimization_barrier %12 : tensor<14x14x4x4x32xi32>
  %14 = stablehlo.reshape %13 : (tensor<14x14x4x4x32xi32>) -> tensor<784x128xi32>
  %15 = stablehlo.reduce(%14 init: %10) applies stablehlo.add across dimensions = [0] : (tensor<784x128xi32>, tensor<i32>) -> tensor<128xi32>
  %16 = stablehlo.reshape %15 : (tensor<128xi32>) -> tensor<4x32xi32>
  check.expect_eq %11, %16 : tensor<4x32xi32>
  func.return
}
func.func @sum_initial() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.convert %7 : (tensor<100352xi32>) -> tensor<100352xf32>
  %9 = stablehlo.reshape %8 : (tensor<100352xf32>) -> tensor<4x14x14x32x4xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x14x14x32x4xf32>
  %11 = stablehlo.constant dense<3.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x14x14x32x4xf32>, tensor<f32>) -> tensor<4x32xf32>
  %13 = stablehlo.transpose %10, dims = [1, 2, 4, 0, 3] : (tensor<4x14x14x32x4xf32>) -> tensor<14x14x4x4x32xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<14x14x4x4x32xf32>
  %15 = stablehlo.reshape %14 : (tensor<14x14x4x4x32xf32>) -> tensor<784x128xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<784x128xf32>, tensor<f32>) -> tensor<128xf32>
  %17 = stablehlo.reshape %16 : (tensor<128xf32>) -> tensor<4x32xf32>
  check.expect_eq %12, %17 : tensor<4x32xf32>
  func.return
}
func.func @max_groups() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.convert %7 : (tensor<100352xi32>) -> tensor<100352xf32>
  %9 = stablehlo.reshape %8 : (tensor<100352xf32>) -> tensor<4x14x14x32x4xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x14x14x32x4xf32>
  %11 = stablehlo.constant dense<-2.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.maximum across dimensions = [1, 2, 4] : (tensor<4x14x14x32x4xf32>, tensor<f32>) -> tensor<4x32xf32>
  %13 = stablehlo.transpose %10, dims = [1, 2, 4, 0, 3] : (tensor<4x14x14x32x4xf32>) -> tensor<14x14x4x4x32xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<14x14x4x4x32xf32>
  %15 = stablehlo.reshape %14 : (tensor<14x14x4x4x32xf32>) -> tensor<784x128xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.maximum across dimensions = [0] : (tensor<784x128xf32>, tensor<f32>) -> tensor<128xf32>
  %17 = stablehlo.reshape %16 : (tensor<128xf32>) -> tensor<4x32xf32>
  check.expect_eq %12, %17 : tensor<4x32xf32>
  func.return
}
func.func @min_groups() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.reshape %7 : (tensor<100352xi32>) -> tensor<4x14x14x32x4xi32>
  %9 = stablehlo.optimization_barrier %8 : tensor<4x14x14x32x4xi32>
  %10 = stablehlo.constant dense<1> : tensor<i32>
  %11 = stablehlo.reduce(%9 init: %10) applies stablehlo.minimum across dimensions = [1, 2, 4] : (tensor<4x14x14x32x4xi32>, tensor<i32>) -> tensor<4x32xi32>
  %12 = stablehlo.transpose %9, dims = [1, 2, 4, 0, 3] : (tensor<4x14x14x32x4xi32>) -> tensor<14x14x4x4x32xi32>
  %13 = stablehlo.optimization_barrier %12 : tensor<14x14x4x4x32xi32>
  %14 = stablehlo.reshape %13 : (tensor<14x14x4x4x32xi32>) -> tensor<784x128xi32>
  %15 = stablehlo.reduce(%14 init: %10) applies stablehlo.minimum across dimensions = [0] : (tensor<784x128xi32>, tensor<i32>) -> tensor<128xi32>
  %16 = stablehlo.reshape %15 : (tensor<128xi32>) -> tensor<4x32xi32>
  check.expect_eq %11, %16 : tensor<4x32xi32>
  func.return
}
func.func @sum_all_but_groups() {
  %1 = stablehlo.iota dim = 0 : tensor<100352xi32>
  %2 = stablehlo.constant dense<37> : tensor<100352xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<100352xi32>
  %4 = stablehlo.constant dense<11> : tensor<100352xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<100352xi32>
  %6 = stablehlo.constant dense<5> : tensor<100352xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<100352xi32>
  %8 = stablehlo.convert %7 : (tensor<100352xi32>) -> tensor<100352xf32>
  %9 = stablehlo.reshape %8 : (tensor<100352xf32>) -> tensor<4x14x14x32x4xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<4x14x14x32x4xf32>
  %11 = stablehlo.constant dense<0.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [0, 1, 2, 4] : (tensor<4x14x14x32x4xf32>, tensor<f32>) -> tensor<32xf32>
  %13 = stablehlo.transpose %10, dims = [0, 1, 2, 4, 3] : (tensor<4x14x14x32x4xf32>) -> tensor<4x14x14x4x32xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<4x14x14x4x32xf32>
  %15 = stablehlo.reshape %14 : (tensor<4x14x14x4x32xf32>) -> tensor<3136x32xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<3136x32xf32>, tensor<f32>) -> tensor<32xf32>
  %17 = stablehlo.reshape %16 : (tensor<32xf32>) -> tensor<32xf32>
  check.expect_eq %12, %17 : tensor<32xf32>
  func.return
}
func.func @sum_inner_two() {
  %1 = stablehlo.iota dim = 0 : tensor<57600xi32>
  %2 = stablehlo.constant dense<37> : tensor<57600xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<57600xi32>
  %4 = stablehlo.constant dense<11> : tensor<57600xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<57600xi32>
  %6 = stablehlo.constant dense<5> : tensor<57600xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<57600xi32>
  %8 = stablehlo.convert %7 : (tensor<57600xi32>) -> tensor<57600xf32>
  %9 = stablehlo.reshape %8 : (tensor<57600xf32>) -> tensor<16x20x30x2x3xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<16x20x30x2x3xf32>
  %11 = stablehlo.constant dense<0.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [1, 3, 4] : (tensor<16x20x30x2x3xf32>, tensor<f32>) -> tensor<16x30xf32>
  %13 = stablehlo.transpose %10, dims = [1, 3, 4, 0, 2] : (tensor<16x20x30x2x3xf32>) -> tensor<20x2x3x16x30xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<20x2x3x16x30xf32>
  %15 = stablehlo.reshape %14 : (tensor<20x2x3x16x30xf32>) -> tensor<120x480xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<120x480xf32>, tensor<f32>) -> tensor<480xf32>
  %17 = stablehlo.reshape %16 : (tensor<480xf32>) -> tensor<16x30xf32>
  check.expect_eq %12, %17 : tensor<16x30xf32>
  func.return
}
func.func @sum_long_inner() {
  %1 = stablehlo.iota dim = 0 : tensor<40960xi32>
  %2 = stablehlo.constant dense<37> : tensor<40960xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<40960xi32>
  %4 = stablehlo.constant dense<11> : tensor<40960xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<40960xi32>
  %6 = stablehlo.constant dense<5> : tensor<40960xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<40960xi32>
  %8 = stablehlo.convert %7 : (tensor<40960xi32>) -> tensor<40960xf32>
  %9 = stablehlo.reshape %8 : (tensor<40960xf32>) -> tensor<64x20x32xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<64x20x32xf32>
  %11 = stablehlo.constant dense<0.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [0, 2] : (tensor<64x20x32xf32>, tensor<f32>) -> tensor<20xf32>
  %13 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<64x20x32xf32>) -> tensor<64x32x20xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<64x32x20xf32>
  %15 = stablehlo.reshape %14 : (tensor<64x32x20xf32>) -> tensor<2048x20xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<2048x20xf32>, tensor<f32>) -> tensor<20xf32>
  %17 = stablehlo.reshape %16 : (tensor<20xf32>) -> tensor<20xf32>
  check.expect_eq %12, %17 : tensor<20xf32>
  func.return
}
func.func @sum_short_three() {
  %1 = stablehlo.iota dim = 0 : tensor<52500xi32>
  %2 = stablehlo.constant dense<37> : tensor<52500xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<52500xi32>
  %4 = stablehlo.constant dense<11> : tensor<52500xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<52500xi32>
  %6 = stablehlo.constant dense<5> : tensor<52500xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<52500xi32>
  %8 = stablehlo.convert %7 : (tensor<52500xi32>) -> tensor<52500xf32>
  %9 = stablehlo.reshape %8 : (tensor<52500xf32>) -> tensor<700x25x3xf32>
  %10 = stablehlo.optimization_barrier %9 : tensor<700x25x3xf32>
  %11 = stablehlo.constant dense<0.0> : tensor<f32>
  %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [0, 2] : (tensor<700x25x3xf32>, tensor<f32>) -> tensor<25xf32>
  %13 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<700x25x3xf32>) -> tensor<700x3x25xf32>
  %14 = stablehlo.optimization_barrier %13 : tensor<700x3x25xf32>
  %15 = stablehlo.reshape %14 : (tensor<700x3x25xf32>) -> tensor<2100x25xf32>
  %16 = stablehlo.reduce(%15 init: %11) applies stablehlo.add across dimensions = [0] : (tensor<2100x25xf32>, tensor<f32>) -> tensor<25xf32>
  %17 = stablehlo.reshape %16 : (tensor<25xf32>) -> tensor<25xf32>
  check.expect_eq %12, %17 : tensor<25xf32>
  func.return
}
func.func @product() {
  %1 = stablehlo.iota dim = 0 : tensor<40960xi32>
  %2 = stablehlo.constant dense<37> : tensor<40960xi32>
  %3 = stablehlo.multiply %1, %2 : tensor<40960xi32>
  %4 = stablehlo.constant dense<11> : tensor<40960xi32>
  %5 = stablehlo.remainder %3, %4 : tensor<40960xi32>
  %6 = stablehlo.constant dense<5> : tensor<40960xi32>
  %7 = stablehlo.subtract %5, %6 : tensor<40960xi32>
  %8 = stablehlo.reshape %7 : (tensor<40960xi32>) -> tensor<40x64x16xi32>
  %9 = stablehlo.optimization_barrier %8 : tensor<40x64x16xi32>
  %10 = stablehlo.constant dense<1> : tensor<i32>
  %11 = stablehlo.reduce(%9 init: %10) applies stablehlo.multiply across dimensions = [0, 2] : (tensor<40x64x16xi32>, tensor<i32>) -> tensor<64xi32>
  %12 = stablehlo.transpose %9, dims = [0, 2, 1] : (tensor<40x64x16xi32>) -> tensor<40x16x64xi32>
  %13 = stablehlo.optimization_barrier %12 : tensor<40x16x64xi32>
  %14 = stablehlo.reshape %13 : (tensor<40x16x64xi32>) -> tensor<640x64xi32>
  %15 = stablehlo.reduce(%14 init: %10) applies stablehlo.multiply across dimensions = [0] : (tensor<640x64xi32>, tensor<i32>) -> tensor<64xi32>
  %16 = stablehlo.reshape %15 : (tensor<64xi32>) -> tensor<64xi32>
  check.expect_eq %11, %16 : tensor<64xi32>
  func.return
}
