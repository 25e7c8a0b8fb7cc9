#!/usr/bin/env python3
"""Writes lib/Compiler/profile.tar.xz: how often compilations execute each branch
and call of the compiler's library. BOLT arranges the library by it.

LLVM is large, and a compilation executes little of each function, spread over
many pages and cache lines. BOLT places what is executed together
(docs/decisions/0016). Functions that a later build does not have are ignored, so
the file affects only speed. Write it anew after changes of the LLVM release.

Needs a release build, in which BOLT is enabled."""
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
TARGETS = ("avx2", "avx512", "amx")
NAME = "profile.fdata"


def rounded(count):
    """The count with its first three bits, which the file stores in less space."""
    dropped = max(0, count.bit_length() - 3)
    return count >> dropped << dropped


def instrument(bolt, library, folder):
    """Writes a copy of the library that counts, into the folder."""
    copy = folder / "lib/libxlac_compiler.so"
    copy.parent.mkdir()
    subprocess.run([bolt, library, "-o", copy, "--instrument",
                    f"--instrumentation-file={folder}/counts",
                    "--instrumentation-file-append-pid"],
                   check=True, capture_output=True)


def counts_of(xlac, program, target, folder):
    """The counts of one compilation, by branch."""
    image = folder / f"{program.stem}.{target}.xlax"
    process = subprocess.Popen([xlac, "compile", program, "--target", target, "-o", image])
    if process.wait() != 0:
        sys.exit(f"{program} does not compile for {target}")
    image.unlink()
    written = folder / f"counts.{process.pid}.fdata"
    counts = collections.Counter()
    with written.open() as lines:
        for line in lines:
            # The place, the destination, mispredictions and the count.
            branch, _, count = line.rsplit(maxsplit=2)
            counts[branch] += int(count)
    written.unlink()
    return counts


def functions_in(packed):
    """The names of the functions in the profile."""
    with tarfile.open(packed) as archive:
        text = archive.extractfile(NAME).read().decode()
    return set(re.findall(r"^1 (\S+?)(?:/\d+\S*)? ", text, re.M))


def check(library, packed):
    """Fails if the library lacks many functions of the profile, or if BOLT did not
    place those that it has together."""
    places = {}
    for line in subprocess.run(["nm", "--defined-only", library], check=True, text=True,
                               capture_output=True).stdout.splitlines():
        address, _, name = line.split(maxsplit=2)
        places.setdefault(name.split("/")[0], int(address, 16))
    names = functions_in(packed)
    found = [places[name] for name in names if name in places]
    if "__hot_start" not in places:
        sys.exit("BOLT did not arrange the library")
    together = sum(places["__hot_start"] <= place < places["__hot_end"] for place in found)
    print(f"{len(found)} of {len(names)} functions, {together} of them together")
    if len(found) < 0.7 * len(names):
        sys.exit("the profile is too old: write it anew with tools/dev/profile_compiler.py")
    if together < 0.8 * len(found):
        sys.exit("BOLT did not place the functions of the profile together")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--bolt", default="llvm-bolt-22")
    parser.add_argument("--output", type=pathlib.Path,
                        default=ROOT / "lib/Compiler/profile.tar.xz")
    parser.add_argument("--check", action="store_true",
                        help="compare the build with the file, and write nothing")
    options = parser.parse_args()
    if options.check:
        check(options.build / "lib/libxlac_compiler.so", options.output)
        return

    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        instrument(options.bolt, options.build / "lib/Compiler/libxlac_compiler.linked.so",
                   folder)
        xlac = folder / "bin/xlac"
        xlac.parent.mkdir()
        shutil.copy2(options.build / "bin/xlac", xlac)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = [pool.submit(counts_of, xlac, program, target, folder)
                    for program in sorted(PROGRAMS.glob("*.mlir")) for target in TARGETS]
            for run in concurrent.futures.as_completed(runs):
                counts.update(run.result())
    # Others, which a compilation executes less than once on average, are not worth
    # their space in the file.
    lines = [f"{branch} 0 {rounded(count)}\n" for branch, count in sorted(counts.items())
             if count >= len(runs)]
    text = "".join(lines).encode()
    entry = tarfile.TarInfo(NAME)
    entry.size = len(text)
    with tarfile.open(options.output, "w:xz", preset=9) as archive:
        archive.addfile(entry, io.BytesIO(text))
    print(f"{len(lines)} branches and calls, {options.output.stat().st_size} bytes: "
          f"{options.output}")


if __name__ == "__main__":
    main()
