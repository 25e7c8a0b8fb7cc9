"""perf's map and GDB name compiled kernels, from the compiler and from the cache.

    native_names_test.py XLAC

Without GDB its half is left out, with a line that says so.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """module @named {
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.sine %x : tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
"""
KERNEL = "named.sine.0.loop_0"


def run(xlac, program, cache):
    """Cache status and lines of the process's perf map."""
    process = subprocess.Popen(
        [xlac, "run", program, "--inputs", "zeros", "--cache-dir", cache, "--json"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "XLAC_PERF_MAP": "1"})
    out = process.communicate()[0]
    listed = pathlib.Path(f"/tmp/perf-{process.pid}.map")
    lines = listed.read_text().splitlines() if listed.exists() else []
    listed.unlink(missing_ok=True)
    status = re.search(r'"cache": ?"(\w+)"', out)
    return status and status.group(1), lines


def check_maps(xlac, program, cache):
    problems = []
    for wanted in ("miss", "hit"):
        status, lines = run(xlac, program, cache)
        if status != wanted:
            problems.append(f"cache: {status}, wanted {wanted}")
        places = [line.split() for line in lines]
        if any(len(place) != 3 or int(place[0], 16) == 0 or int(place[1], 16) == 0
               for place in places):
            problems.append(f"{wanted}: lines are not address, size and name: {lines[:3]}")
        names = {place[2] for place in places if len(place) == 3}
        for name in (KERNEL, "named.xlac_entry"):
            if name not in names:
                problems.append(f"{wanted}: the map lacks {name}: {sorted(names)}")
    return problems


def check_debugger(xlac, program, cache):
    """A breakpoint on the kernel, set before there is one; code from the cache."""
    done = subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off",
         "-ex", "set breakpoint pending on", "-ex", f"break {KERNEL}", "-ex", "run",
         "-ex", "backtrace 2", "-ex", f"info symbol {KERNEL}", "-ex", "kill", "--args", xlac,
         "run", program, "--inputs", "zeros", "--cache-dir", cache],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    text = done.stdout + done.stderr
    if re.search(r"ptrace: Operation not permitted|warning: Error disabling address space", text) \
            and "Breakpoint 1, " not in text:
        print("GDB may not trace processes here: left out")
        return []
    if not re.search(rf"#0 .*{re.escape(KERNEL)}", text):
        return [f"GDB did not stop in {KERNEL}:\n{text[-3000:]}"]
    return []


def main():
    xlac = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.mlir"
        program.write_text(PROGRAM)
        cache = pathlib.Path(folder) / "cache"
        checks = [check_maps]
        if shutil.which("gdb"):
            checks.append(check_debugger)
        else:
            print("GDB is not installed: left out")
        problems = [problem for check in checks for problem in check(xlac, program, cache)]
    for problem in problems:
        print(problem)
    print(f"{len(checks) - bool(problems)} passed, {int(bool(problems))} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
