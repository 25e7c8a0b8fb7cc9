// Ops on many rows that are shorter than a vector, beside the same ops on the
// transposed arrays, whose rows are long.
func.func @reverse_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf32>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf32>) -> tensor<3x83xf32>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf32>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x3xf32>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<3x83xf32>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xf32>) -> tensor<83x3xf32>
  check.expect_eq %y, %wanted : tensor<83x3xf32>
  func.return
}

// -----

func.func @pad_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf32>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf32>) -> tensor<3x83xf32>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf32>
  %z = stablehlo.constant dense<7.0> : tensor<f32>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x3xf32>, tensor<f32>) -> tensor<170x4xf32>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<3x83xf32>, tensor<f32>) -> tensor<4x170xf32>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<4x170xf32>) -> tensor<170x4xf32>
  check.expect_eq %y, %wanted : tensor<170x4xf32>
  func.return
}

// -----

func.func @concatenate_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf32>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf32>) -> tensor<3x83xf32>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf32>
  %s = stablehlo.slice %x [0:83, 1:3] : (tensor<83x3xf32>) -> tensor<83x2xf32>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x3xf32>, tensor<83x2xf32>) -> tensor<83x5xf32>
  %st = stablehlo.slice %xb [1:3, 0:83] : (tensor<3x83xf32>) -> tensor<2x83xf32>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<3x83xf32>, tensor<2x83xf32>) -> tensor<5x83xf32>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<5x83xf32>) -> tensor<83x5xf32>
  check.expect_eq %y, %wanted : tensor<83x5xf32>
  func.return
}

// -----

func.func @slice_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf32>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf32>) -> tensor<3x83xf32>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf32>
  %y = stablehlo.slice %x [2:83:3, 0:3] : (tensor<83x3xf32>) -> tensor<27x3xf32>
  %yt = stablehlo.slice %xb [0:3, 2:83:3] : (tensor<3x83xf32>) -> tensor<3x27xf32>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x27xf32>) -> tensor<27x3xf32>
  check.expect_eq %y, %wanted : tensor<27x3xf32>
  func.return
}

// -----

func.func @center_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf32>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf32>) -> tensor<3x83xf32>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf32>
  %az = stablehlo.constant dense<0.0> : tensor<f32>
  %ar = stablehlo.reduce(%x init: %az) applies stablehlo.add across dimensions = [1] : (tensor<83x3xf32>, tensor<f32>) -> tensor<83xf32>
  %ab = stablehlo.broadcast_in_dim %ar, dims = [0] : (tensor<83xf32>) -> tensor<83x3xf32>
  %y = stablehlo.subtract %ab, %x : tensor<83x3xf32>
  %bz = stablehlo.constant dense<0.0> : tensor<f32>
  %br = stablehlo.reduce(%xb init: %bz) applies stablehlo.add across dimensions = [0] : (tensor<3x83xf32>, tensor<f32>) -> tensor<83xf32>
  %bb = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<83xf32>) -> tensor<3x83xf32>
  %yt = stablehlo.subtract %bb, %xb : tensor<3x83xf32>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xf32>) -> tensor<83x3xf32>
  check.expect_eq %y, %wanted : tensor<83x3xf32>
  func.return
}

// -----

func.func @reverse_bf16() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %x = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xbf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xbf16>) -> tensor<2x83xbf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xbf16>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x2xbf16>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<2x83xbf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<2x83xbf16>) -> tensor<83x2xbf16>
  check.expect_eq %y, %wanted : tensor<83x2xbf16>
  func.return
}

// -----

func.func @pad_bf16() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %x = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xbf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xbf16>) -> tensor<2x83xbf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xbf16>
  %z = stablehlo.constant dense<7.0> : tensor<bf16>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x2xbf16>, tensor<bf16>) -> tensor<170x3xbf16>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<2x83xbf16>, tensor<bf16>) -> tensor<3x170xbf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x170xbf16>) -> tensor<170x3xbf16>
  check.expect_eq %y, %wanted : tensor<170x3xbf16>
  func.return
}

// -----

