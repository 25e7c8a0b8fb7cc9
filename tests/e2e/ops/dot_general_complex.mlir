// Products of complex integers, which are exact, beside sums of products.
func.func @large() {
  %am = stablehlo.iota dim = 0 : tensor<33x40xi32>
  %ak = stablehlo.iota dim = 1 : tensor<33x40xi32>
  %arewm = stablehlo.constant dense<3> : tensor<33x40xi32>
  %arepm = stablehlo.multiply %am, %arewm : tensor<33x40xi32>
  %arewk = stablehlo.constant dense<5> : tensor<33x40xi32>
  %arepk = stablehlo.multiply %ak, %arewk : tensor<33x40xi32>
  %aresk = stablehlo.add %arepm, %arepk : tensor<33x40xi32>
  %arem = stablehlo.constant dense<7> : tensor<33x40xi32>
  %arer = stablehlo.remainder %aresk, %arem : tensor<33x40xi32>
  %areh = stablehlo.constant dense<3> : tensor<33x40xi32>
  %ared = stablehlo.subtract %arer, %areh : tensor<33x40xi32>
  %are = stablehlo.convert %ared : (tensor<33x40xi32>) -> tensor<33x40xf32>
  %aimwm = stablehlo.constant dense<1> : tensor<33x40xi32>
  %aimpm = stablehlo.multiply %am, %aimwm : tensor<33x40xi32>
  %aimwk = stablehlo.constant dense<2> : tensor<33x40xi32>
  %aimpk = stablehlo.multiply %ak, %aimwk : tensor<33x40xi32>
  %aimsk = stablehlo.add %aimpm, %aimpk : tensor<33x40xi32>
  %aimm = stablehlo.constant dense<5> : tensor<33x40xi32>
  %aimr = stablehlo.remainder %aimsk, %aimm : tensor<33x40xi32>
  %aimh = stablehlo.constant dense<2> : tensor<33x40xi32>
  %aimd = stablehlo.subtract %aimr, %aimh : tensor<33x40xi32>
  %aim = stablehlo.convert %aimd : (tensor<33x40xi32>) -> tensor<33x40xf32>
  %a = stablehlo.complex %are, %aim : tensor<33x40xcomplex<f32>>
  %bk = stablehlo.iota dim = 0 : tensor<40x21xi32>
  %bn = stablehlo.iota dim = 1 : tensor<40x21xi32>
  %brewk = stablehlo.constant dense<2> : tensor<40x21xi32>
  %brepk = stablehlo.multiply %bk, %brewk : tensor<40x21xi32>
  %brewn = stablehlo.constant dense<3> : tensor<40x21xi32>
  %brepn = stablehlo.multiply %bn, %brewn : tensor<40x21xi32>
  %bresn = stablehlo.add %brepk, %brepn : tensor<40x21xi32>
  %brem = stablehlo.constant dense<7> : tensor<40x21xi32>
  %brer = stablehlo.remainder %bresn, %brem : tensor<40x21xi32>
  %breh = stablehlo.constant dense<3> : tensor<40x21xi32>
  %bred = stablehlo.subtract %brer, %breh : tensor<40x21xi32>
  %bre = stablehlo.convert %bred : (tensor<40x21xi32>) -> tensor<40x21xf32>
  %bimwk = stablehlo.constant dense<5> : tensor<40x21xi32>
  %bimpk = stablehlo.multiply %bk, %bimwk : tensor<40x21xi32>
  %bimwn = stablehlo.constant dense<1> : tensor<40x21xi32>
  %bimpn = stablehlo.multiply %bn, %bimwn : tensor<40x21xi32>
  %bimsn = stablehlo.add %bimpk, %bimpn : tensor<40x21xi32>
  %bimm = stablehlo.constant dense<5> : tensor<40x21xi32>
  %bimr = stablehlo.remainder %bimsn, %bimm : tensor<40x21xi32>
  %bimh = stablehlo.constant dense<2> : tensor<40x21xi32>
  %bimd = stablehlo.subtract %bimr, %bimh : tensor<40x21xi32>
  %bim = stablehlo.convert %bimd : (tensor<40x21xi32>) -> tensor<40x21xf32>
  %b = stablehlo.complex %bre, %bim : tensor<40x21xcomplex<f32>>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<33x40xcomplex<f32>>, tensor<40x21xcomplex<f32>>) -> tensor<33x21xcomplex<f32>>
  %aall = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<33x40xcomplex<f32>>) -> tensor<33x21x40xcomplex<f32>>
  %ball = stablehlo.broadcast_in_dim %b, dims = [2, 1] : (tensor<40x21xcomplex<f32>>) -> tensor<33x21x40xcomplex<f32>>
  %products = stablehlo.multiply %aall, %ball : tensor<33x21x40xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %wanted = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<33x21x40xcomplex<f32>>, tensor<complex<f32>>) -> tensor<33x21xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<33x21xcomplex<f32>>
  func.return
}

