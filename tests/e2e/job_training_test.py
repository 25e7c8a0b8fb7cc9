#!/usr/bin/env python3
"""Trains networks over MPI and in one process, and compares the losses.

    job_training_test.py WHERE JOB_TRAINING WRITE_DIGITS STEPS [TWO_MACHINES]

WHERE is `ranks`: 4 ranks of mpirun on this machine, as one to four hosts;
`machines`: 2 ranks in each of two network namespaces; or `slurm`: 2 tasks on
each of two nodes of a Slurm that the test starts. With the plan, the losses
of each step have the same bits as those of one process with as many replicas or
devices. With other orders of sums they agree within 1e-6 in the first steps.
Training then amplifies the rounding errors, but must reach a similar loss. Skips where there is
no mpirun, where namespaces are not permitted, and where Slurm does not start.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from slurm_cluster import SlurmCluster, Unavailable

SKIP = 77
WHERE, PROGRAM, WRITE_DIGITS, STEPS = sys.argv[1:5]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "XLAC_NUM_SLICES": "2"}
# One process with four replicas, or with the eight devices of the mesh.
ALONE = {"digits": {"CPU_NUM_DEVICES": "4", "XLAC_DEVICES_PER_PROCESS": "4"},
         "char_gpt": {"CPU_NUM_DEVICES": "4", "XLAC_DEVICES_PER_PROCESS": "4"},
         "transformer": {"CPU_NUM_DEVICES": "8"}}
DEVICES = {"digits": "1", "char_gpt": "1", "transformer": "2"}


def expect(condition, what, text=""):
    if not condition:
        print(f"job_training_test: {what}\n{text}")
        sys.exit(1)


def run(launcher, name, folder, environment):
    """The lines of the steps."""
    command = [*launcher, PROGRAM, name, STEPS, *([folder] if name == "digits" else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800,
                          env={**ENVIRONMENT, **environment})
    lines = [line for line in done.stdout.splitlines() if line.startswith("step ")]
    expect(done.returncode == 0 and len(lines) == int(STEPS),
           f"{' '.join(command)} with {environment} fails", done.stdout + done.stderr)
    return lines


def losses(lines):
    return [float(line.split()[3]) for line in lines]


def mean_of_last(lines):
    """The mean loss of the last tenth of the steps."""
    last = losses(lines)[-(len(lines) // 10 + 1):]
    return sum(last) / len(last)


def compare(launcher, name, alone, folder, **environment):
    lines = run(launcher, name, folder,
                {"CPU_NUM_DEVICES": DEVICES[name], "XLAC_TRANSPORT": "mpi", **environment})
    if "XLAC_COLLECTIVES" not in environment:
        different = [pair for pair in zip(alone, lines) if pair[0] != pair[1]]
        expect(not different, f"{name} with {environment} differs from one process: {different}")
    differences = [abs(a - b) / abs(a) for a, b in zip(losses(alone), losses(lines))]
    first, last, wanted = losses(alone)[0], mean_of_last(lines), mean_of_last(alone)
    expect(max(differences[:6]) <= 1e-6 and abs(last - wanted) <= 0.1 * first,
           f"{name} with {environment} differs by {differences}", "\n".join(lines))
    print(f"{name} {environment}: {STEPS} steps to {last:.6g}, in one process {wanted:.6g}; "
          f"first steps differ by {max(differences[:6]):.2g}", flush=True)


def divisions():
    """What to run the ranks with."""
    if WHERE != "ranks":
        return [{}, {"XLAC_COLLECTIVES": "engine"}]
    return [{"XLAC_NUM_HOSTS": "4"}, {"XLAC_NUM_HOSTS": "2"}, {"XLAC_COLLECTIVES": "engine"},
            {"XLAC_NUM_HOSTS": "2", "XLAC_COLLECTIVES": "hierarchical",
             "XLAC_LINKS": "0,1000,1,0.001"}]


def compare_all(launcher, folder):
    """`launcher` gives the words that start the ranks with variables of these names."""
    digits = f"{folder}/digits"
    subprocess.run([WRITE_DIGITS, digits], check=True, stdout=subprocess.DEVNULL)
    for name, environment in ALONE.items():
        alone = run([], name, digits, environment)
        first, last = losses(alone)[0], losses(alone)[-1]
        expect(last < first, f"{name} does not learn: {first} to {last}")
        for each in divisions():
            compare(launcher(each), name, alone, digits, **each)


def on_machines(folder):
    machines, name = sys.argv[5], f"xlac-training-{os.getpid()}"
    passed_on = ["CPU_NUM_DEVICES", "XLAC_TRANSPORT", "XLAC_NUM_SLICES", "XLAC_CACHE_DIR"]
    try:
        made = subprocess.run([machines, "make", name, folder], env=ENVIRONMENT,
                              capture_output=True, text=True)
        if made.returncode:
            raise Unavailable(f"no network namespaces with Open MPI: {made.stderr}")
        compare_all(lambda names: [f"{folder}/mpirun", "-n", "4",
                                   *[word for item in [*passed_on, *names]
                                     for word in ("-x", item)]], folder)
    finally:
        subprocess.run([machines, "remove", name], capture_output=True)


def on_slurm(folder):
    with SlurmCluster(folder) as cluster:
        # Nodes on one machine have no shared memory of their own in Open MPI, and reach each other
        # at 127.0.0.1.
        ENVIRONMENT.update(cluster.environment, OMPI_MCA_btl="tcp,self",
                           OMPI_MCA_btl_tcp_if_include="lo")
        compare_all(lambda names: ["srun", "--mpi=pmix", "--nodes=2", "--ntasks-per-node=2"],
                    folder)


def main():
    try:
        if not shutil.which("mpirun"):
            raise Unavailable("no mpirun")
        with tempfile.TemporaryDirectory(prefix="xlac-training-") as folder:
            ENVIRONMENT["XLAC_CACHE_DIR"] = f"{folder}/cache"
            if WHERE == "ranks":
                compare_all(lambda names: ["mpirun", "-n", "4"], folder)
            elif WHERE == "machines":
                on_machines(folder)
            else:
                on_slurm(folder)
    except Unavailable as reason:
        print(f"job_training_test: skipped, {reason}")
        return SKIP
    return 0


sys.exit(main())
