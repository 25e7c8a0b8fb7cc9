// Bilinear sampling: gathers whose indices are the same for all channels, which
// a loop around each vector computes once. The image is a linear function of its
// indices, hence so are the samples.

func.func @wide() {
  %xc = stablehlo.iota dim = 0 : tensor<5x7x11xf32>
  %xy = stablehlo.iota dim = 1 : tensor<5x7x11xf32>
  %xx = stablehlo.iota dim = 2 : tensor<5x7x11xf32>
  %k16 = stablehlo.constant dense<16.0> : tensor<5x7x11xf32>
  %x0 = stablehlo.multiply %xc, %k16 : tensor<5x7x11xf32>
  %k4 = stablehlo.constant dense<4.0> : tensor<5x7x11xf32>
  %x1 = stablehlo.multiply %xy, %k4 : tensor<5x7x11xf32>
  %x2 = stablehlo.add %x0, %x1 : tensor<5x7x11xf32>
  %x3 = stablehlo.add %x2, %xx : tensor<5x7x11xf32>
  %x4 = stablehlo.convert %x3 : (tensor<5x7x11xf32>) -> tensor<5x7x11xf32>
  %iy = stablehlo.iota dim = 0 : tensor<3x37xf32>
  %ix = stablehlo.iota dim = 1 : tensor<3x37xf32>
  %s0 = stablehlo.constant dense<0.25> : tensor<3x37xf32>
  %my = stablehlo.constant dense<5.75> : tensor<3x37xf32>
  %mx = stablehlo.constant dense<9.75> : tensor<3x37xf32>
  %sy0 = stablehlo.multiply %iy, %s0 : tensor<3x37xf32>
  %sy1 = stablehlo.minimum %sy0, %my : tensor<3x37xf32>
  %sx0 = stablehlo.multiply %ix, %s0 : tensor<3x37xf32>
  %sx1 = stablehlo.minimum %sx0, %mx : tensor<3x37xf32>
  %image, %sy, %sx = stablehlo.optimization_barrier %x4, %sy1, %sx1 : tensor<5x7x11xf32>, tensor<3x37xf32>, tensor<3x37xf32>
  %fy = stablehlo.floor %sy : tensor<3x37xf32>
  %fx = stablehlo.floor %sx : tensor<3x37xf32>
  %wy = stablehlo.subtract %sy, %fy : tensor<3x37xf32>
  %wx = stablehlo.subtract %sx, %fx : tensor<3x37xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3x37xf32>
  %vy = stablehlo.subtract %one, %wy : tensor<3x37xf32>
  %vx = stablehlo.subtract %one, %wx : tensor<3x37xf32>
  %gy = stablehlo.add %fy, %one : tensor<3x37xf32>
  %gx = stablehlo.add %fx, %one : tensor<3x37xf32>
  %iy0 = stablehlo.convert %fy : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %ry0 = stablehlo.reshape %iy0 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %ix0 = stablehlo.convert %fx : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %rx0 = stablehlo.reshape %ix0 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %at0 = stablehlo.concatenate %ry0, %rx0, dim = 2 : (tensor<3x37x1xi32>, tensor<3x37x1xi32>) -> tensor<3x37x2xi32>
  %g0 = "stablehlo.gather"(%image, %at0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x7x11xf32>, tensor<3x37x2xi32>) -> tensor<5x3x37xf32>
  %f0 = stablehlo.multiply %vy, %vx : tensor<3x37xf32>
  %h0 = stablehlo.convert %f0 : (tensor<3x37xf32>) -> tensor<3x37xf32>
  %b0 = stablehlo.broadcast_in_dim %h0, dims = [1, 2] : (tensor<3x37xf32>) -> tensor<5x3x37xf32>
  %t0 = stablehlo.multiply %g0, %b0 : tensor<5x3x37xf32>
  %iy1 = stablehlo.convert %fy : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %ry1 = stablehlo.reshape %iy1 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %ix1 = stablehlo.convert %gx : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %rx1 = stablehlo.reshape %ix1 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %at1 = stablehlo.concatenate %ry1, %rx1, dim = 2 : (tensor<3x37x1xi32>, tensor<3x37x1xi32>) -> tensor<3x37x2xi32>
  %g1 = "stablehlo.gather"(%image, %at1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x7x11xf32>, tensor<3x37x2xi32>) -> tensor<5x3x37xf32>
  %f1 = stablehlo.multiply %vy, %wx : tensor<3x37xf32>
  %h1 = stablehlo.convert %f1 : (tensor<3x37xf32>) -> tensor<3x37xf32>
  %b1 = stablehlo.broadcast_in_dim %h1, dims = [1, 2] : (tensor<3x37xf32>) -> tensor<5x3x37xf32>
  %t1 = stablehlo.multiply %g1, %b1 : tensor<5x3x37xf32>
  %iy2 = stablehlo.convert %gy : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %ry2 = stablehlo.reshape %iy2 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %ix2 = stablehlo.convert %fx : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %rx2 = stablehlo.reshape %ix2 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %at2 = stablehlo.concatenate %ry2, %rx2, dim = 2 : (tensor<3x37x1xi32>, tensor<3x37x1xi32>) -> tensor<3x37x2xi32>
  %g2 = "stablehlo.gather"(%image, %at2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x7x11xf32>, tensor<3x37x2xi32>) -> tensor<5x3x37xf32>
  %f2 = stablehlo.multiply %wy, %vx : tensor<3x37xf32>
  %h2 = stablehlo.convert %f2 : (tensor<3x37xf32>) -> tensor<3x37xf32>
  %b2 = stablehlo.broadcast_in_dim %h2, dims = [1, 2] : (tensor<3x37xf32>) -> tensor<5x3x37xf32>
  %t2 = stablehlo.multiply %g2, %b2 : tensor<5x3x37xf32>
  %iy3 = stablehlo.convert %gy : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %ry3 = stablehlo.reshape %iy3 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %ix3 = stablehlo.convert %gx : (tensor<3x37xf32>) -> tensor<3x37xi32>
  %rx3 = stablehlo.reshape %ix3 : (tensor<3x37xi32>) -> tensor<3x37x1xi32>
  %at3 = stablehlo.concatenate %ry3, %rx3, dim = 2 : (tensor<3x37x1xi32>, tensor<3x37x1xi32>) -> tensor<3x37x2xi32>
  %g3 = "stablehlo.gather"(%image, %at3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1, 1>}> : (tensor<5x7x11xf32>, tensor<3x37x2xi32>) -> tensor<5x3x37xf32>
  %f3 = stablehlo.multiply %wy, %wx : tensor<3x37xf32>
  %h3 = stablehlo.convert %f3 : (tensor<3x37xf32>) -> tensor<3x37xf32>
  %b3 = stablehlo.broadcast_in_dim %h3, dims = [1, 2] : (tensor<3x37xf32>) -> tensor<5x3x37xf32>
  %t3 = stablehlo.multiply %g3, %b3 : tensor<5x3x37xf32>
  %a1 = stablehlo.add %t0, %t1 : tensor<5x3x37xf32>
  %a2 = stablehlo.add %a1, %t2 : tensor<5x3x37xf32>
  %a3 = stablehlo.add %a2, %t3 : tensor<5x3x37xf32>
  %rf = stablehlo.convert %a3 : (tensor<5x3x37xf32>) -> tensor<5x3x37xf32>
  %zc = stablehlo.iota dim = 0 : tensor<5x3x37xf32>
  %z16 = stablehlo.constant dense<16.0> : tensor<5x3x37xf32>
  %z0 = stablehlo.multiply %zc, %z16 : tensor<5x3x37xf32>
  %c4 = stablehlo.constant dense<4.0> : tensor<3x37xf32>
  %z1 = stablehlo.multiply %sy, %c4 : tensor<3x37xf32>
  %z2 = stablehlo.add %z1, %sx : tensor<3x37xf32>
  %z3 = stablehlo.broadcast_in_dim %z2, dims = [1, 2] : (tensor<3x37xf32>) -> tensor<5x3x37xf32>
  %z4 = stablehlo.add %z0, %z3 : tensor<5x3x37xf32>
  check.expect_eq %rf, %z4 : tensor<5x3x37xf32>
  func.return
}

