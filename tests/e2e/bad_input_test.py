#!/usr/bin/env python3
"""Feeds xlac what users get wrong and looks at what it says.

    bad_input_test.py XLAC

Every case must end with exit code 1 or 2 and a message that contains the
expected words, without a crash, an assertion or a half-written file.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

XLAC = sys.argv[1]
HOSTILE = pathlib.Path(__file__).resolve().parents[1] / "fuzz/hostile"
GOOD = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
PROGRAMS = {
    "empty.mlir": ("", "main"),
    "words.mlir": ("this is not MLIR", "words.mlir:1:1"),
    "truncated.mlir": (GOOD[:60], "truncated.mlir:"),
    "binary.mlir": ("\x00\x01\x02ML\xefR", "binary.mlir"),
    "types.mlir": ("""func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
""", "types.mlir:2:"),
    "no_main.mlir": (GOOD.replace("@main", "@other"), "main"),
    "unknown_op.mlir": (GOOD.replace("stablehlo.add", "stablehlo.frobnicate"), "frobnicate"),
    "huge.mlir": (GOOD.replace("tensor<2xf32>", "tensor<4294967296x4294967296xf32>"), "huge.mlir"),
    "negative.mlir": (GOOD.replace("2xf32", "-2xf32"), "negative.mlir:1:"),
    "nested.mlir": ("(" * 100000, "nested.mlir"),
    "reshape.mlir": ("""func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
""", "reshape.mlir:2:"),
}


def run(*arguments, **environment):
    return subprocess.run([XLAC, *map(str, arguments)], capture_output=True, text=True,
                          errors="replace", timeout=120, env={**os.environ, **environment})


def problem(result, expected):
    said = result.stderr + result.stdout
    if result.returncode not in (1, 2):
        return f"exit code {result.returncode}: {said[-300:]}"
    if expected not in said:
        return f"does not say '{expected}': {said[-300:]}"
    for word in ("Assertion", "Stack dump", "PLEASE submit", "terminate called"):
        if word in said:
            return f"prints {word}"
    return None


def cases(folder):
    for name, (text, expected) in PROGRAMS.items():
        path = folder / name
        path.write_text(text)
        yield name, run("run", path, "--inputs", "zeros", "--no-cache"), expected
    for path in sorted(HOSTILE.glob("*.mlir")):
        # The first line says what the error must.
        expected = path.read_text().partition("\n")[0].removeprefix("// error: ")
        yield path.name, run("run", path, "--inputs", "random:1", "--no-cache"), expected
    good = folder / "good.mlir"
    good.write_text(GOOD)
    (folder / "bad.npy").write_bytes(b"\x93NUMPY")
    yield "missing file", run("run", folder / "absent.mlir"), "absent.mlir"
    yield "directory", run("run", folder), "directory"
    yield "missing input", run("run", good, "--no-cache"), "takes 1 inputs, got 0"
    yield "too many inputs", run("run", good, "--no-cache", "--inputs", "a", "b"), "takes 1 inputs, got 2"
    yield "damaged input", run("run", good, "--no-cache", "--inputs", folder / "bad.npy"), "bad.npy"
    yield "unknown option", run("run", good, "--frobnicate"), "frobnicate"
    yield "unknown target", run("run", good, "--target", "z80"), "z80"
    yield "unknown command", run("frobnicate"), "frobnicate"
    yield "unknown entry", run("run", good, "--entry", "other", "--no-cache"), "other"
    yield "no command", run(), ""
    # A file in the way is unwritable for root, too.
    yield "unwritable outputs", run("run", good, "--no-cache", "--inputs", "zeros", "--outputs",
                                    good / "out"), "out"
    yield "unwritable emit", run("compile", good, "-o", folder / "absent" / "x.xlax"), "absent"


def damaged_cache(folder):
    """A damaged entry is a miss with a warning, never a wrong or failed run."""
    good, cache = folder / "good.mlir", folder / "cache"
    first = run("run", good, "--inputs", "zeros", "--cache-dir", cache)
    if first.returncode != 0:
        return f"first run: {first.stderr}"
    for path in cache.rglob("*"):
        if path.is_file() and path.stat().st_size > 64:
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 0xff
            path.write_bytes(data)
    again = run("run", good, "--inputs", "zeros", "--cache-dir", cache)
    if again.returncode != 0 or "cache: miss" not in again.stderr:
        return f"after damage: {again.stderr}"
    if again.stdout != first.stdout:
        return "after damage the result differs"
    return None


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="xlac-bad-input-") as scratch:
        folder = pathlib.Path(scratch)
        results = [(name, problem(result, expected)) for name, result, expected in cases(folder)]
        results.append(("damaged cache", damaged_cache(folder)))
        if list(folder.rglob("*.tmp")):
            results.append(("leftovers", "temporary files are left behind"))
    for name, why in results:
        print(f"{name}: {why or 'ok'}")
        passed, failed = passed + (why is None), failed + (why is not None)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
