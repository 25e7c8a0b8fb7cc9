// Elementwise ops behind a transposition are computed in its tiles. The wanted
// values are computed before the transposition.

func.func @arithmetic_f32() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf32>
  %x = stablehlo.reshape %flat : (tensor<4551xf32>) -> tensor<3x37x41xf32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf32>) -> tensor<3x41x37xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xf32>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xf32>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf32>) -> tensor<3x37x41xf32>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xf32>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xf32>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xf32>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xf32>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  check.expect_eq %after, %wanted : tensor<3x41x37xf32>
  func.return
}

// -----

func.func @arithmetic_bf16() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xbf16>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xbf16>
  %x = stablehlo.reshape %flat : (tensor<4551xbf16>) -> tensor<3x37x41xbf16>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xbf16>
  %s = stablehlo.optimization_barrier %scales : tensor<37xbf16>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xbf16>) -> tensor<3x41x37xbf16>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xbf16>) -> tensor<3x41x37xbf16>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xbf16>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xbf16>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xbf16>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xbf16>) -> tensor<3x37x41xbf16>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xbf16>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xbf16>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xbf16>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xbf16>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xbf16>) -> tensor<3x41x37xbf16>
  check.expect_eq %after, %wanted : tensor<3x41x37xbf16>
  func.return
}

// -----

func.func @arithmetic_f16() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf16>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf16>
  %x = stablehlo.reshape %flat : (tensor<4551xf16>) -> tensor<3x37x41xf16>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf16>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf16>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf16>) -> tensor<3x41x37xf16>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf16>) -> tensor<3x41x37xf16>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xf16>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xf16>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xf16>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf16>) -> tensor<3x37x41xf16>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xf16>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xf16>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xf16>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xf16>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xf16>) -> tensor<3x41x37xf16>
  check.expect_eq %after, %wanted : tensor<3x41x37xf16>
  func.return
}

// -----

func.func @arithmetic_f64() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf64>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf64>
  %x = stablehlo.reshape %flat : (tensor<4551xf64>) -> tensor<3x37x41xf64>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf64>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf64>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf64>) -> tensor<3x41x37xf64>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf64>) -> tensor<3x41x37xf64>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xf64>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xf64>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xf64>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf64>) -> tensor<3x37x41xf64>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xf64>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xf64>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xf64>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xf64>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xf64>) -> tensor<3x41x37xf64>
  check.expect_eq %after, %wanted : tensor<3x41x37xf64>
  func.return
}

// -----

func.func @arithmetic_i8() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xi8>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xi8>
  %x = stablehlo.reshape %flat : (tensor<4551xi8>) -> tensor<3x37x41xi8>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xi8>
  %s = stablehlo.optimization_barrier %scales : tensor<37xi8>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xi8>) -> tensor<3x41x37xi8>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xi8>) -> tensor<3x41x37xi8>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xi8>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xi8>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xi8>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xi8>) -> tensor<3x37x41xi8>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xi8>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xi8>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xi8>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi8>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi8>) -> tensor<3x41x37xi8>
  check.expect_eq %after, %wanted : tensor<3x41x37xi8>
  func.return
}

// -----

func.func @arithmetic_ui16() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xui16>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xui16>
  %x = stablehlo.reshape %flat : (tensor<4551xui16>) -> tensor<3x37x41xui16>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xui16>
  %s = stablehlo.optimization_barrier %scales : tensor<37xui16>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xui16>) -> tensor<3x41x37xui16>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xui16>) -> tensor<3x41x37xui16>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xui16>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xui16>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xui16>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xui16>) -> tensor<3x37x41xui16>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xui16>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xui16>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xui16>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xui16>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xui16>) -> tensor<3x41x37xui16>
  check.expect_eq %after, %wanted : tensor<3x41x37xui16>
  func.return
}

// -----