func.func @long_rows() {
  %xc = stablehlo.iota dim = 0 : tensor<64x9x12xf32>
  %xy = stablehlo.iota dim = 1 : tensor<64x9x12xf32>
  %xx = stablehlo.iota dim = 2 : tensor<64x9x12xf32>
  %k16 = stablehlo.constant dense<16.0> : tensor<64x9x12xf32>
  %x0 = stablehlo.multiply %xc, %k16 : tensor<64x9x12xf32>
  %k4 = stablehlo.constant dense<4.0> : tensor<64x9x12xf32>
  %x1 = stablehlo.multiply %xy, %k4 : tensor<64x9x12xf32>
  %x2 = stablehlo.add %x0, %x1 : tensor<64x9x12xf32>
  %x3 = stablehlo.add %x2, %xx : tensor<64x9x12xf32>
  %x4 = stablehlo.convert %x3 : (tensor<64x9x12xf32>) -> tensor<64x9x12xf32>
  %iy = stablehlo.iota dim = 0 : tensor<8x64xf32>
  %ix = stablehlo.iota dim = 1 : tensor<8x64xf32>
  %s0 = stablehlo.constant dense<0.25> : tensor<8x64xf32>
  %my = stablehlo.constant dense<7.75> : tensor<8x64xf32>
  %mx = stablehlo.constant dense<10.75> : tensor<8x64xf32>
  %sy0 = stablehlo.multiply %iy, %s0 : tensor<8x64xf32>
  %sy1 = stablehlo.minimum %sy0, %my : tensor<8x64xf32>
  %sx0 = stablehlo.multiply %ix, %s0 : tensor<8x64xf32>
  %sx1 = stablehlo.minimum %sx0, %mx : tensor<8x64xf32>
  %image, %sy, %sx = stablehlo.optimization_barrier %x4, %sy1, %sx1 : tensor<64x9x12xf32>, tensor<8x64xf32>, tensor<8x64xf32>
  %fy = stablehlo.floor %sy : tensor<8x64xf32>
  %fx = stablehlo.floor %sx : tensor<8x64xf32>
  %wy = stablehlo.subtract %sy, %fy : tensor<8x64xf32>
  %wx = stablehlo.subtract %sx, %fx : tensor<8x64xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x64xf32>
  %vy = stablehlo.subtract %one, %wy : tensor<8x64xf32>
  %vx = stablehlo.subtract %one, %wx : tensor<8x64xf32>
  %gy = stablehlo.add %fy, %one : tensor<8x64xf32>
  %gx = stablehlo.add %fx, %one : tensor<8x64xf32>
  %iy0 = stablehlo.convert %fy : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %ry0 = stablehlo.reshape %iy0 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %ix0 = stablehlo.convert %fx : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %rx0 = stablehlo.reshape %ix0 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %at0 = stablehlo.concatenate %ry0, %rx0, dim = 2 : (tensor<8x64x1xi32>, tensor<8x64x1xi32>) -> tensor<8x64x2xi32>
  %g0 = "stablehlo.gather"(%image, %at0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 64, 1, 1>}> : (tensor<64x9x12xf32>, tensor<8x64x2xi32>) -> tensor<64x8x64xf32>
  %f0 = stablehlo.multiply %vy, %vx : tensor<8x64xf32>
  %h0 = stablehlo.convert %f0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %b0 = stablehlo.broadcast_in_dim %h0, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<64x8x64xf32>
  %t0 = stablehlo.multiply %g0, %b0 : tensor<64x8x64xf32>
  %iy1 = stablehlo.convert %fy : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %ry1 = stablehlo.reshape %iy1 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %ix1 = stablehlo.convert %gx : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %rx1 = stablehlo.reshape %ix1 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %at1 = stablehlo.concatenate %ry1, %rx1, dim = 2 : (tensor<8x64x1xi32>, tensor<8x64x1xi32>) -> tensor<8x64x2xi32>
  %g1 = "stablehlo.gather"(%image, %at1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 64, 1, 1>}> : (tensor<64x9x12xf32>, tensor<8x64x2xi32>) -> tensor<64x8x64xf32>
  %f1 = stablehlo.multiply %vy, %wx : tensor<8x64xf32>
  %h1 = stablehlo.convert %f1 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %b1 = stablehlo.broadcast_in_dim %h1, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<64x8x64xf32>
  %t1 = stablehlo.multiply %g1, %b1 : tensor<64x8x64xf32>
  %iy2 = stablehlo.convert %gy : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %ry2 = stablehlo.reshape %iy2 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %ix2 = stablehlo.convert %fx : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %rx2 = stablehlo.reshape %ix2 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %at2 = stablehlo.concatenate %ry2, %rx2, dim = 2 : (tensor<8x64x1xi32>, tensor<8x64x1xi32>) -> tensor<8x64x2xi32>
  %g2 = "stablehlo.gather"(%image, %at2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 64, 1, 1>}> : (tensor<64x9x12xf32>, tensor<8x64x2xi32>) -> tensor<64x8x64xf32>
  %f2 = stablehlo.multiply %wy, %vx : tensor<8x64xf32>
  %h2 = stablehlo.convert %f2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %b2 = stablehlo.broadcast_in_dim %h2, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<64x8x64xf32>
  %t2 = stablehlo.multiply %g2, %b2 : tensor<64x8x64xf32>
  %iy3 = stablehlo.convert %gy : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %ry3 = stablehlo.reshape %iy3 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %ix3 = stablehlo.convert %gx : (tensor<8x64xf32>) -> tensor<8x64xi32>
  %rx3 = stablehlo.reshape %ix3 : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
  %at3 = stablehlo.concatenate %ry3, %rx3, dim = 2 : (tensor<8x64x1xi32>, tensor<8x64x1xi32>) -> tensor<8x64x2xi32>
  %g3 = "stablehlo.gather"(%image, %at3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 64, 1, 1>}> : (tensor<64x9x12xf32>, tensor<8x64x2xi32>) -> tensor<64x8x64xf32>
  %f3 = stablehlo.multiply %wy, %wx : tensor<8x64xf32>
  %h3 = stablehlo.convert %f3 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %b3 = stablehlo.broadcast_in_dim %h3, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<64x8x64xf32>
  %t3 = stablehlo.multiply %g3, %b3 : tensor<64x8x64xf32>
  %a1 = stablehlo.add %t0, %t1 : tensor<64x8x64xf32>
  %a2 = stablehlo.add %a1, %t2 : tensor<64x8x64xf32>
  %a3 = stablehlo.add %a2, %t3 : tensor<64x8x64xf32>
  %rf = stablehlo.convert %a3 : (tensor<64x8x64xf32>) -> tensor<64x8x64xf32>
  %zc = stablehlo.iota dim = 0 : tensor<64x8x64xf32>
  %z16 = stablehlo.constant dense<16.0> : tensor<64x8x64xf32>
  %z0 = stablehlo.multiply %zc, %z16 : tensor<64x8x64xf32>
  %c4 = stablehlo.constant dense<4.0> : tensor<8x64xf32>
  %z1 = stablehlo.multiply %sy, %c4 : tensor<8x64xf32>
  %z2 = stablehlo.add %z1, %sx : tensor<8x64xf32>
  %z3 = stablehlo.broadcast_in_dim %z2, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<64x8x64xf32>
  %z4 = stablehlo.add %z0, %z3 : tensor<64x8x64xf32>
  check.expect_eq %rf, %z4 : tensor<64x8x64xf32>
  func.return
}

