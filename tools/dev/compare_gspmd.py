#!/usr/bin/env python3
"""Compares what partitioned programs send and hold with XLA's partitioner.

    compare_gspmd.py XLAC FILE.mlir… [--names a,b] [--details] [--cache FILE]

Needs JAX. Prints, for each program for eight devices, the bytes that a device
sends and its largest memory: of xlac from `xlac explain`, of XLA from the
optimized HLO of its CPU backend. The bytes of a collective follow the ring
model of docs/scaling.md on both sides. Both count the bodies of loops as often
as XLA's largest known trip count of the program, and memory without results
that reuse arguments. Packed operands of products and convolutions are in xlac's
arena and count; XLA's CPU libraries allocate theirs as they run, and no figure
of XLA contains them. sharding_cases.py writes programs.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import jax
import numpy as np
from jax._src.lib import xla_client

DEVICES = 8
BITS = {"pred": 8, "c64": 64, "c128": 128, "bf16": 16}
SENT = {  # of the bytes of the result, with k devices in a group
    "all-gather": lambda size, k: size * (k - 1) / k,
    "all-reduce": lambda size, k: 2 * size * (k - 1) / k,
    "reduce-scatter": lambda size, k: size * (k - 1),
    "all-to-all": lambda size, k: size * (k - 1) / k,
    "collective-permute": lambda size, k: size,
    "collective-broadcast": lambda size, k: size,
}


def bytes_of(types):
    total = 0
    for element, dims in re.findall(r"\b([a-z]\w*)\[([\d,]*)\]", types):
        bits = BITS.get(element) or int(re.match(r"[a-z]+(\d+)", element)[1])
        total += math.prod(int(d) for d in dims.split(",") if d) * max(bits, 8) // 8
    return total


def group_size(line):
    """Devices of a group, in each of the forms that HLO writes."""
    if match := re.search(r"replica_groups=\{\{([\d,]*)\}", line):
        return len(match[1].split(","))
    if match := re.search(r"replica_groups=\[\d+,(\d+)\]", line):
        return int(match[1])
    if match := re.search(r"replica_groups=mesh\[(.*?)\] \{(.*?)\}", line):
        sizes = {name: int(size) for name, size in re.findall(r"'(\w+)'=(\d+)", match[1])}
        names = re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", match[2])
        return math.prod(int(part) if part else sizes[name] for name, part in names)
    return DEVICES


class Hlo:
    """The computations of a module as lines of instructions."""

    def __init__(self, text):
        self.lines, self.entry, name = {}, None, None
        for line in text.splitlines():
            if match := re.match(r"(ENTRY )?%?([\w.\-]+) \(.*\{$", line):
                name = match[2]
                self.lines[name] = []
                self.entry = name if match[1] else self.entry
            elif line.startswith("}"):
                name = None
            elif name:
                self.lines[name].append(line)

    def trips(self):
        text = "\n".join(line for lines in self.lines.values() for line in lines)
        return max([int(n) for n in re.findall(r'known_trip_count":\{"n":"(\d+)"', text)] or [1])

    def sent(self, trips, name=None, kinds=None):
        """Bytes by kind of collective."""
        kinds = {} if kinds is None else kinds
        for line in self.lines[name or self.entry]:
            match = re.search(r"= (.*?) ([a-z\-]+?)(-start)?\(", line)
            if match and match[2] in SENT:
                size = bytes_of(match[1])
                if match[3]:  # operands and results
                    size //= 2
                kinds[match[2]] = kinds.get(match[2], 0) + SENT[match[2]](size, group_size(line))
            times = trips if match and match[2] == "while" else 1
            for called in re.findall(r"(?:calls|to_apply|body|condition)=%?([\w.\-]+)", line):
                if match and match[2] in ("fusion", "call", "while", "conditional"):
                    for kind, size in self.sent(trips, called).items():
                        kinds[kind] = kinds.get(kind, 0) + times * size
            for listed in re.findall(r"branch_computations=\{(.*?)\}", line):
                for called in re.findall(r"[\w.\-]+", listed):
                    self.sent(trips, called, kinds)
        return kinds


def gspmd(text):
    options = xla_client.CompileOptions()
    options.num_partitions = DEVICES
    build = options.executable_build_options
    build.num_partitions = DEVICES
    build.use_spmd_partitioning = True
    build.use_shardy_partitioner = "sdy.mesh" in text
    build.allow_spmd_sharding_propagation_to_output = [True]
    devices = jax.devices()
    options.device_assignment = xla_client.DeviceAssignment.create(
        np.array([[device.id for device in devices]], np.int32))
    made = devices[0].client.compile_and_load(
        text, xla_client.DeviceList(tuple(devices)), options)
    hlo = Hlo(made.hlo_modules()[0].to_string())
    memory = made.get_compiled_memory_stats()
    trips = hlo.trips()
    return {"trips": trips, "sent": hlo.sent(trips), "alias": memory.alias_size_in_bytes,
            "memory": memory.argument_size_in_bytes + memory.output_size_in_bytes +
                      memory.temp_size_in_bytes - memory.alias_size_in_bytes}


def xlac(binary, file, trips, alias):
    # Axes of two devices, because groups over parts of axes count as larger.
    made = subprocess.run([binary, "explain", file, "--mesh", "2x2x2", "--trips", str(trips),
                           "--json", "--device-gflops", "50", "--device-bandwidth", "10"],
                          capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(made.stderr.strip()[:200])
    report = json.loads(made.stdout)
    sent = {}
    for row in report["collectives"]:
        kind = row["collective"]
        sent[kind] = sent.get(kind, 0) + row["bytes_sent"]
    return {"sent": sent, "flops": report["flops"],
            "memory": report["argument_bytes"] + report["result_bytes"] +
                      report["arena_bytes"] - alias}


def ratio(own, other):
    """1 where neither sends anything; of one that alone does, the bytes count against 1 KiB."""
    return max(own, 1024) / max(other, 1024)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("xlac")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--names", help="only cases whose name contains one of these")
    parser.add_argument("--details", action="store_true", help="bytes by kind of collective")
    parser.add_argument("--cache", type=pathlib.Path, help="a file that keeps XLA's figures")
    options = parser.parse_args()
    known = {}
    if options.cache and options.cache.exists():
        known = json.loads(options.cache.read_text())
    print(f"{'KiB':28} {'sent xlac':>10} {'XLA':>10} {'ratio':>6}   {'memory':>9} {'XLA':>9} {'ratio':>6}")
    sends, holds = {}, {}
    for file in options.files:
        name = file.stem
        if options.names and not any(part in name for part in options.names.split(",")):
            continue
        try:
            other = known.get(name) or gspmd(file.read_text())
            known[name] = other
            own = xlac(options.xlac, file, other["trips"], other["alias"])
        except Exception as error:  # one program must not hide the others
            print(f"{name:28} failed: {str(error)[:160]}")
            continue
        a, b = sum(own["sent"].values()), sum(other["sent"].values())
        sends[name] = ratio(a, b)
        holds[name] = own["memory"] / max(other["memory"], 1)
        print(f"{name:28} {a / 1024:10.1f} {b / 1024:10.1f} {sends[name]:6.2f}   "
              f"{own['memory'] / 1024:9.1f} {other['memory'] / 1024:9.1f} {holds[name]:6.2f}",
              flush=True)
        if options.details:
            for label, sent in (("xlac", own["sent"]), ("XLA", other["sent"])):
                print(f"    {label:5}", ", ".join(f"{kind} {size / 1024:.1f}"
                                                 for kind, size in sorted(sent.items())))
        if options.cache:
            options.cache.write_text(json.dumps(known))
    for label, ratios in (("sent", sends), ("memory", holds)):
        if ratios:
            mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
            worst = max(ratios, key=ratios.get)
            print(f"{label}: geometric mean {mean:.3f}, worst {ratios[worst]:.2f} ({worst}), "
                  f"{sum(r > 1.05 for r in ratios.values())} of {len(ratios)} above 1.05")


if __name__ == "__main__":
    main()