// -----

func.func @large_transposed() {
  %ak = stablehlo.iota dim = 0 : tensor<70x16xi32>
  %am = stablehlo.iota dim = 1 : tensor<70x16xi32>
  %arewk = stablehlo.constant dense<5> : tensor<70x16xi32>
  %arepk = stablehlo.multiply %ak, %arewk : tensor<70x16xi32>
  %arewm = stablehlo.constant dense<3> : tensor<70x16xi32>
  %arepm = stablehlo.multiply %am, %arewm : tensor<70x16xi32>
  %aresm = stablehlo.add %arepk, %arepm : tensor<70x16xi32>
  %arem = stablehlo.constant dense<7> : tensor<70x16xi32>
  %arer = stablehlo.remainder %aresm, %arem : tensor<70x16xi32>
  %areh = stablehlo.constant dense<3> : tensor<70x16xi32>
  %ared = stablehlo.subtract %arer, %areh : tensor<70x16xi32>
  %are = stablehlo.convert %ared : (tensor<70x16xi32>) -> tensor<70x16xf64>
  %aimwk = stablehlo.constant dense<2> : tensor<70x16xi32>
  %aimpk = stablehlo.multiply %ak, %aimwk : tensor<70x16xi32>
  %aimwm = stablehlo.constant dense<1> : tensor<70x16xi32>
  %aimpm = stablehlo.multiply %am, %aimwm : tensor<70x16xi32>
  %aimsm = stablehlo.add %aimpk, %aimpm : tensor<70x16xi32>
  %aimm = stablehlo.constant dense<5> : tensor<70x16xi32>
  %aimr = stablehlo.remainder %aimsm, %aimm : tensor<70x16xi32>
  %aimh = stablehlo.constant dense<2> : tensor<70x16xi32>
  %aimd = stablehlo.subtract %aimr, %aimh : tensor<70x16xi32>
  %aim = stablehlo.convert %aimd : (tensor<70x16xi32>) -> tensor<70x16xf64>
  %a = stablehlo.complex %are, %aim : tensor<70x16xcomplex<f64>>
  %bn = stablehlo.iota dim = 0 : tensor<17x70xi32>
  %bk = stablehlo.iota dim = 1 : tensor<17x70xi32>
  %brewn = stablehlo.constant dense<3> : tensor<17x70xi32>
  %brepn = stablehlo.multiply %bn, %brewn : tensor<17x70xi32>
  %brewk = stablehlo.constant dense<2> : tensor<17x70xi32>
  %brepk = stablehlo.multiply %bk, %brewk : tensor<17x70xi32>
  %bresk = stablehlo.add %brepn, %brepk : tensor<17x70xi32>
  %brem = stablehlo.constant dense<7> : tensor<17x70xi32>
  %brer = stablehlo.remainder %bresk, %brem : tensor<17x70xi32>
  %breh = stablehlo.constant dense<3> : tensor<17x70xi32>
  %bred = stablehlo.subtract %brer, %breh : tensor<17x70xi32>
  %bre = stablehlo.convert %bred : (tensor<17x70xi32>) -> tensor<17x70xf64>
  %bimwn = stablehlo.constant dense<1> : tensor<17x70xi32>
  %bimpn = stablehlo.multiply %bn, %bimwn : tensor<17x70xi32>
  %bimwk = stablehlo.constant dense<5> : tensor<17x70xi32>
  %bimpk = stablehlo.multiply %bk, %bimwk : tensor<17x70xi32>
  %bimsk = stablehlo.add %bimpn, %bimpk : tensor<17x70xi32>
  %bimm = stablehlo.constant dense<5> : tensor<17x70xi32>
  %bimr = stablehlo.remainder %bimsk, %bimm : tensor<17x70xi32>
  %bimh = stablehlo.constant dense<2> : tensor<17x70xi32>
  %bimd = stablehlo.subtract %bimr, %bimh : tensor<17x70xi32>
  %bim = stablehlo.convert %bimd : (tensor<17x70xi32>) -> tensor<17x70xf64>
  %b = stablehlo.complex %bre, %bim : tensor<17x70xcomplex<f64>>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<70x16xcomplex<f64>>, tensor<17x70xcomplex<f64>>) -> tensor<16x17xcomplex<f64>>
  %aall = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<70x16xcomplex<f64>>) -> tensor<16x17x70xcomplex<f64>>
  %ball = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<17x70xcomplex<f64>>) -> tensor<16x17x70xcomplex<f64>>
  %products = stablehlo.multiply %aall, %ball : tensor<16x17x70xcomplex<f64>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %wanted = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<16x17x70xcomplex<f64>>, tensor<complex<f64>>) -> tensor<16x17xcomplex<f64>>
  check.expect_eq %r, %wanted : tensor<16x17xcomplex<f64>>
  func.return
}