func.func @halves() {
  %xc = stablehlo.iota dim = 0 : tensor<6x5x6xf32>
  %xy = stablehlo.iota dim = 1 : tensor<6x5x6xf32>
  %xx = stablehlo.iota dim = 2 : tensor<6x5x6xf32>
  %k16 = stablehlo.constant dense<16.0> : tensor<6x5x6xf32>
  %x0 = stablehlo.multiply %xc, %k16 : tensor<6x5x6xf32>
  %k4 = stablehlo.constant dense<4.0> : tensor<6x5x6xf32>
  %x1 = stablehlo.multiply %xy, %k4 : tensor<6x5x6xf32>
  %x2 = stablehlo.add %x0, %x1 : tensor<6x5x6xf32>
  %x3 = stablehlo.add %x2, %xx : tensor<6x5x6xf32>
  %x4 = stablehlo.convert %x3 : (tensor<6x5x6xf32>) -> tensor<6x5x6xf16>
  %iy = stablehlo.iota dim = 0 : tensor<4x40xf32>
  %ix = stablehlo.iota dim = 1 : tensor<4x40xf32>
  %s0 = stablehlo.constant dense<0.25> : tensor<4x40xf32>
  %my = stablehlo.constant dense<3.75> : tensor<4x40xf32>
  %mx = stablehlo.constant dense<4.75> : tensor<4x40xf32>
  %sy0 = stablehlo.multiply %iy, %s0 : tensor<4x40xf32>
  %sy1 = stablehlo.minimum %sy0, %my : tensor<4x40xf32>
  %sx0 = stablehlo.multiply %ix, %s0 : tensor<4x40xf32>
  %sx1 = stablehlo.minimum %sx0, %mx : tensor<4x40xf32>
  %image, %sy, %sx = stablehlo.optimization_barrier %x4, %sy1, %sx1 : tensor<6x5x6xf16>, tensor<4x40xf32>, tensor<4x40xf32>
  %fy = stablehlo.floor %sy : tensor<4x40xf32>
  %fx = stablehlo.floor %sx : tensor<4x40xf32>
  %wy = stablehlo.subtract %sy, %fy : tensor<4x40xf32>
  %wx = stablehlo.subtract %sx, %fx : tensor<4x40xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x40xf32>
  %vy = stablehlo.subtract %one, %wy : tensor<4x40xf32>
  %vx = stablehlo.subtract %one, %wx : tensor<4x40xf32>
  %gy = stablehlo.add %fy, %one : tensor<4x40xf32>
  %gx = stablehlo.add %fx, %one : tensor<4x40xf32>
  %iy0 = stablehlo.convert %fy : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %ry0 = stablehlo.reshape %iy0 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %ix0 = stablehlo.convert %fx : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %rx0 = stablehlo.reshape %ix0 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %at0 = stablehlo.concatenate %ry0, %rx0, dim = 2 : (tensor<4x40x1xi32>, tensor<4x40x1xi32>) -> tensor<4x40x2xi32>
  %g0 = "stablehlo.gather"(%image, %at0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 6, 1, 1>}> : (tensor<6x5x6xf16>, tensor<4x40x2xi32>) -> tensor<6x4x40xf16>
  %f0 = stablehlo.multiply %vy, %vx : tensor<4x40xf32>
  %h0 = stablehlo.convert %f0 : (tensor<4x40xf32>) -> tensor<4x40xf16>
  %b0 = stablehlo.broadcast_in_dim %h0, dims = [1, 2] : (tensor<4x40xf16>) -> tensor<6x4x40xf16>
  %t0 = stablehlo.multiply %g0, %b0 : tensor<6x4x40xf16>
  %iy1 = stablehlo.convert %fy : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %ry1 = stablehlo.reshape %iy1 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %ix1 = stablehlo.convert %gx : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %rx1 = stablehlo.reshape %ix1 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %at1 = stablehlo.concatenate %ry1, %rx1, dim = 2 : (tensor<4x40x1xi32>, tensor<4x40x1xi32>) -> tensor<4x40x2xi32>
  %g1 = "stablehlo.gather"(%image, %at1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 6, 1, 1>}> : (tensor<6x5x6xf16>, tensor<4x40x2xi32>) -> tensor<6x4x40xf16>
  %f1 = stablehlo.multiply %vy, %wx : tensor<4x40xf32>
  %h1 = stablehlo.convert %f1 : (tensor<4x40xf32>) -> tensor<4x40xf16>
  %b1 = stablehlo.broadcast_in_dim %h1, dims = [1, 2] : (tensor<4x40xf16>) -> tensor<6x4x40xf16>
  %t1 = stablehlo.multiply %g1, %b1 : tensor<6x4x40xf16>
  %iy2 = stablehlo.convert %gy : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %ry2 = stablehlo.reshape %iy2 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %ix2 = stablehlo.convert %fx : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %rx2 = stablehlo.reshape %ix2 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %at2 = stablehlo.concatenate %ry2, %rx2, dim = 2 : (tensor<4x40x1xi32>, tensor<4x40x1xi32>) -> tensor<4x40x2xi32>
  %g2 = "stablehlo.gather"(%image, %at2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 6, 1, 1>}> : (tensor<6x5x6xf16>, tensor<4x40x2xi32>) -> tensor<6x4x40xf16>
  %f2 = stablehlo.multiply %wy, %vx : tensor<4x40xf32>
  %h2 = stablehlo.convert %f2 : (tensor<4x40xf32>) -> tensor<4x40xf16>
  %b2 = stablehlo.broadcast_in_dim %h2, dims = [1, 2] : (tensor<4x40xf16>) -> tensor<6x4x40xf16>
  %t2 = stablehlo.multiply %g2, %b2 : tensor<6x4x40xf16>
  %iy3 = stablehlo.convert %gy : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %ry3 = stablehlo.reshape %iy3 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %ix3 = stablehlo.convert %gx : (tensor<4x40xf32>) -> tensor<4x40xi32>
  %rx3 = stablehlo.reshape %ix3 : (tensor<4x40xi32>) -> tensor<4x40x1xi32>
  %at3 = stablehlo.concatenate %ry3, %rx3, dim = 2 : (tensor<4x40x1xi32>, tensor<4x40x1xi32>) -> tensor<4x40x2xi32>
  %g3 = "stablehlo.gather"(%image, %at3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 6, 1, 1>}> : (tensor<6x5x6xf16>, tensor<4x40x2xi32>) -> tensor<6x4x40xf16>
  %f3 = stablehlo.multiply %wy, %wx : tensor<4x40xf32>
  %h3 = stablehlo.convert %f3 : (tensor<4x40xf32>) -> tensor<4x40xf16>
  %b3 = stablehlo.broadcast_in_dim %h3, dims = [1, 2] : (tensor<4x40xf16>) -> tensor<6x4x40xf16>
  %t3 = stablehlo.multiply %g3, %b3 : tensor<6x4x40xf16>
  %a1 = stablehlo.add %t0, %t1 : tensor<6x4x40xf16>
  %a2 = stablehlo.add %a1, %t2 : tensor<6x4x40xf16>
  %a3 = stablehlo.add %a2, %t3 : tensor<6x4x40xf16>
  %rf = stablehlo.convert %a3 : (tensor<6x4x40xf16>) -> tensor<6x4x40xf32>
  %zc = stablehlo.iota dim = 0 : tensor<6x4x40xf32>
  %z16 = stablehlo.constant dense<16.0> : tensor<6x4x40xf32>
  %z0 = stablehlo.multiply %zc, %z16 : tensor<6x4x40xf32>
  %c4 = stablehlo.constant dense<4.0> : tensor<4x40xf32>
  %z1 = stablehlo.multiply %sy, %c4 : tensor<4x40xf32>
  %z2 = stablehlo.add %z1, %sx : tensor<4x40xf32>
  %z3 = stablehlo.broadcast_in_dim %z2, dims = [1, 2] : (tensor<4x40xf32>) -> tensor<6x4x40xf32>
  %z4 = stablehlo.add %z0, %z3 : tensor<6x4x40xf32>
  check.expect_eq %rf, %z4 : tensor<6x4x40xf32>
  func.return
}

