#!/usr/bin/env python3
"""Writes tests/e2e/ops/<op>.mlir: small programs with expected values from NumPy.

    generate_op_cases.py [OUT_DIR]

Inputs come from a fixed recipe, so a second run writes the same files. Each
function is a case that `xlac check` runs.
"""
import math
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = {np.dtype(np.bool_): "i1", np.dtype(np.int8): "i8", np.dtype(np.int16): "i16",
         np.dtype(np.int32): "i32", np.dtype(np.int64): "i64", np.dtype(np.uint8): "ui8",
         np.dtype(np.uint16): "ui16", np.dtype(np.uint32): "ui32", np.dtype(np.uint64): "ui64",
         np.dtype(np.float16): "f16", np.dtype(np.float32): "f32", np.dtype(np.float64): "f64",
         np.dtype(np.complex64): "complex<f32>", np.dtype(np.complex128): "complex<f64>"}
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def type_of(array):
    dims = "".join(f"{d}x" for d in array.shape)
    return f"tensor<{dims}{NAMES[array.dtype]}>"


def number(value, dtype):
    if dtype == np.bool_:
        return "true" if value else "false"
    if np.issubdtype(dtype, np.complexfloating):
        part = np.float32 if dtype == np.complex64 else np.float64
        return f"({number(value.real, part)}, {number(value.imag, part)})"
    if np.issubdtype(dtype, np.floating):
        if math.isfinite(value):
            text = repr(float(value))
            return text if any(c in text for c in ".e") else text + ".0"
        bits = np.array(value, dtype)
        return "0x" + format(int(bits.view(f"u{bits.itemsize}")), f"0{2 * bits.itemsize}X")
    return str(int(value))


def dense(array):
    def nest(a):
        return number(a[()], array.dtype) if a.ndim == 0 else "[" + ", ".join(nest(x) for x in a) + "]"
    return f"dense<{nest(array) if array.size else ''}>"


class File:
    def __init__(self, op):
        self.op, self.cases, self.count = op, [], 0

    def constant(self, name, array):
        return f"  %{name} = stablehlo.constant {dense(array)} : {type_of(array)}\n"

    def case(self, label, inputs, body, expected, check="expect_eq"):
        """`body` uses %a, %b, … and defines %r of the expected type."""
        text = f"func.func @{self.op}_{label}() {{\n"
        for name, array in zip("abcdef", inputs):
            text += self.constant(name, array)
        text += "".join(f"  {line}\n" for line in body.strip().splitlines())
        text += self.constant("wanted", expected)
        text += f"  check.{check} %r, %wanted : {type_of(expected)}\n" if check == "expect_eq" else \
            f"  check.{check} %r, %wanted, {CHECKS[check]} : {type_of(expected)}, {type_of(expected)}\n"
        self.cases.append(text + "  func.return\n}\n")

    def write(self, folder):
        (folder / f"{self.op}.mlir").write_text("\n// -----\n\n".join(self.cases))


CHECKS = {}


def sample(dtype, shape, seed, low=-4, high=4):
    random = np.random.RandomState(seed)
    if dtype == np.bool_:
        return random.randint(0, 2, shape).astype(np.bool_)
    if np.issubdtype(dtype, np.complexfloating):
        part = np.float32 if dtype == np.complex64 else np.float64
        return (sample(part, shape, seed) + 1j * sample(part, shape, seed + 1)).astype(dtype)
    if np.issubdtype(dtype, np.unsignedinteger):
        return random.randint(0, 8, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer):
        return random.randint(low * 2, high * 2, shape).astype(dtype)
    # Quarters are exact in every float type, so sums and products are too.
    return (random.randint(low * 4, high * 4, shape) / 4).astype(dtype)


def binary(op, function, dtypes, fix=lambda b: b):
    file = File(op)
    with np.errstate(all="ignore"):
        for dtype in dtypes:
            name = NAMES[np.dtype(dtype)].replace("<", "_").replace(">", "")
            for shape in ((), (3,), (2, 19), (0, 3)):
                a, b = sample(dtype, shape, 1), fix(sample(dtype, shape, 2))
                label = f"{name}_{'x'.join(map(str, shape)) or 'scalar'}"
                expected = np.asarray(function(a, b)).astype(dtype).reshape(shape)
                kind = type_of(a)
                file.case(label, [a, b], f"%r = stablehlo.{op} %a, %b : {kind}", expected)
    return file