// -----

func.func @large_batch() {
  %ab = stablehlo.iota dim = 0 : tensor<3x24x32xi32>
  %am = stablehlo.iota dim = 1 : tensor<3x24x32xi32>
  %ak = stablehlo.iota dim = 2 : tensor<3x24x32xi32>
  %arewb = stablehlo.constant dense<2> : tensor<3x24x32xi32>
  %arepb = stablehlo.multiply %ab, %arewb : tensor<3x24x32xi32>
  %arewm = stablehlo.constant dense<3> : tensor<3x24x32xi32>
  %arepm = stablehlo.multiply %am, %arewm : tensor<3x24x32xi32>
  %aresm = stablehlo.add %arepb, %arepm : tensor<3x24x32xi32>
  %arewk = stablehlo.constant dense<5> : tensor<3x24x32xi32>
  %arepk = stablehlo.multiply %ak, %arewk : tensor<3x24x32xi32>
  %aresk = stablehlo.add %aresm, %arepk : tensor<3x24x32xi32>
  %arem = stablehlo.constant dense<7> : tensor<3x24x32xi32>
  %arer = stablehlo.remainder %aresk, %arem : tensor<3x24x32xi32>
  %areh = stablehlo.constant dense<3> : tensor<3x24x32xi32>
  %ared = stablehlo.subtract %arer, %areh : tensor<3x24x32xi32>
  %are = stablehlo.convert %ared : (tensor<3x24x32xi32>) -> tensor<3x24x32xf32>
  %aimwb = stablehlo.constant dense<1> : tensor<3x24x32xi32>
  %aimpb = stablehlo.multiply %ab, %aimwb : tensor<3x24x32xi32>
  %aimwm = stablehlo.constant dense<1> : tensor<3x24x32xi32>
  %aimpm = stablehlo.multiply %am, %aimwm : tensor<3x24x32xi32>
  %aimsm = stablehlo.add %aimpb, %aimpm : tensor<3x24x32xi32>
  %aimwk = stablehlo.constant dense<2> : tensor<3x24x32xi32>
  %aimpk = stablehlo.multiply %ak, %aimwk : tensor<3x24x32xi32>
  %aimsk = stablehlo.add %aimsm, %aimpk : tensor<3x24x32xi32>
  %aimm = stablehlo.constant dense<5> : tensor<3x24x32xi32>
  %aimr = stablehlo.remainder %aimsk, %aimm : tensor<3x24x32xi32>
  %aimh = stablehlo.constant dense<2> : tensor<3x24x32xi32>
  %aimd = stablehlo.subtract %aimr, %aimh : tensor<3x24x32xi32>
  %aim = stablehlo.convert %aimd : (tensor<3x24x32xi32>) -> tensor<3x24x32xf32>
  %a = stablehlo.complex %are, %aim : tensor<3x24x32xcomplex<f32>>
  %bb = stablehlo.iota dim = 0 : tensor<3x40x32xi32>
  %bn = stablehlo.iota dim = 1 : tensor<3x40x32xi32>
  %bk = stablehlo.iota dim = 2 : tensor<3x40x32xi32>
  %brewb = stablehlo.constant dense<1> : tensor<3x40x32xi32>
  %brepb = stablehlo.multiply %bb, %brewb : tensor<3x40x32xi32>
  %brewn = stablehlo.constant dense<3> : tensor<3x40x32xi32>
  %brepn = stablehlo.multiply %bn, %brewn : tensor<3x40x32xi32>
  %bresn = stablehlo.add %brepb, %brepn : tensor<3x40x32xi32>
  %brewk = stablehlo.constant dense<2> : tensor<3x40x32xi32>
  %brepk = stablehlo.multiply %bk, %brewk : tensor<3x40x32xi32>
  %bresk = stablehlo.add %bresn, %brepk : tensor<3x40x32xi32>
  %brem = stablehlo.constant dense<7> : tensor<3x40x32xi32>
  %brer = stablehlo.remainder %bresk, %brem : tensor<3x40x32xi32>
  %breh = stablehlo.constant dense<3> : tensor<3x40x32xi32>
  %bred = stablehlo.subtract %brer, %breh : tensor<3x40x32xi32>
  %bre = stablehlo.convert %bred : (tensor<3x40x32xi32>) -> tensor<3x40x32xf32>
  %bimwb = stablehlo.constant dense<2> : tensor<3x40x32xi32>
  %bimpb = stablehlo.multiply %bb, %bimwb : tensor<3x40x32xi32>
  %bimwn = stablehlo.constant dense<1> : tensor<3x40x32xi32>
  %bimpn = stablehlo.multiply %bn, %bimwn : tensor<3x40x32xi32>
  %bimsn = stablehlo.add %bimpb, %bimpn : tensor<3x40x32xi32>
  %bimwk = stablehlo.constant dense<5> : tensor<3x40x32xi32>
  %bimpk = stablehlo.multiply %bk, %bimwk : tensor<3x40x32xi32>
  %bimsk = stablehlo.add %bimsn, %bimpk : tensor<3x40x32xi32>
  %bimm = stablehlo.constant dense<5> : tensor<3x40x32xi32>
  %bimr = stablehlo.remainder %bimsk, %bimm : tensor<3x40x32xi32>
  %bimh = stablehlo.constant dense<2> : tensor<3x40x32xi32>
  %bimd = stablehlo.subtract %bimr, %bimh : tensor<3x40x32xi32>
  %bim = stablehlo.convert %bimd : (tensor<3x40x32xi32>) -> tensor<3x40x32xf32>
  %b = stablehlo.complex %bre, %bim : tensor<3x40x32xcomplex<f32>>
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x24x32xcomplex<f32>>, tensor<3x40x32xcomplex<f32>>) -> tensor<3x24x40xcomplex<f32>>
  %aall = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<3x24x32xcomplex<f32>>) -> tensor<3x24x40x32xcomplex<f32>>
  %ball = stablehlo.broadcast_in_dim %b, dims = [0, 2, 3] : (tensor<3x40x32xcomplex<f32>>) -> tensor<3x24x40x32xcomplex<f32>>
  %products = stablehlo.multiply %aall, %ball : tensor<3x24x40x32xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %wanted = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<3x24x40x32xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x24x40xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<3x24x40xcomplex<f32>>
  func.return
}

