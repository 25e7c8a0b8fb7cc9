#!/usr/bin/env python3
"""Lets JAX read the portable artifacts that xlac writes.

    jax_artifacts_test.py XLAC SHARED PYTHON…

The first PYTHON that can import jax.jaxlib does the reading. Every model of
SHARED, as text and as the artifact that JAX exported, is written at 1.0.0, 1.9.0
and the newest version that this JAX reads; what JAX makes of it must print as
what JAX makes of its own artifact of the same program. Where a version lacks
something, JAX must fail to write it, too. Exits 77 without JAX or models.
"""
import pathlib
import subprocess
import sys
import tempfile

READER = r"""
import pathlib, sys
from jax._src.interpreters import mlir as contexts
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

def printed(artifact):
    return str(stablehlo.deserialize_portable_artifact(context, artifact))

def source_of(path):
    data = path.read_bytes()
    if data.startswith(b"ML\xefR"):
        return stablehlo.deserialize_portable_artifact(context, data)
    return ir.Module.parse(data.decode())

context = contexts.make_ir_context()
with context:
    if sys.argv[1] == "version":
        print(stablehlo.get_current_version())
        sys.exit()
    source, version, written = sys.argv[1:]
    module = source_of(pathlib.Path(source))
    if not pathlib.Path(written).exists():
        try:
            stablehlo.serialize_portable_artifact(module, version, True)
        except ValueError:
            print("same")
        sys.exit()
    own = stablehlo.serialize_portable_artifact(module, stablehlo.get_current_version(), True)
    if printed(pathlib.Path(written).read_bytes()) == printed(own):
        print("same")
"""


def read(python, *arguments):
    return subprocess.run([python, "-c", READER, *map(str, arguments)], capture_output=True,
                          text=True, timeout=300)


def problem(xlac, python, source, version, folder):
    artifact = folder / "written.mlir.bc"
    artifact.unlink(missing_ok=True)
    wrote = subprocess.run([xlac, "translate", source, "--to", "bytecode", "--target-version",
                            version, "-o", artifact], capture_output=True, text=True, timeout=300)
    # JAX must not be able to write features that a version lacks either.
    said = read(python, source, version, artifact)
    if said.stdout.strip() == "same":
        return None
    if wrote.returncode:
        return wrote.stderr[:300]
    return said.stderr.strip()[-300:] or f"JAX reads another program (exit {said.returncode})"


def main():
    xlac, shared, pythons = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    sources = sorted(shared.glob("models/*/module.mlir*"))
    if not sources:
        print(f"skipped: {shared}/models is absent")
        return 77
    for python in pythons:
        try:
            newest = read(python, "version")
        except OSError:
            continue
        if newest.returncode == 0:
            break
    else:
        print(f"skipped: jax cannot be imported by {', '.join(pythons)}")
        return 77
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="xlac-jax-") as scratch:
        for source in sources:
            for version in ("1.0.0", "1.9.0", newest.stdout.strip()):
                why = problem(xlac, python, source, version, pathlib.Path(scratch))
                print(f"{source.parent.name}/{source.name} at {version}: {why or 'ok'}")
                passed, failed = passed + (why is None), failed + (why is not None)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