func.func @concatenate_bf16() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %x = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xbf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xbf16>) -> tensor<2x83xbf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xbf16>
  %s = stablehlo.slice %x [0:83, 1:2] : (tensor<83x2xbf16>) -> tensor<83x1xbf16>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x2xbf16>, tensor<83x1xbf16>) -> tensor<83x3xbf16>
  %st = stablehlo.slice %xb [1:2, 0:83] : (tensor<2x83xbf16>) -> tensor<1x83xbf16>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<2x83xbf16>, tensor<1x83xbf16>) -> tensor<3x83xbf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xbf16>) -> tensor<83x3xbf16>
  check.expect_eq %y, %wanted : tensor<83x3xbf16>
  func.return
}

// -----

func.func @slice_bf16() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %x = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xbf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xbf16>) -> tensor<2x83xbf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xbf16>
  %y = stablehlo.slice %x [2:83:3, 0:2] : (tensor<83x2xbf16>) -> tensor<27x2xbf16>
  %yt = stablehlo.slice %xb [0:2, 2:83:3] : (tensor<2x83xbf16>) -> tensor<2x27xbf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<2x27xbf16>) -> tensor<27x2xbf16>
  check.expect_eq %y, %wanted : tensor<27x2xbf16>
  func.return
}

// -----

func.func @center_bf16() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %x = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xbf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xbf16>) -> tensor<2x83xbf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xbf16>
  %az = stablehlo.constant dense<0.0> : tensor<bf16>
  %ar = stablehlo.reduce(%x init: %az) applies stablehlo.add across dimensions = [1] : (tensor<83x2xbf16>, tensor<bf16>) -> tensor<83xbf16>
  %ab = stablehlo.broadcast_in_dim %ar, dims = [0] : (tensor<83xbf16>) -> tensor<83x2xbf16>
  %y = stablehlo.subtract %ab, %x : tensor<83x2xbf16>
  %bz = stablehlo.constant dense<0.0> : tensor<bf16>
  %br = stablehlo.reduce(%xb init: %bz) applies stablehlo.add across dimensions = [0] : (tensor<2x83xbf16>, tensor<bf16>) -> tensor<83xbf16>
  %bb = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<83xbf16>) -> tensor<2x83xbf16>
  %yt = stablehlo.subtract %bb, %xb : tensor<2x83xbf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<2x83xbf16>) -> tensor<83x2xbf16>
  check.expect_eq %y, %wanted : tensor<83x2xbf16>
  func.return
}

// -----

func.func @reverse_ui8() {
  %i = stablehlo.iota dim = 0 : tensor<83x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x5xi32>
  %five = stablehlo.constant dense<5> : tensor<83x5xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x5xi32>
  %k = stablehlo.add %i5, %j : tensor<83x5xi32>
  %m = stablehlo.constant dense<13> : tensor<83x5xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x5xi32>
  %x = stablehlo.convert %x32 : (tensor<83x5xi32>) -> tensor<83x5xui8>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x5xui8>) -> tensor<5x83xui8>
  %xb = stablehlo.optimization_barrier %xt : tensor<5x83xui8>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x5xui8>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<5x83xui8>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<5x83xui8>) -> tensor<83x5xui8>
  check.expect_eq %y, %wanted : tensor<83x5xui8>
  func.return
}

// -----

func.func @pad_ui8() {
  %i = stablehlo.iota dim = 0 : tensor<83x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x5xi32>
  %five = stablehlo.constant dense<5> : tensor<83x5xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x5xi32>
  %k = stablehlo.add %i5, %j : tensor<83x5xi32>
  %m = stablehlo.constant dense<13> : tensor<83x5xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x5xi32>
  %x = stablehlo.convert %x32 : (tensor<83x5xi32>) -> tensor<83x5xui8>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x5xui8>) -> tensor<5x83xui8>
  %xb = stablehlo.optimization_barrier %xt : tensor<5x83xui8>
  %z = stablehlo.constant dense<7> : tensor<ui8>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x5xui8>, tensor<ui8>) -> tensor<170x6xui8>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<5x83xui8>, tensor<ui8>) -> tensor<6x170xui8>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<6x170xui8>) -> tensor<170x6xui8>
  check.expect_eq %y, %wanted : tensor<170x6xui8>
  func.return
}

// -----