func.func @arithmetic_i32() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xi32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xi32>
  %x = stablehlo.reshape %flat : (tensor<4551xi32>) -> tensor<3x37x41xi32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xi32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xi32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xi32>) -> tensor<3x41x37xi32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xi32>) -> tensor<3x41x37xi32>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xi32>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xi32>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xi32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xi32>) -> tensor<3x37x41xi32>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xi32>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xi32>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xi32>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi32>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi32>) -> tensor<3x41x37xi32>
  check.expect_eq %after, %wanted : tensor<3x41x37xi32>
  func.return
}

// -----

func.func @arithmetic_i64() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xi64>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xi64>
  %x = stablehlo.reshape %flat : (tensor<4551xi64>) -> tensor<3x37x41xi64>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xi64>
  %s = stablehlo.optimization_barrier %scales : tensor<37xi64>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xi64>) -> tensor<3x41x37xi64>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xi64>) -> tensor<3x41x37xi64>
  %am = stablehlo.multiply %t, %ta : tensor<3x41x37xi64>
  %an = stablehlo.subtract %am, %t : tensor<3x41x37xi64>
  %after = stablehlo.maximum %an, %ta : tensor<3x41x37xi64>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xi64>) -> tensor<3x37x41xi64>
  %cm = stablehlo.multiply %x, %b : tensor<3x37x41xi64>
  %cn = stablehlo.subtract %cm, %x : tensor<3x37x41xi64>
  %before = stablehlo.maximum %cn, %b : tensor<3x37x41xi64>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi64>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi64>) -> tensor<3x41x37xi64>
  check.expect_eq %after, %wanted : tensor<3x41x37xi64>
  func.return
}

// -----

func.func @convert_f32_f64() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf32>
  %x = stablehlo.reshape %flat : (tensor<4551xf32>) -> tensor<3x37x41xf32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf32>) -> tensor<3x41x37xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  %am = stablehlo.add %t, %ta : tensor<3x41x37xf32>
  %after = stablehlo.convert %am : (tensor<3x41x37xf32>) -> tensor<3x41x37xf64>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf32>) -> tensor<3x37x41xf32>
  %cm = stablehlo.add %x, %b : tensor<3x37x41xf32>
  %before = stablehlo.convert %cm : (tensor<3x37x41xf32>) -> tensor<3x37x41xf64>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xf64>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xf64>) -> tensor<3x41x37xf64>
  check.expect_eq %after, %wanted : tensor<3x41x37xf64>
  func.return
}

// -----

func.func @convert_f32_i8() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf32>
  %x = stablehlo.reshape %flat : (tensor<4551xf32>) -> tensor<3x37x41xf32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf32>) -> tensor<3x41x37xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  %am = stablehlo.add %t, %ta : tensor<3x41x37xf32>
  %after = stablehlo.convert %am : (tensor<3x41x37xf32>) -> tensor<3x41x37xi8>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf32>) -> tensor<3x37x41xf32>
  %cm = stablehlo.add %x, %b : tensor<3x37x41xf32>
  %before = stablehlo.convert %cm : (tensor<3x37x41xf32>) -> tensor<3x37x41xi8>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi8>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi8>) -> tensor<3x41x37xi8>
  check.expect_eq %after, %wanted : tensor<3x41x37xi8>
  func.return
}

// -----

func.func @convert_i8_f32() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xi8>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xi8>
  %x = stablehlo.reshape %flat : (tensor<4551xi8>) -> tensor<3x37x41xi8>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xi8>
  %s = stablehlo.optimization_barrier %scales : tensor<37xi8>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xi8>) -> tensor<3x41x37xi8>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xi8>) -> tensor<3x41x37xi8>
  %am = stablehlo.add %t, %ta : tensor<3x41x37xi8>
  %after = stablehlo.convert %am : (tensor<3x41x37xi8>) -> tensor<3x41x37xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xi8>) -> tensor<3x37x41xi8>
  %cm = stablehlo.add %x, %b : tensor<3x37x41xi8>
  %before = stablehlo.convert %cm : (tensor<3x37x41xi8>) -> tensor<3x37x41xf32>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xf32>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  check.expect_eq %after, %wanted : tensor<3x41x37xf32>
  func.return
}

