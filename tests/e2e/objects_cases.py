"""Programs of objects_test.py: one for each kind of kernel and of value.

A case has the text of the program, its inputs (arrays, or shapes and dtypes of random
ones), and its number of results. `runtime`: the object calls libxlac_rt.a.
"""
import numpy as np

CASES, DYNAMIC, BAD, PROGRAMS = {}, {}, {}, {}

CASES["loops"] = {
    "inputs": [((37, 65), "f4"), ((65,), "f4")], "results": 2, "text": """
func.func @main(%x: tensor<37x65xf32>, %b: tensor<65xf32>)
    -> (tensor<37x65xf32>, tensor<65x37xf32>) {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<65xf32>) -> tensor<37x65xf32>
  %1 = stablehlo.add %x, %0 : tensor<37x65xf32>
  %2 = stablehlo.tanh %1 : tensor<37x65xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<37x65xf32>) -> tensor<65x37xf32>
  return %2, %3 : tensor<37x65xf32>, tensor<65x37xf32>
}"""}

CASES["large_loop"] = {
    "inputs": [((400, 1000), "f4")], "results": 1, "text": """
func.func @main(%x: tensor<400x1000xf32>) -> tensor<400x1000xf32> {
  %0 = stablehlo.exponential %x : tensor<400x1000xf32>
  %1 = stablehlo.sine %0 : tensor<400x1000xf32>
  return %1 : tensor<400x1000xf32>
}"""}

CASES["reductions"] = {
    "inputs": [((300, 257), "f4")], "results": 3, "text": """
func.func @main(%x: tensor<300x257xf32>)
    -> (tensor<300xf32>, tensor<257xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<300x257xf32>, tensor<f32>) -> tensor<300xf32>
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0]
    : (tensor<300x257xf32>, tensor<f32>) -> tensor<257xf32>
  %2 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<300x257xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<300xf32>, tensor<257xf32>, tensor<f32>
}"""}


def dense(array):
    return '"0x' + np.ascontiguousarray(array).tobytes().hex().upper() + '"'


_weights = np.random.default_rng(3).standard_normal((130, 70)).astype("f4")
CASES["gemm_constants"] = {
    "inputs": [((90, 130), "f4")], "results": 2, "text": f"""
func.func @main(%x: tensor<90x130xf32>) -> (tensor<90x70xf32>, tensor<2x3xi64>) {{
  %w = stablehlo.constant dense<{dense(_weights)}> : tensor<130x70xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<90x130xf32>, tensor<130x70xf32>) -> tensor<90x70xf32>
  %1 = stablehlo.constant dense<[[1, 2, 3], [-4, 5, 6]]> : tensor<2x3xi64>
  return %0, %1 : tensor<90x70xf32>, tensor<2x3xi64>
}}"""}

# Its launches run slice by slice.
CASES["heads"] = {
    "inputs": [((64, 64, 32), "f4"), ((64, 64, 32), "f4")], "results": 1, "text": """
func.func @main(%q: tensor<64x64x32xf32>, %k: tensor<64x64x32xf32>) -> tensor<64x64x32xf32> {
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
    : (tensor<64x64x32xf32>, tensor<64x64x32xf32>) -> tensor<64x64x64xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [2]
    : (tensor<64x64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x64xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<64x64x64xf32>
  %4 = stablehlo.dot_general %3, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<64x64x64xf32>, tensor<64x64x32xf32>) -> tensor<64x64x32xf32>
  return %4 : tensor<64x64x32xf32>
}"""}

CASES["gemm_invariant"] = {
    "inputs": [((40, 130), "f4"), ((130, 270), "f4")], "results": 1,
    "words": ["--invariant", "1"], "run_words": ["--invariant", "1"], "text": """
func.func @main(%x: tensor<40x130xf32>, %w: tensor<130x270xf32>) -> tensor<40x270xf32> {
  %e = stablehlo.exponential %w : tensor<130x270xf32>
  %0 = stablehlo.dot_general %x, %e, contracting_dims = [1] x [0]
    : (tensor<40x130xf32>, tensor<130x270xf32>) -> tensor<40x270xf32>
  return %0 : tensor<40x270xf32>
}"""}