func.func @concatenate_ui8() {
  %i = stablehlo.iota dim = 0 : tensor<83x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x5xi32>
  %five = stablehlo.constant dense<5> : tensor<83x5xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x5xi32>
  %k = stablehlo.add %i5, %j : tensor<83x5xi32>
  %m = stablehlo.constant dense<13> : tensor<83x5xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x5xi32>
  %x = stablehlo.convert %x32 : (tensor<83x5xi32>) -> tensor<83x5xui8>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x5xui8>) -> tensor<5x83xui8>
  %xb = stablehlo.optimization_barrier %xt : tensor<5x83xui8>
  %s = stablehlo.slice %x [0:83, 1:5] : (tensor<83x5xui8>) -> tensor<83x4xui8>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x5xui8>, tensor<83x4xui8>) -> tensor<83x9xui8>
  %st = stablehlo.slice %xb [1:5, 0:83] : (tensor<5x83xui8>) -> tensor<4x83xui8>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<5x83xui8>, tensor<4x83xui8>) -> tensor<9x83xui8>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<9x83xui8>) -> tensor<83x9xui8>
  check.expect_eq %y, %wanted : tensor<83x9xui8>
  func.return
}

// -----

func.func @slice_ui8() {
  %i = stablehlo.iota dim = 0 : tensor<83x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x5xi32>
  %five = stablehlo.constant dense<5> : tensor<83x5xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x5xi32>
  %k = stablehlo.add %i5, %j : tensor<83x5xi32>
  %m = stablehlo.constant dense<13> : tensor<83x5xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x5xi32>
  %x = stablehlo.convert %x32 : (tensor<83x5xi32>) -> tensor<83x5xui8>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x5xui8>) -> tensor<5x83xui8>
  %xb = stablehlo.optimization_barrier %xt : tensor<5x83xui8>
  %y = stablehlo.slice %x [2:83:3, 0:5] : (tensor<83x5xui8>) -> tensor<27x5xui8>
  %yt = stablehlo.slice %xb [0:5, 2:83:3] : (tensor<5x83xui8>) -> tensor<5x27xui8>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<5x27xui8>) -> tensor<27x5xui8>
  check.expect_eq %y, %wanted : tensor<27x5xui8>
  func.return
}

// -----

func.func @center_ui8() {
  %i = stablehlo.iota dim = 0 : tensor<83x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x5xi32>
  %five = stablehlo.constant dense<5> : tensor<83x5xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x5xi32>
  %k = stablehlo.add %i5, %j : tensor<83x5xi32>
  %m = stablehlo.constant dense<13> : tensor<83x5xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x5xi32>
  %x = stablehlo.convert %x32 : (tensor<83x5xi32>) -> tensor<83x5xui8>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x5xui8>) -> tensor<5x83xui8>
  %xb = stablehlo.optimization_barrier %xt : tensor<5x83xui8>
  %az = stablehlo.constant dense<0> : tensor<ui8>
  %ar = stablehlo.reduce(%x init: %az) applies stablehlo.add across dimensions = [1] : (tensor<83x5xui8>, tensor<ui8>) -> tensor<83xui8>
  %ab = stablehlo.broadcast_in_dim %ar, dims = [0] : (tensor<83xui8>) -> tensor<83x5xui8>
  %y = stablehlo.subtract %ab, %x : tensor<83x5xui8>
  %bz = stablehlo.constant dense<0> : tensor<ui8>
  %br = stablehlo.reduce(%xb init: %bz) applies stablehlo.add across dimensions = [0] : (tensor<5x83xui8>, tensor<ui8>) -> tensor<83xui8>
  %bb = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<83xui8>) -> tensor<5x83xui8>
  %yt = stablehlo.subtract %bb, %xb : tensor<5x83xui8>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<5x83xui8>) -> tensor<83x5xui8>
  check.expect_eq %y, %wanted : tensor<83x5xui8>
  func.return
}

// -----

func.func @reverse_i1() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %six = stablehlo.constant dense<6> : tensor<83x3xi32>
  %x = stablehlo.compare LT, %x32, %six : (tensor<83x3xi32>, tensor<83x3xi32>) -> tensor<83x3xi1>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xi1>) -> tensor<3x83xi1>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xi1>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x3xi1>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<3x83xi1>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xi1>) -> tensor<83x3xi1>
  check.expect_eq %y, %wanted : tensor<83x3xi1>
  func.return
}

// -----

