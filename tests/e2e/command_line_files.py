"""Files for the calls of command_line_test.py."""
import io
import json
import struct
import zipfile

import numpy

GOOD = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
NAMED = """func.func @main(%w: tensor<2x3xf32> loc("params['w']"), %x: tensor<3xf32> loc("x"), %n: tensor<i32>) -> (tensor<2x3xf32> {jax.result_info = "result['sum']"}, tensor<i32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.add %w, %0 : tensor<2x3xf32>
  %2 = stablehlo.add %n, %n : tensor<i32>
  return %1, %2 : tensor<2x3xf32>, tensor<i32>
}
"""
DYNAMIC = """func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.exponential %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
SHARDED = """module attributes {mhlo.num_partitions = 2 : i32} {
func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}}
"""
CALLBACK = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @nobody_has_this(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
CHECK = """func.func @holds() {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  check.expect_eq_const %1, dense<2.0> : tensor<2xf32>
  func.return
}
"""
NARROW = """func.func @main(%a: tensor<2xi4>, %b: tensor<2xbf16>, %p: tensor<2xi1>) -> tensor<2xi1> {
  return %p : tensor<2xi1>
}
"""


def npy(array, descr=None):
    """The bytes of a file of `array`."""
    out = io.BytesIO()
    numpy.save(out, array)
    data = out.getvalue()
    return data if descr is None else data.replace(b"'<f4'", descr)


def safetensors(entries, data):
    header = json.dumps(entries).encode()
    return struct.pack("<Q", len(header)) + header + data


def write_npz(path, arrays, compressed=False):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as file:
        for name, array in arrays.items():
            file.writestr(name + ".npy", npy(array))


def write_programs(folder):
    programs = {"good": GOOD, "named": NAMED, "dynamic": DYNAMIC, "sharded": SHARDED,
                "callback": CALLBACK, "check": CHECK, "narrow": NARROW, "empty": "",
                "fails": CHECK.replace("dense<2.0>", "dense<3.0>"), "words": "not MLIR",
                "huge": GOOD.replace("2xf32", "4294967296x4294967296xf32"),
                "large": GOOD.replace("2xf32", "1099511627776xf32"),
                "types": GOOD.replace("-> tensor<2xf32> {", "-> tensor<3xf32> {", 1),
                "token": "func.func @main(%t: !stablehlo.token, %a: tensor<f32>) -> (tensor<f32>, "
                         "!stablehlo.token) { return %a, %t : tensor<f32>, !stablehlo.token }"}
    for name, text in programs.items():
        (folder / f"{name}.mlir").write_text(text)
    (folder / "binary.mlir").write_bytes(bytes(range(256)))
    (folder / "cut.mlir").write_text(GOOD[:60])


def write_arrays(folder):
    pair, matrix = numpy.array([1, 2], "f4"), numpy.arange(6, dtype="f4").reshape(2, 3)
    row = numpy.ones(3, "f4")
    files = {"pair.npy": npy(pair), "matrix.npy": npy(matrix), "row.npy": npy(row),
             "doubles.npy": npy(pair.astype("f8")), "three.npy": npy(row), "scalar.npy": npy(numpy.int32(4)),
             "fortran.npy": npy(numpy.asfortranarray(matrix)), "big.npy": npy(pair.astype(">f4")),
             "cut.npy": npy(pair)[:-3], "header.npy": npy(pair)[:40], "empty.npy": b"", "magic.npy": b"\x93NUMPY",
             "version.npy": b"\x93NUMPY\x09\x00" + npy(pair)[8:], "object.npy": npy(pair, b"'|O' "),
             "text.npy": npy(numpy.array(["a", "b"])), "words.npy": b"these are not arrays",
             "record.npy": npy(numpy.zeros(2, [("a", "f4")])), "dates.npy": npy(numpy.zeros(2, "M8[s]")),
             "rows.npy": npy(numpy.zeros((3, 4), "f4")), "bytes.npy": npy(numpy.array([7, 8], "i1")),
             "bits.npy": npy(numpy.array([0x3f80, 0], "u2")), "flags.npy": npy(numpy.array([True, False])),
             "huge.npy": npy(pair).replace(b"(2,)", b"(999999999999,)").replace(b" " * 11 + b"\n", b"\n")}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    named = {"params.w": matrix, "x": row, "n": numpy.int32(3)}
    write_npz(folder / "named.npz", named)
    write_npz(folder / "packed.npz", {"x": row, "arr_9": matrix}, compressed=True)
    write_npz(folder / "numbered.npz", {"arr_0": matrix, "arr_1": row, "arr_2": numpy.int32(3)})
    write_npz(folder / "one.npz", {"only": pair})
    write_npz(folder / "none.npz", {})
    whole = (folder / "named.npz").read_bytes()
    (folder / "cut.npz").write_bytes(whole[:-30])
    (folder / "flipped.npz").write_bytes(whole.replace(matrix.tobytes(), matrix.tobytes()[::-1]))
    with zipfile.ZipFile(folder / "notes.npz", "w") as file:
        file.writestr("x.npy", "not an array")
    entry = {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}
    tensors = {"good": ({"x": entry}, row.tobytes()), "short": ({"x": entry}, row.tobytes()[:8]),
               "beyond": ({"x": {**entry, "data_offsets": [0, 99]}}, row.tobytes()),
               "shape": ({"x": {**entry, "shape": [4]}}, row.tobytes()),
               "dtype": ({"x": {**entry, "dtype": "F7"}}, row.tobytes()), "bare": ({}, b"")}
    for name, (entries, data) in tensors.items():
        (folder / f"{name}.safetensors").write_bytes(safetensors(entries, data))
    (folder / "long.safetensors").write_bytes(struct.pack("<Q", 1 << 40) + b"{}")
    (folder / "json.safetensors").write_bytes(struct.pack("<Q", 5) + b"{\"x\":")


def write_all(folder):
    write_programs(folder)
    write_arrays(folder)
    (folder / "folder").mkdir()
    (folder / "file").write_text("a file where a folder should be")
    (folder / "open").mkdir(mode=0o777)
    (folder / "open").chmod(0o777)