CASES["convolution"] = {
    "inputs": [((2, 16, 16, 8), "f4"), ((3, 3, 8, 24), "f4")], "results": 1, "text": """
func.func @main(%x: tensor<2x16x16x8xf32>, %w: tensor<3x3x8x24xf32>)
    -> tensor<2x16x16x24xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x16x16x8xf32>, tensor<3x3x8x24xf32>) -> tensor<2x16x16x24xf32>
  return %0 : tensor<2x16x16x24xf32>
}"""}

CASES["gather_scatter"] = {
    "inputs": [((20, 6), "f4"), ((5, 1), "i4"), ((5, 6), "f4")], "results": 2, "text": """
func.func @main(%x: tensor<20x6xf32>, %i: tensor<5x1xi32>, %u: tensor<5x6xf32>)
    -> (tensor<5x6xf32>, tensor<20x6xf32>) {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 6>} : (tensor<20x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<20x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<20x6xf32>
  return %0, %1 : tensor<5x6xf32>, tensor<20x6xf32>
}"""}

CASES["while"] = {
    "inputs": [((16, 16), "f4"), np.array(9, "i4")], "results": 2, "text": """
func.func @main(%x: tensor<16x16xf32>, %n: tensor<i32>) -> (tensor<16x16xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<16x16xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %m = stablehlo.remainder %i, %two : tensor<i32>
    %odd = stablehlo.compare EQ, %m, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %next = "stablehlo.if"(%odd) ({
      %d = stablehlo.dot_general %v, %x, contracting_dims = [1] x [0]
        : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %t = stablehlo.tanh %d : tensor<16x16xf32>
      stablehlo.return %t : tensor<16x16xf32>
    }, {
      %a = stablehlo.add %v, %x : tensor<16x16xf32>
      stablehlo.return %a : tensor<16x16xf32>
    }) : (tensor<i1>) -> tensor<16x16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<16x16xf32>
  }
  return %r#1, %r#0 : tensor<16x16xf32>, tensor<i32>
}"""}

CASES["random"] = {
    "inputs": [((2,), "u8")], "results": 2, "text": """
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<100x7xf32>) {
  %o, %bits = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<100x7xui32>)
  %f = stablehlo.convert %bits : (tensor<100x7xui32>) -> tensor<100x7xf32>
  return %o, %f : tensor<2xui64>, tensor<100x7xf32>
}"""}

CASES["zero_size"] = {
    "inputs": [((0, 5), "f4"), ((3, 0), "f4")], "results": 2, "text": """
func.func @main(%x: tensor<0x5xf32>, %y: tensor<3x0xf32>) -> (tensor<3x5xf32>, tensor<5x0xf32>) {
  %0 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0]
    : (tensor<3x0xf32>, tensor<0x5xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<0x5xf32>) -> tensor<5x0xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<5x0xf32>
}"""}

CASES["no_arguments"] = {
    "inputs": [], "results": 1, "text": """
func.func @main() -> tensor<7xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<7xi32>
  return %0 : tensor<7xi32>
}"""}

CASES["no_results"] = {
    "inputs": [((3,), "f4")], "results": 0, "text": """
func.func @main(%x: tensor<3xf32>) {
  return
}"""}

