"""Compares JAX programs of several processes on xlac with the same programs in one process.

Requires jax 0.10.2 and the package, as test_package.py does.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

WORKER = pathlib.Path(__file__).with_name("distributed_worker.py")
DYING = """
import os, sys, time, jax, numpy as np
jax.distributed.initialize(sys.argv[1], 2, int(sys.argv[2]), shutdown_timeout_seconds=5)
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("x",))
x = jax.make_array_from_callback((4,), NamedSharding(mesh, P("x")), lambda i: np.ones(4)[i])
total = jax.jit(lambda x: x.sum(), out_shardings=NamedSharding(mesh, P()))
assert float(total(x)) == 4
if sys.argv[2] == "1":
    os._exit(7)
try:
    for _ in range(1000):
        total(x).block_until_ready()
except jax.errors.JaxRuntimeError as error:
    print("caught", error, flush=True)
os._exit(3)
"""


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def start(command, devices, prefix=(), **environment):
    return subprocess.Popen(
        [*prefix, sys.executable, *map(str, command)], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "JAX_PLATFORMS": "xlac", "XLAC_PJRT_DEVICES": str(devices),
             "XLAC_CACHE": "off", **environment})


class Processes(unittest.TestCase):
    def finish(self, processes, timeout=240):
        """Returns the output and errors of each process. Kills all if one exceeds the timeout."""
        end = time.monotonic() + timeout
        try:
            return [process.communicate(timeout=max(end - time.monotonic(), 1))
                    for process in processes]
        finally:
            for process in processes:
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()

    def compare(self, count, prefixes):
        """Compares the results of `count` worker processes with those of one."""
        address = free_address()
        (alone, errors), = self.finish([start([WORKER, address, 0, 1], 4)])
        self.assertTrue(alone, errors[-4000:])
        expected = json.loads(alone.splitlines()[-1])
        for out, errors in self.finish(
                [start([WORKER, address, process, count], 4 // count, prefixes[process])
                 for process in range(count)]):
            self.assertTrue(out, errors[-4000:])
            got = json.loads(out.splitlines()[-1])
            np.testing.assert_allclose(got.pop("losses"), expected["losses"], rtol=1e-6)
            for name, value in got.items():
                self.assertEqual(value, expected[name], name)

    def test_results_are_those_of_one_process(self):
        self.compare(2, [[], []])

    def test_users_that_share_no_memory_talk_by_tcp(self):
        """Processes of different users cannot share memory, like processes of different hosts."""
        users = [["unshare", "--user", f"--map-user={1000 + process}"] for process in range(2)]
        if subprocess.run([*users[0], "true"], capture_output=True, check=False).returncode:
            self.skipTest("this machine lets nobody make namespaces of users")
        self.compare(2, users)

    def test_ranks_of_mpirun_talk_by_mpi(self):
        """The plan gives the bits of one process, MPI's own collectives close losses."""
        library = os.environ.get("XLAC_MPI_LIBRARY", "")
        if not shutil.which("mpirun") or not os.path.exists(library):
            self.skipTest("there is no mpirun, or XLAC_MPI_LIBRARY names no library: jobs of JAX "
                          "over MPI are not tested")
        (alone, errors), = self.finish([start([WORKER, free_address(), 0, 1], 4)])
        self.assertTrue(alone, errors[-4000:])
        expected = json.loads(alone.splitlines()[-1])
        for settings in ({"XLAC_TRANSPORT": "mpi"}, {"XLAC_COLLECTIVES": "engine"}):
            with tempfile.TemporaryDirectory() as folder:
                rank = "$OMPI_COMM_WORLD_RANK"
                line = (f"exec {sys.executable} {WORKER} {free_address()} {rank} 2 "
                        f"> {folder}/out.{rank}")
                process = subprocess.Popen(
                    ["mpirun", "-n", "2", "sh", "-c", line], text=True, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={**os.environ, "JAX_PLATFORMS": "xlac", "XLAC_PJRT_DEVICES": "2",
                         "XLAC_CACHE": "off", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                         "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                         "OMPI_MCA_rmaps_base_oversubscribe": "1", **settings})
                (_, errors), = self.finish([process])
                self.assertEqual(process.returncode, 0, errors[-4000:])
                for index in range(2):
                    text = pathlib.Path(folder, f"out.{index}").read_text()
                    got = json.loads(text.splitlines()[-1])
                    np.testing.assert_allclose(got.pop("losses"), expected["losses"], rtol=1e-6)
                    self.assertEqual(got.keys() | {"losses"}, expected.keys())
                    for name, value in got.items() if "XLAC_TRANSPORT" in settings else ():
                        self.assertEqual(value, expected[name], name)

    def test_one_that_dies_gives_an_error(self):
        address = free_address()
        first, _ = self.finish([start(["-c", DYING, address, process], 2,
                                      XLAC_COLLECTIVE_TIMEOUT="20") for process in range(2)], 120)
        self.assertIn("caught", first[0], first[1][-4000:])
        self.assertRegex(first[0], "process 1.*(died|left)")

    def test_processes_need_equally_many_devices(self):
        address = free_address()
        outcomes = self.finish([start([WORKER, address, process, 2], process + 1)
                                for process in range(2)])
        for _, errors in outcomes:
            self.assertIn("need equally many", errors)


if __name__ == "__main__":
    unittest.main()