// -----

func.func @convert_f64_bf16() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf64>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf64>
  %x = stablehlo.reshape %flat : (tensor<4551xf64>) -> tensor<3x37x41xf64>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf64>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf64>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf64>) -> tensor<3x41x37xf64>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf64>) -> tensor<3x41x37xf64>
  %am = stablehlo.add %t, %ta : tensor<3x41x37xf64>
  %after = stablehlo.convert %am : (tensor<3x41x37xf64>) -> tensor<3x41x37xbf16>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf64>) -> tensor<3x37x41xf64>
  %cm = stablehlo.add %x, %b : tensor<3x37x41xf64>
  %before = stablehlo.convert %cm : (tensor<3x37x41xf64>) -> tensor<3x37x41xbf16>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xbf16>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xbf16>) -> tensor<3x41x37xbf16>
  check.expect_eq %after, %wanted : tensor<3x41x37xbf16>
  func.return
}

// -----

func.func @convert_i32_i64() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xi32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xi32>
  %x = stablehlo.reshape %flat : (tensor<4551xi32>) -> tensor<3x37x41xi32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xi32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xi32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xi32>) -> tensor<3x41x37xi32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xi32>) -> tensor<3x41x37xi32>
  %am = stablehlo.add %t, %ta : tensor<3x41x37xi32>
  %after = stablehlo.convert %am : (tensor<3x41x37xi32>) -> tensor<3x41x37xi64>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xi32>) -> tensor<3x37x41xi32>
  %cm = stablehlo.add %x, %b : tensor<3x37x41xi32>
  %before = stablehlo.convert %cm : (tensor<3x37x41xi32>) -> tensor<3x37x41xi64>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi64>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi64>) -> tensor<3x41x37xi64>
  check.expect_eq %after, %wanted : tensor<3x41x37xi64>
  func.return
}

// -----

func.func @compare_f32() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf32>
  %x = stablehlo.reshape %flat : (tensor<4551xf32>) -> tensor<3x37x41xf32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf32>) -> tensor<3x41x37xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  %after = stablehlo.compare LT, %t, %ta : (tensor<3x41x37xf32>, tensor<3x41x37xf32>) -> tensor<3x41x37xi1>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf32>) -> tensor<3x37x41xf32>
  %before = stablehlo.compare LT, %x, %b : (tensor<3x37x41xf32>, tensor<3x37x41xf32>) -> tensor<3x37x41xi1>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi1>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi1>) -> tensor<3x41x37xi1>
  check.expect_eq %after, %wanted : tensor<3x41x37xi1>
  func.return
}

// -----

func.func @compare_i8() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xi8>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xi8>
  %x = stablehlo.reshape %flat : (tensor<4551xi8>) -> tensor<3x37x41xi8>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xi8>
  %s = stablehlo.optimization_barrier %scales : tensor<37xi8>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xi8>) -> tensor<3x41x37xi8>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xi8>) -> tensor<3x41x37xi8>
  %after = stablehlo.compare LT, %t, %ta : (tensor<3x41x37xi8>, tensor<3x41x37xi8>) -> tensor<3x41x37xi1>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xi8>) -> tensor<3x37x41xi8>
  %before = stablehlo.compare LT, %x, %b : (tensor<3x37x41xi8>, tensor<3x37x41xi8>) -> tensor<3x37x41xi1>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xi1>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xi1>) -> tensor<3x41x37xi1>
  check.expect_eq %after, %wanted : tensor<3x41x37xi1>
  func.return
}

// -----

