// Every bit pattern of every narrow type, payloads of NaN included, from numbers
// to floats and back. Between the two stands memory.
func.func @f8e3m4() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E3M4>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E3M4>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E3M4>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e3m4_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E3M4>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E3M4>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E3M4>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E3M4>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E4M3>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E4M3>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E4M3>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3b11fnuz() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3B11FNUZ>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3B11FNUZ>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3b11fnuz_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3B11FNUZ>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3B11FNUZ>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E4M3B11FNUZ>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3fn() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3FN>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3FN>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E4M3FN>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3fn_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3FN>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3FN>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E4M3FN>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E4M3FN>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3fnuz() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3FNUZ>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3FNUZ>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E4M3FNUZ>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e4m3fnuz_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E4M3FNUZ>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E4M3FNUZ>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E4M3FNUZ>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E4M3FNUZ>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e5m2() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E5M2>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E5M2>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E5M2>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e5m2_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E5M2>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E5M2>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E5M2>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E5M2>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e5m2fnuz() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E5M2FNUZ>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E5M2FNUZ>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E5M2FNUZ>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e5m2fnuz_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E5M2FNUZ>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E5M2FNUZ>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E5M2FNUZ>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E5M2FNUZ>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f8e8m0fnu() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E8M0FNU>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %kept : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  check.expect_eq %r, %codes : tensor<256xui8>
  func.return
}

// -----

func.func @f8e8m0fnu_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<256xui8>
  %floats = stablehlo.bitcast_convert %codes : (tensor<256xui8>) -> tensor<256xf8E8M0FNU>
  %kept = stablehlo.optimization_barrier %floats : tensor<256xf8E8M0FNU>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<256xf8E8M0FNU>
  %r = stablehlo.bitcast_convert %moved : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<256xui8>
  check.expect_eq %r, %wanted : tensor<256xui8>
  func.return
}

// -----

func.func @f4e2m1fn() {
  %codes = stablehlo.iota dim = 0 : tensor<16xui4>
  %floats = stablehlo.bitcast_convert %codes : (tensor<16xui4>) -> tensor<16xf4E2M1FN>
  %kept = stablehlo.optimization_barrier %floats : tensor<16xf4E2M1FN>
  %r = stablehlo.bitcast_convert %kept : (tensor<16xf4E2M1FN>) -> tensor<16xui4>
  check.expect_eq %r, %codes : tensor<16xui4>
  func.return
}

// -----

func.func @f4e2m1fn_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<16xui4>
  %floats = stablehlo.bitcast_convert %codes : (tensor<16xui4>) -> tensor<16xf4E2M1FN>
  %kept = stablehlo.optimization_barrier %floats : tensor<16xf4E2M1FN>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<16xf4E2M1FN>
  %r = stablehlo.bitcast_convert %moved : (tensor<16xf4E2M1FN>) -> tensor<16xui4>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<16xui4>
  check.expect_eq %r, %wanted : tensor<16xui4>
  func.return
}

// -----

func.func @bf16() {
  %codes = stablehlo.iota dim = 0 : tensor<65536xui16>
  %floats = stablehlo.bitcast_convert %codes : (tensor<65536xui16>) -> tensor<65536xbf16>
  %kept = stablehlo.optimization_barrier %floats : tensor<65536xbf16>
  %r = stablehlo.bitcast_convert %kept : (tensor<65536xbf16>) -> tensor<65536xui16>
  check.expect_eq %r, %codes : tensor<65536xui16>
  func.return
}

// -----

func.func @bf16_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<65536xui16>
  %floats = stablehlo.bitcast_convert %codes : (tensor<65536xui16>) -> tensor<65536xbf16>
  %kept = stablehlo.optimization_barrier %floats : tensor<65536xbf16>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<65536xbf16>
  %r = stablehlo.bitcast_convert %moved : (tensor<65536xbf16>) -> tensor<65536xui16>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<65536xui16>
  check.expect_eq %r, %wanted : tensor<65536xui16>
  func.return
}

// -----

func.func @f16() {
  %codes = stablehlo.iota dim = 0 : tensor<65536xui16>
  %floats = stablehlo.bitcast_convert %codes : (tensor<65536xui16>) -> tensor<65536xf16>
  %kept = stablehlo.optimization_barrier %floats : tensor<65536xf16>
  %r = stablehlo.bitcast_convert %kept : (tensor<65536xf16>) -> tensor<65536xui16>
  check.expect_eq %r, %codes : tensor<65536xui16>
  func.return
}

// -----

func.func @f16_moved() {
  %codes = stablehlo.iota dim = 0 : tensor<65536xui16>
  %floats = stablehlo.bitcast_convert %codes : (tensor<65536xui16>) -> tensor<65536xf16>
  %kept = stablehlo.optimization_barrier %floats : tensor<65536xf16>
  %moved = stablehlo.reverse %kept, dims = [0] : tensor<65536xf16>
  %r = stablehlo.bitcast_convert %moved : (tensor<65536xf16>) -> tensor<65536xui16>
  %wanted = stablehlo.reverse %codes, dims = [0] : tensor<65536xui16>
  check.expect_eq %r, %wanted : tensor<65536xui16>
  func.return
}