func.func @integers() {
  %xc = stablehlo.iota dim = 0 : tensor<4x6x7xf32>
  %xy = stablehlo.iota dim = 1 : tensor<4x6x7xf32>
  %xx = stablehlo.iota dim = 2 : tensor<4x6x7xf32>
  %k16 = stablehlo.constant dense<16.0> : tensor<4x6x7xf32>
  %x0 = stablehlo.multiply %xc, %k16 : tensor<4x6x7xf32>
  %k4 = stablehlo.constant dense<4.0> : tensor<4x6x7xf32>
  %x1 = stablehlo.multiply %xy, %k4 : tensor<4x6x7xf32>
  %x2 = stablehlo.add %x0, %x1 : tensor<4x6x7xf32>
  %x3 = stablehlo.add %x2, %xx : tensor<4x6x7xf32>
  %x4 = stablehlo.convert %x3 : (tensor<4x6x7xf32>) -> tensor<4x6x7xi32>
  %iy = stablehlo.iota dim = 0 : tensor<3x33xf32>
  %ix = stablehlo.iota dim = 1 : tensor<3x33xf32>
  %s0 = stablehlo.constant dense<1.0> : tensor<3x33xf32>
  %my = stablehlo.constant dense<4.0> : tensor<3x33xf32>
  %mx = stablehlo.constant dense<5.0> : tensor<3x33xf32>
  %sy0 = stablehlo.multiply %iy, %s0 : tensor<3x33xf32>
  %sy1 = stablehlo.minimum %sy0, %my : tensor<3x33xf32>
  %sx0 = stablehlo.multiply %ix, %s0 : tensor<3x33xf32>
  %sx1 = stablehlo.minimum %sx0, %mx : tensor<3x33xf32>
  %image, %sy, %sx = stablehlo.optimization_barrier %x4, %sy1, %sx1 : tensor<4x6x7xi32>, tensor<3x33xf32>, tensor<3x33xf32>
  %fy = stablehlo.floor %sy : tensor<3x33xf32>
  %fx = stablehlo.floor %sx : tensor<3x33xf32>
  %wy = stablehlo.subtract %sy, %fy : tensor<3x33xf32>
  %wx = stablehlo.subtract %sx, %fx : tensor<3x33xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3x33xf32>
  %vy = stablehlo.subtract %one, %wy : tensor<3x33xf32>
  %vx = stablehlo.subtract %one, %wx : tensor<3x33xf32>
  %gy = stablehlo.add %fy, %one : tensor<3x33xf32>
  %gx = stablehlo.add %fx, %one : tensor<3x33xf32>
  %iy0 = stablehlo.convert %fy : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %ry0 = stablehlo.reshape %iy0 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %ix0 = stablehlo.convert %fx : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %rx0 = stablehlo.reshape %ix0 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %at0 = stablehlo.concatenate %ry0, %rx0, dim = 2 : (tensor<3x33x1xi32>, tensor<3x33x1xi32>) -> tensor<3x33x2xi32>
  %g0 = "stablehlo.gather"(%image, %at0) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x6x7xi32>, tensor<3x33x2xi32>) -> tensor<4x3x33xi32>
  %f0 = stablehlo.multiply %vy, %vx : tensor<3x33xf32>
  %h0 = stablehlo.convert %f0 : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %b0 = stablehlo.broadcast_in_dim %h0, dims = [1, 2] : (tensor<3x33xi32>) -> tensor<4x3x33xi32>
  %t0 = stablehlo.multiply %g0, %b0 : tensor<4x3x33xi32>
  %iy1 = stablehlo.convert %fy : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %ry1 = stablehlo.reshape %iy1 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %ix1 = stablehlo.convert %gx : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %rx1 = stablehlo.reshape %ix1 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %at1 = stablehlo.concatenate %ry1, %rx1, dim = 2 : (tensor<3x33x1xi32>, tensor<3x33x1xi32>) -> tensor<3x33x2xi32>
  %g1 = "stablehlo.gather"(%image, %at1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x6x7xi32>, tensor<3x33x2xi32>) -> tensor<4x3x33xi32>
  %f1 = stablehlo.multiply %vy, %wx : tensor<3x33xf32>
  %h1 = stablehlo.convert %f1 : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %b1 = stablehlo.broadcast_in_dim %h1, dims = [1, 2] : (tensor<3x33xi32>) -> tensor<4x3x33xi32>
  %t1 = stablehlo.multiply %g1, %b1 : tensor<4x3x33xi32>
  %iy2 = stablehlo.convert %gy : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %ry2 = stablehlo.reshape %iy2 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %ix2 = stablehlo.convert %fx : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %rx2 = stablehlo.reshape %ix2 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %at2 = stablehlo.concatenate %ry2, %rx2, dim = 2 : (tensor<3x33x1xi32>, tensor<3x33x1xi32>) -> tensor<3x33x2xi32>
  %g2 = "stablehlo.gather"(%image, %at2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x6x7xi32>, tensor<3x33x2xi32>) -> tensor<4x3x33xi32>
  %f2 = stablehlo.multiply %wy, %vx : tensor<3x33xf32>
  %h2 = stablehlo.convert %f2 : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %b2 = stablehlo.broadcast_in_dim %h2, dims = [1, 2] : (tensor<3x33xi32>) -> tensor<4x3x33xi32>
  %t2 = stablehlo.multiply %g2, %b2 : tensor<4x3x33xi32>
  %iy3 = stablehlo.convert %gy : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %ry3 = stablehlo.reshape %iy3 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %ix3 = stablehlo.convert %gx : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %rx3 = stablehlo.reshape %ix3 : (tensor<3x33xi32>) -> tensor<3x33x1xi32>
  %at3 = stablehlo.concatenate %ry3, %rx3, dim = 2 : (tensor<3x33x1xi32>, tensor<3x33x1xi32>) -> tensor<3x33x2xi32>
  %g3 = "stablehlo.gather"(%image, %at3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 2], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 1>}> : (tensor<4x6x7xi32>, tensor<3x33x2xi32>) -> tensor<4x3x33xi32>
  %f3 = stablehlo.multiply %wy, %wx : tensor<3x33xf32>
  %h3 = stablehlo.convert %f3 : (tensor<3x33xf32>) -> tensor<3x33xi32>
  %b3 = stablehlo.broadcast_in_dim %h3, dims = [1, 2] : (tensor<3x33xi32>) -> tensor<4x3x33xi32>
  %t3 = stablehlo.multiply %g3, %b3 : tensor<4x3x33xi32>
  %a1 = stablehlo.add %t0, %t1 : tensor<4x3x33xi32>
  %a2 = stablehlo.add %a1, %t2 : tensor<4x3x33xi32>
  %a3 = stablehlo.add %a2, %t3 : tensor<4x3x33xi32>
  %rf = stablehlo.convert %a3 : (tensor<4x3x33xi32>) -> tensor<4x3x33xf32>
  %zc = stablehlo.iota dim = 0 : tensor<4x3x33xf32>
  %z16 = stablehlo.constant dense<16.0> : tensor<4x3x33xf32>
  %z0 = stablehlo.multiply %zc, %z16 : tensor<4x3x33xf32>
  %c4 = stablehlo.constant dense<4.0> : tensor<3x33xf32>
  %z1 = stablehlo.multiply %sy, %c4 : tensor<3x33xf32>
  %z2 = stablehlo.add %z1, %sx : tensor<3x33xf32>
  %z3 = stablehlo.broadcast_in_dim %z2, dims = [1, 2] : (tensor<3x33xf32>) -> tensor<4x3x33xf32>
  %z4 = stablehlo.add %z0, %z3 : tensor<4x3x33xf32>
  check.expect_eq %rf, %z4 : tensor<4x3x33xf32>
  func.return
}