func.func @channels_last() {
  %numbers = stablehlo.iota dim = 0 : tensor<16384xi32>
  %hundred = stablehlo.constant dense<101> : tensor<16384xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<16384xi32>
  %typed = stablehlo.convert %small : (tensor<16384xi32>) -> tensor<16384xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<16384xf32>
  %x = stablehlo.reshape %flat : (tensor<16384xf32>) -> tensor<2x32x16x16xf32>
  %channels = stablehlo.iota dim = 0 : tensor<32xi32>
  %scales = stablehlo.convert %channels : (tensor<32xi32>) -> tensor<32xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<32xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [3] : (tensor<32xf32>) -> tensor<2x16x16x32xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 3, 1] : (tensor<2x32x16x16xf32>) -> tensor<2x16x16x32xf32>
  %am = stablehlo.multiply %t, %ta : tensor<2x16x16x32xf32>
  %an = stablehlo.subtract %am, %t : tensor<2x16x16x32xf32>
  %after = stablehlo.maximum %an, %ta : tensor<2x16x16x32xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<32xf32>) -> tensor<2x32x16x16xf32>
  %cm = stablehlo.multiply %x, %b : tensor<2x32x16x16xf32>
  %cn = stablehlo.subtract %cm, %x : tensor<2x32x16x16xf32>
  %before = stablehlo.maximum %cn, %b : tensor<2x32x16x16xf32>
  %kept = stablehlo.optimization_barrier %before : tensor<2x32x16x16xf32>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 3, 1] : (tensor<2x32x16x16xf32>) -> tensor<2x16x16x32xf32>
  check.expect_eq %after, %wanted : tensor<2x16x16x32xf32>
  func.return
}

// -----

func.func @reversed() {
  %numbers = stablehlo.iota dim = 0 : tensor<7429xi32>
  %hundred = stablehlo.constant dense<101> : tensor<7429xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<7429xi32>
  %typed = stablehlo.convert %small : (tensor<7429xi32>) -> tensor<7429xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<7429xf32>
  %x = stablehlo.reshape %flat : (tensor<7429xf32>) -> tensor<19x17x23xf32>
  %channels = stablehlo.iota dim = 0 : tensor<17xi32>
  %scales = stablehlo.convert %channels : (tensor<17xi32>) -> tensor<17xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<17xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<17xf32>) -> tensor<23x17x19xf32>
  %t = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<19x17x23xf32>) -> tensor<23x17x19xf32>
  %am = stablehlo.multiply %t, %ta : tensor<23x17x19xf32>
  %an = stablehlo.subtract %am, %t : tensor<23x17x19xf32>
  %after = stablehlo.maximum %an, %ta : tensor<23x17x19xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<17xf32>) -> tensor<19x17x23xf32>
  %cm = stablehlo.multiply %x, %b : tensor<19x17x23xf32>
  %cn = stablehlo.subtract %cm, %x : tensor<19x17x23xf32>
  %before = stablehlo.maximum %cn, %b : tensor<19x17x23xf32>
  %kept = stablehlo.optimization_barrier %before : tensor<19x17x23xf32>
  %wanted = stablehlo.transpose %kept, dims = [2, 1, 0] : (tensor<19x17x23xf32>) -> tensor<23x17x19xf32>
  check.expect_eq %after, %wanted : tensor<23x17x19xf32>
  func.return
}

// -----

