#!/usr/bin/env python3
"""Finds programs that have become much slower than they were.

    guard.py --xlac XLAC [--target PROFILE] [--factor F] [--write] [PROGRAM...]

Runs the programs of bench/regression/programs, or those named, on one thread,
and divides the minimum run time of each by its roofline bound. The bound follows
from the flops and bytes that the program needs at least, which baseline.json
lists, and from the peaks of the machine, measured in the same run. The quotient
must not exceed that of baseline.json for the same profile by more than the
factor. A program that does is measured once more. --write stores the quotients
of this machine as the baseline. Subnormal numbers are flushed: random operands
saturate a softmax, and on Intel its subnormal results slow down products tenfold.
Prints a line for each program, and `N passed, N failed` at the end; the exit code
is 1 if one failed.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: Quotients differ between machines and under load; a lost optimization costs more.
FACTOR = 3
#: Profiles and the flag that a processor needs for each, in the order of preference.
PROFILES = {"amx": "amx_tile", "avx512": "avx512f", "avx2": "avx2"}


def quotient(measured, work):
    """Minimum run time over the bound, from the JSON of `xlac bench --roofline`."""
    bound_ms = max(work["flops"] / measured["peak_gflops"],
                   work["bytes"] / measured["peak_gbytes"]) * 1e-6
    return measured["run_ms_min"] / bound_ms


def verdict(found, stored, factor):
    """None if the quotient is within the factor of the stored one, else the reason."""
    if stored is None:
        return "is not in the baseline"
    if found > factor * stored:
        return f"is {found / stored:.1f} times slower than the baseline"
    return None


def measure(xlac, program, target, work):
    done = subprocess.run([xlac, "bench", program, "--inputs", "random:1", "--threads", "1",
                           "--iters", "7", "--target", target, "--no-cache", "--roofline", "--json"],
                          capture_output=True, text=True,
                          env=os.environ | {"XLAC_FLUSH_DENORMAL": "1"})
    if done.returncode:
        raise RuntimeError(f"{program.stem}: {done.stderr.strip()}")
    return quotient(json.loads(done.stdout), work)


def best_profile():
    flags = set(pathlib.Path("/proc/cpuinfo").read_text().split())
    return next((name for name, flag in PROFILES.items() if flag in flags), None)


def check(options, programs, baseline):
    """Quotients by program, and the number of programs that are too slow."""
    stored = baseline["quotients"].get(options.target, {})
    quotients, failed = {}, 0
    for program in programs:
        name = program.stem
        for attempt in range(2):
            target = "avx2" if options.target == "avx2" else "native"
            found = measure(options.xlac, program, target, baseline["work"][name])
            reason = None if options.write else verdict(found, stored.get(name), options.factor)
            if not reason:
                break
        quotients[name] = round(found, 2)
        failed += reason is not None
        print(f"{name:28} {found:8.2f} of the bound, baseline {stored.get(name, '-')}"
              f"{': ' + reason if reason else ''}", flush=True)
    return quotients, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--xlac", type=pathlib.Path, required=True)
    parser.add_argument("--factor", type=float, default=FACTOR)
    parser.add_argument("--target", choices=PROFILES, default=best_profile())
    parser.add_argument("--write", action="store_true")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if not options.target:
        print("guard: this processor has no AVX2; there is no baseline for it")
        return 77
    path = HERE / "baseline.json"
    baseline = json.loads(path.read_text())
    programs = options.programs or sorted((HERE / "programs").glob("*.mlir"))
    quotients, failed = check(options, programs, baseline)
    if options.write:
        baseline["quotients"].setdefault(options.target, {}).update(quotients)
        path.write_text(json.dumps(baseline, indent=1, sort_keys=True) + "\n")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