func.func @pad_i1() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %six = stablehlo.constant dense<6> : tensor<83x3xi32>
  %x = stablehlo.compare LT, %x32, %six : (tensor<83x3xi32>, tensor<83x3xi32>) -> tensor<83x3xi1>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xi1>) -> tensor<3x83xi1>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xi1>
  %z = stablehlo.constant dense<false> : tensor<i1>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x3xi1>, tensor<i1>) -> tensor<170x4xi1>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<3x83xi1>, tensor<i1>) -> tensor<4x170xi1>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<4x170xi1>) -> tensor<170x4xi1>
  check.expect_eq %y, %wanted : tensor<170x4xi1>
  func.return
}

// -----

func.func @concatenate_i1() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %six = stablehlo.constant dense<6> : tensor<83x3xi32>
  %x = stablehlo.compare LT, %x32, %six : (tensor<83x3xi32>, tensor<83x3xi32>) -> tensor<83x3xi1>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xi1>) -> tensor<3x83xi1>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xi1>
  %s = stablehlo.slice %x [0:83, 1:3] : (tensor<83x3xi1>) -> tensor<83x2xi1>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x3xi1>, tensor<83x2xi1>) -> tensor<83x5xi1>
  %st = stablehlo.slice %xb [1:3, 0:83] : (tensor<3x83xi1>) -> tensor<2x83xi1>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<3x83xi1>, tensor<2x83xi1>) -> tensor<5x83xi1>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<5x83xi1>) -> tensor<83x5xi1>
  check.expect_eq %y, %wanted : tensor<83x5xi1>
  func.return
}

// -----

func.func @slice_i1() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %six = stablehlo.constant dense<6> : tensor<83x3xi32>
  %x = stablehlo.compare LT, %x32, %six : (tensor<83x3xi32>, tensor<83x3xi32>) -> tensor<83x3xi1>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xi1>) -> tensor<3x83xi1>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xi1>
  %y = stablehlo.slice %x [2:83:3, 0:3] : (tensor<83x3xi1>) -> tensor<27x3xi1>
  %yt = stablehlo.slice %xb [0:3, 2:83:3] : (tensor<3x83xi1>) -> tensor<3x27xi1>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x27xi1>) -> tensor<27x3xi1>
  check.expect_eq %y, %wanted : tensor<27x3xi1>
  func.return
}

// -----

func.func @reverse_f64() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf64>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf64>) -> tensor<3x83xf64>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf64>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x3xf64>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<3x83xf64>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xf64>) -> tensor<83x3xf64>
  check.expect_eq %y, %wanted : tensor<83x3xf64>
  func.return
}

// -----

func.func @pad_f64() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf64>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf64>) -> tensor<3x83xf64>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf64>
  %z = stablehlo.constant dense<7.0> : tensor<f64>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x3xf64>, tensor<f64>) -> tensor<170x4xf64>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<3x83xf64>, tensor<f64>) -> tensor<4x170xf64>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<4x170xf64>) -> tensor<170x4xf64>
  check.expect_eq %y, %wanted : tensor<170x4xf64>
  func.return
}

// -----

func.func @concatenate_f64() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf64>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf64>) -> tensor<3x83xf64>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf64>
  %s = stablehlo.slice %x [0:83, 1:3] : (tensor<83x3xf64>) -> tensor<83x2xf64>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x3xf64>, tensor<83x2xf64>) -> tensor<83x5xf64>
  %st = stablehlo.slice %xb [1:3, 0:83] : (tensor<3x83xf64>) -> tensor<2x83xf64>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<3x83xf64>, tensor<2x83xf64>) -> tensor<5x83xf64>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<5x83xf64>) -> tensor<83x5xf64>
  check.expect_eq %y, %wanted : tensor<83x5xf64>
  func.return
}

// -----

func.func @slice_f64() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf64>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf64>) -> tensor<3x83xf64>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf64>
  %y = stablehlo.slice %x [2:83:3, 0:3] : (tensor<83x3xf64>) -> tensor<27x3xf64>
  %yt = stablehlo.slice %xb [0:3, 2:83:3] : (tensor<3x83xf64>) -> tensor<3x27xf64>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x27xf64>) -> tensor<27x3xf64>
  check.expect_eq %y, %wanted : tensor<27x3xf64>
  func.return
}

