#!/usr/bin/env python3
"""Kills a rank of the example train_restart and resumes with other numbers.

    restart_test.py TRAIN_RESTART

Skips where there is no mpirun.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

SKIP = 77
PROGRAM = os.path.abspath(sys.argv[1])
MARK = f"XLAC_RESTART_TEST={os.getpid()}"
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "XLAC_COLLECTIVE_TIMEOUT": "60",
               MARK.split("=")[0]: MARK.split("=")[1]}


def expect(condition, what, text=""):
    if not condition:
        print(f"restart_test: {what}\n{text}")
        sys.exit(1)


def ranks():
    """The process ids of the example, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "environ").read_text().split("\0")
            if MARK not in words or os.readlink(entry / "exe") != PROGRAM:
                continue
            found.update((int(word.split("=")[1]), int(entry.name)) for word in words
                         if word.startswith("OMPI_COMM_WORLD_RANK="))
        except (OSError, UnicodeDecodeError, ValueError):
            pass
    return found


def command(count, folder, steps):
    return ["mpirun", "-n", str(count), PROGRAM, str(folder), str(steps)]


def run(count, folder, steps, **environment):
    done = subprocess.run(command(count, folder, steps), capture_output=True, text=True,
                          timeout=300, env={**ENVIRONMENT, **environment})
    expect(done.returncode == 0, f"{count} ranks fail", done.stdout + done.stderr)
    return done.stdout


def losses(text):
    words = [line.split() for line in text.splitlines() if line.startswith("step ")]
    return {int(line[1]): float(line[3]) for line in words}


def kill_a_rank(folder):
    """Runs without an end, and kills rank 2 after some saves; returns the output."""
    process = subprocess.Popen(command(4, folder, 1 << 30), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("step 12 "):
            victim = ranks().get(2)
            expect(victim, "rank 2 is not found", "".join(lines))
            os.kill(victim, signal.SIGKILL)
    process.wait(timeout=120)
    expect(process.returncode != 0, "a killed rank is not noticed", "".join(lines))
    expect(not ranks(), f"ranks are left: {ranks()}")
    return "".join(lines)


def main():
    if not shutil.which("mpirun"):
        print("restart_test: skipped, there is no mpirun")
        return SKIP
    with tempfile.TemporaryDirectory(prefix="xlac-restart-") as base:
        killed = losses(kill_a_rank(f"{base}/job"))
        step, shards = map(int, pathlib.Path(base, "job", "last").read_text().split())
        expect(step >= 10 and shards == 4, f"saved step {step} of {shards} shards")
        text = run(2, f"{base}/job", step + 10, XLAC_NUM_HOSTS="2")
        expect(f"resumes at step {step} of 4 shards" in text, "does not resume", text)
        text += run(3, f"{base}/job", step + 20)
        expect(f"resumes at step {step + 10} of 2 shards" in text, "does not resume", text)
        resumed = losses(text)
        whole = losses(run(1, f"{base}/whole", step + 20))
        for number, loss in {**killed, **resumed}.items():
            if number in whole:
                expect(abs(loss - whole[number]) <= 1e-5 * abs(whole[number]),
                       f"step {number} has loss {loss}, without a failure {whole[number]}")
        expect(set(range(step + 1, step + 21)) <= set(resumed), "steps are missing", text)
    print("restart_test: all well")
    return 0


sys.exit(main())
