#!/usr/bin/env python3
"""Writes lib/Compiler/function_order.tar.xz: the functions of the compiler's
library that compilations call, in the order in which the linker places them.

A fresh process maps pages of the library when it first calls code in them.
Few of the library's functions are ever called, and without an order they are
spread over most of its pages. Names that a later build does not have are
ignored, and functions that the file does not name follow the others, so the
file affects only speed. Write it anew after changes of the LLVM release.

Needs Valgrind, binutils, and a build with XLAC_STATIC_LLVM=ON."""
import argparse
import collections
import concurrent.futures
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "bench/regression/programs"
# Of each kind of kernel one, and a training step.
NAMES = ("elementwise_chain matmul_256 softmax_rows attention cumsum sort_topk fft_2d "
         "embedding_gather_scatter lstm_scan rng_uniform_normal transpose_nchw_nhwc "
         "int8_matmul_1024 layernorm_bwd unet_up_nhwc mnist_convnet_train").split()
TARGETS = ("avx512", "avx2")
PAGE = 4096


def without_debug_information(build, folder):
    """Copies the program and its library: Valgrind rejects some debug sections."""
    for name in ("bin/xlac", "lib/libxlac_compiler.so"):
        copy = folder / name
        copy.parent.mkdir(exist_ok=True)
        subprocess.run(["objcopy", "--strip-debug", build / name, copy], check=True)
    return folder / "bin/xlac", folder / "lib/libxlac_compiler.so"


def functions_of(library):
    """Maps the names of the library's functions to their addresses and sizes."""
    lines = subprocess.run(["nm", "--defined-only", "--print-size", library], check=True,
                           text=True, capture_output=True).stdout.splitlines()
    functions = {}
    for address, size, kind, name in (fields for line in lines
                                      if len(fields := line.split(maxsplit=3)) == 4):
        if kind in "tTwWuV":
            functions.setdefault(name, (int(address, 16), int(size, 16)))
    return functions


def called_by(xlac, program, target, folder):
    """The names of the functions that a compilation calls."""
    profile = folder / f"{program.stem}.{target}"
    subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no",
                    f"--callgrind-out-file={profile}", xlac, "compile", program,
                    "--target", target, "-o", f"{profile}.xlax"],
                   check=True, capture_output=True)
    names = re.findall(r"^c?fn=\(\d+\) (\S+)", profile.read_text(errors="replace"), re.M)
    profile.unlink()
    # Valgrind appends the depth of a recursion.
    return {name.split("'")[0] for name in names}


def check(library, packed):
    """Fails if the library lacks many of the listed functions, or if those that it
    has do not lie together."""
    with tarfile.open(packed) as archive:
        names = archive.extractfile("function_order.txt").read().decode().split()
    functions = functions_of(library)
    found = [functions[name] for name in names if name in functions]
    pages = {address // PAGE for address, _ in found}
    least = sum(size for _, size in found) / PAGE
    print(f"{len(found)} of {len(names)} functions on {len(pages)} pages; "
          f"their code has {least:.0f} pages")
    if len(found) < 0.7 * len(names):
        sys.exit("the list is too old: write it anew with tools/dev/order_functions.py")
    if len(pages) > 1.1 * least:
        sys.exit("the linker did not place the listed functions together")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path,
                        default=ROOT / "lib/Compiler/function_order.tar.xz")
    parser.add_argument("--check", action="store_true",
                        help="compare the build with the file, and write nothing")
    options = parser.parse_args()
    if options.check:
        check(options.build / "lib/libxlac_compiler.so", options.output)
        return
    for tool in ("valgrind", "objcopy", "nm"):
        if not shutil.which(tool):
            parser.error(f"{tool} is not installed")

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        xlac, library = without_debug_information(options.build, folder)
        functions = functions_of(library)
        uses = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            calls = [pool.submit(called_by, xlac, PROGRAMS / f"{name}.mlir", target, folder)
                     for name in NAMES for target in TARGETS]
            for call in concurrent.futures.as_completed(calls):
                uses.update(name for name in call.result() if name in functions)
    # What every compilation needs comes first.
    order = sorted(uses, key=lambda name: (-uses[name], functions[name]))
    text = "".join(f"{name}\n" for name in order).encode()
    entry = tarfile.TarInfo("function_order.txt")
    entry.size = len(text)
    with tarfile.open(options.output, "w:xz", preset=9) as archive:
        archive.addfile(entry, io.BytesIO(text))
    print(f"{len(order)} of {len(functions)} functions, "
          f"{options.output.stat().st_size} bytes: {options.output}")


if __name__ == "__main__":
    main()