CASES["element_types"] = {
    "inputs": [((33,), "u2"), ((33,), "c8"), ((33,), "?"), ((33,), "i1"), ((33,), "f2"),
               ((33,), "f8"), ((33,), "u8"), ((33,), "c16")], "results": 8, "text": """
func.func @main(%a: tensor<33xbf16>, %b: tensor<33xcomplex<f32>>, %c: tensor<33xi1>,
    %d: tensor<33xi4>, %e: tensor<33xf16>, %f: tensor<33xf64>, %g: tensor<33xui64>,
    %h: tensor<33xcomplex<f64>>) -> (tensor<33xbf16>, tensor<33xcomplex<f32>>, tensor<33xi1>,
    tensor<33xi4>, tensor<33xf16>, tensor<33xf64>, tensor<33xui64>, tensor<33xcomplex<f64>>) {
  %0 = stablehlo.add %a, %a : tensor<33xbf16>
  %1 = stablehlo.multiply %b, %b : tensor<33xcomplex<f32>>
  %2 = stablehlo.not %c : tensor<33xi1>
  %3 = stablehlo.add %d, %d : tensor<33xi4>
  %4 = stablehlo.exponential %e : tensor<33xf16>
  %5 = stablehlo.exponential %f : tensor<33xf64>
  %6 = stablehlo.multiply %g, %g : tensor<33xui64>
  %7 = stablehlo.exponential %h : tensor<33xcomplex<f64>>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<33xbf16>, tensor<33xcomplex<f32>>,
    tensor<33xi1>, tensor<33xi4>, tensor<33xf16>, tensor<33xf64>, tensor<33xui64>,
    tensor<33xcomplex<f64>>
}"""}

CASES["donation"] = {
    "inputs": [((64, 5), "f4"), ((64, 5), "f4")], "results": 2, "aliases": [(0, 0)], "text": """
func.func @main(%p: tensor<64x5xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<64x5xf32>)
    -> (tensor<64x5xf32>, tensor<5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.subtract %p, %g : tensor<64x5xf32>
  %1 = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<64x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %0, %1 : tensor<64x5xf32>, tensor<5xf32>
}"""}

CASES["argument_as_result"] = {
    "inputs": [((9,), "f4")], "results": 2, "text": """
func.func @main(%x: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  return %x, %x : tensor<9xf32>, tensor<9xf32>
}"""}

CASES["sort"] = {
    "inputs": [((7, 300), "f4"), ((20000,), "f4")], "results": 2, "runtime": True, "text": """
func.func @main(%x: tensor<7x300xf32>, %y: tensor<20000xf32>)
    -> (tensor<7x300xf32>, tensor<20000xf32>) {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<7x300xf32>) -> tensor<7x300xf32>
  %1 = "stablehlo.sort"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<20000xf32>) -> tensor<20000xf32>
  return %0, %1 : tensor<7x300xf32>, tensor<20000xf32>
}"""}

CASES["sort_pairs"] = {
    "inputs": [((40, 6), "i4"), ((40, 6), "f4")], "results": 2, "text": """
func.func @main(%x: tensor<40x6xi32>, %y: tensor<40x6xf32>)
    -> (tensor<40x6xi32>, tensor<40x6xf32>) {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %s = stablehlo.multiply %c, %d : tensor<f32>
    %p = stablehlo.compare LT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %e = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = stablehlo.and %e, %p : tensor<i1>
    %r = stablehlo.or %t, %q : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true}
    : (tensor<40x6xi32>, tensor<40x6xf32>) -> (tensor<40x6xi32>, tensor<40x6xf32>)
  return %0#0, %0#1 : tensor<40x6xi32>, tensor<40x6xf32>
}"""}

CASES["fft"] = {
    "inputs": [((5, 64), "c8"), ((3, 100), "f8"), ((2, 37), "c16")], "results": 3,
    "runtime": True, "text": """
func.func @main(%x: tensor<5x64xcomplex<f32>>, %y: tensor<3x100xf64>,
    %z: tensor<2x37xcomplex<f64>>) -> (tensor<5x64xcomplex<f32>>, tensor<3x51xcomplex<f64>>,
    tensor<2x37xcomplex<f64>>) {
  %0 = stablehlo.fft %x, type = FFT, length = [64]
    : (tensor<5x64xcomplex<f32>>) -> tensor<5x64xcomplex<f32>>
  %1 = stablehlo.fft %y, type = RFFT, length = [100]
    : (tensor<3x100xf64>) -> tensor<3x51xcomplex<f64>>
  %2 = stablehlo.fft %z, type = IFFT, length = [37]
    : (tensor<2x37xcomplex<f64>>) -> tensor<2x37xcomplex<f64>>
  return %0, %1, %2 : tensor<5x64xcomplex<f32>>, tensor<3x51xcomplex<f64>>,
    tensor<2x37xcomplex<f64>>
}"""}

