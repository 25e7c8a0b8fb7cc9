#!/usr/bin/env python3
"""Tests of the Python package, in an environment of their own in build/.

    test_python.py package     builds the wheel, installs it and runs tests/python
    test_python.py jax         JAX's own tests through the plugin, a slice by hash
    test_python.py torch       programs of PyTorch/XLA, 7 GB of disk

The last line is `N passed, N failed`. The exit code is 77 if nothing ran because PyPI cannot be
reached, else 1 if a test failed.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"
TESTS = ROOT / "tests/python"
SKIPPED = 77


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def has_pypi(python):
    """Whether pip finds a small package."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([python, "-m", "pip", "download", "-q", "--no-deps", "--dest", folder,
                               "portpicker"], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"PyPI cannot be reached:\n{done.stderr}")
    return done.returncode == 0


def environment(name="python", list_name="requirements.txt"):
    """The Python of an environment build/venv-`name` that has what the list names."""
    folder, requirements = ROOT / f"build/venv-{name}", TESTS / list_name
    python, done = folder / "bin/python", folder / list_name
    if not done.exists() or done.read_text() != requirements.read_text():
        venv.create(folder, with_pip=True, clear=True)
        if not has_pypi(python):
            sys.exit(SKIPPED)
        run(python, "-m", "pip", "install", "-q", "-r", requirements)
        done.write_text(requirements.read_text())
    return python


def install_wheel(python):
    run(sys.executable, ROOT / "tools/python/build_wheel.py", "--build", RELEASE,
        "--out", ROOT / "build/wheel")
    wheel, = (ROOT / "build/wheel").glob("*.whl")
    run(python, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel)


def test_installed(python, files):
    """Runs files of tests with the installed wheel: no path leads to the build."""
    install_wheel(python)
    clean = {name: value for name, value in os.environ.items()
             if name not in ("PYTHONPATH", "XLAC_PJRT_PLUGIN", "XLAC_COMPILER_LIBRARY")}
    # The wheel has no library of MPI, which depends on the MPI of the machine.
    clean.setdefault("XLAC_MPI_LIBRARY", str(RELEASE / "lib/libxlac_mpi.so"))
    passed = failed = 0
    for file in files:
        print(file.relative_to(ROOT), flush=True)
        done = subprocess.run([python, file], cwd="/", env=clean, text=True,
                              stderr=subprocess.STDOUT, stdout=subprocess.PIPE, check=False)
        print(done.stdout, end="")
        ran = re.findall(r"^Ran (\d+) test", done.stdout, re.M)
        bad = sum(map(int, re.findall(r"\b(?:failures|errors)=(\d+)", done.stdout)))
        if not ran or (done.returncode and not bad):
            bad = 1
        passed += max(int(ran[-1]) - bad, 0) if ran else 0
        failed += bad
    return passed, failed


def test_package():
    return test_installed(environment(), sorted(TESTS.glob("test_*.py")))


def test_torch():
    return test_installed(environment("torch", "requirements_torch.txt"),
                          [TESTS / "torch_xla_test.py"])


def known_losses(x64):
    """Tests that stock XLA passes and that are lost here, with the reason of each. Names that end in
    " [x64]" or " [x32]" are lost with that setting alone."""
    mark, other = (" [x64]", " [x32]") if x64 else (" [x32]", " [x64]")
    losses = json.loads((TESTS / "jax_losses.json").read_text())
    return {name.removesuffix(mark): reason for name, reason in losses.items()
            if not name.endswith(other)}


BAD = ("failed", "crashed", "timeout")


def by_name(baseline):
    """What stock XLA makes of each test that was measured there."""
    return {f"{file}::{kind}.{method}": status
            for file, outcome in baseline.items()
            for status, kinds in outcome.items() if isinstance(kinds, dict)
            for kind, methods in kinds.items() for method in methods}


def judge(report, stock, x64):
    """Counts the tests of a run. A loss that is not known fails, and so does a known one that
    passes: the list tells users what does not work. `stock` has what stock XLA makes of tests."""
    known = known_losses(x64)
    passed, surprises = 0, []
    for file, outcome in report["files"].items():
        if "import_error" in outcome:
            surprises.append(f"{file}: {outcome['import_error']}")
        for test, entry in outcome["tests"].items():
            name, status = f"{file}::{test}", entry["status"]
            is_lost = status in BAD and stock.get(name) == "passed"
            passed += status == "passed" and name not in known
            if is_lost and name not in known:
                surprises.append(f"{name} {status}: {entry.get('message', '')}")
            if status == "passed" and name in known:
                surprises.append(f"{name} passes: remove it from tests/python/jax_losses.json")
    for line in surprises:
        print(line)
    return passed, len(surprises)


def run_harness(python, kit, report, *arguments):
    subprocess.run([python, kit / "run_jax_tests.py", "--out", report, *arguments], check=False)
    return json.loads(report.read_text())


def measure_stock(python, kit, report, stock, arguments):
    """Adds to `stock` what stock XLA makes of the tests that went wrong and were not measured."""
    for file, outcome in report["files"].items():
        tests = [test for test, entry in outcome["tests"].items()
                 if entry["status"] in BAD and f"{file}::{test}" not in stock]
        if not tests:
            continue
        pattern = f"^({'|'.join(map(re.escape, tests))})$"
        measured = run_harness(python, kit, ROOT / "build/jax-tests-stock.json", "--stock",
                               "--only", pattern, *arguments, file)
        for test, entry in measured["files"].get(file, {"tests": {}})["tests"].items():
            stock[f"{file}::{test}"] = entry["status"]


def test_jax(shared, shard, x64, jobs):
    """JAX's own tests of one shard."""
    kit = shared / "pjrt"
    if not (kit / "run_jax_tests.py").exists():
        print(f"JAX's tests: skipped, {kit} is absent")
        return None
    python = environment()
    tests = ROOT / "build/jax-tests"
    if not tests.exists():
        tests.mkdir(parents=True)
        run("tar", "-xf", kit / "jax-tests.tar.zst", "-C", tests)
    arguments = ["--tests", tests / "tests", "--shard", shard, *(["--x64"] if x64 else [])]
    report = run_harness(python, kit, ROOT / "build/jax-tests.json", "--jobs", jobs,
                         "--plugin", RELEASE / "lib/libpjrt_xlac.so",
                         "--package-dir", ROOT / "tools/python", *arguments)
    baseline = json.loads((kit / "baseline.json").read_text())
    stock = by_name(baseline["files"]) if baseline["settings"]["x64"] == x64 else {}
    measure_stock(python, kit, report, stock, arguments)
    return judge(report, stock, x64)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["package", "jax", "torch"])
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared")
    parser.add_argument("--shard", default="0/64", help="which of how many parts of JAX's tests")
    parser.add_argument("--x64", action="store_true")
    parser.add_argument("--jobs", default="2", help="files of JAX's tests at once")
    options = parser.parse_args()
    if options.what == "jax":
        outcome = test_jax(options.shared.resolve(), options.shard, options.x64, options.jobs)
    else:
        outcome = test_package() if options.what == "package" else test_torch()
    if outcome is None:
        return SKIPPED
    passed, failed = outcome
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
