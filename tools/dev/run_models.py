#!/usr/bin/env python3
"""Runs the exported models twice, cold and in a fresh process from the cache,
as text and as the portable artifact beside it, checks their outputs, and prints
compile and run times.

    run_models.py --xlac PATH [--target PROFILE] [MODEL…]

The models lie in $XLAC_SHARED/models, or, where that is absent, in
tests/e2e/models. Closes with `N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def model_folders(names):
    shared = pathlib.Path(os.environ.get("XLAC_SHARED", ROOT.parent / "shared")) / "models"
    base = shared if (shared / "check_outputs.py").exists() else ROOT / "tests/e2e/models"
    folders = sorted(f for f in base.iterdir() if (f / "module.mlir").exists())
    return base, [f for f in folders if not names or f.name in names]


def data_tools(base):
    """The folder's own scripts where it has them, so that what is compared is
    what its author meant."""
    if (base / "check_outputs.py").exists():
        return [base / "make_inputs.py"], [base / "check_outputs.py"]
    return [HERE / "model_data.py", "inputs"], [HERE / "model_data.py", "check"]


def python(tool, *arguments):
    return subprocess.run([sys.executable, *map(str, tool), *map(str, arguments)], text=True,
                          capture_output=True)


def run_once(xlac, program, inputs, out, target, cache):
    command = [xlac, "run", program, "--target", target, "--outputs", out,
               "--json", "--inputs", *sorted(inputs.glob("in_*.npy"))]
    return subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          env={**os.environ, "XLAC_CACHE_DIR": str(cache)})


def run_model(xlac, base, folder, target, scratch):
    inputs, cache = scratch / folder.name / "in", scratch / folder.name / "cache"
    make_inputs, check_outputs = data_tools(base)
    made = python(make_inputs, folder, inputs)
    if made.returncode != 0:
        return f"inputs could not be made: {made.stderr}"
    forms = [folder / "module.mlir", folder / "module.mlir.bc"]
    for program, wanted in ((form, wanted) for form in forms if form.exists()
                            for wanted in ("miss", "hit")):
        out = scratch / folder.name / f"{program.suffix}.{wanted}"
        result = run_once(xlac, program, inputs, out, target, cache)
        if result.returncode != 0:
            return result.stderr.strip() or f"exit code {result.returncode}"
        report = json.loads(result.stdout)
        start = report["first_result_ms"] - report["read_inputs_ms"]
        mapped = "mapped" if report["compiler_library_mapped"] else "not mapped"
        name = folder.name + (" (bytecode)" if program.suffix == ".bc" else "")
        print(f"  {name:30} {'cold' if wanted == 'miss' else 'warm'}: "
              f"cache {report['cache']:4}  compile {report['compile_ms']:8.1f} ms  "
              f"load {report['load_ms']:6.2f} ms  run {report['first_run_ms']:8.2f} ms  "
              f"start to first result {start:8.1f} ms  {report['kernels']} kernels  "
              f"compiler {mapped}", flush=True)
        if report["cache"] != wanted:
            return f"the cache reported {report['cache']}, expected {wanted}"
        if wanted == "hit" and report["compiler_library_mapped"]:
            return "a warm run mapped the compiler library"
        checked = python(check_outputs, folder, out)
        print(f"  {'':30} outputs: {checked.stdout.strip().splitlines()[-1]}", flush=True)
        if checked.returncode != 0:
            return checked.stdout.strip() + checked.stderr.strip()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xlac", type=pathlib.Path, required=True)
    parser.add_argument("--target", default="native")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    base, folders = model_folders(options.models)
    print(f"models of {base}, target {options.target}", flush=True)
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="xlac-models-") as scratch:
        for folder in folders:
            problem = run_model(options.xlac.resolve(), base, folder, options.target,
                                pathlib.Path(scratch))
            passed, failed = passed + (problem is None), failed + (problem is not None)
            if problem:
                print(f"  {folder.name}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