func.func @select_f32() {
  %numbers = stablehlo.iota dim = 0 : tensor<4551xi32>
  %hundred = stablehlo.constant dense<101> : tensor<4551xi32>
  %small = stablehlo.remainder %numbers, %hundred : tensor<4551xi32>
  %typed = stablehlo.convert %small : (tensor<4551xi32>) -> tensor<4551xf32>
  %flat = stablehlo.optimization_barrier %typed : tensor<4551xf32>
  %x = stablehlo.reshape %flat : (tensor<4551xf32>) -> tensor<3x37x41xf32>
  %channels = stablehlo.iota dim = 0 : tensor<37xi32>
  %scales = stablehlo.convert %channels : (tensor<37xi32>) -> tensor<37xf32>
  %s = stablehlo.optimization_barrier %scales : tensor<37xf32>
  %ta = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<37xf32>) -> tensor<3x41x37xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  %ac = stablehlo.compare LT, %t, %ta : (tensor<3x41x37xf32>, tensor<3x41x37xf32>) -> tensor<3x41x37xi1>
  %after = stablehlo.select %ac, %t, %ta : tensor<3x41x37xi1>, tensor<3x41x37xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<37xf32>) -> tensor<3x37x41xf32>
  %cc = stablehlo.compare LT, %x, %b : (tensor<3x37x41xf32>, tensor<3x37x41xf32>) -> tensor<3x37x41xi1>
  %before = stablehlo.select %cc, %x, %b : tensor<3x37x41xi1>, tensor<3x37x41xf32>
  %kept = stablehlo.optimization_barrier %before : tensor<3x37x41xf32>
  %wanted = stablehlo.transpose %kept, dims = [0, 2, 1] : (tensor<3x37x41xf32>) -> tensor<3x41x37xf32>
  check.expect_eq %after, %wanted : tensor<3x41x37xf32>
  func.return
}

// -----

// Elementwise ops before a transposition, beside their results transposed.
func.func @before_ui8() {
  %i = stablehlo.iota dim = 0 : tensor<13860xi32>
  %a = stablehlo.constant dense<37> : tensor<13860xi32>
  %p = stablehlo.multiply %i, %a : tensor<13860xi32>
  %m = stablehlo.constant dense<101> : tensor<13860xi32>
  %r = stablehlo.remainder %p, %m : tensor<13860xi32>
  %c = stablehlo.convert %r : (tensor<13860xi32>) -> tensor<13860xui8>
  %h = stablehlo.reshape %c : (tensor<13860xui8>) -> tensor<4x33x35x3xui8>
  %x = stablehlo.optimization_barrier %h : tensor<4x33x35x3xui8>
  %f = stablehlo.convert %x : (tensor<4x33x35x3xui8>) -> tensor<4x33x35x3xf32>
  %s = stablehlo.constant dense<0.5> : tensor<4x33x35x3xf32>
  %d = stablehlo.multiply %f, %s : tensor<4x33x35x3xf32>
  %ki = stablehlo.iota dim = 0 : tensor<3xf32>
  %b = stablehlo.broadcast_in_dim %ki, dims = [3] : (tensor<3xf32>) -> tensor<4x33x35x3xf32>
  %u = stablehlo.subtract %b, %d : tensor<4x33x35x3xf32>
  %t = stablehlo.transpose %u, dims = [0, 3, 1, 2] : (tensor<4x33x35x3xf32>) -> tensor<4x3x33x35xf32>
  %x2 = stablehlo.optimization_barrier %x : tensor<4x33x35x3xui8>
  %f2 = stablehlo.convert %x2 : (tensor<4x33x35x3xui8>) -> tensor<4x33x35x3xf32>
  %d2 = stablehlo.multiply %f2, %s : tensor<4x33x35x3xf32>
  %u2 = stablehlo.subtract %b, %d2 : tensor<4x33x35x3xf32>
  %w = stablehlo.optimization_barrier %u2 : tensor<4x33x35x3xf32>
  %wanted = stablehlo.transpose %w, dims = [0, 3, 1, 2] : (tensor<4x33x35x3xf32>) -> tensor<4x3x33x35xf32>
  check.expect_eq %t, %wanted : tensor<4x3x33x35xf32>
  func.return
}

// -----

