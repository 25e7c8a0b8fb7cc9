#!/usr/bin/env python3
"""Reads portable artifacts of every version and writes them again.

    portable_artifacts_test.py XLAC XLAC_OPT FILECHECK FOLDER…

FOLDER holds pairs X.mlir and X.mlir.bc, where X ends in the version, as 1_9_0.
Each artifact must
  - come out byte for byte when written again at its version,
  - also by way of its text with locations,
  - also from X.mlir without locations,
  - print as X.mlir does,
  - hold the vhlo ops that the CHECK lines of X.mlir name, and so when rewritten.
Exits 77 where no folder is at hand.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

XLAC, OPT, FILECHECK = sys.argv[1:4]


def run(*command, data=None):
    result = subprocess.run([str(word) for word in command], input=data, capture_output=True,
                            timeout=300)
    if result.returncode:
        said = (result.stderr or result.stdout).decode(errors="replace")
        raise RuntimeError(f"{' '.join(map(str, command[:4]))}…: {said[:400]}")
    return result.stdout


def translate(source, *options, data=None):
    return run(XLAC, "translate", source, *options, data=data)


def generic(data):
    return run(OPT, "--allow-unregistered-dialect", "--mlir-print-op-generic", "-", data=data)


def problems(artifact):
    text = artifact.with_suffix("")
    version = ".".join(re.search(r"(\d+)_(\d+)_(\d+)\.mlir$", text.name).groups())
    target = ("--to", "bytecode", "--target-version", version)
    original = artifact.read_bytes()
    if translate(artifact, *target) != original:
        yield "differs when written again"
    located = translate(artifact, "--debug-info")
    if translate("-", *target, data=located) != original:
        yield "differs by way of its text"
    if translate(text, *target, "--strip-debug-info") != original:
        yield "differs from what its .mlir gives"
    if translate(artifact) != translate(text):
        yield "does not print as its .mlir"
    if "CHECK" in text.read_text():
        run(FILECHECK, text, data=generic(original))


def outcome(artifact):
    try:
        return list(problems(artifact))
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return [str(error)]


def main():
    folders = [pathlib.Path(folder) for folder in sys.argv[4:]]
    artifacts = sorted(path for folder in folders for path in folder.glob("*.mlir.bc"))
    if not artifacts:
        print(f"skipped: no artifact in {', '.join(map(str, folders))}")
        return 77
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(outcome, artifacts))
    for artifact, complaints in zip(artifacts, found):
        print(f"{artifact.name}: {'; '.join(complaints) or 'ok'}")
    failed = sum(bool(complaints) for complaints in found)
    print(f"{len(artifacts) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
