#!/usr/bin/env python3
"""Measures the links of a job with `xlac explain --measure`.

    explain_measure_test.py XLAC PROGRAM

One rank of four prints the estimate, with the measured links as a value for
XLAC_LINKS. Skips where there is no mpirun.
"""
import os
import re
import shutil
import subprocess
import sys

SKIP = 77
XLAC, PROGRAM = map(os.path.abspath, sys.argv[1:3])
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}
ARGUMENTS = [PROGRAM, "--mesh", "2x2", "--axes", "data,model", "--shard", "0=data,-", "--shard",
             "1=-,model", "--shard", "3=model,-", "--device-gflops", "100",
             "--device-bandwidth", "20", "--simulate"]


def expect(condition, what, text):
    if not condition:
        print(f"explain_measure_test: {what}\n{text}")
        sys.exit(1)


def run(launcher, *options, **environment):
    done = subprocess.run([*launcher, XLAC, "explain", *ARGUMENTS, *options], capture_output=True,
                          text=True, timeout=300, env={**ENVIRONMENT, **environment})
    expect(done.returncode == 0, f"exit code {done.returncode}", done.stdout + done.stderr)
    return done.stdout


def main():
    if not shutil.which("mpirun"):
        print("explain_measure_test: skipped, there is no mpirun")
        return SKIP
    for hosts in ("1", "2", "4"):
        text = run(["mpirun", "-n", "4"], "--measure", XLAC_NUM_HOSTS=hosts)
        measured = re.findall(r"^measured: XLAC_LINKS=(\S+)$", text, re.M)
        expect(len(measured) == 1 and text.count("mesh: ") == 1, "not one estimate", text)
        numbers = [float(number) for number in measured[0].split(",")]
        expect(len(numbers) == 4 and all(number > 0 for number in numbers), "no links", text)
        # Links that do not exist keep the default.
        expect((numbers[2:] == [10, 12]) == (hosts == "1"), "other links between hosts", text)
        expect((numbers[:2] == [1, 4]) == (hosts == "4"), "other links within a host", text)
        expect(f"simulated: {4 // int(hosts)} devices on each host" in text, "other hosts", text)
        again = run([], XLAC_LINKS=measured[0])
        expect("simulated: 8 devices on each host" in again, "no default", again)
        print(f"{hosts} hosts: {measured[0]}", flush=True)
    return 0


sys.exit(main())
