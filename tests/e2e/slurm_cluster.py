"""Slurm on this machine, for tests of jobs: two nodes on ports of their own.

Needs root and Debian's slurm-wlm and munge. Its files are in a folder of the
test, and its daemons end with the test.
"""
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sinfo")


class Unavailable(Exception):
    """Slurm cannot run here, for the reason of the text."""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SlurmCluster:
    """`environment` is for srun; `log()` is what the daemons wrote."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve() / "slurm"
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []

    def __enter__(self):
        missing = [name for name in PROGRAMS if not shutil.which(name, path=self._path())]
        if missing or os.getuid() != 0:
            raise Unavailable(f"no {', '.join(missing)}" if missing else "not root")
        try:
            self._start_munge()
            self._start_slurm()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _steps(self):
        """The processes of slurmd that carry out job steps."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "environ").read_bytes().split(b"\0")
                if (f"SLURM_CONF={self.environment['SLURM_CONF']}".encode() in words
                        and (entry / "comm").read_text().startswith("slurmstepd")):
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def _end_steps(self):
        """Steps report their end to the daemons, which must still be there."""
        for _ in range(50):
            if not self._steps():
                return
            time.sleep(0.2)
        for step in self._steps():
            os.kill(step, signal.SIGKILL)

    def __exit__(self, *_):
        self._end_steps()
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def log(self):
        return "".join(f"{path.name}:\n{path.read_text(errors='replace')}\n"
                       for path in sorted(self.folder.glob("*.log")))

    @staticmethod
    def _path():
        return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

    def _start(self, name, *arguments):
        log = (self.folder / f"{name}{len(self.daemons)}.log").open("w")
        program = shutil.which(name, path=self._path())
        self.daemons.append(subprocess.Popen([program, *arguments], stdout=log, stderr=log,
                                             stdin=subprocess.DEVNULL,
                                             env={**os.environ, **self.environment}))

    def _wait(self, is_ready, what):
        for _ in range(300):
            if is_ready():
                return
            if any(daemon.poll() is not None for daemon in self.daemons):
                break
            time.sleep(0.2)
        raise Unavailable(f"{what} does not start:\n{self.log()}")

    def _start_munge(self):
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        self._start("munged", "--foreground", "--force", f"--key-file={key}",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                    f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed",
                    "--num-threads=2")
        self._wait((self.folder / "munge.socket").exists, "munged")

    def _start_slurm(self):
        controller, *nodes = free_ports(3)
        host = socket.gethostname()
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=xlac
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
KillOnBadExit=1
ReturnToService=2
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool.%n
TmpFS={self.folder}/tmp.%n
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={nodes[0]} CPUs=4
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={nodes[1]} CPUs=4
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        for name in ("state", "tmp.node1", "tmp.node2"):
            (self.folder / name).mkdir()
        self._start("slurmctld", "-D")
        for node in ("node1", "node2"):
            self._start("slurmd", "-D", "-N", node)
        self._wait(self._are_idle, "Slurm")

    def _are_idle(self):
        done = subprocess.run(["sinfo", "-h", "-o", "%D %t"], capture_output=True, text=True,
                              env={**os.environ, **self.environment})
        return done.stdout.split() == ["2", "idle"]