def unary(op, function, dtypes, fix=lambda a: a):
    file = File(op)
    with np.errstate(all="ignore"):
        for dtype in dtypes:
            name = NAMES[np.dtype(dtype)].replace("<", "_").replace(">", "")
            for shape in ((), (21,), (2, 0)):
                a = fix(sample(dtype, shape, 3))
                expected = np.asarray(function(a)).astype(dtype).reshape(shape)
                label = f"{name}_{'x'.join(map(str, shape)) or 'scalar'}"
                file.case(label, [a], f"%r = stablehlo.{op} %a : {type_of(a)}", expected)
    return file


def nonzero(b):
    return np.where(b == 0, np.ones_like(b), b)


def truncated_divide(a, b):
    if np.issubdtype(a.dtype, np.integer):
        return np.trunc(a.astype(np.float64) / b.astype(np.float64))
    return a / b


def elementwise():
    bools = [np.bool_]
    yield binary("add", np.add, INTEGERS + FLOATS + [np.complex64, np.complex128])
    yield binary("subtract", np.subtract, INTEGERS + FLOATS + [np.complex64])
    yield binary("multiply", np.multiply, INTEGERS + FLOATS)
    yield binary("divide", truncated_divide, INTEGERS + [np.float32, np.float64], nonzero)
    yield binary("remainder", np.fmod, INTEGERS + [np.float32, np.float64], nonzero)
    yield binary("maximum", np.maximum, INTEGERS + FLOATS + bools)
    yield binary("minimum", np.minimum, INTEGERS + FLOATS + bools)
    yield binary("and", np.bitwise_and, INTEGERS + bools)
    yield binary("or", np.bitwise_or, INTEGERS + bools)
    yield binary("xor", np.bitwise_xor, INTEGERS + bools)
    yield unary("negate", np.negative, [np.int8, np.int32, np.int64] + FLOATS + [np.complex64])
    yield unary("abs", np.abs, [np.int8, np.int32, np.int64] + FLOATS)
    yield unary("not", np.bitwise_not, INTEGERS + bools)
    yield unary("floor", np.floor, FLOATS)
    yield unary("ceil", np.ceil, FLOATS)
    yield unary("sign", np.sign, [np.int32] + FLOATS)
    yield unary("sqrt", np.sqrt, [np.float32, np.float64], np.abs)


def movement():
    for dtype in (np.float32, np.int8, np.float64, np.bool_, np.complex64):
        name = NAMES[np.dtype(dtype)].replace("<", "_").replace(">", "")
        a = sample(dtype, (3, 4, 5), 4)
        yield "transpose", name, [a], (f"%r = stablehlo.transpose %a, dims = [2, 0, 1] : "
                                       f"({type_of(a)}) -> {type_of(a.transpose(2, 0, 1))}"), a.transpose(2, 0, 1)
        yield "reverse", name, [a], f"%r = stablehlo.reverse %a, dims = [0, 2] : {type_of(a)}", a[::-1, :, ::-1]
        r = a.reshape(2, 30)
        yield "reshape", name, [a], f"%r = stablehlo.reshape %a : ({type_of(a)}) -> {type_of(r)}", r
        s = a[1:3, 0:4:2, 1:5:3]
        yield "slice", name, [a], (f"%r = stablehlo.slice %a [1:3, 0:4:2, 1:5:3] : "
                                   f"({type_of(a)}) -> {type_of(s)}"), s
        b = np.broadcast_to(a[:, 0, 0][:, None], (3, 7))
        column = a[:, 0, 0].copy()
        yield "broadcast_in_dim", name, [column], (
            f"%r = stablehlo.broadcast_in_dim %a, dims = [0] : ({type_of(column)}) -> {type_of(b)}"), b
        c = np.concatenate([a, a[:, :1], a[:, 1:3]], 1)
        yield "concatenate", name, [a, a[:, :1].copy(), a[:, 1:3].copy()], (
            f"%r = stablehlo.concatenate %a, %b, %c, dim = 1 : ({type_of(a)}, {type_of(a[:, :1])}, "
            f"{type_of(a[:, 1:3])}) -> {type_of(c)}"), c
        zero = np.zeros((), dtype)
        p = np.zeros((4, 9), dtype)
        small = sample(dtype, (2, 4), 5)
        p[1:3, 1:8:2] = small
        yield "pad", name, [small, zero], (
            f"%r = stablehlo.pad %a, %b, low = [1, 1], high = [1, 1], interior = [0, 1] : "
            f"({type_of(small)}, {type_of(zero)}) -> {type_of(p)}"), p


