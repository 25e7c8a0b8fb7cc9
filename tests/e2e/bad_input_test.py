#!/usr/bin/env python3
"""Feeds xlac what users get wrong and looks at what it says.

    bad_input_test.py XLAC

Every case must end with exit code 1 or 2 and a message that contains the
expected words, without a crash, an assertion or a half-written file.
"""
import os
import pathlib
import resource
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


def nested(depth):
    """Conditionals in one another."""
    text = "func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n"
    for level in range(depth):
        text += f'%r{level} = "stablehlo.if"(%p) ({{\n'
    text += "%last = stablehlo.negate %a : tensor<f32>\n"
    last = "%last"
    for level in reversed(range(depth)):
        text += (f'"stablehlo.return"({last}) : (tensor<f32>) -> ()\n}}, {{\n'
                 '"stablehlo.return"(%a) : (tensor<f32>) -> ()\n}) : (tensor<i1>) -> tensor<f32>\n')
        last = f"%r{level}"
    return text + f"return {last} : tensor<f32>\n}}\n"


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
        # The first line has the expected error.
        expected = path.read_text().partition("\n")[0].removeprefix("// error: ")
        yield path.name, run("run", path, "--inputs", "random:1", "--no-cache"), expected
    good = folder / "good.mlir"
    good.write_text(GOOD)
    (folder / "bad.npy").write_bytes(b"\x93NUMPY")
    yield "missing file", run("run", folder / "absent.mlir"), "absent.mlir"
    yield "directory", run("run", folder), "directory"
    yield "missing input", run("run", good, "--no-cache"), "takes 1 inputs, got 0"
    yield ("too many inputs", run("run", good, "--no-cache", "--inputs", "2xf32=1", "2xf32=1"),
           "gives input 1; the program has 1 inputs")
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


def one_line(result, expected):
    """As problem, of what must be said in one line."""
    said = (result.stderr + result.stdout).strip()
    return problem(result, expected) or ("says more than one line: " + said if "\n" in said else None)


def images(folder):
    """An image runs if its name or an option says that it is one."""
    good, image = folder / "good.mlir", folder / "good.xlax"
    made = run("compile", good, "-o", image)
    if made.returncode != 0:
        return [("compile to an image", made.stderr)]
    disguised, text = folder / "disguised.mlir", folder / "text.xlax"
    disguised.write_bytes(image.read_bytes())
    text.write_text(GOOD)
    alone, old = folder / "alone.xlax", folder / "old.xlax"
    run("compile", good, "-o", alone, "--without-program")
    old.write_bytes(image.read_bytes()[:8] + b"\1" + image.read_bytes()[9:])
    refused = "is an image, whose machine code runs only if"

    def ran(*arguments, **given):
        done = subprocess.run([XLAC, "run", *map(str, arguments), "--inputs", "zeros", "--no-cache"],
                              capture_output=True, timeout=120, **given)
        return done.returncode == 0 and done.stdout == b"tensor<2xf32> [0, 0]\n"

    piped = {"input": image.read_bytes()}
    from_pipe = subprocess.run([XLAC, "run", "-", "--inputs", "zeros"], capture_output=True, timeout=120, **piped)
    from_pipe.stderr, from_pipe.stdout = from_pipe.stderr.decode(), from_pipe.stdout.decode()
    return [("image by its name", None if ran(image) else "does not run"),
            ("image asked for", None if ran(disguised, "--image") else "does not run"),
            ("piped image asked for", None if ran("-", "--image", **piped) else "does not run"),
            ("image named .mlir", one_line(run("run", disguised, "--inputs", "zeros"), refused)),
            ("image named .mlir, timed", one_line(run("bench", disguised, "--inputs", "zeros"), refused)),
            ("piped image", one_line(from_pipe, refused)),
            ("text named .xlax", one_line(run("run", text, "--inputs", "zeros"), "is not an image")),
            ("text as an image", one_line(run("run", good, "--image"), "is not an image")),
            ("image without its program", one_line(run("compile", alone, "-o", folder / "x.xlax"),
                                                   "alone.xlax: the image does not contain the program")),
            ("image of another version", one_line(run("run", old, "--inputs", "zeros"), "has version 1 of the format")),
            ("image with another digest", one_line(run("run", image, "--inputs", "zeros", "--digest", 64 * "0"),
                                                   "has the digest")),
            ("program with a digest", one_line(run("run", good, "--inputs", "zeros", "--digest", 64 * "0"),
                                               "is not an image"))]


def unwritable(folder):
    """An unreadable file is a failure, not a signal and not a success."""
    good = folder / "good.mlir"
    commands = [["run", good, "--inputs", "zeros", "--no-cache"], ["translate", good],
                ["compile", good, "--emit", "llvm"], ["--help"],
                ["cache", "--cache-dir", folder / "none", "stats"]]
    for command in commands:
        for name in ("full device", "closed pipe"):
            if name == "full device":
                to = os.open("/dev/full", os.O_WRONLY)
            else:
                end, to = os.pipe()
                os.close(end)
            done = subprocess.run([XLAC, *map(str, command)], stdout=to, stderr=subprocess.PIPE, text=True,
                                  timeout=120)
            os.close(to)
            done.stdout = ""
            yield f"{name}: {command[0]}", problem(done, "standard output")


def little_room(folder):
    """A small stack, and more memory asked for than there is."""
    deep, large = folder / "deep.mlir", folder / "large.mlir"
    deep.write_text(nested(300))
    large.write_text(GOOD.replace("2xf32", "1099511627776xf32"))

    def small_stack():
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))

    for command in (["translate"], ["opt", "--passes", "builtin.module(cse)"], ["compile", "--emit", "kernels"],
                    ["run", "--no-cache", "--inputs", "random:1"]):
        done = subprocess.run([XLAC, command[0], deep, *command[1:]], capture_output=True, text=True, timeout=120,
                              preexec_fn=small_stack)
        why = None if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr[-300:]}"
        yield f"300 levels on 1 MiB of stack: {command[0]}", why
    yield "inputs larger than memory", one_line(run("run", large, "--inputs", "zeros", "--no-cache"), "memory")


def endless(folder):
    """Devices and sparse files end for no reader."""
    good = folder / "good.mlir"
    sparse = folder / "sparse.mlir"
    with open(sparse, "wb") as file:
        file.truncate(1 << 42)
    too_much = "gives more than the 1073741824 bytes"
    yield "endless program", one_line(run("run", "/dev/zero", "--inputs", "zeros"), too_much)
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run([XLAC, "translate", "-"], stdin=zeros, capture_output=True, text=True, timeout=120)
    yield "endless standard input", one_line(done, too_much)
    yield "sparse program", one_line(run("translate", sparse), "more than the memory of this machine")
    yield "endless input", one_line(run("run", good, "--no-cache", "--inputs", "/dev/zero"), "/dev/zero")


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
        results += [*images(folder), *unwritable(folder), *little_room(folder), *endless(folder)]
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
