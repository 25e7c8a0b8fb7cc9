// Reshapes of values that are broadcast along some dimensions, against the
// linear index of each element. The dimensions of both sides have common
// factors, or none.
func.func @groups_of_channels() {
  %1 = stablehlo.iota dim = 0 : tensor<2304xi32>
  %2 = stablehlo.iota dim = 0 : tensor<2xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<2xi32>
  %4 = stablehlo.constant dense<3> : tensor<2xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<2xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xi32>) -> tensor<2x8x144xi32>
  %7 = stablehlo.constant dense<1152> : tensor<2304xi32>
  %8 = stablehlo.divide %1, %7 : tensor<2304xi32>
  %9 = stablehlo.constant dense<2> : tensor<2304xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<2304xi32>
  %11 = stablehlo.constant dense<3> : tensor<2304xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<2304xi32>
  %13 = stablehlo.iota dim = 0 : tensor<8xi32>
  %14 = stablehlo.optimization_barrier %13 : tensor<8xi32>
  %15 = stablehlo.constant dense<10> : tensor<8xi32>
  %16 = stablehlo.multiply %14, %15 : tensor<8xi32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<8xi32>) -> tensor<2x8x144xi32>
  %18 = stablehlo.add %6, %17 : tensor<2x8x144xi32>
  %19 = stablehlo.constant dense<144> : tensor<2304xi32>
  %20 = stablehlo.divide %1, %19 : tensor<2304xi32>
  %21 = stablehlo.constant dense<8> : tensor<2304xi32>
  %22 = stablehlo.remainder %20, %21 : tensor<2304xi32>
  %23 = stablehlo.constant dense<10> : tensor<2304xi32>
  %24 = stablehlo.multiply %22, %23 : tensor<2304xi32>
  %25 = stablehlo.add %12, %24 : tensor<2304xi32>
  %26 = stablehlo.iota dim = 0 : tensor<2304xi32>
  %27 = stablehlo.reshape %26 : (tensor<2304xi32>) -> tensor<2x32x6x6xi32>
  %28 = stablehlo.optimization_barrier %27 : tensor<2x32x6x6xi32>
  %29 = stablehlo.reshape %18 : (tensor<2x8x144xi32>) -> tensor<2x32x6x6xi32>
  %30 = stablehlo.add %29, %28 : tensor<2x32x6x6xi32>
  %31 = stablehlo.add %25, %1 : tensor<2304xi32>
  %32 = stablehlo.reshape %31 : (tensor<2304xi32>) -> tensor<2x32x6x6xi32>
  check.expect_eq %30, %32 : tensor<2x32x6x6xi32>
  func.return
}
func.func @groups_of_channels_last() {
  %1 = stablehlo.iota dim = 0 : tensor<3072xi32>
  %2 = stablehlo.iota dim = 0 : tensor<8xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<8xi32>
  %4 = stablehlo.constant dense<10> : tensor<8xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<8xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<8xi32>) -> tensor<2x8x192xi32>
  %7 = stablehlo.constant dense<192> : tensor<3072xi32>
  %8 = stablehlo.divide %1, %7 : tensor<3072xi32>
  %9 = stablehlo.constant dense<8> : tensor<3072xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<3072xi32>
  %11 = stablehlo.constant dense<10> : tensor<3072xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<3072xi32>
  %13 = stablehlo.iota dim = 0 : tensor<3072xi32>
  %14 = stablehlo.reshape %13 : (tensor<3072xi32>) -> tensor<2x32x6x8xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<2x32x6x8xi32>
  %16 = stablehlo.reshape %6 : (tensor<2x8x192xi32>) -> tensor<2x32x6x8xi32>
  %17 = stablehlo.add %16, %15 : tensor<2x32x6x8xi32>
  %18 = stablehlo.add %12, %1 : tensor<3072xi32>
  %19 = stablehlo.reshape %18 : (tensor<3072xi32>) -> tensor<2x32x6x8xi32>
  check.expect_eq %17, %19 : tensor<2x32x6x8xi32>
  func.return
}
func.func @joined() {
  %1 = stablehlo.iota dim = 0 : tensor<2304xi32>
  %2 = stablehlo.iota dim = 0 : tensor<32xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<32xi32>
  %4 = stablehlo.constant dense<10> : tensor<32xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<32xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<32xi32>) -> tensor<2x32x6x6xi32>
  %7 = stablehlo.constant dense<36> : tensor<2304xi32>
  %8 = stablehlo.divide %1, %7 : tensor<2304xi32>
  %9 = stablehlo.constant dense<32> : tensor<2304xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<2304xi32>
  %11 = stablehlo.constant dense<10> : tensor<2304xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<2304xi32>
  %13 = stablehlo.iota dim = 0 : tensor<2304xi32>
  %14 = stablehlo.reshape %13 : (tensor<2304xi32>) -> tensor<2x8x144xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<2x8x144xi32>
  %16 = stablehlo.reshape %6 : (tensor<2x32x6x6xi32>) -> tensor<2x8x144xi32>
  %17 = stablehlo.add %16, %15 : tensor<2x8x144xi32>
  %18 = stablehlo.add %12, %1 : tensor<2304xi32>
  %19 = stablehlo.reshape %18 : (tensor<2304xi32>) -> tensor<2x8x144xi32>
  check.expect_eq %17, %19 : tensor<2x8x144xi32>
  func.return
}
func.func @blocks_of_rows() {
  %1 = stablehlo.iota dim = 0 : tensor<7680xi32>
  %2 = stablehlo.iota dim = 0 : tensor<5xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<5xi32>
  %4 = stablehlo.constant dense<10> : tensor<5xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<5xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<5xi32>) -> tensor<4x5x12x32xi32>
  %7 = stablehlo.constant dense<384> : tensor<7680xi32>
  %8 = stablehlo.divide %1, %7 : tensor<7680xi32>
  %9 = stablehlo.constant dense<5> : tensor<7680xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<7680xi32>
  %11 = stablehlo.constant dense<10> : tensor<7680xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<7680xi32>
  %13 = stablehlo.iota dim = 0 : tensor<12xi32>
  %14 = stablehlo.optimization_barrier %13 : tensor<12xi32>
  %15 = stablehlo.constant dense<17> : tensor<12xi32>
  %16 = stablehlo.multiply %14, %15 : tensor<12xi32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [2] : (tensor<12xi32>) -> tensor<4x5x12x32xi32>
  %18 = stablehlo.add %6, %17 : tensor<4x5x12x32xi32>
  %19 = stablehlo.constant dense<32> : tensor<7680xi32>
  %20 = stablehlo.divide %1, %19 : tensor<7680xi32>
  %21 = stablehlo.constant dense<12> : tensor<7680xi32>
  %22 = stablehlo.remainder %20, %21 : tensor<7680xi32>
  %23 = stablehlo.constant dense<17> : tensor<7680xi32>
  %24 = stablehlo.multiply %22, %23 : tensor<7680xi32>
  %25 = stablehlo.add %12, %24 : tensor<7680xi32>
  %26 = stablehlo.iota dim = 0 : tensor<7680xi32>
  %27 = stablehlo.reshape %26 : (tensor<7680xi32>) -> tensor<20x384xi32>
  %28 = stablehlo.optimization_barrier %27 : tensor<20x384xi32>
  %29 = stablehlo.reshape %18 : (tensor<4x5x12x32xi32>) -> tensor<20x384xi32>
  %30 = stablehlo.add %29, %28 : tensor<20x384xi32>
  %31 = stablehlo.add %25, %1 : tensor<7680xi32>
  %32 = stablehlo.reshape %31 : (tensor<7680xi32>) -> tensor<20x384xi32>
  check.expect_eq %30, %32 : tensor<20x384xi32>
  func.return
}
func.func @rows_of_blocks() {
  %1 = stablehlo.iota dim = 0 : tensor<7680xi32>
  %2 = stablehlo.iota dim = 0 : tensor<20xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<20xi32>
  %4 = stablehlo.constant dense<3> : tensor<20xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<20xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<20xi32>) -> tensor<20x384xi32>
  %7 = stablehlo.constant dense<384> : tensor<7680xi32>
  %8 = stablehlo.divide %1, %7 : tensor<7680xi32>
  %9 = stablehlo.constant dense<20> : tensor<7680xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<7680xi32>
  %11 = stablehlo.constant dense<3> : tensor<7680xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<7680xi32>
  %13 = stablehlo.iota dim = 0 : tensor<7680xi32>
  %14 = stablehlo.reshape %13 : (tensor<7680xi32>) -> tensor<4x5x12x32xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<4x5x12x32xi32>
  %16 = stablehlo.reshape %6 : (tensor<20x384xi32>) -> tensor<4x5x12x32xi32>
  %17 = stablehlo.add %16, %15 : tensor<4x5x12x32xi32>
  %18 = stablehlo.add %12, %1 : tensor<7680xi32>
  %19 = stablehlo.reshape %18 : (tensor<7680xi32>) -> tensor<4x5x12x32xi32>
  check.expect_eq %17, %19 : tensor<4x5x12x32xi32>
  func.return
}
func.func @divided_in_the_middle() {
  %1 = stablehlo.iota dim = 0 : tensor<120xi32>
  %2 = stablehlo.iota dim = 0 : tensor<12xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<12xi32>
  %4 = stablehlo.constant dense<3> : tensor<12xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<12xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<12xi32>) -> tensor<12x10xi32>
  %7 = stablehlo.constant dense<10> : tensor<120xi32>
  %8 = stablehlo.divide %1, %7 : tensor<120xi32>
  %9 = stablehlo.constant dense<12> : tensor<120xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<120xi32>
  %11 = stablehlo.constant dense<3> : tensor<120xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<120xi32>
  %13 = stablehlo.iota dim = 0 : tensor<120xi32>
  %14 = stablehlo.reshape %13 : (tensor<120xi32>) -> tensor<4x30xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<4x30xi32>
  %16 = stablehlo.reshape %6 : (tensor<12x10xi32>) -> tensor<4x30xi32>
  %17 = stablehlo.add %16, %15 : tensor<4x30xi32>
  %18 = stablehlo.add %12, %1 : tensor<120xi32>
  %19 = stablehlo.reshape %18 : (tensor<120xi32>) -> tensor<4x30xi32>
  check.expect_eq %17, %19 : tensor<4x30xi32>
  func.return
}
func.func @divided_in_the_middle_back() {
  %1 = stablehlo.iota dim = 0 : tensor<120xi32>
  %2 = stablehlo.iota dim = 0 : tensor<4xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<4xi32>
  %4 = stablehlo.constant dense<3> : tensor<4xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<4xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xi32>) -> tensor<4x30xi32>
  %7 = stablehlo.constant dense<30> : tensor<120xi32>
  %8 = stablehlo.divide %1, %7 : tensor<120xi32>
  %9 = stablehlo.constant dense<4> : tensor<120xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<120xi32>
  %11 = stablehlo.constant dense<3> : tensor<120xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<120xi32>
  %13 = stablehlo.iota dim = 0 : tensor<120xi32>
  %14 = stablehlo.reshape %13 : (tensor<120xi32>) -> tensor<12x10xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<12x10xi32>
  %16 = stablehlo.reshape %6 : (tensor<4x30xi32>) -> tensor<12x10xi32>
  %17 = stablehlo.add %16, %15 : tensor<12x10xi32>
  %18 = stablehlo.add %12, %1 : tensor<120xi32>
  %19 = stablehlo.reshape %18 : (tensor<120xi32>) -> tensor<12x10xi32>
  check.expect_eq %17, %19 : tensor<12x10xi32>
  func.return
}
func.func @no_common_sizes() {
  %1 = stablehlo.iota dim = 0 : tensor<60xi32>
  %2 = stablehlo.iota dim = 0 : tensor<6xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<6xi32>
  %4 = stablehlo.constant dense<3> : tensor<6xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<6xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<6xi32>) -> tensor<6x10xi32>
  %7 = stablehlo.constant dense<10> : tensor<60xi32>
  %8 = stablehlo.divide %1, %7 : tensor<60xi32>
  %9 = stablehlo.constant dense<6> : tensor<60xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<60xi32>
  %11 = stablehlo.constant dense<3> : tensor<60xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<60xi32>
  %13 = stablehlo.iota dim = 0 : tensor<60xi32>
  %14 = stablehlo.reshape %13 : (tensor<60xi32>) -> tensor<4x15xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<4x15xi32>
  %16 = stablehlo.reshape %6 : (tensor<6x10xi32>) -> tensor<4x15xi32>
  %17 = stablehlo.add %16, %15 : tensor<4x15xi32>
  %18 = stablehlo.add %12, %1 : tensor<60xi32>
  %19 = stablehlo.reshape %18 : (tensor<60xi32>) -> tensor<4x15xi32>
  check.expect_eq %17, %19 : tensor<4x15xi32>
  func.return
}
func.func @no_common_sizes_3() {
  %1 = stablehlo.iota dim = 0 : tensor<840xi32>
  %2 = stablehlo.iota dim = 0 : tensor<6xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<6xi32>
  %4 = stablehlo.constant dense<3> : tensor<6xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<6xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<6xi32>) -> tensor<6x35x4xi32>
  %7 = stablehlo.constant dense<140> : tensor<840xi32>
  %8 = stablehlo.divide %1, %7 : tensor<840xi32>
  %9 = stablehlo.constant dense<6> : tensor<840xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<840xi32>
  %11 = stablehlo.constant dense<3> : tensor<840xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<840xi32>
  %13 = stablehlo.iota dim = 0 : tensor<35xi32>
  %14 = stablehlo.optimization_barrier %13 : tensor<35xi32>
  %15 = stablehlo.constant dense<10> : tensor<35xi32>
  %16 = stablehlo.multiply %14, %15 : tensor<35xi32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<35xi32>) -> tensor<6x35x4xi32>
  %18 = stablehlo.add %6, %17 : tensor<6x35x4xi32>
  %19 = stablehlo.constant dense<4> : tensor<840xi32>
  %20 = stablehlo.divide %1, %19 : tensor<840xi32>
  %21 = stablehlo.constant dense<35> : tensor<840xi32>
  %22 = stablehlo.remainder %20, %21 : tensor<840xi32>
  %23 = stablehlo.constant dense<10> : tensor<840xi32>
  %24 = stablehlo.multiply %22, %23 : tensor<840xi32>
  %25 = stablehlo.add %12, %24 : tensor<840xi32>
  %26 = stablehlo.iota dim = 0 : tensor<840xi32>
  %27 = stablehlo.reshape %26 : (tensor<840xi32>) -> tensor<10x21x4xi32>
  %28 = stablehlo.optimization_barrier %27 : tensor<10x21x4xi32>
  %29 = stablehlo.reshape %18 : (tensor<6x35x4xi32>) -> tensor<10x21x4xi32>
  %30 = stablehlo.add %29, %28 : tensor<10x21x4xi32>
  %31 = stablehlo.add %25, %1 : tensor<840xi32>
  %32 = stablehlo.reshape %31 : (tensor<840xi32>) -> tensor<10x21x4xi32>
  check.expect_eq %30, %32 : tensor<10x21x4xi32>
  func.return
}
func.func @partly_common() {
  %1 = stablehlo.iota dim = 0 : tensor<420xi32>
  %2 = stablehlo.iota dim = 0 : tensor<10xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<10xi32>
  %4 = stablehlo.constant dense<10> : tensor<10xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<10xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<10xi32>) -> tensor<6x10x7xi32>
  %7 = stablehlo.constant dense<7> : tensor<420xi32>
  %8 = stablehlo.divide %1, %7 : tensor<420xi32>
  %9 = stablehlo.constant dense<10> : tensor<420xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<420xi32>
  %11 = stablehlo.constant dense<10> : tensor<420xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<420xi32>
  %13 = stablehlo.iota dim = 0 : tensor<7xi32>
  %14 = stablehlo.optimization_barrier %13 : tensor<7xi32>
  %15 = stablehlo.constant dense<17> : tensor<7xi32>
  %16 = stablehlo.multiply %14, %15 : tensor<7xi32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [2] : (tensor<7xi32>) -> tensor<6x10x7xi32>
  %18 = stablehlo.add %6, %17 : tensor<6x10x7xi32>
  %19 = stablehlo.constant dense<1> : tensor<420xi32>
  %20 = stablehlo.divide %1, %19 : tensor<420xi32>
  %21 = stablehlo.constant dense<7> : tensor<420xi32>
  %22 = stablehlo.remainder %20, %21 : tensor<420xi32>
  %23 = stablehlo.constant dense<17> : tensor<420xi32>
  %24 = stablehlo.multiply %22, %23 : tensor<420xi32>
  %25 = stablehlo.add %12, %24 : tensor<420xi32>
  %26 = stablehlo.iota dim = 0 : tensor<420xi32>
  %27 = stablehlo.reshape %26 : (tensor<420xi32>) -> tensor<4x15x7xi32>
  %28 = stablehlo.optimization_barrier %27 : tensor<4x15x7xi32>
  %29 = stablehlo.reshape %18 : (tensor<6x10x7xi32>) -> tensor<4x15x7xi32>
  %30 = stablehlo.add %29, %28 : tensor<4x15x7xi32>
  %31 = stablehlo.add %25, %1 : tensor<420xi32>
  %32 = stablehlo.reshape %31 : (tensor<420xi32>) -> tensor<4x15x7xi32>
  check.expect_eq %30, %32 : tensor<4x15x7xi32>
  func.return
}
func.func @ones() {
  %1 = stablehlo.iota dim = 0 : tensor<384xi32>
  %2 = stablehlo.iota dim = 0 : tensor<8xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<8xi32>
  %4 = stablehlo.constant dense<10> : tensor<8xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<8xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<8xi32>) -> tensor<1x8x1x48xi32>
  %7 = stablehlo.constant dense<48> : tensor<384xi32>
  %8 = stablehlo.divide %1, %7 : tensor<384xi32>
  %9 = stablehlo.constant dense<8> : tensor<384xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<384xi32>
  %11 = stablehlo.constant dense<10> : tensor<384xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<384xi32>
  %13 = stablehlo.iota dim = 0 : tensor<384xi32>
  %14 = stablehlo.reshape %13 : (tensor<384xi32>) -> tensor<32x1x12x1xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<32x1x12x1xi32>
  %16 = stablehlo.reshape %6 : (tensor<1x8x1x48xi32>) -> tensor<32x1x12x1xi32>
  %17 = stablehlo.add %16, %15 : tensor<32x1x12x1xi32>
  %18 = stablehlo.add %12, %1 : tensor<384xi32>
  %19 = stablehlo.reshape %18 : (tensor<384xi32>) -> tensor<32x1x12x1xi32>
  check.expect_eq %17, %19 : tensor<32x1x12x1xi32>
  func.return
}
func.func @long_rows() {
  %1 = stablehlo.iota dim = 0 : tensor<12288xi32>
  %2 = stablehlo.iota dim = 0 : tensor<3xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<3xi32>
  %4 = stablehlo.constant dense<3> : tensor<3xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<3xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xi32>) -> tensor<3x4096xi32>
  %7 = stablehlo.constant dense<4096> : tensor<12288xi32>
  %8 = stablehlo.divide %1, %7 : tensor<12288xi32>
  %9 = stablehlo.constant dense<3> : tensor<12288xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<12288xi32>
  %11 = stablehlo.constant dense<3> : tensor<12288xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<12288xi32>
  %13 = stablehlo.iota dim = 0 : tensor<12288xi32>
  %14 = stablehlo.reshape %13 : (tensor<12288xi32>) -> tensor<12x8x128xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<12x8x128xi32>
  %16 = stablehlo.reshape %6 : (tensor<3x4096xi32>) -> tensor<12x8x128xi32>
  %17 = stablehlo.add %16, %15 : tensor<12x8x128xi32>
  %18 = stablehlo.add %12, %1 : tensor<12288xi32>
  %19 = stablehlo.reshape %18 : (tensor<12288xi32>) -> tensor<12x8x128xi32>
  check.expect_eq %17, %19 : tensor<12x8x128xi32>
  func.return
}
func.func @two_groups() {
  %1 = stablehlo.iota dim = 0 : tensor<5760xi32>
  %2 = stablehlo.iota dim = 0 : tensor<6xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<6xi32>
  %4 = stablehlo.constant dense<3> : tensor<6xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<6xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<6xi32>) -> tensor<6x8x10x12xi32>
  %7 = stablehlo.constant dense<960> : tensor<5760xi32>
  %8 = stablehlo.divide %1, %7 : tensor<5760xi32>
  %9 = stablehlo.constant dense<6> : tensor<5760xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<5760xi32>
  %11 = stablehlo.constant dense<3> : tensor<5760xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<5760xi32>
  %13 = stablehlo.iota dim = 0 : tensor<10xi32>
  %14 = stablehlo.optimization_barrier %13 : tensor<10xi32>
  %15 = stablehlo.constant dense<17> : tensor<10xi32>
  %16 = stablehlo.multiply %14, %15 : tensor<10xi32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [2] : (tensor<10xi32>) -> tensor<6x8x10x12xi32>
  %18 = stablehlo.add %6, %17 : tensor<6x8x10x12xi32>
  %19 = stablehlo.constant dense<12> : tensor<5760xi32>
  %20 = stablehlo.divide %1, %19 : tensor<5760xi32>
  %21 = stablehlo.constant dense<10> : tensor<5760xi32>
  %22 = stablehlo.remainder %20, %21 : tensor<5760xi32>
  %23 = stablehlo.constant dense<17> : tensor<5760xi32>
  %24 = stablehlo.multiply %22, %23 : tensor<5760xi32>
  %25 = stablehlo.add %12, %24 : tensor<5760xi32>
  %26 = stablehlo.iota dim = 0 : tensor<5760xi32>
  %27 = stablehlo.reshape %26 : (tensor<5760xi32>) -> tensor<3x16x5x24xi32>
  %28 = stablehlo.optimization_barrier %27 : tensor<3x16x5x24xi32>
  %29 = stablehlo.reshape %18 : (tensor<6x8x10x12xi32>) -> tensor<3x16x5x24xi32>
  %30 = stablehlo.add %29, %28 : tensor<3x16x5x24xi32>
  %31 = stablehlo.add %25, %1 : tensor<5760xi32>
  %32 = stablehlo.reshape %31 : (tensor<5760xi32>) -> tensor<3x16x5x24xi32>
  check.expect_eq %30, %32 : tensor<3x16x5x24xi32>
  func.return
}
func.func @inner_broadcast() {
  %1 = stablehlo.iota dim = 0 : tensor<1152xi32>
  %2 = stablehlo.iota dim = 0 : tensor<144xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<144xi32>
  %4 = stablehlo.constant dense<10> : tensor<144xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<144xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<144xi32>) -> tensor<8x144xi32>
  %7 = stablehlo.constant dense<1> : tensor<1152xi32>
  %8 = stablehlo.divide %1, %7 : tensor<1152xi32>
  %9 = stablehlo.constant dense<144> : tensor<1152xi32>
  %10 = stablehlo.remainder %8, %9 : tensor<1152xi32>
  %11 = stablehlo.constant dense<10> : tensor<1152xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<1152xi32>
  %13 = stablehlo.iota dim = 0 : tensor<1152xi32>
  %14 = stablehlo.reshape %13 : (tensor<1152xi32>) -> tensor<32x36xi32>
  %15 = stablehlo.optimization_barrier %14 : tensor<32x36xi32>
  %16 = stablehlo.reshape %6 : (tensor<8x144xi32>) -> tensor<32x36xi32>
  %17 = stablehlo.add %16, %15 : tensor<32x36xi32>
  %18 = stablehlo.add %12, %1 : tensor<1152xi32>
  %19 = stablehlo.reshape %18 : (tensor<1152xi32>) -> tensor<32x36xi32>
  check.expect_eq %17, %19 : tensor<32x36xi32>
  func.return
}
