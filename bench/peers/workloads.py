"""The workloads of ../shared/peers: exported, and measured by that kit with xlac
as one more peer."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

JAX_PEERS = ("xla_cpu", "iree")
TORCH_PEERS = ("torch_eager", "torch_compile", "torch_xla", "onnxruntime")
WARM_STARTS = 3
#: For each target profile, settings that limit peers to its instructions.
LIMITS = {"avx2": {
    "xla_cpu": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2"},
    "torch_eager": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
                    "MKL_ENABLE_INSTRUCTIONS": "AVX2"}}}


def limit(target, xlac, peers, work, notes):
    """A program that runs xlac for the target profile, the peers that can be limited to
    it, and settings for them."""
    limits = LIMITS[target]
    if unlimited := [peer for peer in peers if peer not in limits]:
        notes.append(f"{', '.join(unlimited)}: they cannot be limited to {target}")
    program = work / f"xlac-{target}"
    program.write_text(f'''#!/bin/sh
case "$1" in
  bench | run) command=$1; shift; exec "{xlac}" "$command" --target {target} "$@" ;;
  *) exec "{xlac}" "$@" ;;
esac
''')
    program.chmod(0o755)
    known = [peer for peer in peers if peer in limits]
    return program, known, {name: value for peer in known for name, value in limits[peer].items()}


def export(kit, folder, python):
    """Writes the workloads into `folder` unless they are there."""
    if (folder / "index.json").exists():
        return True
    print(f"Exporting the workloads to {folder}", flush=True)
    return subprocess.run([python, kit / "export_workloads.py", "--out", folder],
                          cwd=kit).returncode == 0


def measure(kit, folder, xlac, peers, only, pythons, work, resume, extra, settings, notes):
    """One interleaved run of the kit with `settings` in its environment; its document,
    which after a failure has what was measured until then."""
    out = work / "peers.json"
    command = [pythons["jax"] or sys.executable, kit / "bench_peers.py", "--artifacts", folder,
               "--json", out, "--peers", ",".join(peers), "--xlac", xlac, "--work", work / "kit",
               *extra]
    if only:
        command += ["--only", ",".join(only)]
    if resume:
        command += ["--resume"]
    environment = dict(os.environ) | settings
    if pythons["jax"]:
        environment["PEER_JAX_PYTHON"] = pythons["jax"]
    if pythons["torch"]:
        environment["PEER_TORCH_PYTHON"] = pythons["torch"]
    code = subprocess.run([str(word) for word in command], env=environment).returncode
    if code != 0:
        notes.append(f"workloads after {kit / 'bench_peers.py'} ended with code {code}")
    return json.loads(out.read_text()) if out.exists() else {}


def roofline(kit, work, notes):
    """The machine's peaks, or None."""
    program, out = work / "roofline", work / "roofline.json"
    if out.exists():
        return json.loads(out.read_text())
    compiler = next((c for c in ("clang++-22", "clang++", "g++")
                     if subprocess.run(["which", c], capture_output=True).returncode == 0), None)
    if compiler is None or subprocess.run([compiler, "-O3", "-std=c++20", "-pthread",
                                           kit / "roofline.cpp", "-o", program]).returncode:
        notes.append("the roofline: its probe does not build here")
        return None
    subprocess.run([program, "--json", out], stdout=subprocess.DEVNULL)
    if not out.exists():
        notes.append("the roofline: its probe measures no peaks on this processor")
        return None
    return json.loads(out.read_text())


def bounds(kit, peaks):
    """`bound(name, meta)` by the kit's own rules, and STREAM's bytes a second."""
    spec = importlib.util.spec_from_file_location("kit_report", kit / "report.py")
    report = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(report)
    threads = max([int(key.split("_")[-2][:-1]) for key in peaks if key.endswith("t_gbs")] or [1])
    # The kit's rules name the best instruction there is; a machine that lacks it has the next.
    peaks, rate = dict(peaks), "_{}t_gflops".format
    for better, next_best in (("fma_f32_avx512", "fma_f32_avx2"),
                              ("dot_bf16_avx512", "fma_f32_avx512"),
                              ("amx_bf16_l1_loads", "dot_bf16_avx512")):
        peaks.setdefault(better + rate(threads), peaks.get(next_best + rate(threads), 0))
    roof = report.Roof(peaks, threads)
    triad = [value for key, value in peaks.items()
             if key.startswith("triad_1536MiB") and key.endswith(f"_{threads}t_gbs")]
    return roof.bound_ms, max(triad) * 1e9 if triad else None


def warm_starts(folder, names, xlac):
    """For each workload the least of some fresh processes with a filled cache:
    total_ms to the first result without reading inputs, start_ms the same
    without the run itself."""
    starts = {}
    for name in names:
        art = folder / name
        inputs = sorted(art.glob("in_*.npy"))
        with tempfile.TemporaryDirectory(prefix="xlac-warm-") as cache:
            command = [str(word) for word in (xlac, "run", art / "module.mlir", "--json",
                                              "--cache-dir", cache, "--inputs", *inputs)]
            seen = []
            for _ in range(WARM_STARTS + 1):
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode != 0:
                    break
                one = json.loads(done.stdout.strip().splitlines()[-1])
                if one["cache"] == "hit":
                    total = one["first_result_ms"] - one["read_inputs_ms"]
                    seen.append((total, total - one["first_run_ms"]))
            if seen:
                starts[name] = {"total_ms": min(total for total, _ in seen),
                                "start_ms": min(start for _, start in seen)}
    return starts