// -----

func.func @center_f64() {
  %i = stablehlo.iota dim = 0 : tensor<83x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x3xi32>
  %five = stablehlo.constant dense<5> : tensor<83x3xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x3xi32>
  %k = stablehlo.add %i5, %j : tensor<83x3xi32>
  %m = stablehlo.constant dense<13> : tensor<83x3xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x3xi32>
  %x = stablehlo.convert %x32 : (tensor<83x3xi32>) -> tensor<83x3xf64>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x3xf64>) -> tensor<3x83xf64>
  %xb = stablehlo.optimization_barrier %xt : tensor<3x83xf64>
  %az = stablehlo.constant dense<0.0> : tensor<f64>
  %ar = stablehlo.reduce(%x init: %az) applies stablehlo.add across dimensions = [1] : (tensor<83x3xf64>, tensor<f64>) -> tensor<83xf64>
  %ab = stablehlo.broadcast_in_dim %ar, dims = [0] : (tensor<83xf64>) -> tensor<83x3xf64>
  %y = stablehlo.subtract %ab, %x : tensor<83x3xf64>
  %bz = stablehlo.constant dense<0.0> : tensor<f64>
  %br = stablehlo.reduce(%xb init: %bz) applies stablehlo.add across dimensions = [0] : (tensor<3x83xf64>, tensor<f64>) -> tensor<83xf64>
  %bb = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<83xf64>) -> tensor<3x83xf64>
  %yt = stablehlo.subtract %bb, %xb : tensor<3x83xf64>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xf64>) -> tensor<83x3xf64>
  check.expect_eq %y, %wanted : tensor<83x3xf64>
  func.return
}

// -----

func.func @reverse_complex_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %re = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %im = stablehlo.convert %j : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %x = stablehlo.complex %re, %im : tensor<83x2xcomplex<f32>>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xcomplex<f32>>) -> tensor<2x83xcomplex<f32>>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xcomplex<f32>>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x2xcomplex<f32>>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<2x83xcomplex<f32>>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<2x83xcomplex<f32>>) -> tensor<83x2xcomplex<f32>>
  check.expect_eq %y, %wanted : tensor<83x2xcomplex<f32>>
  func.return
}

// -----

func.func @pad_complex_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %re = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %im = stablehlo.convert %j : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %x = stablehlo.complex %re, %im : tensor<83x2xcomplex<f32>>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xcomplex<f32>>) -> tensor<2x83xcomplex<f32>>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xcomplex<f32>>
  %z = stablehlo.constant dense<(7.0, 1.0)> : tensor<complex<f32>>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<170x3xcomplex<f32>>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<2x83xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x170xcomplex<f32>>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x170xcomplex<f32>>) -> tensor<170x3xcomplex<f32>>
  check.expect_eq %y, %wanted : tensor<170x3xcomplex<f32>>
  func.return
}

// -----

func.func @concatenate_complex_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %re = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %im = stablehlo.convert %j : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %x = stablehlo.complex %re, %im : tensor<83x2xcomplex<f32>>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xcomplex<f32>>) -> tensor<2x83xcomplex<f32>>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xcomplex<f32>>
  %s = stablehlo.slice %x [0:83, 1:2] : (tensor<83x2xcomplex<f32>>) -> tensor<83x1xcomplex<f32>>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x2xcomplex<f32>>, tensor<83x1xcomplex<f32>>) -> tensor<83x3xcomplex<f32>>
  %st = stablehlo.slice %xb [1:2, 0:83] : (tensor<2x83xcomplex<f32>>) -> tensor<1x83xcomplex<f32>>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<2x83xcomplex<f32>>, tensor<1x83xcomplex<f32>>) -> tensor<3x83xcomplex<f32>>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x83xcomplex<f32>>) -> tensor<83x3xcomplex<f32>>
  check.expect_eq %y, %wanted : tensor<83x3xcomplex<f32>>
  func.return
}

// -----