CASES["cholesky"] = {
    "inputs": [((3, 40, 40), "f4"), ((3, 40, 5), "f4")], "results": 2, "runtime": True, "text": """
func.func @main(%x: tensor<3x40x40xf32>, %b: tensor<3x40x5xf32>)
    -> (tensor<3x40x40xf32>, tensor<3x40x5xf32>) {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2]
    : (tensor<3x40x40xf32>, tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  %1 = stablehlo.cholesky %0, lower = true : tensor<3x40x40xf32>
  %2 = "stablehlo.triangular_solve"(%1, %b) {left_side = true, lower = true,
    unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
    : (tensor<3x40x40xf32>, tensor<3x40x5xf32>) -> tensor<3x40x5xf32>
  return %1, %2 : tensor<3x40x40xf32>, tensor<3x40x5xf32>
}"""}

_symmetric = np.random.default_rng(5).standard_normal((4, 12, 12)).astype("f4")
CASES["custom_calls"] = {
    "inputs": [_symmetric + _symmetric.transpose(0, 2, 1), ((3, 9, 6), "f8")], "results": 5,
    "runtime": True, "text": """
func.func @main(%x: tensor<4x12x12xf32>, %y: tensor<3x9x6xf64>) -> (tensor<4x12x12xf32>,
    tensor<4x12xf32>, tensor<3x9x6xf64>, tensor<3x6xi32>, tensor<3x9xi32>) {
  %0:2 = stablehlo.custom_call @Eigh(%x)
    : (tensor<4x12x12xf32>) -> (tensor<4x12x12xf32>, tensor<4x12xf32>)
  %1:3 = stablehlo.custom_call @LuDecomposition(%y)
    : (tensor<3x9x6xf64>) -> (tensor<3x9x6xf64>, tensor<3x6xi32>, tensor<3x9xi32>)
  return %0#0, %0#1, %1#0, %1#1, %1#2 : tensor<4x12x12xf32>, tensor<4x12xf32>,
    tensor<3x9x6xf64>, tensor<3x6xi32>, tensor<3x9xi32>
}"""}

_columns = np.random.default_rng(4).standard_normal((48, 20)).astype("f4")
DYNAMIC["batch"] = {
    "words": ["--shape", "0=nx48", "--size", "n=1..24"], "results": 3,
    "runs": {(n,): [((n, 48), "f4")] for n in (1, 7, 24)}, "text": f"""
func.func @main(%x: tensor<?x48xf32>) -> (tensor<?x20xf32>, tensor<?xf32>, tensor<20xf32>) {{
  %w = stablehlo.constant dense<{dense(_columns)}> : tensor<48x20xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x48xf32>, tensor<48x20xf32>) -> tensor<?x20xf32>
  %1 = stablehlo.tanh %0 : tensor<?x20xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x20xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?x20xf32>, tensor<f32>) -> tensor<20xf32>
  return %1, %2, %3 : tensor<?x20xf32>, tensor<?xf32>, tensor<20xf32>
}}"""}

DYNAMIC["two_sizes"] = {
    "words": ["--shape", "0=nxk", "--shape", "1=kx3", "--size", "n=0..2,5", "--size", "k=8..32/8"],
    "results": 1, "targets": ["baseline", "avx2"],
    "runs": {(n, k): [((n, k), "f4"), ((k, 3), "f4")] for n, k in ((0, 8), (2, 32), (5, 24))},
    "text": """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}"""}

