#!/usr/bin/env python3
"""Decompositions by custom call, as JAX asks for them, against numpy.

    decompositions_test.py XLAC [--filter X]

Each case is a program that calls one target on random matrices, in batches and
column by column as LAPACK wants them; what comes back must satisfy the equation
that defines it. Closes with `N passed, N failed`.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

DTYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
NAMES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64", np.dtype(np.int32): "i32",
         np.dtype(np.complex64): "complex<f32>", np.dtype(np.complex128): "complex<f64>"}
BATCH = 3


def real(dtype):
    return np.zeros(0, dtype).real.dtype


def complex_of(dtype):
    return np.result_type(dtype, np.complex64)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def random(generator, dtype, *shape):
    a = generator.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * generator.standard_normal(shape)
    return a.astype(dtype)


class Call:
    """A program of one call, run by xlac."""

    def __init__(self, xlac, folder):
        self.xlac, self.folder = xlac, folder

    def __call__(self, target, operands, results, config="", plain=False):
        def type_of(shape, dtype):
            sizes = "".join(f"{size}x" for size in shape)
            return f"tensor<{sizes}{NAMES[np.dtype(dtype)]}>"

        def layout(shape, is_matrix):
            order = list(range(len(shape)))[::-1]
            if is_matrix and not plain:
                order[:2] = order[1::-1]
            return f"dense<{order}> : tensor<{len(order)}xindex>" if order else \
                "dense<> : tensor<0xindex>"

        ins = [type_of(a.shape, a.dtype) for a in operands]
        outs = [type_of(shape, dtype) for shape, dtype in results]
        count = len(outs)
        # Results by columns must come back by columns too, so all are.
        layouts = ("operand_layouts = [" +
                   ", ".join(layout(a.shape, a.ndim > 2) for a in operands) +
                   "], result_layouts = [" +
                   ", ".join(layout(shape, len(shape) > 2) for shape, _ in results) + "]")
        text = (f"func.func @main({', '.join(f'%a{i}: {t}' for i, t in enumerate(ins))}) -> "
                f"({', '.join(outs)}) {{\n"
                f"  %r{f':{count}' if count > 1 else ''} = stablehlo.custom_call @{target}("
                f"{', '.join(f'%a{i}' for i in range(len(ins)))}) {{{', '.join(filter(None, [config, layouts]))}}} : "
                f"({', '.join(ins)}) -> "
                f"{outs[0] if count == 1 else '(' + ', '.join(outs) + ')'}\n"
                f"  return {', '.join(f'%r#{i}' if count > 1 else '%r' for i in range(count))}"
                f" : {', '.join(outs)}\n}}\n")
        program = self.folder / "program.mlir"
        program.write_text(text)
        files = []
        for i, operand in enumerate(operands):
            files.append(self.folder / f"in{i}.npy")
            np.save(files[-1], operand)
        for old in self.folder.glob("out_*.npy"):
            old.unlink()
        done = subprocess.run([self.xlac, "run", program, "--inputs", *files, "--outputs",
                               self.folder, "--no-cache"], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr.strip() or done.stdout.strip())
        return [np.load(self.folder / f"out_{i:03}.npy") for i in range(count)]


def close(what, got, want, dtype):
    limit = 400 * np.finfo(real(dtype)).eps * max(1.0, np.abs(want).max(initial=0))
    error = np.abs(got - want).max(initial=0)
    if not error <= limit:
        raise AssertionError(f"{what} is off by {error:.3g}, {limit:.3g} allowed")


def config(**entries):
    def text(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return f"{ord(value)} : ui8"
        return f"{value} : i32"
    return "mhlo.backend_config = {" + ", ".join(
        f"{name} = {text(value)}" for name, value in entries.items()) + "}"


def square(generator, dtype, n=7):
    return random(generator, dtype, BATCH, n, n)


def potrf(call, letter, dtype, generator):
    a = square(generator, dtype)
    positive = a @ adjoint(a) + np.eye(7, dtype=dtype)
    for uplo in "LU":
        factor, info = call(f"lapack_{letter}potrf_ffi", [positive],
                            [(a.shape, dtype), ((BATCH,), np.int32)], config(uplo=uplo))
        factor = np.tril(factor) if uplo == "L" else adjoint(np.triu(factor))
        close("the factor's square", factor @ adjoint(factor), positive, dtype)
        assert not info.any(), "info is not 0"
    positive[1, 3, 3] = -5
    info = call(f"lapack_{letter}potrf_ffi", [positive],
                [(a.shape, dtype), ((BATCH,), np.int32)], config(uplo="L"))[1]
    assert list(info) == [0, 4, 0], f"info is {info} for a bad fourth minor"


def getrf(call, letter, dtype, generator):
    for m, n in ((7, 7), (70, 60), (5, 9)):
        a, k = random(generator, dtype, BATCH, m, n), min(m, n)
        lu, pivots, info = call(f"lapack_{letter}getrf_ffi", [a],
                                [(a.shape, dtype), ((BATCH, k), np.int32),
                                 ((BATCH,), np.int32)], config())
        lower = np.tril(lu[..., :k], -1) + np.eye(m, k, dtype=dtype)
        product = lower @ np.triu(lu[..., :k, :])
        for item in range(BATCH):
            for row in reversed(range(k)):
                other = pivots[item, row] - 1
                product[item, [row, other]] = product[item, [other, row]]
        close("the factors' product", product, a, dtype)
        assert not info.any(), "info is not 0"


def lu_decomposition(call, letter, dtype, generator):
    a = square(generator, dtype)
    lu, _, permutation = call("LuDecomposition", [a], [(a.shape, dtype), ((BATCH, 7), np.int32),
                                                       ((BATCH, 7), np.int32)], plain=True)
    product = (np.tril(lu, -1) + np.eye(7, dtype=dtype)) @ np.triu(lu)
    close("the factors' product", product,
          np.stack([a[i][permutation[i]] for i in range(BATCH)]), dtype)


def trsm(call, letter, dtype, generator):
    a = square(generator, dtype) + 4 * np.eye(7, dtype=dtype)
    for side in "LR":
        b = random(generator, dtype, BATCH, *((7, 2) if side == "L" else (2, 7)))
        for uplo in "LU":
            for trans in "NTC":
                for diag in "NU":
                    x, = call(f"lapack_{letter}trsm_ffi", [a, b], [(b.shape, dtype)],
                              config(diag=diag, side=side, trans_x=trans, uplo=uplo))
                    t = np.tril(a) if uplo == "L" else np.triu(a)
                    if diag == "U":
                        t = t - t * np.eye(7) + np.eye(7, dtype=dtype)
                    t = {"N": t, "T": np.swapaxes(t, -1, -2), "C": adjoint(t)}[trans]
                    scale = np.abs(x).max() * np.abs(t).max()
                    close("the product", (t @ x if side == "L" else x @ t) / scale, b / scale,
                          dtype)


def gtsv(call, letter, dtype, generator):
    n = 9
    lower, diagonal, upper = (random(generator, dtype, BATCH, n) for _ in range(3))
    b = random(generator, dtype, BATCH, n, 2)
    *_, x, info = call(f"lapack_{letter}gtsv_ffi", [lower, diagonal, upper, b],
                       [((BATCH, n), dtype)] * 3 + [(b.shape, dtype), ((BATCH,), np.int32)],
                       config())
    a = np.stack([np.diag(diagonal[i]) + np.diag(lower[i, 1:], -1) + np.diag(upper[i, :-1], 1)
                  for i in range(BATCH)])
    scale = max(1.0, np.abs(x).max())
    close("the product", a @ x / scale, b / scale, dtype)
    assert not info.any(), "info is not 0"


def reflections_of(packed, count):
    """Unit lower trapezoids: the vectors that geqrf leaves below the diagonal."""
    m = packed.shape[-2]
    return np.tril(packed[..., :count], -1) + np.eye(m, count, dtype=packed.dtype)


def product_of(vectors, taus):
    m, count = vectors.shape[-2:]
    q = np.broadcast_to(np.eye(m, dtype=vectors.dtype), (*vectors.shape[:-2], m, m))
    for k in range(count):
        v = vectors[..., k:k + 1]
        q = q @ (np.eye(m) - taus[..., k, None, None] * (v @ adjoint(v)))
    return q


def geqrf(call, letter, dtype, generator):
    prefix = "un" if letter in "cz" else "or"
    for target, form in ((f"lapack_{letter}geqrf_ffi", f"lapack_{letter}{prefix}gqr_ffi"),
                         ("Qr", "ProductOfElementaryHouseholderReflectors")):
        for m, n in ((7, 4), (4, 7), (5, 5)):
            a, k = random(generator, dtype, BATCH, m, n), min(m, n)
            plain = target == "Qr"
            packed, taus = call(target, [a], [(a.shape, dtype), ((BATCH, k), dtype)],
                                "" if plain else config(), plain)
            want = product_of(reflections_of(packed, k), taus)
            close("the product of q and r", want @ np.triu(packed), a, dtype)
            q, = call(form, [packed[..., :k], taus], [((BATCH, m, k), dtype)],
                      "" if plain else config(), plain)
            close("q", q, want[..., :k], dtype)
            close("q's square", adjoint(q) @ q, np.eye(k), dtype)


def ormqr(call, letter, dtype, generator):
    a = random(generator, dtype, BATCH, 7, 4)
    packed, taus = call(f"lapack_{letter}geqrf_ffi", [a],
                        [(a.shape, dtype), ((BATCH, 4), dtype)], config())
    q = product_of(reflections_of(packed, 4), taus)
    for left in (True, False):
        c = random(generator, dtype, BATCH, *((7, 3) if left else (3, 7)))
        for transpose in (True, False):
            got, = call(f"lapack_{letter}{'un' if letter in 'cz' else 'or'}mqr_ffi",
                        [packed, taus, c], [(c.shape, dtype)],
                        config(left=left, transpose=transpose))
            factor = adjoint(q) if transpose else q
            close("the product", got, factor @ c if left else c @ factor, dtype)


def geqp3(call, letter, dtype, generator):
    a = random(generator, dtype, BATCH, 7, 5)
    asked = np.zeros((BATCH, 5), np.int32)
    asked[1, 3] = 1
    packed, pivots, taus = call(f"lapack_{letter}geqp3_ffi", [a, asked],
                                [(a.shape, dtype), ((BATCH, 5), np.int32), ((BATCH, 5), dtype)],
                                config())
    product = product_of(reflections_of(packed, 5), taus) @ np.triu(packed)
    order = np.stack([a[i][:, pivots[i] - 1] for i in range(BATCH)])
    close("the product", product, order, dtype)
    assert pivots[1, 0] == 4, "the column asked for is not first"
    sizes = np.abs(np.diagonal(packed[0]))
    assert (sizes[:-1] >= sizes[1:] * 0.999).all(), "r's diagonal grows"


def gehrd(call, letter, dtype, generator):
    a = square(generator, dtype)
    packed, taus, info = call(f"lapack_{letter}gehrd_ffi", [a],
                              [(a.shape, dtype), ((BATCH, 6), dtype), ((BATCH,), np.int32)],
                              config(high=7, low=1))
    vectors = np.zeros((BATCH, 7, 6), dtype)
    vectors[:, 1:] = reflections_of(packed[:, 1:], 6)
    q = product_of(vectors, taus)
    close("the similar matrix", q @ np.triu(packed, -1) @ adjoint(q), a, dtype)
    assert not info.any(), "info is not 0"


def sytrd(call, letter, dtype, generator):
    a = square(generator, dtype)
    a = a + adjoint(a)
    name = f"lapack_{letter}{'he' if letter in 'cz' else 'sy'}trd_ffi"
    # Imaginary parts on the diagonal are ignored.
    ignored = 1j * np.eye(7, dtype=dtype) if letter in "cz" else 0
    for uplo in "LU":
        packed, diagonal, beside, taus, info = call(
            name, [(np.tril(a) if uplo == "L" else np.triu(a)) + ignored],
            [(a.shape, dtype), ((BATCH, 7), real(dtype)), ((BATCH, 6), real(dtype)),
             ((BATCH, 6), dtype), ((BATCH,), np.int32)], config(uplo=uplo))
        vectors = np.zeros((BATCH, 7, 6), dtype)
        if uplo == "L":
            vectors[:, 1:] = reflections_of(packed[:, 1:], 6)
            q = product_of(vectors, taus)
        else:
            vectors[:, :6] = np.triu(packed[:, :6, 1:], 1) + np.eye(6)
            q = product_of(vectors[..., ::-1], taus[..., ::-1])
        form = np.stack([np.diag(diagonal[i]) + np.diag(beside[i], 1) + np.diag(beside[i], -1)
                         for i in range(BATCH)])
        close("the similar matrix", q @ form @ adjoint(q), a, dtype)
        assert not info.any(), "info is not 0"
        one = random(generator, dtype, BATCH, 1, 1)
        packed, diagonal, *_ = call(
            name, [one], [(one.shape, dtype), ((BATCH, 1), real(dtype)), ((BATCH, 0), real(dtype)),
                          ((BATCH, 0), dtype), ((BATCH,), np.int32)], config(uplo=uplo))
        close("one element", packed, one.real, dtype)
        close("its diagonal", diagonal[..., None], one.real, dtype)


def gesdd(call, letter, dtype, generator):
    for name in ("gesdd", "gesvd"):
        for m, n in ((7, 4), (4, 7), (40, 33)):
            a, k = random(generator, dtype, BATCH, m, n), min(m, n)
            for mode in "ASN":
                wide, tall = (m, n) if mode != "S" else (k, k)
                _, values, u, v, info = call(
                    f"lapack_{letter}{name}_ffi", [a],
                    [(a.shape, dtype), ((BATCH, k), real(dtype)), ((BATCH, m, wide), dtype),
                     ((BATCH, tall, n), dtype), ((BATCH,), np.int32)], config(mode=mode))
                close("the values", values, np.linalg.svd(a, compute_uv=False), dtype)
                assert not info.any(), "info is not 0"
                if mode != "N":
                    close("the product", (u[..., :k] * values[..., None, :]) @ v[..., :k, :], a,
                          dtype)
                    close("u's square", adjoint(u) @ u, np.eye(wide), dtype)
                    close("v's square", v @ adjoint(v), np.eye(tall), dtype)


def syevd(call, letter, dtype, generator):
    a = square(generator, dtype)
    a = a + adjoint(a)
    name = f"lapack_{letter}{'he' if letter in 'cz' else 'sy'}evd_ffi"
    for uplo, triangle in (("L", np.tril(a)), ("U", np.triu(a))):
        vectors, values, info = call(
            name, [triangle], [(a.shape, dtype), ((BATCH, 7), real(dtype)), ((BATCH,), np.int32)],
            config(mode="V", uplo=uplo))
        close("the values", values, np.linalg.eigvalsh(a), dtype)
        close("a v", a @ vectors, vectors * values[..., None, :], dtype)
        assert not info.any(), "info is not 0"
    vectors, values = call("Eigh", [np.tril(a)], [(a.shape, dtype), ((BATCH, 7), real(dtype))],
                           'backend_config = "1,1,100,1e-6"', plain=True)
    close("Eigh's a v", a @ vectors, vectors * values[..., None, :], dtype)
    a[1, 2, 0] = np.nan
    info = call(name, [a], [(a.shape, dtype), ((BATCH, 7), real(dtype)), ((BATCH,), np.int32)],
                config(mode="V", uplo="L"))[2]
    assert list(info) == [0, 1, 0], f"info is {info} for a matrix with NaN"


def geev(call, letter, dtype, generator):
    a, wide = square(generator, dtype), complex_of(dtype)
    parts = 1 if letter in "cz" else 2
    *values, left, right, info = call(
        f"lapack_{letter}geev_ffi", [a],
        [((BATCH, 7), dtype)] * parts + [(a.shape, wide)] * 2 + [((BATCH,), np.int32)],
        config(compute_left="V", compute_right="V"))
    w = values[0] if parts == 1 else values[0] + 1j * values[1]
    close("a r", a @ right, right * w[..., None, :], dtype)
    close("the adjoint's l", adjoint(a) @ left, left * np.conj(w)[..., None, :], dtype)
    close("the vectors' length", np.linalg.norm(right, axis=-2), np.ones((BATCH, 7)), dtype)
    assert not info.any(), "info is not 0"


def gees(call, letter, dtype, generator):
    a = square(generator, dtype)
    parts = 1 if letter in "cz" else 2
    form, vectors, *values, _, info = call(
        f"lapack_{letter}gees_ffi", [a],
        [(a.shape, dtype)] * 2 + [((BATCH, 7), dtype)] * parts + [((BATCH,), np.int32)] * 2,
        config(mode="V", sort="N"))
    close("the similar matrix", vectors @ form @ adjoint(vectors), a, dtype)
    close("the vectors' square", adjoint(vectors) @ vectors, np.eye(7), dtype)
    below = np.tril(form, -1 if parts == 1 else -2)
    assert not below.any(), "the form is not triangular"
    w = values[0] if parts == 1 else values[0] + 1j * values[1]
    for item in range(BATCH):
        close("the values", np.poly(w[item]), np.poly(np.linalg.eigvals(a[item])), dtype)
    assert not info.any(), "info is not 0"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xlac")
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    cases = [potrf, getrf, lu_decomposition, trsm, gtsv, geqrf, ormqr, geqp3, gehrd, sytrd,
             gesdd, syevd, geev, gees]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        call = Call(options.xlac, pathlib.Path(folder))
        for case in cases:
            for letter, dtype in DTYPES.items():
                name = f"{case.__name__} {letter}"
                if options.filter not in name:
                    continue
                try:
                    case(call, letter, np.dtype(dtype), np.random.default_rng(7))
                    passed += 1
                except AssertionError as problem:
                    failed += 1
                    print(f"{name}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
