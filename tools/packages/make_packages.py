#!/usr/bin/env python3
"""Makes .deb files and a tarball of a release build.

    make_packages.py [--build DIR]

Writes them to DIR/packages. The build gets Debian's layout, /usr and the library
folder of the architecture, for the time of the call: only rules of installation
differ, so nothing is compiled again.
"""
import argparse
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ("CMAKE_INSTALL_PREFIX", "CMAKE_INSTALL_LIBDIR")
TARGETS = ["xlac-cli", "xlac", "xlac_compiler", "xlac_rt", "xlac_shell_files",
           "xlac_notices"]


def run(*command, cwd=ROOT):
    subprocess.run([str(word) for word in command], cwd=cwd, check=True)


def cached(build, name):
    """The value of a variable of the build, or nothing."""
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found and found.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    build = parser.parse_args().build.resolve()
    before = {name: cached(build, name) for name in NAMES}
    architecture = subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], text=True,
                                  capture_output=True, check=True).stdout.strip()
    shutil.rmtree(build / "packages", ignore_errors=True)
    try:
        run("cmake", build, "-DCMAKE_INSTALL_PREFIX=/usr",
            f"-DCMAKE_INSTALL_LIBDIR=lib/{architecture}")
        targets = TARGETS + (["xlac_mpi"] if "xlac_mpi" in (build / "build.ninja").read_text() else [])
        run("cmake", "--build", build, "--target", *targets)
        for generator in ("DEB", "TXZ"):
            run("cpack", "-G", generator, "--config", build / "CPackConfig.cmake", "-Wno-dev", cwd=build)
    finally:
        run("cmake", build, *(f"-D{name}={value}" if value else f"-U{name}"
                              for name, value in before.items()))
    shutil.rmtree(build / "packages/_CPack_Packages", ignore_errors=True)
    for path in sorted((build / "packages").iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")


main()