def reductions():
    for dtype in (np.float32, np.float64, np.int32):
        name = NAMES[np.dtype(dtype)]
        zero = np.zeros((), dtype)
        for dims, axis in (([1], 1), ([0], 0), ([0, 1], None)):
            for shape in ((3, 37), (65, 2), (0, 4)):
                a = sample(dtype, shape, 6)
                expected = np.asarray(a.sum(axis=axis, dtype=dtype))
                label = f"{name}_{'x'.join(map(str, shape))}_dims{''.join(map(str, dims))}"
                yield "reduce", label, [a, zero], (
                    f"%r = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = {dims} : "
                    f"({type_of(a)}, {type_of(zero)}) -> {type_of(expected)}"), expected
        a, b = sample(dtype, (5, 7), 7), sample(dtype, (7, 3), 8)
        yield "dot_general", name, [a, b], (
            f"%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
            f"({type_of(a)}, {type_of(b)}) -> {type_of(a @ b)}"), a @ b
        batch, other = sample(dtype, (2, 4, 6), 9), sample(dtype, (2, 5, 6), 10)
        product = np.einsum("bmk,bnk->bmn", batch, other)
        yield "dot_general", f"{name}_batch", [batch, other], (
            f"%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : "
            f"({type_of(batch)}, {type_of(other)}) -> {type_of(product)}"), product


def scans():
    """Running sums and the like, as the windows that they are exported as."""
    combine = {"add": (np.add, 0), "multiply": (np.multiply, 1),
               "maximum": (np.maximum, -3), "minimum": (np.minimum, 2)}
    for op, (function, init) in combine.items():
        for dtype in (np.float32, np.float16, np.float64, np.int8, np.int32):
            for shape, axis, reverse in (((41,), 0, False), ((6, 37), 1, False), ((7, 35), 0, True),
                                         ((3, 9, 20), 1, True), ((2, 17, 3), 1, False)):
                a = sample(dtype, shape, 11, -2, 2)
                if op == "multiply":
                    a = np.sign(a) * (a.astype(np.int64) % 2 + 1) if np.issubdtype(dtype, np.integer) else np.sign(a) + 2
                    a = np.where(np.arange(a.size).reshape(shape) % 7 == 0, a, 1).astype(dtype)
                    a = np.where(np.cumsum(a != 1, axis=axis) > 4, 1, a).astype(dtype)
                else:
                    a = (np.round(a) + 0).astype(dtype)  # no -0.0: which zero wins is open
                start = np.array(init, dtype)
                flipped = np.flip(a, axis) if reverse else a
                with np.errstate(all="ignore"):
                    scanned = function(function.accumulate(flipped, axis=axis, dtype=dtype), start).astype(dtype)
                expected = -(np.flip(scanned, axis) if reverse else scanned)
                rank, size = len(shape), shape[axis]
                window = [size if d == axis else 1 for d in range(rank)]
                pads = [[0, 0] if d != axis else [0, size - 1] if reverse else [size - 1, 0] for d in range(rank)]
                label = f"{op}_{NAMES[np.dtype(dtype)]}_{'x'.join(map(str, shape))}_{'reverse' if reverse else 'forward'}"
                scalar, kind = type_of(start), type_of(a)
                # A constant of the case itself would become an argument.
                body = (f'%i = "chlo.constant_like"(%b) <{{value = {number(start[()], np.dtype(dtype))} : '
                        f'{NAMES[np.dtype(dtype)]}}}> : ({scalar}) -> {scalar}\n'
                        f'  %s = "stablehlo.reduce_window"(%a, %i) <{{window_dimensions = array<i64: {", ".join(map(str, window))}>, '
                        f'padding = dense<{pads}> : tensor<{rank}x2xi64>}}> ({{\n'
                        f'  ^bb0(%x: {scalar}, %y: {scalar}):\n'
                        f'    %t = stablehlo.{op} %x, %y : {scalar}\n'
                        f'    stablehlo.return %t : {scalar}\n'
                        f'  }}) : ({kind}, {scalar}) -> {kind}\n'
                        f'  %r = stablehlo.negate %s : {kind}')
                yield "scan", label, [a, start], body, expected.astype(dtype)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/e2e/ops"
    folder.mkdir(parents=True, exist_ok=True)
    files = {file.op: file for file in elementwise()}
    for op, label, inputs, body, expected in [*movement(), *reductions(), *scans()]:
        files.setdefault(op, File(op)).case(label, inputs, body, np.ascontiguousarray(expected).reshape(expected.shape))
    for file in files.values():
        file.write(folder)
    print(f"{len(files)} files, {sum(len(f.cases) for f in files.values())} cases")


if __name__ == "__main__":
    main()