// Elementwise ops before a transposition, beside their results transposed.
func.func @before_i16() {
  %i = stablehlo.iota dim = 0 : tensor<18900xi32>
  %a = stablehlo.constant dense<37> : tensor<18900xi32>
  %p = stablehlo.multiply %i, %a : tensor<18900xi32>
  %m = stablehlo.constant dense<101> : tensor<18900xi32>
  %r = stablehlo.remainder %p, %m : tensor<18900xi32>
  %c = stablehlo.convert %r : (tensor<18900xi32>) -> tensor<18900xi16>
  %h = stablehlo.reshape %c : (tensor<18900xi16>) -> tensor<3x70x90xi16>
  %x = stablehlo.optimization_barrier %h : tensor<3x70x90xi16>
  %f = stablehlo.convert %x : (tensor<3x70x90xi16>) -> tensor<3x70x90xf32>
  %s = stablehlo.constant dense<0.5> : tensor<3x70x90xf32>
  %d = stablehlo.multiply %f, %s : tensor<3x70x90xf32>
  %ki = stablehlo.iota dim = 0 : tensor<90xf32>
  %b = stablehlo.broadcast_in_dim %ki, dims = [2] : (tensor<90xf32>) -> tensor<3x70x90xf32>
  %u = stablehlo.subtract %b, %d : tensor<3x70x90xf32>
  %t = stablehlo.transpose %u, dims = [2, 0, 1] : (tensor<3x70x90xf32>) -> tensor<90x3x70xf32>
  %x2 = stablehlo.optimization_barrier %x : tensor<3x70x90xi16>
  %f2 = stablehlo.convert %x2 : (tensor<3x70x90xi16>) -> tensor<3x70x90xf32>
  %d2 = stablehlo.multiply %f2, %s : tensor<3x70x90xf32>
  %u2 = stablehlo.subtract %b, %d2 : tensor<3x70x90xf32>
  %w = stablehlo.optimization_barrier %u2 : tensor<3x70x90xf32>
  %wanted = stablehlo.transpose %w, dims = [2, 0, 1] : (tensor<3x70x90xf32>) -> tensor<90x3x70xf32>
  check.expect_eq %t, %wanted : tensor<90x3x70xf32>
  func.return
}

// -----

// Elementwise ops before a transposition, beside their results transposed.
func.func @before_bf16() {
  %i = stablehlo.iota dim = 0 : tensor<19200xi32>
  %a = stablehlo.constant dense<37> : tensor<19200xi32>
  %p = stablehlo.multiply %i, %a : tensor<19200xi32>
  %m = stablehlo.constant dense<101> : tensor<19200xi32>
  %r = stablehlo.remainder %p, %m : tensor<19200xi32>
  %c = stablehlo.convert %r : (tensor<19200xi32>) -> tensor<19200xbf16>
  %h = stablehlo.reshape %c : (tensor<19200xbf16>) -> tensor<2x50x3x64xbf16>
  %x = stablehlo.optimization_barrier %h : tensor<2x50x3x64xbf16>
  %f = stablehlo.convert %x : (tensor<2x50x3x64xbf16>) -> tensor<2x50x3x64xf32>
  %s = stablehlo.constant dense<0.5> : tensor<2x50x3x64xf32>
  %d = stablehlo.multiply %f, %s : tensor<2x50x3x64xf32>
  %ki = stablehlo.iota dim = 0 : tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %ki, dims = [3] : (tensor<64xf32>) -> tensor<2x50x3x64xf32>
  %u = stablehlo.subtract %b, %d : tensor<2x50x3x64xf32>
  %t = stablehlo.transpose %u, dims = [0, 3, 2, 1] : (tensor<2x50x3x64xf32>) -> tensor<2x64x3x50xf32>
  %x2 = stablehlo.optimization_barrier %x : tensor<2x50x3x64xbf16>
  %f2 = stablehlo.convert %x2 : (tensor<2x50x3x64xbf16>) -> tensor<2x50x3x64xf32>
  %d2 = stablehlo.multiply %f2, %s : tensor<2x50x3x64xf32>
  %u2 = stablehlo.subtract %b, %d2 : tensor<2x50x3x64xf32>
  %w = stablehlo.optimization_barrier %u2 : tensor<2x50x3x64xf32>
  %wanted = stablehlo.transpose %w, dims = [0, 3, 2, 1] : (tensor<2x50x3x64xf32>) -> tensor<2x64x3x50xf32>
  check.expect_eq %t, %wanted : tensor<2x64x3x50xf32>
  func.return
}
