#!/usr/bin/env python3
"""Starts ranks whose job cannot begin or go on.

    job_errors_test.py JOB_ERRORS JOB_MPI_REPLACEMENT TRAIN_RESTART

One rank prints one message that names the reason, and mpirun ends with exit
code 1. Skips where there is no mpirun.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
PROGRAM, REPLACEMENT, TRAIN_RESTART = map(os.path.abspath, sys.argv[1:4])
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "CPU_NUM_DEVICES": "1"}


def start(*words, **environment):
    return subprocess.Popen(["mpirun", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env={**ENVIRONMENT, **environment})


def expect_one(name, process, *parts):
    """The ranks print one message, with these parts."""
    out, err = process.communicate(timeout=300)
    messages = [line for line in err.splitlines() if line.startswith("xlac: process ")]
    text = f"{name}: exit code {process.returncode}\n{out}{err}"
    wrong = [part for part in parts if not messages or part not in messages[0]]
    if process.returncode != 1 or len(messages) != 1 or wrong or "terminate called" in err:
        print(f"job_errors_test: wanted exit code 1 and one message with {parts}: {text}")
        sys.exit(1)
    print(f"{name}: {messages[0]}", flush=True)


def expect_case(name, *parts, words=("-n", "4"), **environment):
    expect_one(name, start(*words, PROGRAM, name, **environment), *parts)


def different_executables(folder):
    """Processes of one job run two files."""
    other = pathlib.Path(folder, "other")
    shutil.copy(PROGRAM, other)
    with other.open("ab") as file:
        file.write(b"x")
    for transport in ("tcp", "mpi"):
        expect_case("sum", "run different executables",
                    words=("-n", "2", other, "sum", ":", "-n", "2"), XLAC_TRANSPORT=transport)


def two_jobs_in_one_folder(folder):
    """The second job to save in a folder ends; the first goes on."""
    command = ("-n", "2", TRAIN_RESTART, f"{folder}/saves")
    first = start(*command, str(1 << 30))
    for line in first.stdout:
        if line.startswith("step 6 "):
            break
    expect_one("two jobs", start(*command, "8"), "is used by another job")
    running = first.poll() is None
    first.terminate()
    first.communicate(timeout=60)
    if not running:
        print("job_errors_test: the first job has ended too")
        sys.exit(1)


def main():
    if not shutil.which("mpirun"):
        print("job_errors_test: skipped, there is no mpirun")
        return SKIP
    mpi = {"XLAC_TRANSPORT": "mpi"}
    expect_case("sum", "cannot open the library: /nowhere", **mpi,
                XLAC_MPI_LIBRARY="/nowhere/libxlac_mpi.so")
    expect_case("sum", "libxlac_mpi.so is built for ", **mpi, LD_PRELOAD=REPLACEMENT,
                XLAC_TEST_MPI="other")
    expect_case("single", "has initialized MPI without MPI_THREAD_MULTIPLE", **mpi)
    expect_case("finalized_first", "MPI was finalized before the job began", **mpi)
    expect_case("finalized", "the program has finalized MPI", **mpi,
                OMPI_MCA_async_mpi_finalize="1", XLAC_NUM_HOSTS="2")
    expect_case("mesh", "64", **mpi)
    expect_case("sum", "contradict each other", XLAC_NUM_HOSTS="3")
    for transport in ("tcp", "mpi"):
        expect_case("caches", "process 3", "XLAC_CACHE_DIR", XLAC_TRANSPORT=transport)
        expect_case("throws", "process 2 of 4: ", "out of luck", XLAC_TRANSPORT=transport)
    with tempfile.TemporaryDirectory(prefix="xlac-errors-") as folder:
        different_executables(folder)
        two_jobs_in_one_folder(folder)
    return 0


sys.exit(main())
