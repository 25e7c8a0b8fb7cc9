// Products of large matrices and vectors, which become reductions. All sums are
// exact integers; the first and last results are compared.
func.func @matrix_vector_f32() {
  %ls = stablehlo.constant dense<1> : tensor<403x307xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<403x307xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<403x307xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<403x307xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<403x307xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<403x307xi32>
  %ln = stablehlo.constant dense<5> : tensor<403x307xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<403x307xi32>
  %lt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<403x307xi32>
  %l = stablehlo.convert %ld : (tensor<403x307xi32>) -> tensor<403x307xf32>
  %rs = stablehlo.constant dense<3> : tensor<307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<307xi32>
  %rk0 = stablehlo.constant dense<3> : tensor<307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<307xi32>
  %rn = stablehlo.constant dense<5> : tensor<307xi32>
  %rr = stablehlo.remainder %ra0, %rn : tensor<307xi32>
  %rt = stablehlo.constant dense<2> : tensor<307xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<307xi32>
  %r = stablehlo.convert %rd : (tensor<307xi32>) -> tensor<307xf32>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<403x307xf32>, tensor<307xf32>) -> tensor<403xf32>
  %f = stablehlo.reshape %p : (tensor<403xf32>) -> tensor<403xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<403xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [398:403] : (tensor<403xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[-612.0, -2.0, 308.0, 308.0, -2.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[308.0, -2.0, -612.0, -2.0, 308.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @row_matrix_f32() {
  %ls = stablehlo.constant dense<1> : tensor<1x403xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<1x403xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<1x403xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<1x403xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<1x403xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<1x403xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<1x403xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<1x403xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<1x403xi32>
  %ln = stablehlo.constant dense<5> : tensor<1x403xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<1x403xi32>
  %lt = stablehlo.constant dense<2> : tensor<1x403xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<1x403xi32>
  %l = stablehlo.convert %ld : (tensor<1x403xi32>) -> tensor<1x403xf32>
  %rs = stablehlo.constant dense<3> : tensor<403x307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %rk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<403x307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<403x307xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %rk1 = stablehlo.constant dense<3> : tensor<403x307xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<403x307xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<403x307xi32>
  %rn = stablehlo.constant dense<5> : tensor<403x307xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<403x307xi32>
  %rt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<403x307xi32>
  %r = stablehlo.convert %rd : (tensor<403x307xi32>) -> tensor<403x307xf32>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1x403xf32>, tensor<403x307xf32>) -> tensor<1x307xf32>
  %f = stablehlo.reshape %p : (tensor<1x307xf32>) -> tensor<307xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<307xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [302:307] : (tensor<307xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[405.0, -401.0, -2.0, -403.0, 401.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[-2.0, -403.0, 401.0, 405.0, -401.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @matrix_vector_f64() {
  %ls = stablehlo.constant dense<1> : tensor<403x307xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<403x307xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<403x307xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<403x307xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<403x307xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<403x307xi32>
  %ln = stablehlo.constant dense<5> : tensor<403x307xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<403x307xi32>
  %lt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<403x307xi32>
  %l = stablehlo.convert %ld : (tensor<403x307xi32>) -> tensor<403x307xf64>
  %rs = stablehlo.constant dense<3> : tensor<307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<307xi32>
  %rk0 = stablehlo.constant dense<3> : tensor<307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<307xi32>
  %rn = stablehlo.constant dense<5> : tensor<307xi32>
  %rr = stablehlo.remainder %ra0, %rn : tensor<307xi32>
  %rt = stablehlo.constant dense<2> : tensor<307xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<307xi32>
  %r = stablehlo.convert %rd : (tensor<307xi32>) -> tensor<307xf64>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<403x307xf64>, tensor<307xf64>) -> tensor<403xf64>
  %f = stablehlo.reshape %p : (tensor<403xf64>) -> tensor<403xf64>
  %h = stablehlo.slice %f [0:5] : (tensor<403xf64>) -> tensor<5xf64>
  %e = stablehlo.slice %f [398:403] : (tensor<403xf64>) -> tensor<5xf64>
  %hw = stablehlo.constant dense<[-612.0, -2.0, 308.0, 308.0, -2.0]> : tensor<5xf64>
  %ew = stablehlo.constant dense<[308.0, -2.0, -612.0, -2.0, 308.0]> : tensor<5xf64>
  check.expect_eq %h, %hw : tensor<5xf64>
  check.expect_eq %e, %ew : tensor<5xf64>
  func.return
}

// -----

func.func @row_matrix_f64() {
  %ls = stablehlo.constant dense<1> : tensor<1x403xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<1x403xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<1x403xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<1x403xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<1x403xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<1x403xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<1x403xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<1x403xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<1x403xi32>
  %ln = stablehlo.constant dense<5> : tensor<1x403xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<1x403xi32>
  %lt = stablehlo.constant dense<2> : tensor<1x403xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<1x403xi32>
  %l = stablehlo.convert %ld : (tensor<1x403xi32>) -> tensor<1x403xf64>
  %rs = stablehlo.constant dense<3> : tensor<403x307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %rk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<403x307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<403x307xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %rk1 = stablehlo.constant dense<3> : tensor<403x307xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<403x307xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<403x307xi32>
  %rn = stablehlo.constant dense<5> : tensor<403x307xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<403x307xi32>
  %rt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<403x307xi32>
  %r = stablehlo.convert %rd : (tensor<403x307xi32>) -> tensor<403x307xf64>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1x403xf64>, tensor<403x307xf64>) -> tensor<1x307xf64>
  %f = stablehlo.reshape %p : (tensor<1x307xf64>) -> tensor<307xf64>
  %h = stablehlo.slice %f [0:5] : (tensor<307xf64>) -> tensor<5xf64>
  %e = stablehlo.slice %f [302:307] : (tensor<307xf64>) -> tensor<5xf64>
  %hw = stablehlo.constant dense<[405.0, -401.0, -2.0, -403.0, 401.0]> : tensor<5xf64>
  %ew = stablehlo.constant dense<[-2.0, -403.0, 401.0, 405.0, -401.0]> : tensor<5xf64>
  check.expect_eq %h, %hw : tensor<5xf64>
  check.expect_eq %e, %ew : tensor<5xf64>
  func.return
}

// -----

func.func @matrix_vector_bf16() {
  %ls = stablehlo.constant dense<1> : tensor<403x307xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<403x307xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<403x307xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<403x307xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<403x307xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<403x307xi32>
  %ln = stablehlo.constant dense<5> : tensor<403x307xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<403x307xi32>
  %lt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<403x307xi32>
  %l = stablehlo.convert %ld : (tensor<403x307xi32>) -> tensor<403x307xbf16>
  %rs = stablehlo.constant dense<3> : tensor<307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<307xi32>
  %rk0 = stablehlo.constant dense<3> : tensor<307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<307xi32>
  %rn = stablehlo.constant dense<5> : tensor<307xi32>
  %rr = stablehlo.remainder %ra0, %rn : tensor<307xi32>
  %rt = stablehlo.constant dense<2> : tensor<307xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<307xi32>
  %r = stablehlo.convert %rd : (tensor<307xi32>) -> tensor<307xbf16>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<403x307xbf16>, tensor<307xbf16>) -> tensor<403xf32>
  %f = stablehlo.reshape %p : (tensor<403xf32>) -> tensor<403xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<403xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [398:403] : (tensor<403xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[-612.0, -2.0, 308.0, 308.0, -2.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[308.0, -2.0, -612.0, -2.0, 308.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @row_matrix_bf16() {
  %ls = stablehlo.constant dense<1> : tensor<1x403xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<1x403xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<1x403xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<1x403xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<1x403xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<1x403xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<1x403xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<1x403xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<1x403xi32>
  %ln = stablehlo.constant dense<5> : tensor<1x403xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<1x403xi32>
  %lt = stablehlo.constant dense<2> : tensor<1x403xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<1x403xi32>
  %l = stablehlo.convert %ld : (tensor<1x403xi32>) -> tensor<1x403xbf16>
  %rs = stablehlo.constant dense<3> : tensor<403x307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %rk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<403x307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<403x307xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %rk1 = stablehlo.constant dense<3> : tensor<403x307xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<403x307xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<403x307xi32>
  %rn = stablehlo.constant dense<5> : tensor<403x307xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<403x307xi32>
  %rt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<403x307xi32>
  %r = stablehlo.convert %rd : (tensor<403x307xi32>) -> tensor<403x307xbf16>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1x403xbf16>, tensor<403x307xbf16>) -> tensor<1x307xf32>
  %f = stablehlo.reshape %p : (tensor<1x307xf32>) -> tensor<307xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<307xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [302:307] : (tensor<307xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[405.0, -401.0, -2.0, -403.0, 401.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[-2.0, -403.0, 401.0, 405.0, -401.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @matrix_vector_f16() {
  %ls = stablehlo.constant dense<1> : tensor<409x331xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<409x331xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<409x331xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<409x331xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<409x331xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<409x331xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<409x331xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<409x331xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<409x331xi32>
  %ln = stablehlo.constant dense<5> : tensor<409x331xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<409x331xi32>
  %lt = stablehlo.constant dense<2> : tensor<409x331xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<409x331xi32>
  %l = stablehlo.convert %ld : (tensor<409x331xi32>) -> tensor<409x331xf16>
  %rs = stablehlo.constant dense<3> : tensor<331xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<331xi32>
  %rk0 = stablehlo.constant dense<3> : tensor<331xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<331xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<331xi32>
  %rn = stablehlo.constant dense<5> : tensor<331xi32>
  %rr = stablehlo.remainder %ra0, %rn : tensor<331xi32>
  %rt = stablehlo.constant dense<2> : tensor<331xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<331xi32>
  %r = stablehlo.convert %rd : (tensor<331xi32>) -> tensor<331xf16>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<409x331xf16>, tensor<331xf16>) -> tensor<409xf16>
  %f = stablehlo.reshape %p : (tensor<409xf16>) -> tensor<409xf16>
  %h = stablehlo.slice %f [0:5] : (tensor<409xf16>) -> tensor<5xf16>
  %e = stablehlo.slice %f [404:409] : (tensor<409xf16>) -> tensor<5xf16>
  %hw = stablehlo.constant dense<[-661.0, 0.0, 331.0, 332.0, -2.0]> : tensor<5xf16>
  %ew = stablehlo.constant dense<[-2.0, -661.0, 0.0, 331.0, 332.0]> : tensor<5xf16>
  check.expect_eq %h, %hw : tensor<5xf16>
  check.expect_eq %e, %ew : tensor<5xf16>
  func.return
}

// -----

func.func @row_matrix_f16() {
  %ls = stablehlo.constant dense<1> : tensor<1x409xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<1x409xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<1x409xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<1x409xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<1x409xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<1x409xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<1x409xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<1x409xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<1x409xi32>
  %ln = stablehlo.constant dense<5> : tensor<1x409xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<1x409xi32>
  %lt = stablehlo.constant dense<2> : tensor<1x409xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<1x409xi32>
  %l = stablehlo.convert %ld : (tensor<1x409xi32>) -> tensor<1x409xf16>
  %rs = stablehlo.constant dense<3> : tensor<409x331xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<409x331xi32>
  %rk0 = stablehlo.constant dense<1> : tensor<409x331xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<409x331xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<409x331xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<409x331xi32>
  %rk1 = stablehlo.constant dense<3> : tensor<409x331xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<409x331xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<409x331xi32>
  %rn = stablehlo.constant dense<5> : tensor<409x331xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<409x331xi32>
  %rt = stablehlo.constant dense<2> : tensor<409x331xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<409x331xi32>
  %r = stablehlo.convert %rd : (tensor<409x331xi32>) -> tensor<409x331xf16>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1x409xf16>, tensor<409x331xf16>) -> tensor<1x331xf16>
  %f = stablehlo.reshape %p : (tensor<1x331xf16>) -> tensor<331xf16>
  %h = stablehlo.slice %f [0:5] : (tensor<331xf16>) -> tensor<5xf16>
  %e = stablehlo.slice %f [326:331] : (tensor<331xf16>) -> tensor<5xf16>
  %hw = stablehlo.constant dense<[410.0, -406.0, -2.0, -408.0, 406.0]> : tensor<5xf16>
  %ew = stablehlo.constant dense<[-406.0, -2.0, -408.0, 406.0, 410.0]> : tensor<5xf16>
  check.expect_eq %h, %hw : tensor<5xf16>
  check.expect_eq %e, %ew : tensor<5xf16>
  func.return
}

// -----

func.func @matrix_vector_i32() {
  %ls = stablehlo.constant dense<1> : tensor<403x307xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<403x307xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<403x307xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<403x307xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<403x307xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<403x307xi32>
  %ln = stablehlo.constant dense<5> : tensor<403x307xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<403x307xi32>
  %lt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %l = stablehlo.subtract %lr, %lt : tensor<403x307xi32>
  %rs = stablehlo.constant dense<3> : tensor<307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<307xi32>
  %rk0 = stablehlo.constant dense<3> : tensor<307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<307xi32>
  %rn = stablehlo.constant dense<5> : tensor<307xi32>
  %rr = stablehlo.remainder %ra0, %rn : tensor<307xi32>
  %rt = stablehlo.constant dense<2> : tensor<307xi32>
  %r = stablehlo.subtract %rr, %rt : tensor<307xi32>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<403x307xi32>, tensor<307xi32>) -> tensor<403xi32>
  %f = stablehlo.reshape %p : (tensor<403xi32>) -> tensor<403xi32>
  %h = stablehlo.slice %f [0:5] : (tensor<403xi32>) -> tensor<5xi32>
  %e = stablehlo.slice %f [398:403] : (tensor<403xi32>) -> tensor<5xi32>
  %hw = stablehlo.constant dense<[-612, -2, 308, 308, -2]> : tensor<5xi32>
  %ew = stablehlo.constant dense<[308, -2, -612, -2, 308]> : tensor<5xi32>
  check.expect_eq %h, %hw : tensor<5xi32>
  check.expect_eq %e, %ew : tensor<5xi32>
  func.return
}

// -----

func.func @row_matrix_i32() {
  %ls = stablehlo.constant dense<1> : tensor<1x403xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<1x403xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<1x403xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<1x403xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<1x403xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<1x403xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<1x403xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<1x403xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<1x403xi32>
  %ln = stablehlo.constant dense<5> : tensor<1x403xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<1x403xi32>
  %lt = stablehlo.constant dense<2> : tensor<1x403xi32>
  %l = stablehlo.subtract %lr, %lt : tensor<1x403xi32>
  %rs = stablehlo.constant dense<3> : tensor<403x307xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<403x307xi32>
  %rk0 = stablehlo.constant dense<1> : tensor<403x307xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<403x307xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<403x307xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<403x307xi32>
  %rk1 = stablehlo.constant dense<3> : tensor<403x307xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<403x307xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<403x307xi32>
  %rn = stablehlo.constant dense<5> : tensor<403x307xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<403x307xi32>
  %rt = stablehlo.constant dense<2> : tensor<403x307xi32>
  %r = stablehlo.subtract %rr, %rt : tensor<403x307xi32>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1x403xi32>, tensor<403x307xi32>) -> tensor<1x307xi32>
  %f = stablehlo.reshape %p : (tensor<1x307xi32>) -> tensor<307xi32>
  %h = stablehlo.slice %f [0:5] : (tensor<307xi32>) -> tensor<5xi32>
  %e = stablehlo.slice %f [302:307] : (tensor<307xi32>) -> tensor<5xi32>
  %hw = stablehlo.constant dense<[405, -401, -2, -403, 401]> : tensor<5xi32>
  %ew = stablehlo.constant dense<[-2, -403, 401, 405, -401]> : tensor<5xi32>
  check.expect_eq %h, %hw : tensor<5xi32>
  check.expect_eq %e, %ew : tensor<5xi32>
  func.return
}

// -----

func.func @wide_column() {
  %ls = stablehlo.constant dense<1> : tensor<1x200xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<1x200xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<1x200xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<1x200xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<1x200xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<1x200xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<1x200xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<1x200xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<1x200xi32>
  %ln = stablehlo.constant dense<5> : tensor<1x200xi32>
  %lr = stablehlo.remainder %la1, %ln : tensor<1x200xi32>
  %lt = stablehlo.constant dense<2> : tensor<1x200xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<1x200xi32>
  %l = stablehlo.convert %ld : (tensor<1x200xi32>) -> tensor<1x200xf32>
  %rs = stablehlo.constant dense<3> : tensor<200x2001xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<200x2001xi32>
  %rk0 = stablehlo.constant dense<1> : tensor<200x2001xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<200x2001xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<200x2001xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<200x2001xi32>
  %rk1 = stablehlo.constant dense<3> : tensor<200x2001xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<200x2001xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<200x2001xi32>
  %rn = stablehlo.constant dense<5> : tensor<200x2001xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<200x2001xi32>
  %rt = stablehlo.constant dense<2> : tensor<200x2001xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<200x2001xi32>
  %r = stablehlo.convert %rd : (tensor<200x2001xi32>) -> tensor<200x2001xf32>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1x200xf32>, tensor<200x2001xf32>) -> tensor<1x2001xf32>
  %f = stablehlo.reshape %p : (tensor<1x2001xf32>) -> tensor<2001xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<2001xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [1996:2001] : (tensor<2001xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[200.0, -200.0, 0.0, -200.0, 200.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[-200.0, 0.0, -200.0, 200.0, 200.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @batched() {
  %ls = stablehlo.constant dense<1> : tensor<3x1x2x130xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<3x1x2x130xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<3x1x2x130xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<3x1x2x130xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<3x1x2x130xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<3x1x2x130xi32>
  %lk1 = stablehlo.constant dense<1> : tensor<3x1x2x130xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<3x1x2x130xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<3x1x2x130xi32>
  %li2 = stablehlo.iota dim = 2 : tensor<3x1x2x130xi32>
  %lk2 = stablehlo.constant dense<2> : tensor<3x1x2x130xi32>
  %lm2 = stablehlo.multiply %li2, %lk2 : tensor<3x1x2x130xi32>
  %la2 = stablehlo.add %la1, %lm2 : tensor<3x1x2x130xi32>
  %li3 = stablehlo.iota dim = 3 : tensor<3x1x2x130xi32>
  %lk3 = stablehlo.constant dense<3> : tensor<3x1x2x130xi32>
  %lm3 = stablehlo.multiply %li3, %lk3 : tensor<3x1x2x130xi32>
  %la3 = stablehlo.add %la2, %lm3 : tensor<3x1x2x130xi32>
  %ln = stablehlo.constant dense<5> : tensor<3x1x2x130xi32>
  %lr = stablehlo.remainder %la3, %ln : tensor<3x1x2x130xi32>
  %lt = stablehlo.constant dense<2> : tensor<3x1x2x130xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<3x1x2x130xi32>
  %l = stablehlo.convert %ld : (tensor<3x1x2x130xi32>) -> tensor<3x1x2x130xf32>
  %rs = stablehlo.constant dense<3> : tensor<3x2x301x130xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<3x2x301x130xi32>
  %rk0 = stablehlo.constant dense<2> : tensor<3x2x301x130xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<3x2x301x130xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<3x2x301x130xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<3x2x301x130xi32>
  %rk1 = stablehlo.constant dense<1> : tensor<3x2x301x130xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<3x2x301x130xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<3x2x301x130xi32>
  %ri2 = stablehlo.iota dim = 2 : tensor<3x2x301x130xi32>
  %rk2 = stablehlo.constant dense<3> : tensor<3x2x301x130xi32>
  %rm2 = stablehlo.multiply %ri2, %rk2 : tensor<3x2x301x130xi32>
  %ra2 = stablehlo.add %ra1, %rm2 : tensor<3x2x301x130xi32>
  %ri3 = stablehlo.iota dim = 3 : tensor<3x2x301x130xi32>
  %rk3 = stablehlo.constant dense<1> : tensor<3x2x301x130xi32>
  %rm3 = stablehlo.multiply %ri3, %rk3 : tensor<3x2x301x130xi32>
  %ra3 = stablehlo.add %ra2, %rm3 : tensor<3x2x301x130xi32>
  %rn = stablehlo.constant dense<5> : tensor<3x2x301x130xi32>
  %rr = stablehlo.remainder %ra3, %rn : tensor<3x2x301x130xi32>
  %rt = stablehlo.constant dense<2> : tensor<3x2x301x130xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<3x2x301x130xi32>
  %r = stablehlo.convert %rd : (tensor<3x2x301x130xi32>) -> tensor<3x2x301x130xf32>
  %p = stablehlo.dot_general %l, %r, batching_dims = [0, 2] x [0, 1], contracting_dims = [3] x [3] : (tensor<3x1x2x130xf32>, tensor<3x2x301x130xf32>) -> tensor<3x2x1x301xf32>
  %f = stablehlo.reshape %p : (tensor<3x2x1x301xf32>) -> tensor<1806xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<1806xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [1801:1806] : (tensor<1806xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[130.0, -130.0, -130.0, 130.0, 0.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[130.0, -130.0, -130.0, 130.0, 0.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @batch_behind() {
  %ls = stablehlo.constant dense<1> : tensor<301x4x130xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<301x4x130xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<301x4x130xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<301x4x130xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<301x4x130xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<301x4x130xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<301x4x130xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<301x4x130xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<301x4x130xi32>
  %li2 = stablehlo.iota dim = 2 : tensor<301x4x130xi32>
  %lk2 = stablehlo.constant dense<3> : tensor<301x4x130xi32>
  %lm2 = stablehlo.multiply %li2, %lk2 : tensor<301x4x130xi32>
  %la2 = stablehlo.add %la1, %lm2 : tensor<301x4x130xi32>
  %ln = stablehlo.constant dense<5> : tensor<301x4x130xi32>
  %lr = stablehlo.remainder %la2, %ln : tensor<301x4x130xi32>
  %lt = stablehlo.constant dense<2> : tensor<301x4x130xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<301x4x130xi32>
  %l = stablehlo.convert %ld : (tensor<301x4x130xi32>) -> tensor<301x4x130xf32>
  %rs = stablehlo.constant dense<3> : tensor<4x130xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<4x130xi32>
  %rk0 = stablehlo.constant dense<2> : tensor<4x130xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<4x130xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<4x130xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<4x130xi32>
  %rk1 = stablehlo.constant dense<1> : tensor<4x130xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<4x130xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<4x130xi32>
  %rn = stablehlo.constant dense<5> : tensor<4x130xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<4x130xi32>
  %rt = stablehlo.constant dense<2> : tensor<4x130xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<4x130xi32>
  %r = stablehlo.convert %rd : (tensor<4x130xi32>) -> tensor<4x130xf32>
  %p = stablehlo.dot_general %l, %r, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<301x4x130xf32>, tensor<4x130xf32>) -> tensor<4x301xf32>
  %f = stablehlo.reshape %p : (tensor<4x301xf32>) -> tensor<1204xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<1204xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [1199:1204] : (tensor<1204xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[130.0, -130.0, -130.0, 130.0, 0.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[0.0, 130.0, -130.0, -130.0, 130.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

func.func @two_contracted() {
  %ls = stablehlo.constant dense<1> : tensor<20x401x30xi32>
  %li0 = stablehlo.iota dim = 0 : tensor<20x401x30xi32>
  %lk0 = stablehlo.constant dense<1> : tensor<20x401x30xi32>
  %lm0 = stablehlo.multiply %li0, %lk0 : tensor<20x401x30xi32>
  %la0 = stablehlo.add %ls, %lm0 : tensor<20x401x30xi32>
  %li1 = stablehlo.iota dim = 1 : tensor<20x401x30xi32>
  %lk1 = stablehlo.constant dense<2> : tensor<20x401x30xi32>
  %lm1 = stablehlo.multiply %li1, %lk1 : tensor<20x401x30xi32>
  %la1 = stablehlo.add %la0, %lm1 : tensor<20x401x30xi32>
  %li2 = stablehlo.iota dim = 2 : tensor<20x401x30xi32>
  %lk2 = stablehlo.constant dense<3> : tensor<20x401x30xi32>
  %lm2 = stablehlo.multiply %li2, %lk2 : tensor<20x401x30xi32>
  %la2 = stablehlo.add %la1, %lm2 : tensor<20x401x30xi32>
  %ln = stablehlo.constant dense<5> : tensor<20x401x30xi32>
  %lr = stablehlo.remainder %la2, %ln : tensor<20x401x30xi32>
  %lt = stablehlo.constant dense<2> : tensor<20x401x30xi32>
  %ld = stablehlo.subtract %lr, %lt : tensor<20x401x30xi32>
  %l = stablehlo.convert %ld : (tensor<20x401x30xi32>) -> tensor<20x401x30xf32>
  %rs = stablehlo.constant dense<3> : tensor<30x20xi32>
  %ri0 = stablehlo.iota dim = 0 : tensor<30x20xi32>
  %rk0 = stablehlo.constant dense<2> : tensor<30x20xi32>
  %rm0 = stablehlo.multiply %ri0, %rk0 : tensor<30x20xi32>
  %ra0 = stablehlo.add %rs, %rm0 : tensor<30x20xi32>
  %ri1 = stablehlo.iota dim = 1 : tensor<30x20xi32>
  %rk1 = stablehlo.constant dense<1> : tensor<30x20xi32>
  %rm1 = stablehlo.multiply %ri1, %rk1 : tensor<30x20xi32>
  %ra1 = stablehlo.add %ra0, %rm1 : tensor<30x20xi32>
  %rn = stablehlo.constant dense<5> : tensor<30x20xi32>
  %rr = stablehlo.remainder %ra1, %rn : tensor<30x20xi32>
  %rt = stablehlo.constant dense<2> : tensor<30x20xi32>
  %rd = stablehlo.subtract %rr, %rt : tensor<30x20xi32>
  %r = stablehlo.convert %rd : (tensor<30x20xi32>) -> tensor<30x20xf32>
  %p = stablehlo.dot_general %l, %r, contracting_dims = [0, 2] x [1, 0] : (tensor<20x401x30xf32>, tensor<30x20xf32>) -> tensor<401xf32>
  %f = stablehlo.reshape %p : (tensor<401xf32>) -> tensor<401xf32>
  %h = stablehlo.slice %f [0:5] : (tensor<401xf32>) -> tensor<5xf32>
  %e = stablehlo.slice %f [396:401] : (tensor<401xf32>) -> tensor<5xf32>
  %hw = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<5xf32>
  %ew = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<5xf32>
  check.expect_eq %h, %hw : tensor<5xf32>
  check.expect_eq %e, %ew : tensor<5xf32>
  func.return
}

// -----

// The matrix is read in place, beside a product of two rows.
func.func @transposed_f32() {
  %mi = stablehlo.iota dim = 0 : tensor<123721xi32>
  %ma = stablehlo.constant dense<37> : tensor<123721xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<123721xi32>
  %mm = stablehlo.constant dense<5> : tensor<123721xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<123721xi32>
  %mc = stablehlo.convert %mr : (tensor<123721xi32>) -> tensor<123721xf32>
  %m = stablehlo.reshape %mc : (tensor<123721xf32>) -> tensor<403x307xf32>
  %vi = stablehlo.iota dim = 0 : tensor<307xi32>
  %va = stablehlo.constant dense<29> : tensor<307xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<307xi32>
  %vm = stablehlo.constant dense<7> : tensor<307xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<307xi32>
  %vc = stablehlo.convert %vr : (tensor<307xi32>) -> tensor<307xf32>
  %v = stablehlo.reshape %vc : (tensor<307xf32>) -> tensor<307xf32>
  %t = stablehlo.transpose %m, dims = [1, 0] : (tensor<403x307xf32>) -> tensor<307x403xf32>
  %p = stablehlo.dot_general %v, %t, contracting_dims = [0] x [0] : (tensor<307xf32>, tensor<307x403xf32>) -> tensor<403xf32>
  %o = stablehlo.reshape %v : (tensor<307xf32>) -> tensor<1x307xf32>
  %n = stablehlo.negate %o : tensor<1x307xf32>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x307xf32>, tensor<1x307xf32>) -> tensor<2x307xf32>
  %q = stablehlo.dot_general %w, %t, contracting_dims = [1] x [0] : (tensor<2x307xf32>, tensor<307x403xf32>) -> tensor<2x403xf32>
  %s = stablehlo.slice %q [0:1, 0:403] : (tensor<2x403xf32>) -> tensor<1x403xf32>
  %y = stablehlo.reshape %s : (tensor<1x403xf32>) -> tensor<403xf32>
  check.expect_eq %p, %y : tensor<403xf32>
  func.return
}

// -----

// The sums are transposed: batches are first in the result.
func.func @transposed_batches_f32() {
  %mi = stablehlo.iota dim = 0 : tensor<158100xi32>
  %ma = stablehlo.constant dense<37> : tensor<158100xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<158100xi32>
  %mm = stablehlo.constant dense<5> : tensor<158100xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<158100xi32>
  %mc = stablehlo.convert %mr : (tensor<158100xi32>) -> tensor<158100xf32>
  %m = stablehlo.reshape %mc : (tensor<158100xf32>) -> tensor<6x31x5x170xf32>
  %vi = stablehlo.iota dim = 0 : tensor<1020xi32>
  %va = stablehlo.constant dense<29> : tensor<1020xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<1020xi32>
  %vm = stablehlo.constant dense<7> : tensor<1020xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<1020xi32>
  %vc = stablehlo.convert %vr : (tensor<1020xi32>) -> tensor<1020xf32>
  %v = stablehlo.reshape %vc : (tensor<1020xf32>) -> tensor<6x170xf32>
  %t = stablehlo.transpose %m, dims = [2, 0, 3, 1] : (tensor<6x31x5x170xf32>) -> tensor<5x6x170x31xf32>
  %p = stablehlo.dot_general %v, %t, batching_dims = [0] x [1], contracting_dims = [1] x [2] : (tensor<6x170xf32>, tensor<5x6x170x31xf32>) -> tensor<6x5x31xf32>
  %o = stablehlo.reshape %v : (tensor<6x170xf32>) -> tensor<1x6x170xf32>
  %n = stablehlo.negate %o : tensor<1x6x170xf32>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x6x170xf32>, tensor<1x6x170xf32>) -> tensor<2x6x170xf32>
  %q = stablehlo.dot_general %w, %t, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (tensor<2x6x170xf32>, tensor<5x6x170x31xf32>) -> tensor<6x2x5x31xf32>
  %s = stablehlo.slice %q [0:6, 0:1, 0:5, 0:31] : (tensor<6x2x5x31xf32>) -> tensor<6x1x5x31xf32>
  %y = stablehlo.reshape %s : (tensor<6x1x5x31xf32>) -> tensor<6x5x31xf32>
  check.expect_eq %p, %y : tensor<6x5x31xf32>
  func.return
}

// -----

// The matrix is read in place, beside a product of two rows.
func.func @transposed_bf16() {
  %mi = stablehlo.iota dim = 0 : tensor<123721xi32>
  %ma = stablehlo.constant dense<37> : tensor<123721xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<123721xi32>
  %mm = stablehlo.constant dense<5> : tensor<123721xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<123721xi32>
  %mc = stablehlo.convert %mr : (tensor<123721xi32>) -> tensor<123721xbf16>
  %m = stablehlo.reshape %mc : (tensor<123721xbf16>) -> tensor<403x307xbf16>
  %vi = stablehlo.iota dim = 0 : tensor<307xi32>
  %va = stablehlo.constant dense<29> : tensor<307xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<307xi32>
  %vm = stablehlo.constant dense<7> : tensor<307xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<307xi32>
  %vc = stablehlo.convert %vr : (tensor<307xi32>) -> tensor<307xbf16>
  %v = stablehlo.reshape %vc : (tensor<307xbf16>) -> tensor<307xbf16>
  %t = stablehlo.transpose %m, dims = [1, 0] : (tensor<403x307xbf16>) -> tensor<307x403xbf16>
  %p = stablehlo.dot_general %v, %t, contracting_dims = [0] x [0] : (tensor<307xbf16>, tensor<307x403xbf16>) -> tensor<403xbf16>
  %o = stablehlo.reshape %v : (tensor<307xbf16>) -> tensor<1x307xbf16>
  %n = stablehlo.negate %o : tensor<1x307xbf16>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x307xbf16>, tensor<1x307xbf16>) -> tensor<2x307xbf16>
  %q = stablehlo.dot_general %w, %t, contracting_dims = [1] x [0] : (tensor<2x307xbf16>, tensor<307x403xbf16>) -> tensor<2x403xbf16>
  %s = stablehlo.slice %q [0:1, 0:403] : (tensor<2x403xbf16>) -> tensor<1x403xbf16>
  %y = stablehlo.reshape %s : (tensor<1x403xbf16>) -> tensor<403xbf16>
  check.expect_eq %p, %y : tensor<403xbf16>
  func.return
}

// -----

// The sums are transposed: batches are first in the result.
func.func @transposed_batches_bf16() {
  %mi = stablehlo.iota dim = 0 : tensor<158100xi32>
  %ma = stablehlo.constant dense<37> : tensor<158100xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<158100xi32>
  %mm = stablehlo.constant dense<5> : tensor<158100xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<158100xi32>
  %mc = stablehlo.convert %mr : (tensor<158100xi32>) -> tensor<158100xbf16>
  %m = stablehlo.reshape %mc : (tensor<158100xbf16>) -> tensor<6x31x5x170xbf16>
  %vi = stablehlo.iota dim = 0 : tensor<1020xi32>
  %va = stablehlo.constant dense<29> : tensor<1020xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<1020xi32>
  %vm = stablehlo.constant dense<7> : tensor<1020xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<1020xi32>
  %vc = stablehlo.convert %vr : (tensor<1020xi32>) -> tensor<1020xbf16>
  %v = stablehlo.reshape %vc : (tensor<1020xbf16>) -> tensor<6x170xbf16>
  %t = stablehlo.transpose %m, dims = [2, 0, 3, 1] : (tensor<6x31x5x170xbf16>) -> tensor<5x6x170x31xbf16>
  %p = stablehlo.dot_general %v, %t, batching_dims = [0] x [1], contracting_dims = [1] x [2] : (tensor<6x170xbf16>, tensor<5x6x170x31xbf16>) -> tensor<6x5x31xbf16>
  %o = stablehlo.reshape %v : (tensor<6x170xbf16>) -> tensor<1x6x170xbf16>
  %n = stablehlo.negate %o : tensor<1x6x170xbf16>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x6x170xbf16>, tensor<1x6x170xbf16>) -> tensor<2x6x170xbf16>
  %q = stablehlo.dot_general %w, %t, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (tensor<2x6x170xbf16>, tensor<5x6x170x31xbf16>) -> tensor<6x2x5x31xbf16>
  %s = stablehlo.slice %q [0:6, 0:1, 0:5, 0:31] : (tensor<6x2x5x31xbf16>) -> tensor<6x1x5x31xbf16>
  %y = stablehlo.reshape %s : (tensor<6x1x5x31xbf16>) -> tensor<6x5x31xbf16>
  check.expect_eq %p, %y : tensor<6x5x31xbf16>
  func.return
}

// -----

// The matrix is read in place, beside a product of two rows.
func.func @transposed_f64() {
  %mi = stablehlo.iota dim = 0 : tensor<123721xi32>
  %ma = stablehlo.constant dense<37> : tensor<123721xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<123721xi32>
  %mm = stablehlo.constant dense<5> : tensor<123721xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<123721xi32>
  %mc = stablehlo.convert %mr : (tensor<123721xi32>) -> tensor<123721xf64>
  %m = stablehlo.reshape %mc : (tensor<123721xf64>) -> tensor<403x307xf64>
  %vi = stablehlo.iota dim = 0 : tensor<307xi32>
  %va = stablehlo.constant dense<29> : tensor<307xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<307xi32>
  %vm = stablehlo.constant dense<7> : tensor<307xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<307xi32>
  %vc = stablehlo.convert %vr : (tensor<307xi32>) -> tensor<307xf64>
  %v = stablehlo.reshape %vc : (tensor<307xf64>) -> tensor<307xf64>
  %t = stablehlo.transpose %m, dims = [1, 0] : (tensor<403x307xf64>) -> tensor<307x403xf64>
  %p = stablehlo.dot_general %v, %t, contracting_dims = [0] x [0] : (tensor<307xf64>, tensor<307x403xf64>) -> tensor<403xf64>
  %o = stablehlo.reshape %v : (tensor<307xf64>) -> tensor<1x307xf64>
  %n = stablehlo.negate %o : tensor<1x307xf64>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x307xf64>, tensor<1x307xf64>) -> tensor<2x307xf64>
  %q = stablehlo.dot_general %w, %t, contracting_dims = [1] x [0] : (tensor<2x307xf64>, tensor<307x403xf64>) -> tensor<2x403xf64>
  %s = stablehlo.slice %q [0:1, 0:403] : (tensor<2x403xf64>) -> tensor<1x403xf64>
  %y = stablehlo.reshape %s : (tensor<1x403xf64>) -> tensor<403xf64>
  check.expect_eq %p, %y : tensor<403xf64>
  func.return
}

// -----

// The sums are transposed: batches are first in the result.
func.func @transposed_batches_f64() {
  %mi = stablehlo.iota dim = 0 : tensor<158100xi32>
  %ma = stablehlo.constant dense<37> : tensor<158100xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<158100xi32>
  %mm = stablehlo.constant dense<5> : tensor<158100xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<158100xi32>
  %mc = stablehlo.convert %mr : (tensor<158100xi32>) -> tensor<158100xf64>
  %m = stablehlo.reshape %mc : (tensor<158100xf64>) -> tensor<6x31x5x170xf64>
  %vi = stablehlo.iota dim = 0 : tensor<1020xi32>
  %va = stablehlo.constant dense<29> : tensor<1020xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<1020xi32>
  %vm = stablehlo.constant dense<7> : tensor<1020xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<1020xi32>
  %vc = stablehlo.convert %vr : (tensor<1020xi32>) -> tensor<1020xf64>
  %v = stablehlo.reshape %vc : (tensor<1020xf64>) -> tensor<6x170xf64>
  %t = stablehlo.transpose %m, dims = [2, 0, 3, 1] : (tensor<6x31x5x170xf64>) -> tensor<5x6x170x31xf64>
  %p = stablehlo.dot_general %v, %t, batching_dims = [0] x [1], contracting_dims = [1] x [2] : (tensor<6x170xf64>, tensor<5x6x170x31xf64>) -> tensor<6x5x31xf64>
  %o = stablehlo.reshape %v : (tensor<6x170xf64>) -> tensor<1x6x170xf64>
  %n = stablehlo.negate %o : tensor<1x6x170xf64>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x6x170xf64>, tensor<1x6x170xf64>) -> tensor<2x6x170xf64>
  %q = stablehlo.dot_general %w, %t, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (tensor<2x6x170xf64>, tensor<5x6x170x31xf64>) -> tensor<6x2x5x31xf64>
  %s = stablehlo.slice %q [0:6, 0:1, 0:5, 0:31] : (tensor<6x2x5x31xf64>) -> tensor<6x1x5x31xf64>
  %y = stablehlo.reshape %s : (tensor<6x1x5x31xf64>) -> tensor<6x5x31xf64>
  check.expect_eq %p, %y : tensor<6x5x31xf64>
  func.return
}

// -----

// Two dimensions are contracted, the first and the last one of the matrix.
func.func @transposed_contracted_i32() {
  %mi = stablehlo.iota dim = 0 : tensor<214830xi32>
  %ma = stablehlo.constant dense<37> : tensor<214830xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<214830xi32>
  %mm = stablehlo.constant dense<5> : tensor<214830xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<214830xi32>
  %mc = stablehlo.convert %mr : (tensor<214830xi32>) -> tensor<214830xi32>
  %m = stablehlo.reshape %mc : (tensor<214830xi32>) -> tensor<31x7x90x11xi32>
  %vi = stablehlo.iota dim = 0 : tensor<2387xi32>
  %va = stablehlo.constant dense<29> : tensor<2387xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<2387xi32>
  %vm = stablehlo.constant dense<7> : tensor<2387xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<2387xi32>
  %vc = stablehlo.convert %vr : (tensor<2387xi32>) -> tensor<2387xi32>
  %v = stablehlo.reshape %vc : (tensor<2387xi32>) -> tensor<31x11x7xi32>
  %t = stablehlo.transpose %m, dims = [3, 1, 0, 2] : (tensor<31x7x90x11xi32>) -> tensor<11x7x31x90xi32>
  %p = stablehlo.dot_general %v, %t, batching_dims = [2] x [1], contracting_dims = [0, 1] x [2, 0] : (tensor<31x11x7xi32>, tensor<11x7x31x90xi32>) -> tensor<7x90xi32>
  %o = stablehlo.reshape %v : (tensor<31x11x7xi32>) -> tensor<1x31x11x7xi32>
  %n = stablehlo.negate %o : tensor<1x31x11x7xi32>
  %w = stablehlo.concatenate %o, %n, dim = 0 : (tensor<1x31x11x7xi32>, tensor<1x31x11x7xi32>) -> tensor<2x31x11x7xi32>
  %q = stablehlo.dot_general %w, %t, batching_dims = [3] x [1], contracting_dims = [1, 2] x [2, 0] : (tensor<2x31x11x7xi32>, tensor<11x7x31x90xi32>) -> tensor<7x2x90xi32>
  %s = stablehlo.slice %q [0:7, 0:1, 0:90] : (tensor<7x2x90xi32>) -> tensor<7x1x90xi32>
  %y = stablehlo.reshape %s : (tensor<7x1x90xi32>) -> tensor<7x90xi32>
  check.expect_eq %p, %y : tensor<7x90xi32>
  func.return
}

// -----

// The matrix is read from joined dimensions, transposed and converted.
func.func @joined_i8() {
  %mi = stablehlo.iota dim = 0 : tensor<277492xi32>
  %ma = stablehlo.constant dense<37> : tensor<277492xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<277492xi32>
  %mm = stablehlo.constant dense<5> : tensor<277492xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<277492xi32>
  %mc = stablehlo.convert %mr : (tensor<277492xi32>) -> tensor<277492xi8>
  %m = stablehlo.reshape %mc : (tensor<277492xi8>) -> tensor<401x4x173xi8>
  %vi = stablehlo.iota dim = 0 : tensor<692xi32>
  %va = stablehlo.constant dense<29> : tensor<692xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<692xi32>
  %vm = stablehlo.constant dense<7> : tensor<692xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<692xi32>
  %vc = stablehlo.convert %vr : (tensor<692xi32>) -> tensor<692xf32>
  %v = stablehlo.reshape %vc : (tensor<692xf32>) -> tensor<1x692xf32>
  %j = stablehlo.reshape %m : (tensor<401x4x173xi8>) -> tensor<401x692xi8>
  %t = stablehlo.transpose %j, dims = [1, 0] : (tensor<401x692xi8>) -> tensor<692x401xi8>
  %f = stablehlo.convert %t : (tensor<692x401xi8>) -> tensor<692x401xf32>
  %p = stablehlo.dot_general %v, %f, contracting_dims = [1] x [0] : (tensor<1x692xf32>, tensor<692x401xf32>) -> tensor<1x401xf32>
  %n = stablehlo.negate %v : tensor<1x692xf32>
  %w = stablehlo.concatenate %v, %n, dim = 0 : (tensor<1x692xf32>, tensor<1x692xf32>) -> tensor<2x692xf32>
  %q = stablehlo.dot_general %w, %f, contracting_dims = [1] x [0] : (tensor<2x692xf32>, tensor<692x401xf32>) -> tensor<2x401xf32>
  %y = stablehlo.slice %q [0:1, 0:401] : (tensor<2x401xf32>) -> tensor<1x401xf32>
  check.expect_eq %p, %y : tensor<1x401xf32>
  func.return
}

// -----

// The matrix is read from joined dimensions, transposed and converted.
func.func @joined_bf16() {
  %mi = stablehlo.iota dim = 0 : tensor<277492xi32>
  %ma = stablehlo.constant dense<37> : tensor<277492xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<277492xi32>
  %mm = stablehlo.constant dense<5> : tensor<277492xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<277492xi32>
  %mc = stablehlo.convert %mr : (tensor<277492xi32>) -> tensor<277492xbf16>
  %m = stablehlo.reshape %mc : (tensor<277492xbf16>) -> tensor<401x4x173xbf16>
  %vi = stablehlo.iota dim = 0 : tensor<692xi32>
  %va = stablehlo.constant dense<29> : tensor<692xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<692xi32>
  %vm = stablehlo.constant dense<7> : tensor<692xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<692xi32>
  %vc = stablehlo.convert %vr : (tensor<692xi32>) -> tensor<692xf32>
  %v = stablehlo.reshape %vc : (tensor<692xf32>) -> tensor<1x692xf32>
  %j = stablehlo.reshape %m : (tensor<401x4x173xbf16>) -> tensor<401x692xbf16>
  %t = stablehlo.transpose %j, dims = [1, 0] : (tensor<401x692xbf16>) -> tensor<692x401xbf16>
  %f = stablehlo.convert %t : (tensor<692x401xbf16>) -> tensor<692x401xf32>
  %p = stablehlo.dot_general %v, %f, contracting_dims = [1] x [0] : (tensor<1x692xf32>, tensor<692x401xf32>) -> tensor<1x401xf32>
  %n = stablehlo.negate %v : tensor<1x692xf32>
  %w = stablehlo.concatenate %v, %n, dim = 0 : (tensor<1x692xf32>, tensor<1x692xf32>) -> tensor<2x692xf32>
  %q = stablehlo.dot_general %w, %f, contracting_dims = [1] x [0] : (tensor<2x692xf32>, tensor<692x401xf32>) -> tensor<2x401xf32>
  %y = stablehlo.slice %q [0:1, 0:401] : (tensor<2x401xf32>) -> tensor<1x401xf32>
  check.expect_eq %p, %y : tensor<1x401xf32>
  func.return
}

// -----

// Few columns, beside the first of many.
func.func @few_columns_3_f32() {
  %mi = stablehlo.iota dim = 0 : tensor<187577xi32>
  %ma = stablehlo.constant dense<37> : tensor<187577xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<187577xi32>
  %mm = stablehlo.constant dense<5> : tensor<187577xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<187577xi32>
  %mc = stablehlo.convert %mr : (tensor<187577xi32>) -> tensor<187577xf32>
  %m = stablehlo.reshape %mc : (tensor<187577xf32>) -> tensor<611x307xf32>
  %vi = stablehlo.iota dim = 0 : tensor<921xi32>
  %va = stablehlo.constant dense<29> : tensor<921xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<921xi32>
  %vm = stablehlo.constant dense<7> : tensor<921xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<921xi32>
  %vc = stablehlo.convert %vr : (tensor<921xi32>) -> tensor<921xf32>
  %v = stablehlo.reshape %vc : (tensor<921xf32>) -> tensor<307x3xf32>
  %p = stablehlo.dot_general %m, %v, contracting_dims = [1] x [0] : (tensor<611x307xf32>, tensor<307x3xf32>) -> tensor<611x3xf32>
  %w = stablehlo.concatenate %v, %v, %v, %v, %v, dim = 1 : (tensor<307x3xf32>, tensor<307x3xf32>, tensor<307x3xf32>, tensor<307x3xf32>, tensor<307x3xf32>) -> tensor<307x15xf32>
  %q = stablehlo.dot_general %m, %w, contracting_dims = [1] x [0] : (tensor<611x307xf32>, tensor<307x15xf32>) -> tensor<611x15xf32>
  %y = stablehlo.slice %q [0:611, 0:3] : (tensor<611x15xf32>) -> tensor<611x3xf32>
  check.expect_eq %p, %y : tensor<611x3xf32>
  func.return
}

// -----

// Few columns, beside the first of many.
func.func @few_columns_2_f64() {
  %mi = stablehlo.iota dim = 0 : tensor<42959xi32>
  %ma = stablehlo.constant dense<37> : tensor<42959xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<42959xi32>
  %mm = stablehlo.constant dense<5> : tensor<42959xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<42959xi32>
  %mc = stablehlo.convert %mr : (tensor<42959xi32>) -> tensor<42959xf64>
  %m = stablehlo.reshape %mc : (tensor<42959xf64>) -> tensor<17x19x133xf64>
  %vi = stablehlo.iota dim = 0 : tensor<266xi32>
  %va = stablehlo.constant dense<29> : tensor<266xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<266xi32>
  %vm = stablehlo.constant dense<7> : tensor<266xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<266xi32>
  %vc = stablehlo.convert %vr : (tensor<266xi32>) -> tensor<266xf64>
  %v = stablehlo.reshape %vc : (tensor<266xf64>) -> tensor<2x133xf64>
  %p = stablehlo.dot_general %m, %v, contracting_dims = [2] x [1] : (tensor<17x19x133xf64>, tensor<2x133xf64>) -> tensor<17x19x2xf64>
  %w = stablehlo.concatenate %v, %v, %v, %v, %v, dim = 0 : (tensor<2x133xf64>, tensor<2x133xf64>, tensor<2x133xf64>, tensor<2x133xf64>, tensor<2x133xf64>) -> tensor<10x133xf64>
  %q = stablehlo.dot_general %m, %w, contracting_dims = [2] x [1] : (tensor<17x19x133xf64>, tensor<10x133xf64>) -> tensor<17x19x10xf64>
  %y = stablehlo.slice %q [0:17, 0:19, 0:2] : (tensor<17x19x10xf64>) -> tensor<17x19x2xf64>
  check.expect_eq %p, %y : tensor<17x19x2xf64>
  func.return
}

// -----

// Few columns, beside the first of many.
func.func @few_columns_2_3_f32() {
  %mi = stablehlo.iota dim = 0 : tensor<110740xi32>
  %ma = stablehlo.constant dense<37> : tensor<110740xi32>
  %mp = stablehlo.multiply %mi, %ma : tensor<110740xi32>
  %mm = stablehlo.constant dense<5> : tensor<110740xi32>
  %mr = stablehlo.remainder %mp, %mm : tensor<110740xi32>
  %mc = stablehlo.convert %mr : (tensor<110740xi32>) -> tensor<110740xf32>
  %m = stablehlo.reshape %mc : (tensor<110740xf32>) -> tensor<7x113x140xf32>
  %vi = stablehlo.iota dim = 0 : tensor<840xi32>
  %va = stablehlo.constant dense<29> : tensor<840xi32>
  %vp = stablehlo.multiply %vi, %va : tensor<840xi32>
  %vm = stablehlo.constant dense<7> : tensor<840xi32>
  %vr = stablehlo.remainder %vp, %vm : tensor<840xi32>
  %vc = stablehlo.convert %vr : (tensor<840xi32>) -> tensor<840xf32>
  %v = stablehlo.reshape %vc : (tensor<840xf32>) -> tensor<140x2x3xf32>
  %p = stablehlo.dot_general %m, %v, contracting_dims = [2] x [0] : (tensor<7x113x140xf32>, tensor<140x2x3xf32>) -> tensor<7x113x2x3xf32>
  %w = stablehlo.concatenate %v, %v, %v, %v, %v, dim = 1 : (tensor<140x2x3xf32>, tensor<140x2x3xf32>, tensor<140x2x3xf32>, tensor<140x2x3xf32>, tensor<140x2x3xf32>) -> tensor<140x10x3xf32>
  %q = stablehlo.dot_general %m, %w, contracting_dims = [2] x [0] : (tensor<7x113x140xf32>, tensor<140x10x3xf32>) -> tensor<7x113x10x3xf32>
  %y = stablehlo.slice %q [0:7, 0:113, 0:2, 0:3] : (tensor<7x113x10x3xf32>) -> tensor<7x113x2x3xf32>
  check.expect_eq %p, %y : tensor<7x113x2x3xf32>
  func.return
}