// -----

func.func @small() {
  %am = stablehlo.iota dim = 0 : tensor<5x6xi32>
  %ak = stablehlo.iota dim = 1 : tensor<5x6xi32>
  %arewm = stablehlo.constant dense<3> : tensor<5x6xi32>
  %arepm = stablehlo.multiply %am, %arewm : tensor<5x6xi32>
  %arewk = stablehlo.constant dense<5> : tensor<5x6xi32>
  %arepk = stablehlo.multiply %ak, %arewk : tensor<5x6xi32>
  %aresk = stablehlo.add %arepm, %arepk : tensor<5x6xi32>
  %arem = stablehlo.constant dense<7> : tensor<5x6xi32>
  %arer = stablehlo.remainder %aresk, %arem : tensor<5x6xi32>
  %areh = stablehlo.constant dense<3> : tensor<5x6xi32>
  %ared = stablehlo.subtract %arer, %areh : tensor<5x6xi32>
  %are = stablehlo.convert %ared : (tensor<5x6xi32>) -> tensor<5x6xf32>
  %aimwm = stablehlo.constant dense<1> : tensor<5x6xi32>
  %aimpm = stablehlo.multiply %am, %aimwm : tensor<5x6xi32>
  %aimwk = stablehlo.constant dense<2> : tensor<5x6xi32>
  %aimpk = stablehlo.multiply %ak, %aimwk : tensor<5x6xi32>
  %aimsk = stablehlo.add %aimpm, %aimpk : tensor<5x6xi32>
  %aimm = stablehlo.constant dense<5> : tensor<5x6xi32>
  %aimr = stablehlo.remainder %aimsk, %aimm : tensor<5x6xi32>
  %aimh = stablehlo.constant dense<2> : tensor<5x6xi32>
  %aimd = stablehlo.subtract %aimr, %aimh : tensor<5x6xi32>
  %aim = stablehlo.convert %aimd : (tensor<5x6xi32>) -> tensor<5x6xf32>
  %a = stablehlo.complex %are, %aim : tensor<5x6xcomplex<f32>>
  %bk = stablehlo.iota dim = 0 : tensor<6x7xi32>
  %bn = stablehlo.iota dim = 1 : tensor<6x7xi32>
  %brewk = stablehlo.constant dense<2> : tensor<6x7xi32>
  %brepk = stablehlo.multiply %bk, %brewk : tensor<6x7xi32>
  %brewn = stablehlo.constant dense<3> : tensor<6x7xi32>
  %brepn = stablehlo.multiply %bn, %brewn : tensor<6x7xi32>
  %bresn = stablehlo.add %brepk, %brepn : tensor<6x7xi32>
  %brem = stablehlo.constant dense<7> : tensor<6x7xi32>
  %brer = stablehlo.remainder %bresn, %brem : tensor<6x7xi32>
  %breh = stablehlo.constant dense<3> : tensor<6x7xi32>
  %bred = stablehlo.subtract %brer, %breh : tensor<6x7xi32>
  %bre = stablehlo.convert %bred : (tensor<6x7xi32>) -> tensor<6x7xf32>
  %bimwk = stablehlo.constant dense<5> : tensor<6x7xi32>
  %bimpk = stablehlo.multiply %bk, %bimwk : tensor<6x7xi32>
  %bimwn = stablehlo.constant dense<1> : tensor<6x7xi32>
  %bimpn = stablehlo.multiply %bn, %bimwn : tensor<6x7xi32>
  %bimsn = stablehlo.add %bimpk, %bimpn : tensor<6x7xi32>
  %bimm = stablehlo.constant dense<5> : tensor<6x7xi32>
  %bimr = stablehlo.remainder %bimsn, %bimm : tensor<6x7xi32>
  %bimh = stablehlo.constant dense<2> : tensor<6x7xi32>
  %bimd = stablehlo.subtract %bimr, %bimh : tensor<6x7xi32>
  %bim = stablehlo.convert %bimd : (tensor<6x7xi32>) -> tensor<6x7xf32>
  %b = stablehlo.complex %bre, %bim : tensor<6x7xcomplex<f32>>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x6xcomplex<f32>>, tensor<6x7xcomplex<f32>>) -> tensor<5x7xcomplex<f32>>
  %aall = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<5x6xcomplex<f32>>) -> tensor<5x7x6xcomplex<f32>>
  %ball = stablehlo.broadcast_in_dim %b, dims = [2, 1] : (tensor<6x7xcomplex<f32>>) -> tensor<5x7x6xcomplex<f32>>
  %products = stablehlo.multiply %aall, %ball : tensor<5x7x6xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %wanted = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<5x7x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5x7xcomplex<f32>>
  check.expect_eq %r, %wanted : tensor<5x7xcomplex<f32>>
  func.return
}