func.func @slice_complex_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %re = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %im = stablehlo.convert %j : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %x = stablehlo.complex %re, %im : tensor<83x2xcomplex<f32>>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xcomplex<f32>>) -> tensor<2x83xcomplex<f32>>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xcomplex<f32>>
  %y = stablehlo.slice %x [2:83:3, 0:2] : (tensor<83x2xcomplex<f32>>) -> tensor<27x2xcomplex<f32>>
  %yt = stablehlo.slice %xb [0:2, 2:83:3] : (tensor<2x83xcomplex<f32>>) -> tensor<2x27xcomplex<f32>>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<2x27xcomplex<f32>>) -> tensor<27x2xcomplex<f32>>
  check.expect_eq %y, %wanted : tensor<27x2xcomplex<f32>>
  func.return
}

// -----

func.func @center_complex_f32() {
  %i = stablehlo.iota dim = 0 : tensor<83x2xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x2xi32>
  %five = stablehlo.constant dense<5> : tensor<83x2xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x2xi32>
  %k = stablehlo.add %i5, %j : tensor<83x2xi32>
  %m = stablehlo.constant dense<13> : tensor<83x2xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x2xi32>
  %re = stablehlo.convert %x32 : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %im = stablehlo.convert %j : (tensor<83x2xi32>) -> tensor<83x2xf32>
  %x = stablehlo.complex %re, %im : tensor<83x2xcomplex<f32>>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x2xcomplex<f32>>) -> tensor<2x83xcomplex<f32>>
  %xb = stablehlo.optimization_barrier %xt : tensor<2x83xcomplex<f32>>
  %az = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %ar = stablehlo.reduce(%x init: %az) applies stablehlo.add across dimensions = [1] : (tensor<83x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<83xcomplex<f32>>
  %ab = stablehlo.broadcast_in_dim %ar, dims = [0] : (tensor<83xcomplex<f32>>) -> tensor<83x2xcomplex<f32>>
  %y = stablehlo.subtract %ab, %x : tensor<83x2xcomplex<f32>>
  %bz = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %br = stablehlo.reduce(%xb init: %bz) applies stablehlo.add across dimensions = [0] : (tensor<2x83xcomplex<f32>>, tensor<complex<f32>>) -> tensor<83xcomplex<f32>>
  %bb = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<83xcomplex<f32>>) -> tensor<2x83xcomplex<f32>>
  %yt = stablehlo.subtract %bb, %xb : tensor<2x83xcomplex<f32>>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<2x83xcomplex<f32>>) -> tensor<83x2xcomplex<f32>>
  check.expect_eq %y, %wanted : tensor<83x2xcomplex<f32>>
  func.return
}

// -----

func.func @reverse_f16() {
  %i = stablehlo.iota dim = 0 : tensor<83x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x7xi32>
  %five = stablehlo.constant dense<5> : tensor<83x7xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x7xi32>
  %k = stablehlo.add %i5, %j : tensor<83x7xi32>
  %m = stablehlo.constant dense<13> : tensor<83x7xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x7xi32>
  %x = stablehlo.convert %x32 : (tensor<83x7xi32>) -> tensor<83x7xf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x7xf16>) -> tensor<7x83xf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<7x83xf16>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<83x7xf16>
  %yt = stablehlo.reverse %xb, dims = [0, 1] : tensor<7x83xf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<7x83xf16>) -> tensor<83x7xf16>
  check.expect_eq %y, %wanted : tensor<83x7xf16>
  func.return
}

// -----

func.func @pad_f16() {
  %i = stablehlo.iota dim = 0 : tensor<83x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x7xi32>
  %five = stablehlo.constant dense<5> : tensor<83x7xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x7xi32>
  %k = stablehlo.add %i5, %j : tensor<83x7xi32>
  %m = stablehlo.constant dense<13> : tensor<83x7xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x7xi32>
  %x = stablehlo.convert %x32 : (tensor<83x7xi32>) -> tensor<83x7xf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x7xf16>) -> tensor<7x83xf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<7x83xf16>
  %z = stablehlo.constant dense<7.0> : tensor<f16>
  %y = stablehlo.pad %x, %z, low = [2, 1], high = [3, 0], interior = [1, 0] : (tensor<83x7xf16>, tensor<f16>) -> tensor<170x8xf16>
  %yt = stablehlo.pad %xb, %z, low = [1, 2], high = [0, 3], interior = [0, 1] : (tensor<7x83xf16>, tensor<f16>) -> tensor<8x170xf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<8x170xf16>) -> tensor<170x8xf16>
  check.expect_eq %y, %wanted : tensor<170x8xf16>
  func.return
}