_any_size = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"


def _bad_size(message, *words):
    return {"text": _any_size, "words": ["--emit", "obj", "-o", "FOLDER/m.o", *words],
            "message": message}


BAD["no_sizes"] = _bad_size(".")
BAD["size_form"] = _bad_size("expected NAME=1..64", "--shape", "0=n", "--size", "n=1..")
BAD["size_name"] = _bad_size("cannot be named 'arena'", "--shape", "0=arena", "--size", "arena=1")
BAD["size_unused"] = _bad_size("no --shape names the size 'n'", "--shape", "0=3", "--size", "n=1")
BAD["shape_form"] = _bad_size("--shape 0=m: expected", "--shape", "0=m", "--size", "n=1")
BAD["shape_rank"] = _bad_size(".", "--shape", "0=nx2", "--size", "n=1")
BAD["many_sizes"] = _bad_size("more than 4096 combinations", "--shape", "0=n", "--size",
                              "n=1..5000")

_plain = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }"
BAD["name"] = {"text": _plain, "words": ["--emit", "obj", "-o", "FOLDER/m.o", "--name", "2m"],
               "message": "'2m' is not an identifier of C"}
BAD["keyword"] = {"text": _plain, "words": ["--emit", "obj", "-o", "FOLDER/while.o"],
                  "message": "'while' is not an identifier of C; --name"}
BAD["no_output"] = {"text": _plain, "words": ["--emit", "obj"], "code": 2,
                    "message": "-o is needed"}
BAD["unwritable"] = {"text": _plain,
                     "words": ["--emit", "obj", "-o", "FOLDER/missing/m.o"],
                     "message": "missing/m.o"}
BAD["device"] = {"text": _plain, "words": ["--emit", "obj", "-o", "/dev/null", "--name", "m"],
                 "message": "/dev/null: not a regular file"}
BAD["folder"] = {"text": _plain, "words": ["--emit", "obj", "-o", "FOLDER", "--name", "m"],
                 "message": "not a regular file"}
BAD["syntax"] = {"text": "func.func @main(", "words": ["--emit", "obj", "-o", "FOLDER/m.o"],
                 "message": "m.mlir:1"}
BAD["partitions"] = {"text": "module attributes {mhlo.num_partitions = 2 : i32} {" + """
func.func @main(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}}""", "words": ["--emit", "obj", "-o", "FOLDER/m.o"], "message": "partitioned over 2 devices"}
BAD["target"] = {"text": _plain,
                 "words": ["--emit", "obj", "-o", "FOLDER/m.o", "--target", "avx2,avx3"],
                 "message": "unknown target profile 'avx3'"}
BAD["entry"] = {"text": _plain,
                "words": ["--emit", "obj", "-o", "FOLDER/m.o", "--entry", "other"],
                "message": "other"}
