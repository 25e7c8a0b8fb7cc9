#!/usr/bin/env python3
"""Launches small shell programs as jobs and looks at what comes of them.

    launch_test.py XLAC

The programs say which process they are, fail, hang, or leave others behind;
hosts are reached by a stub that runs the command here.
"""
import atexit
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

XLAC = os.path.abspath(sys.argv[1])
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="xlac-launch-"))
atexit.register(shutil.rmtree, FOLDER)
MARK = f"launch-mark-{os.getpid()}"


def script(name, text):
    path = FOLDER / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def launch(*arguments, timeout=60, **environment):
    return subprocess.run([XLAC, "launch", *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout, cwd=FOLDER, env={**os.environ, **environment})


def left_behind():
    """Processes that bear the mark of this test, once they had time to go."""
    for _ in range(40):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if MARK in (entry / "cmdline").read_text() and "launch_test" not in (
                        entry / "cmdline").read_text():
                    state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                    if state != "Z":
                        found.append(entry.name)
            except OSError:
                pass
        if not found:
            return []
        time.sleep(0.1)
    return found


def expect(condition, what, result=None):
    if not condition:
        print(f"launch_test: {what}")
        if result is not None:
            print(result.returncode, result.stdout, result.stderr, sep="\n")
        sys.exit(1)


def secrets():
    """The processes of all hosts know one secret, which no command line bears."""
    show = script("secret", 'echo "$XLAC_JOB_SECRET"; tr "\\0" " " < /proc/$PPID/cmdline >&2\n')
    # Not the script itself: a file that is open for writing cannot be executed.
    told = script("tell", f'echo "$*" >> {FOLDER}/told\nshift\nexec sh -c "$*"\n')
    seen = set()
    for environment in ({}, {}, {"XLAC_JOB_SECRET": "mine it is"}):
        result = launch("--hosts", "a,b", "--rsh", told, "--master-addr", "127.0.0.1", "--", show,
                        **environment)
        found = {line.split(": ", 1)[1] for line in result.stdout.splitlines()}
        expect(result.returncode == 0 and len(found) == 1, "the hosts have one secret", result)
        seen |= found
        secret = found.pop()
        expect(secret not in result.stderr and secret not in (FOLDER / "told").read_text(),
               "the secret is in a command line", result)
    expect(len(seen) == 3 and "mine it is" in seen and min(map(len, seen - {"mine it is"})) == 64,
           f"secrets are given or made anew, got {seen}")


NAMES = ("RANK LOCAL_RANK WORLD_SIZE LOCAL_WORLD_SIZE XLAC_NUM_HOSTS XLAC_HOST_INDEX "
         "MASTER_ADDR MASTER_PORT").split()
SHOW = script("show", "echo " + " ".join(f"${name}" for name in NAMES) + ' "$@"\n')
# Takes a host and a command line, and runs it here.
STUB = script("stub", 'shift\nexec sh -c "$*"\n')


def variables():
    result = launch("--nproc", 3, "--", SHOW, "one word", "it's")
    lines = sorted(result.stdout.splitlines())
    expect(result.returncode == 0 and result.stderr == "", "a plain launch fails", result)
    expect(lines == [f"{i} {i} 3 3 1 0 127.0.0.1 12355 one word it's" for i in range(3)],
           "other variables", result)
    result = launch("--", SHOW, CPU_NUM_DEVICES="4")
    expect(len(result.stdout.splitlines()) == 4, "CPU_NUM_DEVICES is not the default", result)
    result = launch("--nproc", 2, "--nnodes", 2, "--node-rank", 1, "--master-addr", "there",
                    "--master-port", 4321, "--", SHOW)
    expect(sorted(result.stdout.splitlines()) ==
           ["2 0 4 2 2 1 there 4321", "3 1 4 2 2 1 there 4321"], "another part of a job", result)


def hosts():
    result = launch("--hosts", "127.0.0.2,me@127.0.0.3", "--rsh", STUB, "--nproc", 2, "--", SHOW,
                    "it's", "$HOME")
    lines = sorted(result.stdout.splitlines())
    wanted = [f"127.0.0.2: {i} {i} 4 2 2 0 127.0.0.2 12355 it's $HOME" for i in range(2)]
    wanted += [f"me@127.0.0.3: {i + 2} {i} 4 2 2 1 127.0.0.2 12355 it's $HOME" for i in range(2)]
    expect(result.returncode == 0 and lines == wanted, "hosts show something else", result)


def by_mpirun():
    """A stub of mpirun that shows its arguments stands for that of each MPI."""
    folder = FOLDER / "mpi"
    folder.mkdir()

    def stub(version):
        path = folder / "mpirun"
        path.write_text(f"#!/bin/sh\n[ \"$*\" = --version ] && echo '{version}' && exit 0\n"
                        'echo "$XLAC_DEVICES_PER_PROCESS" "$@"\nexit 5\n')
        path.chmod(0o755)

    path = f"{folder}:{os.environ['PATH']}"
    missing = "libxlac_mpi.so"
    cases = (("mpirun (Open MPI) 4.1.4", "--host a:2,b:2"), ("HYDRA build details:", "-hosts a,b -ppn 2"))
    for version, words in cases:
        stub(version)
        result = launch("--hosts", "a,b", "--nproc", 2, "--devices-per-proc", 3, "--transport",
                        "mpi", "--", SHOW, "it's", PATH=path)
        if missing in result.stderr:
            expect(result.returncode == 1, "without the library", result)
            continue
        expect(result.returncode == 5 and result.stdout.startswith(f"3 -n 4 {words}") and
               "XLAC_DEVICES_PER_PROCESS" in result.stdout and
               result.stdout.endswith(f"{SHOW} it's\n"), "another command of mpirun", result)
    stub("another 1.0")
    result = launch("--hosts", "a,b", "--transport", "mpi", "--", SHOW, PATH=path)
    expect(result.returncode == 1 and "neither Open MPI's nor MPICH's: another 1.0"
           in result.stderr, "an unknown mpirun", result)
    result = launch("--hosts", "a,b", "--transport", "mpi", "--", SHOW, PATH=str(FOLDER))
    expect(result.returncode == 1 and "there is no mpirun on the path" in result.stderr and
           len(result.stderr.splitlines()) == 1, "no mpirun", result)
    # Who gives a shell, or chooses TCP, gets no mpirun.
    for arguments in (["--rsh", STUB], ["--rsh", STUB, "--transport", "tcp"]):
        result = launch("--hosts", "127.0.0.2,127.0.0.3", *arguments, "--", SHOW, PATH=path)
        expect(result.returncode == 0 and len(result.stdout.splitlines()) == 2,
               "mpirun against the user's choice", result)


def failures():
    other = f'sh -c "sleep 300; : {MARK}" & wait\n'
    fail = script("fail", f'[ "$RANK" = 1 ] && {{ sleep 0.3; exit 7; }}\n{other}')
    for arguments in ([], ["--hosts", "a,b", "--rsh", STUB, "--master-addr", "127.0.0.1"]):
        start = time.time()
        result = launch(*arguments, "--nproc", 2, "--", fail, MARK)
        expect(result.returncode == 7, "not the first failure", result)
        expect("process 1 ended with status 7" in result.stderr, "not named", result)
        expect(time.time() - start < 8, "the others are not ended", result)
        expect(not left_behind(), f"left behind: {left_behind()}", result)
    killed = script("killed", '[ "$RANK" = 0 ] && kill -9 $$\n' + other)
    result = launch("--nproc", 2, "--", killed, MARK)
    expect(result.returncode == 128 + 9 and "signal 9" in result.stderr, "a signal", result)
    # Deaf to being asked.
    deaf = script("deaf", f'trap "" TERM\n[ "$RANK" = 0 ] && exit 3\nsleep 300 & wait\n{other}')
    result = launch("--nproc", 2, "--", deaf, MARK)
    expect(result.returncode == 3, "the deaf are not ended", result)
    expect(not left_behind(), "the deaf are left behind", result)


def missing():
    result = launch("--hosts", "a,b", "--rsh", STUB, "--master-addr", "127.0.0.1", "--",
                    FOLDER / "nothing")
    expect(result.returncode == 127, "a missing program is no failure", result)
    expect("a: xlac launch: cannot run" in result.stderr or
           "b: xlac launch: cannot run" in result.stderr, "its host is not named", result)
    lone = script("half", 'case "$1" in b) shift; exec sh -c "$*";; esac\nexit 255\n')
    result = launch("--hosts", "a,b", "--rsh", lone, "--", SHOW)
    expect(result.returncode == 255 and "host a ended" in result.stderr, "no way to a host",
           result)


def leaves_nobody():
    stay = script("stay", f'echo there\nsh -c "sleep 300; : {MARK}"\n')
    for arguments in ([], ["--hosts", "a,b", "--rsh", STUB, "--master-addr", "127.0.0.1"]):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            if number == signal.SIGKILL and not arguments:
                continue  # the processes go with it, but not whom they have started
            process = subprocess.Popen([XLAC, "launch", *map(str, arguments), "--nproc", "2", "--",
                                        stay, MARK], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, cwd=FOLDER)
            process.stdout.readline()
            process.send_signal(number)
            process.communicate(timeout=20)
            wanted = -9 if number == signal.SIGKILL else 128 + number
            expect(process.returncode == wanted, f"ends with {process.returncode}")
            expect(not left_behind(), f"signal {number} leaves {left_behind()}")


def usage():
    for arguments in (["--nproc", "0", "--", "true"], [], ["--nnodes", "2", "--hosts", "a", "--",
                                                          "true"]):
        expect(launch(*arguments).returncode == 2, f"accepts {arguments}")
    result = launch("--nnodes", 2, "--node-rank", 2, "--", "true")
    expect(result.returncode == 1 and "node rank 2 of 2" in result.stderr, "a rank too many",
           result)


for test in (variables, hosts, by_mpirun, secrets, failures, missing, leaves_nobody, usage):
    test()
print("launch_test: all well")
