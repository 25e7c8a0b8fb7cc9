// Values padded by parts of themselves, against the index that each element has
// in the padded value. Loops divide the results into boxes that read one part.
func.func @reflect() {
  %1 = stablehlo.iota dim = 0 : tensor<6000xi32>
  %2 = stablehlo.reshape %1 : (tensor<6000xi32>) -> tensor<3x40x50xi32>
  %3 = stablehlo.convert %2 : (tensor<3x40x50xi32>) -> tensor<3x40x50xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<3x40x50xf32>
  %5 = stablehlo.slice %4 [0:3, 1:4:1, 0:50] : (tensor<3x40x50xf32>) -> tensor<3x3x50xf32>
  %6 = stablehlo.reverse %5, dims = [1] : tensor<3x3x50xf32>
  %7 = stablehlo.concatenate %6, %4, dim = 1 : (tensor<3x3x50xf32>, tensor<3x40x50xf32>) -> tensor<3x43x50xf32>
  %8 = stablehlo.slice %7 [0:3, 39:42:1, 0:50] : (tensor<3x43x50xf32>) -> tensor<3x3x50xf32>
  %9 = stablehlo.reverse %8, dims = [1] : tensor<3x3x50xf32>
  %10 = stablehlo.concatenate %7, %9, dim = 1 : (tensor<3x43x50xf32>, tensor<3x3x50xf32>) -> tensor<3x46x50xf32>
  %11 = stablehlo.slice %10 [0:3, 0:46, 1:4:1] : (tensor<3x46x50xf32>) -> tensor<3x46x3xf32>
  %12 = stablehlo.reverse %11, dims = [2] : tensor<3x46x3xf32>
  %13 = stablehlo.concatenate %12, %10, dim = 2 : (tensor<3x46x3xf32>, tensor<3x46x50xf32>) -> tensor<3x46x53xf32>
  %14 = stablehlo.slice %13 [0:3, 0:46, 49:52:1] : (tensor<3x46x53xf32>) -> tensor<3x46x3xf32>
  %15 = stablehlo.reverse %14, dims = [2] : tensor<3x46x3xf32>
  %16 = stablehlo.concatenate %13, %15, dim = 2 : (tensor<3x46x53xf32>, tensor<3x46x3xf32>) -> tensor<3x46x56xf32>
  %17 = stablehlo.iota dim = 0 : tensor<56xi32>
  %18 = stablehlo.constant dense<3> : tensor<56xi32>
  %19 = stablehlo.subtract %17, %18 : tensor<56xi32>
  %20 = stablehlo.constant dense<49> : tensor<56xi32>
  %21 = stablehlo.constant dense<49> : tensor<56xi32>
  %22 = stablehlo.abs %19 : tensor<56xi32>
  %23 = stablehlo.subtract %21, %22 : tensor<56xi32>
  %24 = stablehlo.abs %23 : tensor<56xi32>
  %25 = stablehlo.subtract %20, %24 : tensor<56xi32>
  %26 = stablehlo.constant dense<1> : tensor<56xi32>
  %27 = stablehlo.multiply %25, %26 : tensor<56xi32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [2] : (tensor<56xi32>) -> tensor<3x46x56xi32>
  %29 = stablehlo.iota dim = 0 : tensor<46xi32>
  %30 = stablehlo.constant dense<3> : tensor<46xi32>
  %31 = stablehlo.subtract %29, %30 : tensor<46xi32>
  %32 = stablehlo.constant dense<39> : tensor<46xi32>
  %33 = stablehlo.constant dense<39> : tensor<46xi32>
  %34 = stablehlo.abs %31 : tensor<46xi32>
  %35 = stablehlo.subtract %33, %34 : tensor<46xi32>
  %36 = stablehlo.abs %35 : tensor<46xi32>
  %37 = stablehlo.subtract %32, %36 : tensor<46xi32>
  %38 = stablehlo.constant dense<50> : tensor<46xi32>
  %39 = stablehlo.multiply %37, %38 : tensor<46xi32>
  %40 = stablehlo.broadcast_in_dim %39, dims = [1] : (tensor<46xi32>) -> tensor<3x46x56xi32>
  %41 = stablehlo.add %28, %40 : tensor<3x46x56xi32>
  %42 = stablehlo.iota dim = 0 : tensor<3xi32>
  %43 = stablehlo.constant dense<2000> : tensor<3xi32>
  %44 = stablehlo.multiply %42, %43 : tensor<3xi32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<3xi32>) -> tensor<3x46x56xi32>
  %46 = stablehlo.add %41, %45 : tensor<3x46x56xi32>
  %47 = stablehlo.convert %46 : (tensor<3x46x56xi32>) -> tensor<3x46x56xf32>
  check.expect_eq %16, %47 : tensor<3x46x56xf32>
  func.return
}
func.func @reflect_uneven() {
  %1 = stablehlo.iota dim = 0 : tensor<4270xi32>
  %2 = stablehlo.reshape %1 : (tensor<4270xi32>) -> tensor<70x61xi32>
  %3 = stablehlo.convert %2 : (tensor<70x61xi32>) -> tensor<70x61xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<70x61xf32>
  %5 = stablehlo.slice %4 [1:2:1, 0:61] : (tensor<70x61xf32>) -> tensor<1x61xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<1x61xf32>
  %7 = stablehlo.concatenate %6, %4, dim = 0 : (tensor<1x61xf32>, tensor<70x61xf32>) -> tensor<71x61xf32>
  %8 = stablehlo.slice %7 [66:70:1, 0:61] : (tensor<71x61xf32>) -> tensor<4x61xf32>
  %9 = stablehlo.reverse %8, dims = [0] : tensor<4x61xf32>
  %10 = stablehlo.concatenate %7, %9, dim = 0 : (tensor<71x61xf32>, tensor<4x61xf32>) -> tensor<75x61xf32>
  %11 = stablehlo.slice %10 [0:75, 1:8:1] : (tensor<75x61xf32>) -> tensor<75x7xf32>
  %12 = stablehlo.reverse %11, dims = [1] : tensor<75x7xf32>
  %13 = stablehlo.concatenate %12, %10, dim = 1 : (tensor<75x7xf32>, tensor<75x61xf32>) -> tensor<75x68xf32>
  %14 = stablehlo.slice %13 [0:75, 65:67:1] : (tensor<75x68xf32>) -> tensor<75x2xf32>
  %15 = stablehlo.reverse %14, dims = [1] : tensor<75x2xf32>
  %16 = stablehlo.concatenate %13, %15, dim = 1 : (tensor<75x68xf32>, tensor<75x2xf32>) -> tensor<75x70xf32>
  %17 = stablehlo.iota dim = 0 : tensor<70xi32>
  %18 = stablehlo.constant dense<7> : tensor<70xi32>
  %19 = stablehlo.subtract %17, %18 : tensor<70xi32>
  %20 = stablehlo.constant dense<60> : tensor<70xi32>
  %21 = stablehlo.constant dense<60> : tensor<70xi32>
  %22 = stablehlo.abs %19 : tensor<70xi32>
  %23 = stablehlo.subtract %21, %22 : tensor<70xi32>
  %24 = stablehlo.abs %23 : tensor<70xi32>
  %25 = stablehlo.subtract %20, %24 : tensor<70xi32>
  %26 = stablehlo.constant dense<1> : tensor<70xi32>
  %27 = stablehlo.multiply %25, %26 : tensor<70xi32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<70xi32>) -> tensor<75x70xi32>
  %29 = stablehlo.iota dim = 0 : tensor<75xi32>
  %30 = stablehlo.constant dense<1> : tensor<75xi32>
  %31 = stablehlo.subtract %29, %30 : tensor<75xi32>
  %32 = stablehlo.constant dense<69> : tensor<75xi32>
  %33 = stablehlo.constant dense<69> : tensor<75xi32>
  %34 = stablehlo.abs %31 : tensor<75xi32>
  %35 = stablehlo.subtract %33, %34 : tensor<75xi32>
  %36 = stablehlo.abs %35 : tensor<75xi32>
  %37 = stablehlo.subtract %32, %36 : tensor<75xi32>
  %38 = stablehlo.constant dense<61> : tensor<75xi32>
  %39 = stablehlo.multiply %37, %38 : tensor<75xi32>
  %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<75xi32>) -> tensor<75x70xi32>
  %41 = stablehlo.add %28, %40 : tensor<75x70xi32>
  %42 = stablehlo.convert %41 : (tensor<75x70xi32>) -> tensor<75x70xf32>
  check.expect_eq %16, %42 : tensor<75x70xf32>
  func.return
}
func.func @reflect_computed() {
  %1 = stablehlo.iota dim = 0 : tensor<6000xi32>
  %2 = stablehlo.reshape %1 : (tensor<6000xi32>) -> tensor<3x40x50xi32>
  %3 = stablehlo.convert %2 : (tensor<3x40x50xi32>) -> tensor<3x40x50xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<3x40x50xf32>
  %5 = stablehlo.add %4, %4 : tensor<3x40x50xf32>
  %6 = stablehlo.slice %5 [0:3, 1:4:1, 0:50] : (tensor<3x40x50xf32>) -> tensor<3x3x50xf32>
  %7 = stablehlo.reverse %6, dims = [1] : tensor<3x3x50xf32>
  %8 = stablehlo.concatenate %7, %5, dim = 1 : (tensor<3x3x50xf32>, tensor<3x40x50xf32>) -> tensor<3x43x50xf32>
  %9 = stablehlo.slice %8 [0:3, 39:42:1, 0:50] : (tensor<3x43x50xf32>) -> tensor<3x3x50xf32>
  %10 = stablehlo.reverse %9, dims = [1] : tensor<3x3x50xf32>
  %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<3x43x50xf32>, tensor<3x3x50xf32>) -> tensor<3x46x50xf32>
  %12 = stablehlo.slice %11 [0:3, 0:46, 1:4:1] : (tensor<3x46x50xf32>) -> tensor<3x46x3xf32>
  %13 = stablehlo.reverse %12, dims = [2] : tensor<3x46x3xf32>
  %14 = stablehlo.concatenate %13, %11, dim = 2 : (tensor<3x46x3xf32>, tensor<3x46x50xf32>) -> tensor<3x46x53xf32>
  %15 = stablehlo.slice %14 [0:3, 0:46, 49:52:1] : (tensor<3x46x53xf32>) -> tensor<3x46x3xf32>
  %16 = stablehlo.reverse %15, dims = [2] : tensor<3x46x3xf32>
  %17 = stablehlo.concatenate %14, %16, dim = 2 : (tensor<3x46x53xf32>, tensor<3x46x3xf32>) -> tensor<3x46x56xf32>
  %18 = stablehlo.iota dim = 0 : tensor<56xi32>
  %19 = stablehlo.constant dense<3> : tensor<56xi32>
  %20 = stablehlo.subtract %18, %19 : tensor<56xi32>
  %21 = stablehlo.constant dense<49> : tensor<56xi32>
  %22 = stablehlo.constant dense<49> : tensor<56xi32>
  %23 = stablehlo.abs %20 : tensor<56xi32>
  %24 = stablehlo.subtract %22, %23 : tensor<56xi32>
  %25 = stablehlo.abs %24 : tensor<56xi32>
  %26 = stablehlo.subtract %21, %25 : tensor<56xi32>
  %27 = stablehlo.constant dense<2> : tensor<56xi32>
  %28 = stablehlo.multiply %26, %27 : tensor<56xi32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [2] : (tensor<56xi32>) -> tensor<3x46x56xi32>
  %30 = stablehlo.iota dim = 0 : tensor<46xi32>
  %31 = stablehlo.constant dense<3> : tensor<46xi32>
  %32 = stablehlo.subtract %30, %31 : tensor<46xi32>
  %33 = stablehlo.constant dense<39> : tensor<46xi32>
  %34 = stablehlo.constant dense<39> : tensor<46xi32>
  %35 = stablehlo.abs %32 : tensor<46xi32>
  %36 = stablehlo.subtract %34, %35 : tensor<46xi32>
  %37 = stablehlo.abs %36 : tensor<46xi32>
  %38 = stablehlo.subtract %33, %37 : tensor<46xi32>
  %39 = stablehlo.constant dense<100> : tensor<46xi32>
  %40 = stablehlo.multiply %38, %39 : tensor<46xi32>
  %41 = stablehlo.broadcast_in_dim %40, dims = [1] : (tensor<46xi32>) -> tensor<3x46x56xi32>
  %42 = stablehlo.add %29, %41 : tensor<3x46x56xi32>
  %43 = stablehlo.iota dim = 0 : tensor<3xi32>
  %44 = stablehlo.constant dense<4000> : tensor<3xi32>
  %45 = stablehlo.multiply %43, %44 : tensor<3xi32>
  %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<3xi32>) -> tensor<3x46x56xi32>
  %47 = stablehlo.add %42, %46 : tensor<3x46x56xi32>
  %48 = stablehlo.convert %47 : (tensor<3x46x56xi32>) -> tensor<3x46x56xf32>
  check.expect_eq %17, %48 : tensor<3x46x56xf32>
  func.return
}
func.func @reflect_outer() {
  %1 = stablehlo.iota dim = 0 : tensor<12800xi32>
  %2 = stablehlo.reshape %1 : (tensor<12800xi32>) -> tensor<40x40x8xi32>
  %3 = stablehlo.convert %2 : (tensor<40x40x8xi32>) -> tensor<40x40x8xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<40x40x8xf32>
  %5 = stablehlo.slice %4 [1:3:1, 0:40, 0:8] : (tensor<40x40x8xf32>) -> tensor<2x40x8xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<2x40x8xf32>
  %7 = stablehlo.concatenate %6, %4, dim = 0 : (tensor<2x40x8xf32>, tensor<40x40x8xf32>) -> tensor<42x40x8xf32>
  %8 = stablehlo.slice %7 [39:41:1, 0:40, 0:8] : (tensor<42x40x8xf32>) -> tensor<2x40x8xf32>
  %9 = stablehlo.reverse %8, dims = [0] : tensor<2x40x8xf32>
  %10 = stablehlo.concatenate %7, %9, dim = 0 : (tensor<42x40x8xf32>, tensor<2x40x8xf32>) -> tensor<44x40x8xf32>
  %11 = stablehlo.slice %10 [0:44, 1:3:1, 0:8] : (tensor<44x40x8xf32>) -> tensor<44x2x8xf32>
  %12 = stablehlo.reverse %11, dims = [1] : tensor<44x2x8xf32>
  %13 = stablehlo.concatenate %12, %10, dim = 1 : (tensor<44x2x8xf32>, tensor<44x40x8xf32>) -> tensor<44x42x8xf32>
  %14 = stablehlo.slice %13 [0:44, 39:41:1, 0:8] : (tensor<44x42x8xf32>) -> tensor<44x2x8xf32>
  %15 = stablehlo.reverse %14, dims = [1] : tensor<44x2x8xf32>
  %16 = stablehlo.concatenate %13, %15, dim = 1 : (tensor<44x42x8xf32>, tensor<44x2x8xf32>) -> tensor<44x44x8xf32>
  %17 = stablehlo.iota dim = 0 : tensor<8xi32>
  %18 = stablehlo.constant dense<1> : tensor<8xi32>
  %19 = stablehlo.multiply %17, %18 : tensor<8xi32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [2] : (tensor<8xi32>) -> tensor<44x44x8xi32>
  %21 = stablehlo.iota dim = 0 : tensor<44xi32>
  %22 = stablehlo.constant dense<2> : tensor<44xi32>
  %23 = stablehlo.subtract %21, %22 : tensor<44xi32>
  %24 = stablehlo.constant dense<39> : tensor<44xi32>
  %25 = stablehlo.constant dense<39> : tensor<44xi32>
  %26 = stablehlo.abs %23 : tensor<44xi32>
  %27 = stablehlo.subtract %25, %26 : tensor<44xi32>
  %28 = stablehlo.abs %27 : tensor<44xi32>
  %29 = stablehlo.subtract %24, %28 : tensor<44xi32>
  %30 = stablehlo.constant dense<8> : tensor<44xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<44xi32>
  %32 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<44xi32>) -> tensor<44x44x8xi32>
  %33 = stablehlo.add %20, %32 : tensor<44x44x8xi32>
  %34 = stablehlo.iota dim = 0 : tensor<44xi32>
  %35 = stablehlo.constant dense<2> : tensor<44xi32>
  %36 = stablehlo.subtract %34, %35 : tensor<44xi32>
  %37 = stablehlo.constant dense<39> : tensor<44xi32>
  %38 = stablehlo.constant dense<39> : tensor<44xi32>
  %39 = stablehlo.abs %36 : tensor<44xi32>
  %40 = stablehlo.subtract %38, %39 : tensor<44xi32>
  %41 = stablehlo.abs %40 : tensor<44xi32>
  %42 = stablehlo.subtract %37, %41 : tensor<44xi32>
  %43 = stablehlo.constant dense<320> : tensor<44xi32>
  %44 = stablehlo.multiply %42, %43 : tensor<44xi32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<44xi32>) -> tensor<44x44x8xi32>
  %46 = stablehlo.add %33, %45 : tensor<44x44x8xi32>
  %47 = stablehlo.convert %46 : (tensor<44x44x8xi32>) -> tensor<44x44x8xf32>
  check.expect_eq %16, %47 : tensor<44x44x8xf32>
  func.return
}
func.func @reflect_channels() {
  %1 = stablehlo.iota dim = 0 : tensor<9600xi32>
  %2 = stablehlo.reshape %1 : (tensor<9600xi32>) -> tensor<2x40x40x3xi32>
  %3 = stablehlo.convert %2 : (tensor<2x40x40x3xi32>) -> tensor<2x40x40x3xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<2x40x40x3xf32>
  %5 = stablehlo.slice %4 [0:2, 1:3:1, 0:40, 0:3] : (tensor<2x40x40x3xf32>) -> tensor<2x2x40x3xf32>
  %6 = stablehlo.reverse %5, dims = [1] : tensor<2x2x40x3xf32>
  %7 = stablehlo.concatenate %6, %4, dim = 1 : (tensor<2x2x40x3xf32>, tensor<2x40x40x3xf32>) -> tensor<2x42x40x3xf32>
  %8 = stablehlo.slice %7 [0:2, 39:41:1, 0:40, 0:3] : (tensor<2x42x40x3xf32>) -> tensor<2x2x40x3xf32>
  %9 = stablehlo.reverse %8, dims = [1] : tensor<2x2x40x3xf32>
  %10 = stablehlo.concatenate %7, %9, dim = 1 : (tensor<2x42x40x3xf32>, tensor<2x2x40x3xf32>) -> tensor<2x44x40x3xf32>
  %11 = stablehlo.slice %10 [0:2, 0:44, 1:3:1, 0:3] : (tensor<2x44x40x3xf32>) -> tensor<2x44x2x3xf32>
  %12 = stablehlo.reverse %11, dims = [2] : tensor<2x44x2x3xf32>
  %13 = stablehlo.concatenate %12, %10, dim = 2 : (tensor<2x44x2x3xf32>, tensor<2x44x40x3xf32>) -> tensor<2x44x42x3xf32>
  %14 = stablehlo.slice %13 [0:2, 0:44, 39:41:1, 0:3] : (tensor<2x44x42x3xf32>) -> tensor<2x44x2x3xf32>
  %15 = stablehlo.reverse %14, dims = [2] : tensor<2x44x2x3xf32>
  %16 = stablehlo.concatenate %13, %15, dim = 2 : (tensor<2x44x42x3xf32>, tensor<2x44x2x3xf32>) -> tensor<2x44x44x3xf32>
  %17 = stablehlo.iota dim = 0 : tensor<3xi32>
  %18 = stablehlo.constant dense<1> : tensor<3xi32>
  %19 = stablehlo.multiply %17, %18 : tensor<3xi32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [3] : (tensor<3xi32>) -> tensor<2x44x44x3xi32>
  %21 = stablehlo.iota dim = 0 : tensor<44xi32>
  %22 = stablehlo.constant dense<2> : tensor<44xi32>
  %23 = stablehlo.subtract %21, %22 : tensor<44xi32>
  %24 = stablehlo.constant dense<39> : tensor<44xi32>
  %25 = stablehlo.constant dense<39> : tensor<44xi32>
  %26 = stablehlo.abs %23 : tensor<44xi32>
  %27 = stablehlo.subtract %25, %26 : tensor<44xi32>
  %28 = stablehlo.abs %27 : tensor<44xi32>
  %29 = stablehlo.subtract %24, %28 : tensor<44xi32>
  %30 = stablehlo.constant dense<3> : tensor<44xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<44xi32>
  %32 = stablehlo.broadcast_in_dim %31, dims = [2] : (tensor<44xi32>) -> tensor<2x44x44x3xi32>
  %33 = stablehlo.add %20, %32 : tensor<2x44x44x3xi32>
  %34 = stablehlo.iota dim = 0 : tensor<44xi32>
  %35 = stablehlo.constant dense<2> : tensor<44xi32>
  %36 = stablehlo.subtract %34, %35 : tensor<44xi32>
  %37 = stablehlo.constant dense<39> : tensor<44xi32>
  %38 = stablehlo.constant dense<39> : tensor<44xi32>
  %39 = stablehlo.abs %36 : tensor<44xi32>
  %40 = stablehlo.subtract %38, %39 : tensor<44xi32>
  %41 = stablehlo.abs %40 : tensor<44xi32>
  %42 = stablehlo.subtract %37, %41 : tensor<44xi32>
  %43 = stablehlo.constant dense<120> : tensor<44xi32>
  %44 = stablehlo.multiply %42, %43 : tensor<44xi32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [1] : (tensor<44xi32>) -> tensor<2x44x44x3xi32>
  %46 = stablehlo.add %33, %45 : tensor<2x44x44x3xi32>
  %47 = stablehlo.iota dim = 0 : tensor<2xi32>
  %48 = stablehlo.constant dense<4800> : tensor<2xi32>
  %49 = stablehlo.multiply %47, %48 : tensor<2xi32>
  %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<2xi32>) -> tensor<2x44x44x3xi32>
  %51 = stablehlo.add %46, %50 : tensor<2x44x44x3xi32>
  %52 = stablehlo.convert %51 : (tensor<2x44x44x3xi32>) -> tensor<2x44x44x3xf32>
  check.expect_eq %16, %52 : tensor<2x44x44x3xf32>
  func.return
}
func.func @reflect_channels_computed() {
  %1 = stablehlo.iota dim = 0 : tensor<9600xi32>
  %2 = stablehlo.reshape %1 : (tensor<9600xi32>) -> tensor<2x40x40x3xi32>
  %3 = stablehlo.convert %2 : (tensor<2x40x40x3xi32>) -> tensor<2x40x40x3xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<2x40x40x3xf32>
  %5 = stablehlo.add %4, %4 : tensor<2x40x40x3xf32>
  %6 = stablehlo.slice %5 [0:2, 1:3:1, 0:40, 0:3] : (tensor<2x40x40x3xf32>) -> tensor<2x2x40x3xf32>
  %7 = stablehlo.reverse %6, dims = [1] : tensor<2x2x40x3xf32>
  %8 = stablehlo.concatenate %7, %5, dim = 1 : (tensor<2x2x40x3xf32>, tensor<2x40x40x3xf32>) -> tensor<2x42x40x3xf32>
  %9 = stablehlo.slice %8 [0:2, 39:41:1, 0:40, 0:3] : (tensor<2x42x40x3xf32>) -> tensor<2x2x40x3xf32>
  %10 = stablehlo.reverse %9, dims = [1] : tensor<2x2x40x3xf32>
  %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<2x42x40x3xf32>, tensor<2x2x40x3xf32>) -> tensor<2x44x40x3xf32>
  %12 = stablehlo.slice %11 [0:2, 0:44, 1:3:1, 0:3] : (tensor<2x44x40x3xf32>) -> tensor<2x44x2x3xf32>
  %13 = stablehlo.reverse %12, dims = [2] : tensor<2x44x2x3xf32>
  %14 = stablehlo.concatenate %13, %11, dim = 2 : (tensor<2x44x2x3xf32>, tensor<2x44x40x3xf32>) -> tensor<2x44x42x3xf32>
  %15 = stablehlo.slice %14 [0:2, 0:44, 39:41:1, 0:3] : (tensor<2x44x42x3xf32>) -> tensor<2x44x2x3xf32>
  %16 = stablehlo.reverse %15, dims = [2] : tensor<2x44x2x3xf32>
  %17 = stablehlo.concatenate %14, %16, dim = 2 : (tensor<2x44x42x3xf32>, tensor<2x44x2x3xf32>) -> tensor<2x44x44x3xf32>
  %18 = stablehlo.iota dim = 0 : tensor<3xi32>
  %19 = stablehlo.constant dense<2> : tensor<3xi32>
  %20 = stablehlo.multiply %18, %19 : tensor<3xi32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [3] : (tensor<3xi32>) -> tensor<2x44x44x3xi32>
  %22 = stablehlo.iota dim = 0 : tensor<44xi32>
  %23 = stablehlo.constant dense<2> : tensor<44xi32>
  %24 = stablehlo.subtract %22, %23 : tensor<44xi32>
  %25 = stablehlo.constant dense<39> : tensor<44xi32>
  %26 = stablehlo.constant dense<39> : tensor<44xi32>
  %27 = stablehlo.abs %24 : tensor<44xi32>
  %28 = stablehlo.subtract %26, %27 : tensor<44xi32>
  %29 = stablehlo.abs %28 : tensor<44xi32>
  %30 = stablehlo.subtract %25, %29 : tensor<44xi32>
  %31 = stablehlo.constant dense<6> : tensor<44xi32>
  %32 = stablehlo.multiply %30, %31 : tensor<44xi32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [2] : (tensor<44xi32>) -> tensor<2x44x44x3xi32>
  %34 = stablehlo.add %21, %33 : tensor<2x44x44x3xi32>
  %35 = stablehlo.iota dim = 0 : tensor<44xi32>
  %36 = stablehlo.constant dense<2> : tensor<44xi32>
  %37 = stablehlo.subtract %35, %36 : tensor<44xi32>
  %38 = stablehlo.constant dense<39> : tensor<44xi32>
  %39 = stablehlo.constant dense<39> : tensor<44xi32>
  %40 = stablehlo.abs %37 : tensor<44xi32>
  %41 = stablehlo.subtract %39, %40 : tensor<44xi32>
  %42 = stablehlo.abs %41 : tensor<44xi32>
  %43 = stablehlo.subtract %38, %42 : tensor<44xi32>
  %44 = stablehlo.constant dense<240> : tensor<44xi32>
  %45 = stablehlo.multiply %43, %44 : tensor<44xi32>
  %46 = stablehlo.broadcast_in_dim %45, dims = [1] : (tensor<44xi32>) -> tensor<2x44x44x3xi32>
  %47 = stablehlo.add %34, %46 : tensor<2x44x44x3xi32>
  %48 = stablehlo.iota dim = 0 : tensor<2xi32>
  %49 = stablehlo.constant dense<9600> : tensor<2xi32>
  %50 = stablehlo.multiply %48, %49 : tensor<2xi32>
  %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<2xi32>) -> tensor<2x44x44x3xi32>
  %52 = stablehlo.add %47, %51 : tensor<2x44x44x3xi32>
  %53 = stablehlo.convert %52 : (tensor<2x44x44x3xi32>) -> tensor<2x44x44x3xf32>
  check.expect_eq %17, %53 : tensor<2x44x44x3xf32>
  func.return
}
func.func @reflect_vector() {
  %1 = stablehlo.iota dim = 0 : tensor<5000xi32>
  %2 = stablehlo.reshape %1 : (tensor<5000xi32>) -> tensor<5000xi32>
  %3 = stablehlo.convert %2 : (tensor<5000xi32>) -> tensor<5000xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<5000xf32>
  %5 = stablehlo.slice %4 [1:201:1] : (tensor<5000xf32>) -> tensor<200xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<200xf32>
  %7 = stablehlo.concatenate %6, %4, dim = 0 : (tensor<200xf32>, tensor<5000xf32>) -> tensor<5200xf32>
  %8 = stablehlo.slice %7 [5099:5199:1] : (tensor<5200xf32>) -> tensor<100xf32>
  %9 = stablehlo.reverse %8, dims = [0] : tensor<100xf32>
  %10 = stablehlo.concatenate %7, %9, dim = 0 : (tensor<5200xf32>, tensor<100xf32>) -> tensor<5300xf32>
  %11 = stablehlo.iota dim = 0 : tensor<5300xi32>
  %12 = stablehlo.constant dense<200> : tensor<5300xi32>
  %13 = stablehlo.subtract %11, %12 : tensor<5300xi32>
  %14 = stablehlo.constant dense<4999> : tensor<5300xi32>
  %15 = stablehlo.constant dense<4999> : tensor<5300xi32>
  %16 = stablehlo.abs %13 : tensor<5300xi32>
  %17 = stablehlo.subtract %15, %16 : tensor<5300xi32>
  %18 = stablehlo.abs %17 : tensor<5300xi32>
  %19 = stablehlo.subtract %14, %18 : tensor<5300xi32>
  %20 = stablehlo.constant dense<1> : tensor<5300xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<5300xi32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<5300xi32>) -> tensor<5300xi32>
  %23 = stablehlo.convert %22 : (tensor<5300xi32>) -> tensor<5300xf32>
  check.expect_eq %10, %23 : tensor<5300xf32>
  func.return
}
func.func @symmetric() {
  %1 = stablehlo.iota dim = 0 : tensor<5400xi32>
  %2 = stablehlo.reshape %1 : (tensor<5400xi32>) -> tensor<9x20x30xi32>
  %3 = stablehlo.convert %2 : (tensor<9x20x30xi32>) -> tensor<9x20x30xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<9x20x30xf32>
  %5 = stablehlo.slice %4 [0:2:1, 0:20, 0:30] : (tensor<9x20x30xf32>) -> tensor<2x20x30xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<2x20x30xf32>
  %7 = stablehlo.slice %4 [7:9:1, 0:20, 0:30] : (tensor<9x20x30xf32>) -> tensor<2x20x30xf32>
  %8 = stablehlo.reverse %7, dims = [0] : tensor<2x20x30xf32>
  %9 = stablehlo.concatenate %6, %4, %8, dim = 0 : (tensor<2x20x30xf32>, tensor<9x20x30xf32>, tensor<2x20x30xf32>) -> tensor<13x20x30xf32>
  %10 = stablehlo.slice %9 [0:13, 0:2:1, 0:30] : (tensor<13x20x30xf32>) -> tensor<13x2x30xf32>
  %11 = stablehlo.reverse %10, dims = [1] : tensor<13x2x30xf32>
  %12 = stablehlo.slice %9 [0:13, 18:20:1, 0:30] : (tensor<13x20x30xf32>) -> tensor<13x2x30xf32>
  %13 = stablehlo.reverse %12, dims = [1] : tensor<13x2x30xf32>
  %14 = stablehlo.concatenate %11, %9, %13, dim = 1 : (tensor<13x2x30xf32>, tensor<13x20x30xf32>, tensor<13x2x30xf32>) -> tensor<13x24x30xf32>
  %15 = stablehlo.slice %14 [0:13, 0:24, 0:2:1] : (tensor<13x24x30xf32>) -> tensor<13x24x2xf32>
  %16 = stablehlo.reverse %15, dims = [2] : tensor<13x24x2xf32>
  %17 = stablehlo.slice %14 [0:13, 0:24, 28:30:1] : (tensor<13x24x30xf32>) -> tensor<13x24x2xf32>
  %18 = stablehlo.reverse %17, dims = [2] : tensor<13x24x2xf32>
  %19 = stablehlo.concatenate %16, %14, %18, dim = 2 : (tensor<13x24x2xf32>, tensor<13x24x30xf32>, tensor<13x24x2xf32>) -> tensor<13x24x34xf32>
  %20 = stablehlo.iota dim = 0 : tensor<34xi32>
  %21 = stablehlo.constant dense<2> : tensor<34xi32>
  %22 = stablehlo.subtract %20, %21 : tensor<34xi32>
  %23 = stablehlo.constant dense<0> : tensor<34xi32>
  %24 = stablehlo.compare LT, %22, %23, SIGNED : (tensor<34xi32>, tensor<34xi32>) -> tensor<34xi1>
  %25 = stablehlo.constant dense<-1> : tensor<34xi32>
  %26 = stablehlo.subtract %25, %22 : tensor<34xi32>
  %27 = stablehlo.select %24, %26, %22 : tensor<34xi1>, tensor<34xi32>
  %28 = stablehlo.constant dense<30> : tensor<34xi32>
  %29 = stablehlo.compare GE, %27, %28, SIGNED : (tensor<34xi32>, tensor<34xi32>) -> tensor<34xi1>
  %30 = stablehlo.constant dense<59> : tensor<34xi32>
  %31 = stablehlo.subtract %30, %27 : tensor<34xi32>
  %32 = stablehlo.select %29, %31, %27 : tensor<34xi1>, tensor<34xi32>
  %33 = stablehlo.constant dense<1> : tensor<34xi32>
  %34 = stablehlo.multiply %32, %33 : tensor<34xi32>
  %35 = stablehlo.broadcast_in_dim %34, dims = [2] : (tensor<34xi32>) -> tensor<13x24x34xi32>
  %36 = stablehlo.iota dim = 0 : tensor<24xi32>
  %37 = stablehlo.constant dense<2> : tensor<24xi32>
  %38 = stablehlo.subtract %36, %37 : tensor<24xi32>
  %39 = stablehlo.constant dense<0> : tensor<24xi32>
  %40 = stablehlo.compare LT, %38, %39, SIGNED : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
  %41 = stablehlo.constant dense<-1> : tensor<24xi32>
  %42 = stablehlo.subtract %41, %38 : tensor<24xi32>
  %43 = stablehlo.select %40, %42, %38 : tensor<24xi1>, tensor<24xi32>
  %44 = stablehlo.constant dense<20> : tensor<24xi32>
  %45 = stablehlo.compare GE, %43, %44, SIGNED : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
  %46 = stablehlo.constant dense<39> : tensor<24xi32>
  %47 = stablehlo.subtract %46, %43 : tensor<24xi32>
  %48 = stablehlo.select %45, %47, %43 : tensor<24xi1>, tensor<24xi32>
  %49 = stablehlo.constant dense<30> : tensor<24xi32>
  %50 = stablehlo.multiply %48, %49 : tensor<24xi32>
  %51 = stablehlo.broadcast_in_dim %50, dims = [1] : (tensor<24xi32>) -> tensor<13x24x34xi32>
  %52 = stablehlo.add %35, %51 : tensor<13x24x34xi32>
  %53 = stablehlo.iota dim = 0 : tensor<13xi32>
  %54 = stablehlo.constant dense<2> : tensor<13xi32>
  %55 = stablehlo.subtract %53, %54 : tensor<13xi32>
  %56 = stablehlo.constant dense<0> : tensor<13xi32>
  %57 = stablehlo.compare LT, %55, %56, SIGNED : (tensor<13xi32>, tensor<13xi32>) -> tensor<13xi1>
  %58 = stablehlo.constant dense<-1> : tensor<13xi32>
  %59 = stablehlo.subtract %58, %55 : tensor<13xi32>
  %60 = stablehlo.select %57, %59, %55 : tensor<13xi1>, tensor<13xi32>
  %61 = stablehlo.constant dense<9> : tensor<13xi32>
  %62 = stablehlo.compare GE, %60, %61, SIGNED : (tensor<13xi32>, tensor<13xi32>) -> tensor<13xi1>
  %63 = stablehlo.constant dense<17> : tensor<13xi32>
  %64 = stablehlo.subtract %63, %60 : tensor<13xi32>
  %65 = stablehlo.select %62, %64, %60 : tensor<13xi1>, tensor<13xi32>
  %66 = stablehlo.constant dense<600> : tensor<13xi32>
  %67 = stablehlo.multiply %65, %66 : tensor<13xi32>
  %68 = stablehlo.broadcast_in_dim %67, dims = [0] : (tensor<13xi32>) -> tensor<13x24x34xi32>
  %69 = stablehlo.add %52, %68 : tensor<13x24x34xi32>
  %70 = stablehlo.convert %69 : (tensor<13x24x34xi32>) -> tensor<13x24x34xf32>
  check.expect_eq %19, %70 : tensor<13x24x34xf32>
  func.return
}
func.func @symmetric_whole() {
  %1 = stablehlo.iota dim = 0 : tensor<2560xi32>
  %2 = stablehlo.reshape %1 : (tensor<2560xi32>) -> tensor<64x40xi32>
  %3 = stablehlo.convert %2 : (tensor<64x40xi32>) -> tensor<64x40xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<64x40xf32>
  %5 = stablehlo.slice %4 [0:5:1, 0:40] : (tensor<64x40xf32>) -> tensor<5x40xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<5x40xf32>
  %7 = stablehlo.slice %4 [59:64:1, 0:40] : (tensor<64x40xf32>) -> tensor<5x40xf32>
  %8 = stablehlo.reverse %7, dims = [0] : tensor<5x40xf32>
  %9 = stablehlo.concatenate %6, %4, %8, dim = 0 : (tensor<5x40xf32>, tensor<64x40xf32>, tensor<5x40xf32>) -> tensor<74x40xf32>
  %10 = stablehlo.slice %9 [0:74, 0:40:1] : (tensor<74x40xf32>) -> tensor<74x40xf32>
  %11 = stablehlo.reverse %10, dims = [1] : tensor<74x40xf32>
  %12 = stablehlo.slice %9 [0:74, 0:40:1] : (tensor<74x40xf32>) -> tensor<74x40xf32>
  %13 = stablehlo.reverse %12, dims = [1] : tensor<74x40xf32>
  %14 = stablehlo.concatenate %11, %9, %13, dim = 1 : (tensor<74x40xf32>, tensor<74x40xf32>, tensor<74x40xf32>) -> tensor<74x120xf32>
  %15 = stablehlo.iota dim = 0 : tensor<120xi32>
  %16 = stablehlo.constant dense<40> : tensor<120xi32>
  %17 = stablehlo.subtract %15, %16 : tensor<120xi32>
  %18 = stablehlo.constant dense<0> : tensor<120xi32>
  %19 = stablehlo.compare LT, %17, %18, SIGNED : (tensor<120xi32>, tensor<120xi32>) -> tensor<120xi1>
  %20 = stablehlo.constant dense<-1> : tensor<120xi32>
  %21 = stablehlo.subtract %20, %17 : tensor<120xi32>
  %22 = stablehlo.select %19, %21, %17 : tensor<120xi1>, tensor<120xi32>
  %23 = stablehlo.constant dense<40> : tensor<120xi32>
  %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<120xi32>, tensor<120xi32>) -> tensor<120xi1>
  %25 = stablehlo.constant dense<79> : tensor<120xi32>
  %26 = stablehlo.subtract %25, %22 : tensor<120xi32>
  %27 = stablehlo.select %24, %26, %22 : tensor<120xi1>, tensor<120xi32>
  %28 = stablehlo.constant dense<1> : tensor<120xi32>
  %29 = stablehlo.multiply %27, %28 : tensor<120xi32>
  %30 = stablehlo.broadcast_in_dim %29, dims = [1] : (tensor<120xi32>) -> tensor<74x120xi32>
  %31 = stablehlo.iota dim = 0 : tensor<74xi32>
  %32 = stablehlo.constant dense<5> : tensor<74xi32>
  %33 = stablehlo.subtract %31, %32 : tensor<74xi32>
  %34 = stablehlo.constant dense<0> : tensor<74xi32>
  %35 = stablehlo.compare LT, %33, %34, SIGNED : (tensor<74xi32>, tensor<74xi32>) -> tensor<74xi1>
  %36 = stablehlo.constant dense<-1> : tensor<74xi32>
  %37 = stablehlo.subtract %36, %33 : tensor<74xi32>
  %38 = stablehlo.select %35, %37, %33 : tensor<74xi1>, tensor<74xi32>
  %39 = stablehlo.constant dense<64> : tensor<74xi32>
  %40 = stablehlo.compare GE, %38, %39, SIGNED : (tensor<74xi32>, tensor<74xi32>) -> tensor<74xi1>
  %41 = stablehlo.constant dense<127> : tensor<74xi32>
  %42 = stablehlo.subtract %41, %38 : tensor<74xi32>
  %43 = stablehlo.select %40, %42, %38 : tensor<74xi1>, tensor<74xi32>
  %44 = stablehlo.constant dense<40> : tensor<74xi32>
  %45 = stablehlo.multiply %43, %44 : tensor<74xi32>
  %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<74xi32>) -> tensor<74x120xi32>
  %47 = stablehlo.add %30, %46 : tensor<74x120xi32>
  %48 = stablehlo.convert %47 : (tensor<74x120xi32>) -> tensor<74x120xf32>
  check.expect_eq %14, %48 : tensor<74x120xf32>
  func.return
}
func.func @wrap() {
  %1 = stablehlo.iota dim = 0 : tensor<4800xi32>
  %2 = stablehlo.reshape %1 : (tensor<4800xi32>) -> tensor<4x30x40xi32>
  %3 = stablehlo.convert %2 : (tensor<4x30x40xi32>) -> tensor<4x30x40xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<4x30x40xf32>
  %5 = stablehlo.slice %4 [0:4, 27:30:1, 0:40] : (tensor<4x30x40xf32>) -> tensor<4x3x40xf32>
  %6 = stablehlo.concatenate %5, %4, dim = 1 : (tensor<4x3x40xf32>, tensor<4x30x40xf32>) -> tensor<4x33x40xf32>
  %7 = stablehlo.slice %6 [0:4, 3:5:1, 0:40] : (tensor<4x33x40xf32>) -> tensor<4x2x40xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 1 : (tensor<4x33x40xf32>, tensor<4x2x40xf32>) -> tensor<4x35x40xf32>
  %9 = stablehlo.slice %8 [0:4, 0:35, 35:40:1] : (tensor<4x35x40xf32>) -> tensor<4x35x5xf32>
  %10 = stablehlo.concatenate %9, %8, dim = 2 : (tensor<4x35x5xf32>, tensor<4x35x40xf32>) -> tensor<4x35x45xf32>
  %11 = stablehlo.slice %10 [0:4, 0:35, 5:11:1] : (tensor<4x35x45xf32>) -> tensor<4x35x6xf32>
  %12 = stablehlo.concatenate %10, %11, dim = 2 : (tensor<4x35x45xf32>, tensor<4x35x6xf32>) -> tensor<4x35x51xf32>
  %13 = stablehlo.iota dim = 0 : tensor<51xi32>
  %14 = stablehlo.constant dense<5> : tensor<51xi32>
  %15 = stablehlo.subtract %13, %14 : tensor<51xi32>
  %16 = stablehlo.constant dense<40> : tensor<51xi32>
  %17 = stablehlo.add %15, %16 : tensor<51xi32>
  %18 = stablehlo.constant dense<40> : tensor<51xi32>
  %19 = stablehlo.remainder %17, %18 : tensor<51xi32>
  %20 = stablehlo.constant dense<1> : tensor<51xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<51xi32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [2] : (tensor<51xi32>) -> tensor<4x35x51xi32>
  %23 = stablehlo.iota dim = 0 : tensor<35xi32>
  %24 = stablehlo.constant dense<3> : tensor<35xi32>
  %25 = stablehlo.subtract %23, %24 : tensor<35xi32>
  %26 = stablehlo.constant dense<30> : tensor<35xi32>
  %27 = stablehlo.add %25, %26 : tensor<35xi32>
  %28 = stablehlo.constant dense<30> : tensor<35xi32>
  %29 = stablehlo.remainder %27, %28 : tensor<35xi32>
  %30 = stablehlo.constant dense<40> : tensor<35xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<35xi32>
  %32 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<35xi32>) -> tensor<4x35x51xi32>
  %33 = stablehlo.add %22, %32 : tensor<4x35x51xi32>
  %34 = stablehlo.iota dim = 0 : tensor<4xi32>
  %35 = stablehlo.constant dense<1200> : tensor<4xi32>
  %36 = stablehlo.multiply %34, %35 : tensor<4xi32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<4xi32>) -> tensor<4x35x51xi32>
  %38 = stablehlo.add %33, %37 : tensor<4x35x51xi32>
  %39 = stablehlo.convert %38 : (tensor<4x35x51xi32>) -> tensor<4x35x51xf32>
  check.expect_eq %12, %39 : tensor<4x35x51xf32>
  func.return
}
func.func @wrap_i32() {
  %1 = stablehlo.iota dim = 0 : tensor<4800xi32>
  %2 = stablehlo.reshape %1 : (tensor<4800xi32>) -> tensor<4x30x40xi32>
  %3 = stablehlo.optimization_barrier %2 : tensor<4x30x40xi32>
  %4 = stablehlo.slice %3 [0:4, 27:30:1, 0:40] : (tensor<4x30x40xi32>) -> tensor<4x3x40xi32>
  %5 = stablehlo.concatenate %4, %3, dim = 1 : (tensor<4x3x40xi32>, tensor<4x30x40xi32>) -> tensor<4x33x40xi32>
  %6 = stablehlo.slice %5 [0:4, 3:5:1, 0:40] : (tensor<4x33x40xi32>) -> tensor<4x2x40xi32>
  %7 = stablehlo.concatenate %5, %6, dim = 1 : (tensor<4x33x40xi32>, tensor<4x2x40xi32>) -> tensor<4x35x40xi32>
  %8 = stablehlo.slice %7 [0:4, 0:35, 35:40:1] : (tensor<4x35x40xi32>) -> tensor<4x35x5xi32>
  %9 = stablehlo.concatenate %8, %7, dim = 2 : (tensor<4x35x5xi32>, tensor<4x35x40xi32>) -> tensor<4x35x45xi32>
  %10 = stablehlo.slice %9 [0:4, 0:35, 5:11:1] : (tensor<4x35x45xi32>) -> tensor<4x35x6xi32>
  %11 = stablehlo.concatenate %9, %10, dim = 2 : (tensor<4x35x45xi32>, tensor<4x35x6xi32>) -> tensor<4x35x51xi32>
  %12 = stablehlo.iota dim = 0 : tensor<51xi32>
  %13 = stablehlo.constant dense<5> : tensor<51xi32>
  %14 = stablehlo.subtract %12, %13 : tensor<51xi32>
  %15 = stablehlo.constant dense<40> : tensor<51xi32>
  %16 = stablehlo.add %14, %15 : tensor<51xi32>
  %17 = stablehlo.constant dense<40> : tensor<51xi32>
  %18 = stablehlo.remainder %16, %17 : tensor<51xi32>
  %19 = stablehlo.constant dense<1> : tensor<51xi32>
  %20 = stablehlo.multiply %18, %19 : tensor<51xi32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [2] : (tensor<51xi32>) -> tensor<4x35x51xi32>
  %22 = stablehlo.iota dim = 0 : tensor<35xi32>
  %23 = stablehlo.constant dense<3> : tensor<35xi32>
  %24 = stablehlo.subtract %22, %23 : tensor<35xi32>
  %25 = stablehlo.constant dense<30> : tensor<35xi32>
  %26 = stablehlo.add %24, %25 : tensor<35xi32>
  %27 = stablehlo.constant dense<30> : tensor<35xi32>
  %28 = stablehlo.remainder %26, %27 : tensor<35xi32>
  %29 = stablehlo.constant dense<40> : tensor<35xi32>
  %30 = stablehlo.multiply %28, %29 : tensor<35xi32>
  %31 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<35xi32>) -> tensor<4x35x51xi32>
  %32 = stablehlo.add %21, %31 : tensor<4x35x51xi32>
  %33 = stablehlo.iota dim = 0 : tensor<4xi32>
  %34 = stablehlo.constant dense<1200> : tensor<4xi32>
  %35 = stablehlo.multiply %33, %34 : tensor<4xi32>
  %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<4xi32>) -> tensor<4x35x51xi32>
  %37 = stablehlo.add %32, %36 : tensor<4x35x51xi32>
  check.expect_eq %11, %37 : tensor<4x35x51xi32>
  func.return
}
func.func @wrap_f64() {
  %1 = stablehlo.iota dim = 0 : tensor<4800xi32>
  %2 = stablehlo.reshape %1 : (tensor<4800xi32>) -> tensor<4x30x40xi32>
  %3 = stablehlo.convert %2 : (tensor<4x30x40xi32>) -> tensor<4x30x40xf64>
  %4 = stablehlo.optimization_barrier %3 : tensor<4x30x40xf64>
  %5 = stablehlo.slice %4 [0:4, 27:30:1, 0:40] : (tensor<4x30x40xf64>) -> tensor<4x3x40xf64>
  %6 = stablehlo.concatenate %5, %4, dim = 1 : (tensor<4x3x40xf64>, tensor<4x30x40xf64>) -> tensor<4x33x40xf64>
  %7 = stablehlo.slice %6 [0:4, 3:5:1, 0:40] : (tensor<4x33x40xf64>) -> tensor<4x2x40xf64>
  %8 = stablehlo.concatenate %6, %7, dim = 1 : (tensor<4x33x40xf64>, tensor<4x2x40xf64>) -> tensor<4x35x40xf64>
  %9 = stablehlo.slice %8 [0:4, 0:35, 35:40:1] : (tensor<4x35x40xf64>) -> tensor<4x35x5xf64>
  %10 = stablehlo.concatenate %9, %8, dim = 2 : (tensor<4x35x5xf64>, tensor<4x35x40xf64>) -> tensor<4x35x45xf64>
  %11 = stablehlo.slice %10 [0:4, 0:35, 5:11:1] : (tensor<4x35x45xf64>) -> tensor<4x35x6xf64>
  %12 = stablehlo.concatenate %10, %11, dim = 2 : (tensor<4x35x45xf64>, tensor<4x35x6xf64>) -> tensor<4x35x51xf64>
  %13 = stablehlo.iota dim = 0 : tensor<51xi32>
  %14 = stablehlo.constant dense<5> : tensor<51xi32>
  %15 = stablehlo.subtract %13, %14 : tensor<51xi32>
  %16 = stablehlo.constant dense<40> : tensor<51xi32>
  %17 = stablehlo.add %15, %16 : tensor<51xi32>
  %18 = stablehlo.constant dense<40> : tensor<51xi32>
  %19 = stablehlo.remainder %17, %18 : tensor<51xi32>
  %20 = stablehlo.constant dense<1> : tensor<51xi32>
  %21 = stablehlo.multiply %19, %20 : tensor<51xi32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [2] : (tensor<51xi32>) -> tensor<4x35x51xi32>
  %23 = stablehlo.iota dim = 0 : tensor<35xi32>
  %24 = stablehlo.constant dense<3> : tensor<35xi32>
  %25 = stablehlo.subtract %23, %24 : tensor<35xi32>
  %26 = stablehlo.constant dense<30> : tensor<35xi32>
  %27 = stablehlo.add %25, %26 : tensor<35xi32>
  %28 = stablehlo.constant dense<30> : tensor<35xi32>
  %29 = stablehlo.remainder %27, %28 : tensor<35xi32>
  %30 = stablehlo.constant dense<40> : tensor<35xi32>
  %31 = stablehlo.multiply %29, %30 : tensor<35xi32>
  %32 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<35xi32>) -> tensor<4x35x51xi32>
  %33 = stablehlo.add %22, %32 : tensor<4x35x51xi32>
  %34 = stablehlo.iota dim = 0 : tensor<4xi32>
  %35 = stablehlo.constant dense<1200> : tensor<4xi32>
  %36 = stablehlo.multiply %34, %35 : tensor<4xi32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<4xi32>) -> tensor<4x35x51xi32>
  %38 = stablehlo.add %33, %37 : tensor<4x35x51xi32>
  %39 = stablehlo.convert %38 : (tensor<4x35x51xi32>) -> tensor<4x35x51xf64>
  check.expect_eq %12, %39 : tensor<4x35x51xf64>
  func.return
}
func.func @strided() {
  %1 = stablehlo.iota dim = 0 : tensor<4500xi32>
  %2 = stablehlo.reshape %1 : (tensor<4500xi32>) -> tensor<50x90xi32>
  %3 = stablehlo.convert %2 : (tensor<50x90xi32>) -> tensor<50x90xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x90xf32>
  %5 = stablehlo.slice %4 [1:13:2, 0:90] : (tensor<50x90xf32>) -> tensor<6x90xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<6x90xf32>
  %7 = stablehlo.concatenate %6, %4, dim = 0 : (tensor<6x90xf32>, tensor<50x90xf32>) -> tensor<56x90xf32>
  %8 = stablehlo.slice %7 [0:21:3, 0:90] : (tensor<56x90xf32>) -> tensor<7x90xf32>
  %9 = stablehlo.concatenate %7, %8, dim = 0 : (tensor<56x90xf32>, tensor<7x90xf32>) -> tensor<63x90xf32>
  %10 = stablehlo.slice %9 [0:63, 1:19:2] : (tensor<63x90xf32>) -> tensor<63x9xf32>
  %11 = stablehlo.reverse %10, dims = [1] : tensor<63x9xf32>
  %12 = stablehlo.concatenate %11, %9, dim = 1 : (tensor<63x9xf32>, tensor<63x90xf32>) -> tensor<63x99xf32>
  %13 = stablehlo.slice %12 [0:63, 0:33:3] : (tensor<63x99xf32>) -> tensor<63x11xf32>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<63x99xf32>, tensor<63x11xf32>) -> tensor<63x110xf32>
  %15 = stablehlo.iota dim = 0 : tensor<110xi32>
  %16 = stablehlo.constant dense<9> : tensor<110xi32>
  %17 = stablehlo.subtract %15, %16 : tensor<110xi32>
  %18 = stablehlo.constant dense<17> : tensor<110xi32>
  %19 = stablehlo.constant dense<2> : tensor<110xi32>
  %20 = stablehlo.multiply %19, %15 : tensor<110xi32>
  %21 = stablehlo.subtract %18, %20 : tensor<110xi32>
  %22 = stablehlo.constant dense<3> : tensor<110xi32>
  %23 = stablehlo.constant dense<99> : tensor<110xi32>
  %24 = stablehlo.subtract %15, %23 : tensor<110xi32>
  %25 = stablehlo.multiply %22, %24 : tensor<110xi32>
  %26 = stablehlo.constant dense<17> : tensor<110xi32>
  %27 = stablehlo.constant dense<2> : tensor<110xi32>
  %28 = stablehlo.multiply %27, %25 : tensor<110xi32>
  %29 = stablehlo.subtract %26, %28 : tensor<110xi32>
  %30 = stablehlo.constant dense<9> : tensor<110xi32>
  %31 = stablehlo.subtract %25, %30 : tensor<110xi32>
  %32 = stablehlo.constant dense<9> : tensor<110xi32>
  %33 = stablehlo.compare LT, %25, %32, SIGNED : (tensor<110xi32>, tensor<110xi32>) -> tensor<110xi1>
  %34 = stablehlo.select %33, %29, %31 : tensor<110xi1>, tensor<110xi32>
  %35 = stablehlo.constant dense<9> : tensor<110xi32>
  %36 = stablehlo.compare LT, %15, %35, SIGNED : (tensor<110xi32>, tensor<110xi32>) -> tensor<110xi1>
  %37 = stablehlo.constant dense<99> : tensor<110xi32>
  %38 = stablehlo.compare GE, %15, %37, SIGNED : (tensor<110xi32>, tensor<110xi32>) -> tensor<110xi1>
  %39 = stablehlo.select %38, %34, %17 : tensor<110xi1>, tensor<110xi32>
  %40 = stablehlo.select %36, %21, %39 : tensor<110xi1>, tensor<110xi32>
  %41 = stablehlo.constant dense<1> : tensor<110xi32>
  %42 = stablehlo.multiply %40, %41 : tensor<110xi32>
  %43 = stablehlo.broadcast_in_dim %42, dims = [1] : (tensor<110xi32>) -> tensor<63x110xi32>
  %44 = stablehlo.iota dim = 0 : tensor<63xi32>
  %45 = stablehlo.constant dense<6> : tensor<63xi32>
  %46 = stablehlo.subtract %44, %45 : tensor<63xi32>
  %47 = stablehlo.constant dense<11> : tensor<63xi32>
  %48 = stablehlo.constant dense<2> : tensor<63xi32>
  %49 = stablehlo.multiply %48, %44 : tensor<63xi32>
  %50 = stablehlo.subtract %47, %49 : tensor<63xi32>
  %51 = stablehlo.constant dense<3> : tensor<63xi32>
  %52 = stablehlo.constant dense<56> : tensor<63xi32>
  %53 = stablehlo.subtract %44, %52 : tensor<63xi32>
  %54 = stablehlo.multiply %51, %53 : tensor<63xi32>
  %55 = stablehlo.constant dense<11> : tensor<63xi32>
  %56 = stablehlo.constant dense<2> : tensor<63xi32>
  %57 = stablehlo.multiply %56, %54 : tensor<63xi32>
  %58 = stablehlo.subtract %55, %57 : tensor<63xi32>
  %59 = stablehlo.constant dense<6> : tensor<63xi32>
  %60 = stablehlo.subtract %54, %59 : tensor<63xi32>
  %61 = stablehlo.constant dense<6> : tensor<63xi32>
  %62 = stablehlo.compare LT, %54, %61, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
  %63 = stablehlo.select %62, %58, %60 : tensor<63xi1>, tensor<63xi32>
  %64 = stablehlo.constant dense<6> : tensor<63xi32>
  %65 = stablehlo.compare LT, %44, %64, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
  %66 = stablehlo.constant dense<56> : tensor<63xi32>
  %67 = stablehlo.compare GE, %44, %66, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
  %68 = stablehlo.select %67, %63, %46 : tensor<63xi1>, tensor<63xi32>
  %69 = stablehlo.select %65, %50, %68 : tensor<63xi1>, tensor<63xi32>
  %70 = stablehlo.constant dense<90> : tensor<63xi32>
  %71 = stablehlo.multiply %69, %70 : tensor<63xi32>
  %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<63xi32>) -> tensor<63x110xi32>
  %73 = stablehlo.add %43, %72 : tensor<63x110xi32>
  %74 = stablehlo.convert %73 : (tensor<63x110xi32>) -> tensor<63x110xf32>
  check.expect_eq %14, %74 : tensor<63x110xf32>
  func.return
}
func.func @strided_i64() {
  %1 = stablehlo.iota dim = 0 : tensor<4500xi32>
  %2 = stablehlo.reshape %1 : (tensor<4500xi32>) -> tensor<50x90xi32>
  %3 = stablehlo.convert %2 : (tensor<50x90xi32>) -> tensor<50x90xi64>
  %4 = stablehlo.optimization_barrier %3 : tensor<50x90xi64>
  %5 = stablehlo.slice %4 [1:13:2, 0:90] : (tensor<50x90xi64>) -> tensor<6x90xi64>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<6x90xi64>
  %7 = stablehlo.concatenate %6, %4, dim = 0 : (tensor<6x90xi64>, tensor<50x90xi64>) -> tensor<56x90xi64>
  %8 = stablehlo.slice %7 [0:21:3, 0:90] : (tensor<56x90xi64>) -> tensor<7x90xi64>
  %9 = stablehlo.concatenate %7, %8, dim = 0 : (tensor<56x90xi64>, tensor<7x90xi64>) -> tensor<63x90xi64>
  %10 = stablehlo.slice %9 [0:63, 1:19:2] : (tensor<63x90xi64>) -> tensor<63x9xi64>
  %11 = stablehlo.reverse %10, dims = [1] : tensor<63x9xi64>
  %12 = stablehlo.concatenate %11, %9, dim = 1 : (tensor<63x9xi64>, tensor<63x90xi64>) -> tensor<63x99xi64>
  %13 = stablehlo.slice %12 [0:63, 0:33:3] : (tensor<63x99xi64>) -> tensor<63x11xi64>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<63x99xi64>, tensor<63x11xi64>) -> tensor<63x110xi64>
  %15 = stablehlo.iota dim = 0 : tensor<110xi32>
  %16 = stablehlo.constant dense<9> : tensor<110xi32>
  %17 = stablehlo.subtract %15, %16 : tensor<110xi32>
  %18 = stablehlo.constant dense<17> : tensor<110xi32>
  %19 = stablehlo.constant dense<2> : tensor<110xi32>
  %20 = stablehlo.multiply %19, %15 : tensor<110xi32>
  %21 = stablehlo.subtract %18, %20 : tensor<110xi32>
  %22 = stablehlo.constant dense<3> : tensor<110xi32>
  %23 = stablehlo.constant dense<99> : tensor<110xi32>
  %24 = stablehlo.subtract %15, %23 : tensor<110xi32>
  %25 = stablehlo.multiply %22, %24 : tensor<110xi32>
  %26 = stablehlo.constant dense<17> : tensor<110xi32>
  %27 = stablehlo.constant dense<2> : tensor<110xi32>
  %28 = stablehlo.multiply %27, %25 : tensor<110xi32>
  %29 = stablehlo.subtract %26, %28 : tensor<110xi32>
  %30 = stablehlo.constant dense<9> : tensor<110xi32>
  %31 = stablehlo.subtract %25, %30 : tensor<110xi32>
  %32 = stablehlo.constant dense<9> : tensor<110xi32>
  %33 = stablehlo.compare LT, %25, %32, SIGNED : (tensor<110xi32>, tensor<110xi32>) -> tensor<110xi1>
  %34 = stablehlo.select %33, %29, %31 : tensor<110xi1>, tensor<110xi32>
  %35 = stablehlo.constant dense<9> : tensor<110xi32>
  %36 = stablehlo.compare LT, %15, %35, SIGNED : (tensor<110xi32>, tensor<110xi32>) -> tensor<110xi1>
  %37 = stablehlo.constant dense<99> : tensor<110xi32>
  %38 = stablehlo.compare GE, %15, %37, SIGNED : (tensor<110xi32>, tensor<110xi32>) -> tensor<110xi1>
  %39 = stablehlo.select %38, %34, %17 : tensor<110xi1>, tensor<110xi32>
  %40 = stablehlo.select %36, %21, %39 : tensor<110xi1>, tensor<110xi32>
  %41 = stablehlo.constant dense<1> : tensor<110xi32>
  %42 = stablehlo.multiply %40, %41 : tensor<110xi32>
  %43 = stablehlo.broadcast_in_dim %42, dims = [1] : (tensor<110xi32>) -> tensor<63x110xi32>
  %44 = stablehlo.iota dim = 0 : tensor<63xi32>
  %45 = stablehlo.constant dense<6> : tensor<63xi32>
  %46 = stablehlo.subtract %44, %45 : tensor<63xi32>
  %47 = stablehlo.constant dense<11> : tensor<63xi32>
  %48 = stablehlo.constant dense<2> : tensor<63xi32>
  %49 = stablehlo.multiply %48, %44 : tensor<63xi32>
  %50 = stablehlo.subtract %47, %49 : tensor<63xi32>
  %51 = stablehlo.constant dense<3> : tensor<63xi32>
  %52 = stablehlo.constant dense<56> : tensor<63xi32>
  %53 = stablehlo.subtract %44, %52 : tensor<63xi32>
  %54 = stablehlo.multiply %51, %53 : tensor<63xi32>
  %55 = stablehlo.constant dense<11> : tensor<63xi32>
  %56 = stablehlo.constant dense<2> : tensor<63xi32>
  %57 = stablehlo.multiply %56, %54 : tensor<63xi32>
  %58 = stablehlo.subtract %55, %57 : tensor<63xi32>
  %59 = stablehlo.constant dense<6> : tensor<63xi32>
  %60 = stablehlo.subtract %54, %59 : tensor<63xi32>
  %61 = stablehlo.constant dense<6> : tensor<63xi32>
  %62 = stablehlo.compare LT, %54, %61, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
  %63 = stablehlo.select %62, %58, %60 : tensor<63xi1>, tensor<63xi32>
  %64 = stablehlo.constant dense<6> : tensor<63xi32>
  %65 = stablehlo.compare LT, %44, %64, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
  %66 = stablehlo.constant dense<56> : tensor<63xi32>
  %67 = stablehlo.compare GE, %44, %66, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
  %68 = stablehlo.select %67, %63, %46 : tensor<63xi1>, tensor<63xi32>
  %69 = stablehlo.select %65, %50, %68 : tensor<63xi1>, tensor<63xi32>
  %70 = stablehlo.constant dense<90> : tensor<63xi32>
  %71 = stablehlo.multiply %69, %70 : tensor<63xi32>
  %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<63xi32>) -> tensor<63x110xi32>
  %73 = stablehlo.add %43, %72 : tensor<63x110xi32>
  %74 = stablehlo.convert %73 : (tensor<63x110xi32>) -> tensor<63x110xi64>
  check.expect_eq %14, %74 : tensor<63x110xi64>
  func.return
}
func.func @mixed() {
  %1 = stablehlo.iota dim = 0 : tensor<12000xi32>
  %2 = stablehlo.reshape %1 : (tensor<12000xi32>) -> tensor<6x40x50xi32>
  %3 = stablehlo.convert %2 : (tensor<6x40x50xi32>) -> tensor<6x40x50xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<6x40x50xf32>
  %5 = stablehlo.slice %4 [0:6, 37:40:1, 0:50] : (tensor<6x40x50xf32>) -> tensor<6x3x50xf32>
  %6 = stablehlo.concatenate %5, %4, dim = 1 : (tensor<6x3x50xf32>, tensor<6x40x50xf32>) -> tensor<6x43x50xf32>
  %7 = stablehlo.slice %6 [0:6, 3:6:1, 0:50] : (tensor<6x43x50xf32>) -> tensor<6x3x50xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 1 : (tensor<6x43x50xf32>, tensor<6x3x50xf32>) -> tensor<6x46x50xf32>
  %9 = stablehlo.slice %8 [0:6, 0:46, 1:4:1] : (tensor<6x46x50xf32>) -> tensor<6x46x3xf32>
  %10 = stablehlo.reverse %9, dims = [2] : tensor<6x46x3xf32>
  %11 = stablehlo.concatenate %10, %8, dim = 2 : (tensor<6x46x3xf32>, tensor<6x46x50xf32>) -> tensor<6x46x53xf32>
  %12 = stablehlo.slice %11 [0:6, 0:46, 49:52:1] : (tensor<6x46x53xf32>) -> tensor<6x46x3xf32>
  %13 = stablehlo.reverse %12, dims = [2] : tensor<6x46x3xf32>
  %14 = stablehlo.concatenate %11, %13, dim = 2 : (tensor<6x46x53xf32>, tensor<6x46x3xf32>) -> tensor<6x46x56xf32>
  %15 = stablehlo.iota dim = 0 : tensor<56xi32>
  %16 = stablehlo.constant dense<3> : tensor<56xi32>
  %17 = stablehlo.subtract %15, %16 : tensor<56xi32>
  %18 = stablehlo.constant dense<49> : tensor<56xi32>
  %19 = stablehlo.constant dense<49> : tensor<56xi32>
  %20 = stablehlo.abs %17 : tensor<56xi32>
  %21 = stablehlo.subtract %19, %20 : tensor<56xi32>
  %22 = stablehlo.abs %21 : tensor<56xi32>
  %23 = stablehlo.subtract %18, %22 : tensor<56xi32>
  %24 = stablehlo.constant dense<1> : tensor<56xi32>
  %25 = stablehlo.multiply %23, %24 : tensor<56xi32>
  %26 = stablehlo.broadcast_in_dim %25, dims = [2] : (tensor<56xi32>) -> tensor<6x46x56xi32>
  %27 = stablehlo.iota dim = 0 : tensor<46xi32>
  %28 = stablehlo.constant dense<3> : tensor<46xi32>
  %29 = stablehlo.subtract %27, %28 : tensor<46xi32>
  %30 = stablehlo.constant dense<40> : tensor<46xi32>
  %31 = stablehlo.add %29, %30 : tensor<46xi32>
  %32 = stablehlo.constant dense<40> : tensor<46xi32>
  %33 = stablehlo.remainder %31, %32 : tensor<46xi32>
  %34 = stablehlo.constant dense<50> : tensor<46xi32>
  %35 = stablehlo.multiply %33, %34 : tensor<46xi32>
  %36 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<46xi32>) -> tensor<6x46x56xi32>
  %37 = stablehlo.add %26, %36 : tensor<6x46x56xi32>
  %38 = stablehlo.iota dim = 0 : tensor<6xi32>
  %39 = stablehlo.constant dense<2000> : tensor<6xi32>
  %40 = stablehlo.multiply %38, %39 : tensor<6xi32>
  %41 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<6xi32>) -> tensor<6x46x56xi32>
  %42 = stablehlo.add %37, %41 : tensor<6x46x56xi32>
  %43 = stablehlo.convert %42 : (tensor<6x46x56xi32>) -> tensor<6x46x56xf32>
  check.expect_eq %14, %43 : tensor<6x46x56xf32>
  func.return
}