// -----

func.func @concatenate_f16() {
  %i = stablehlo.iota dim = 0 : tensor<83x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x7xi32>
  %five = stablehlo.constant dense<5> : tensor<83x7xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x7xi32>
  %k = stablehlo.add %i5, %j : tensor<83x7xi32>
  %m = stablehlo.constant dense<13> : tensor<83x7xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x7xi32>
  %x = stablehlo.convert %x32 : (tensor<83x7xi32>) -> tensor<83x7xf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x7xf16>) -> tensor<7x83xf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<7x83xf16>
  %s = stablehlo.slice %x [0:83, 1:7] : (tensor<83x7xf16>) -> tensor<83x6xf16>
  %y = stablehlo.concatenate %x, %s, dim = 1 : (tensor<83x7xf16>, tensor<83x6xf16>) -> tensor<83x13xf16>
  %st = stablehlo.slice %xb [1:7, 0:83] : (tensor<7x83xf16>) -> tensor<6x83xf16>
  %yt = stablehlo.concatenate %xb, %st, dim = 0 : (tensor<7x83xf16>, tensor<6x83xf16>) -> tensor<13x83xf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<13x83xf16>) -> tensor<83x13xf16>
  check.expect_eq %y, %wanted : tensor<83x13xf16>
  func.return
}

// -----

func.func @slice_f16() {
  %i = stablehlo.iota dim = 0 : tensor<83x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x7xi32>
  %five = stablehlo.constant dense<5> : tensor<83x7xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x7xi32>
  %k = stablehlo.add %i5, %j : tensor<83x7xi32>
  %m = stablehlo.constant dense<13> : tensor<83x7xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x7xi32>
  %x = stablehlo.convert %x32 : (tensor<83x7xi32>) -> tensor<83x7xf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x7xf16>) -> tensor<7x83xf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<7x83xf16>
  %y = stablehlo.slice %x [2:83:3, 0:7] : (tensor<83x7xf16>) -> tensor<27x7xf16>
  %yt = stablehlo.slice %xb [0:7, 2:83:3] : (tensor<7x83xf16>) -> tensor<7x27xf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<7x27xf16>) -> tensor<27x7xf16>
  check.expect_eq %y, %wanted : tensor<27x7xf16>
  func.return
}

// -----

func.func @center_f16() {
  %i = stablehlo.iota dim = 0 : tensor<83x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<83x7xi32>
  %five = stablehlo.constant dense<5> : tensor<83x7xi32>
  %i5 = stablehlo.multiply %i, %five : tensor<83x7xi32>
  %k = stablehlo.add %i5, %j : tensor<83x7xi32>
  %m = stablehlo.constant dense<13> : tensor<83x7xi32>
  %x32 = stablehlo.remainder %k, %m : tensor<83x7xi32>
  %x = stablehlo.convert %x32 : (tensor<83x7xi32>) -> tensor<83x7xf16>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<83x7xf16>) -> tensor<7x83xf16>
  %xb = stablehlo.optimization_barrier %xt : tensor<7x83xf16>
  %az = stablehlo.constant dense<0.0> : tensor<f16>
  %ar = stablehlo.reduce(%x init: %az) applies stablehlo.add across dimensions = [1] : (tensor<83x7xf16>, tensor<f16>) -> tensor<83xf16>
  %ab = stablehlo.broadcast_in_dim %ar, dims = [0] : (tensor<83xf16>) -> tensor<83x7xf16>
  %y = stablehlo.subtract %ab, %x : tensor<83x7xf16>
  %bz = stablehlo.constant dense<0.0> : tensor<f16>
  %br = stablehlo.reduce(%xb init: %bz) applies stablehlo.add across dimensions = [0] : (tensor<7x83xf16>, tensor<f16>) -> tensor<83xf16>
  %bb = stablehlo.broadcast_in_dim %br, dims = [1] : (tensor<83xf16>) -> tensor<7x83xf16>
  %yt = stablehlo.subtract %bb, %xb : tensor<7x83xf16>
  %wanted = stablehlo.transpose %yt, dims = [1, 0] : (tensor<7x83xf16>) -> tensor<83x7xf16>
  check.expect_eq %y, %wanted : tensor<83x7xf16>
  func.return
}
