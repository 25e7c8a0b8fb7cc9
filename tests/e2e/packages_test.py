#!/usr/bin/env python3
"""xlac's packages in a clean root, without the build tree.

    packages_test.py PACKAGES [--no-network]

PACKAGES is the folder that tools/packages/make_packages.py writes. Checks what the
packages say and contain. Then installs them into a root that mmdebstrap makes of
Debian's packages, as tools/packages/Dockerfile does, and there runs a program with an
empty and with a filled cache, and builds C and C++ programs by pkg-config and by
find_package. With --no-network, or where mmdebstrap is missing, the packages are
unpacked into a folder and run with the loader's path. Prints what fails.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path(sys.argv[1]).resolve()
CONSUMER = ROOT / "tests/e2e/consumer"
PROGRAM = (ROOT / "docs/examples/batch.mlir").read_text()
LIBRARIES = "usr/lib/x86_64-linux-gnu"
WANTED = {
    "libxlac1": [f"{LIBRARIES}/libxlac.so.0.1", f"{LIBRARIES}/libxlac.so.0.1.0"],
    "libxlac-compiler1": [f"{LIBRARIES}/libxlac_compiler.so"],
    "libxlac-dev": ["usr/include/xlac/c_api.h", "usr/include/xlac/rt.h",
                    "usr/include/xlac/xlac.h", f"{LIBRARIES}/libxlac_rt.a",
                    f"{LIBRARIES}/libxlac.so", f"{LIBRARIES}/pkgconfig/xlac.pc",
                    f"{LIBRARIES}/cmake/xlac/xlacConfig.cmake"],
    "xlac": ["usr/bin/xlac", "usr/share/man/man1/xlac-run.1",
             "usr/share/bash-completion/completions/xlac"],
}
# Of each licence a sentence that only its full text has.
LICENCES = ["Grant of Copyright License.",
            "---- LLVM Exceptions to the Apache 2.0 License ----",
            "Mozilla Public License Version 2.0", "Niels Lohmann", "Henry Schreiner",
            "CC0 1.0 Universal"]
failures = []


def check(condition, message):
    print(f"{'ok' if condition else 'FAIL'}: {message}")
    if not condition:
        failures.append(message)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=900, **options)
    if done.returncode:
        print(f"{shlex.join(map(str, command))}\n{(done.stdout + done.stderr)[-2000:]}")
    return done


def deb(name):
    found = list(PACKAGES.glob(f"{name}_*.deb"))
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def check_contents(folder):
    for name, wanted in WANTED.items():
        fields = run("dpkg-deb", "-f", deb(name)).stdout
        check(f"Package: {name}\n" in fields and "Version: 0." in fields, f"{name}: fields")
        if name != "libxlac-dev":
            check("libc6" in fields and "libstdc++6" in fields, f"{name}: dependencies")
        run("dpkg-deb", "-x", deb(name), folder)
        for path in wanted:
            check((folder / path).exists(), f"{name}: {path}")
        notices = (folder / f"usr/share/doc/{name}/copyright").read_text()
        missing = [text for text in LICENCES if text not in notices]
        check(not missing, f"{name}: licences in full text, missing {missing}")
    for path in [folder / "usr/bin/xlac", *(folder / LIBRARIES).glob("*.so*")]:
        if path.is_symlink():
            continue
        sections = run("readelf", "-SW", path).stdout
        dynamic = run("readelf", "-dW", path).stdout
        check(".symtab" not in sections, f"{path.name} is stripped")
        check("RUNPATH" not in dynamic and "RPATH" not in dynamic, f"{path.name}: no RPATH")
        check(str(ROOT).encode() + b"/build" not in path.read_bytes(),
              f"{path.name}: no path of the build")
        identity = re.search(r"Build ID: (\w\w)(\w+)", run("readelf", "-n", path).stdout)
        symbols = f"usr/lib/debug/.build-id/{identity[1]}/{identity[2]}.debug"
        listed = "".join(run("dpkg-deb", "-c", each).stdout for each in PACKAGES.glob("*.ddeb"))
        check(symbols in listed, f"{path.name}: symbols in a package of their own")


def check_tarball(folder):
    """Unpacked somewhere, then moved."""
    (archive,) = PACKAGES.glob("*.tar.xz")
    run("tar", "-xf", archive, "-C", folder)
    (unpacked,) = folder.iterdir()
    moved = unpacked.rename(folder / "moved here")
    check_program([str(moved / "bin/xlac")], folder, {"HOME": str(folder)})
    build_consumers(moved, folder, {})


def check_program(xlac, folder, environment):
    """A program, cold and warm; `xlac` is the command."""
    (folder / "batch.mlir").write_text(PROGRAM)
    results = []
    for cache in ("miss", "hit"):
        done = run(*xlac, "run", folder / "batch.mlir", "--shape", "0=3x4", "--inputs", "zeros",
                   "--cache-dir", folder / "cache", env={"PATH": "/usr/bin:/bin", **environment})
        check(done.returncode == 0 and f"cache: {cache}" in done.stderr, f"xlac run, cache: {cache}")
        results.append(done.stdout)
    check(results[0] == results[1] and "tensor<3x4xf32>" in results[0], "equal results")


def build_consumers(prefix, folder, environment):
    """By pkg-config and by find_package, with the compilers of this machine."""
    libraries = next(prefix.glob("**/libxlac.so")).parent
    settings = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LD_LIBRARY_PATH": str(libraries),
                "PKG_CONFIG_PATH": str(libraries / "pkgconfig"), **environment}
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "xlac", env=settings).stdout)
    done = run("gcc", "-std=c11", CONSUMER / "c/consumer.c", *flags, "-o", folder / "by_pkg_config",
               env=settings)
    check(done.returncode == 0 and "9 16" in run(folder / "by_pkg_config", env=settings).stdout,
          "a C program by pkg-config")
    build = folder / "consumer build"
    done = run("cmake", "-S", CONSUMER, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
               "-DCMAKE_BUILD_TYPE=Release", env=settings)
    run("cmake", "--build", build, env=settings)
    check("right" in run(build / "consumer", env=settings).stdout, "a C++ program by find_package")


def install_commands():
    """The commands of the last stage of the Dockerfile."""
    text = (ROOT / "tools/packages/Dockerfile").read_text().replace("\\\n", " ")
    stage = text[text.rindex("\nFROM "):]
    return re.findall(r"^RUN (.*)$", stage, re.M)


def check_clean_root(scratch):
    """Installs the packages with apt into a root of Debian's packages."""
    root = scratch / "root"
    done = run("mmdebstrap", "--mode=root", "--variant=apt", "--aptopt=Acquire::Languages \"none\"",
               "bookworm", root)
    if done.returncode:
        print("no clean root: mmdebstrap failed, which needs Debian's servers and a user that may "
              "make roots")
        return
    (root / "packages").mkdir()
    for path in PACKAGES.glob("*.deb"):
        shutil.copy(path, root / "packages")
    shutil.copytree(CONSUMER, root / "consumer")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    dev = "cp /packages/libxlac-dev_*.deb /dev.deb"
    for command in [dev, *install_commands()]:
        done = run("chroot", root, "sh", "-ec", f"export DEBIAN_FRONTEND=noninteractive; {command}")
        check(done.returncode == 0, f"in the clean root: {command[:60]}")
    (root / "work").mkdir()
    (root / "work/batch.mlir").write_text(PROGRAM)
    for cache in ("miss", "hit"):
        done = run("chroot", root, "xlac", "run", "/work/batch.mlir", "--shape", "0=3x4", "--inputs",
                   "zeros", "--cache-dir", "/work/cache")
        check(f"cache: {cache}" in done.stderr and "tensor<3x4xf32>" in done.stdout,
              f"in the clean root: xlac run, cache: {cache}")
    steps = {
        "headers": "apt-get update -q && apt-get install -y --no-install-recommends /dev.deb g++ cmake "
                   "make pkg-config",
        "a C program by pkg-config": "gcc -std=c11 /consumer/c/consumer.c "
                                     "$(pkg-config --cflags --libs xlac) -o /work/c && /work/c",
        "a C program by find_package": "cmake -S /consumer/c -B /work/bc && cmake --build /work/bc && "
                                       "/work/bc/consumer_c",
        "a C++ program by find_package": "cmake -S /consumer -B /work/b && cmake --build /work/b && "
                                         "/work/b/consumer",
        "the manual page": "test -f /usr/share/man/man1/xlac-run.1",
        "removal": "apt-get purge -y xlac libxlac1 libxlac-compiler1 libxlac-dev && "
                   "! ls /usr/lib/x86_64-linux-gnu/libxlac*",
    }
    for name, command in steps.items():
        done = run("chroot", root, "sh", "-ec", f"export DEBIAN_FRONTEND=noninteractive; {command}")
        check(done.returncode == 0, f"in the clean root: {name}")


def main():
    with tempfile.TemporaryDirectory(prefix="xlac-packages-") as name:
        scratch = pathlib.Path(name)
        for folder in ("unpacked", "tarball", "work"):
            (scratch / folder).mkdir()
        check_contents(scratch / "unpacked")
        check_program([str(scratch / "unpacked/usr/bin/xlac")], scratch / "work", {"HOME": str(scratch)})
        build_consumers(scratch / "unpacked/usr", scratch / "work", {})
        check_tarball(scratch / "tarball")
        if "--no-network" in sys.argv or not shutil.which("mmdebstrap"):
            print("no clean root: mmdebstrap is missing, or --no-network is given")
        else:
            check_clean_root(scratch)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