BAD["collective"] = {"text": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""", "words": ["--emit", "obj", "-o", "FOLDER/m.o"],
                     "message": r"all_reduce of tensor<4xf32>.* needs xlac's runtime"}
BAD["custom_call"] = {"text": """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mine(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""", "words": ["--emit", "obj", "-o", "FOLDER/m.o"],
                      "message": "custom_call @mine"}
BAD["feed"] = {"text": """
func.func @main(%t: !stablehlo.token) -> !stablehlo.token {
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return %0#1 : !stablehlo.token
}""", "words": ["--emit", "obj", "-o", "FOLDER/m.o"], "message": "infeed"}

# Programs in C that check what no comparison of results shows.
PROGRAMS["statuses"] = {
    "words": [], "text": """
func.func @main(%x: tensor<2x2xf32> loc("x"), %ok: tensor<i1> loc("ok"))
    -> (tensor<2x2xf32> {jax.result_info = "y"}, tensor<i1>) {
  %0 = stablehlo.custom_call @xlac.require(%ok) {backend_config = "x is not ok"}
    : (tensor<i1>) -> tensor<i1>
  %1 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2, %0 : tensor<2x2xf32>, tensor<i1>
}""", "program": r"""
#include "m.h"
#include "xlac/rt.h"
#include <stdio.h>

static _Alignas(64) char arena[M_ARENA_BYTES];
static _Alignas(64) float y[16], x[17];
static _Alignas(64) uint8_t ok, done;

static void call(const float *from, uint8_t value, float *to, xlac_rt_context *context) {
  ok = value;
  int32_t status = m_run(&(m_arguments){.x = from, .ok = &ok},
                         &(m_results){.y = to, .result1 = &done}, arena, context);
  const char *message = context ? xlac_rt_message(context) : "";
  printf("%d %d %s\n", (int)status, context ? (int)context->status : -1, message);
}

int main(void) {
  xlac_rt_context serial, threads;
  xlac_rt_init_serial(&serial);
  if (xlac_rt_init_threads(&threads, 3) != XLAC_RT_OK)
    return 1;
  call(x, 1, y, &serial);
  call(x, 0, y, &serial);
  call(x, 0, y, &threads);
  call(x, 1, y, &threads);
  call(NULL, 1, y, &serial);
  call(x, 1, NULL, &serial);
  call(x, 1, y + 1, &serial);
  call(x + 1, 1, y, &serial);
  call(x, 0, y, NULL);
  printf("%d\n", (int)m_run(&(m_arguments){.x = x, .ok = &ok},
                            &(m_results){.y = y, .result1 = &done}, arena + 1, &serial));
  printf("%d %d\n", (int)m_use_target("pdp11"), m_target() != NULL);
  xlac_rt_finish(&threads);
  xlac_rt_finish(&serial);
  return 0;
}
""", "printed": """0 0 no failure
1 1 custom_call @xlac.require at PLACE: x is not ok
1 1 custom_call @xlac.require at PLACE: x is not ok
0 0 no failure
3 3 argument 0 is null
3 3 result 0 is null
3 3 result 0 is not 64-byte aligned
0 0 no failure
1 -1 
3
5 1
"""}

PROGRAMS["entries"] = {
    "words": ["--entry", "twice,negated", "--weights-file"], "text": """
func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @negated(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<3xi32>) {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
  return %0, %1 : tensor<2xf32>, tensor<3xi32>
}""", "program": r"""
#include "m.h"
#include "xlac/rt.h"
#include <stdio.h>

int main(void) {
  static _Alignas(64) char arena[M_NEGATED_ARENA_BYTES + M_TWICE_ARENA_BYTES];
  static _Alignas(64) float y[16], z[16];
  static _Alignas(64) int32_t c[16];
  static const float x[] = {1, -3};
  uint64_t bytes;
  const void *weights = xlac_rt_map_file(M_WEIGHTS_FILE, &bytes);
  if (!weights || bytes != M_WEIGHTS_BYTES)
    return 1;
  if (m_twice_run(&(m_twice_arguments){x}, &(m_twice_results){y}, weights, arena, NULL) ||
      m_negated_run(&(m_negated_arguments){x}, &(m_negated_results){z, c}, weights, arena, NULL))
    return 2;
  printf("%g %g %g %g %d %d %d\n", y[0], y[1], z[0], z[1], (int)c[0], (int)c[1], (int)c[2]);
  printf("%d %d\n", (int)m_twice_run(&(m_twice_arguments){x}, &(m_twice_results){y}, NULL, arena,
                                     NULL),
         (int)m_twice_run(&(m_twice_arguments){x}, &(m_twice_results){y}, arena, arena, NULL));
  xlac_rt_unmap_file(weights, bytes);
  return xlac_rt_map_file("missing", &bytes) != NULL;
}
""", "printed": "2 -6 -1 3 5 6 7\n6 6\n"}
