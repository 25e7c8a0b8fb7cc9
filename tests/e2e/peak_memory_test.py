"""xlac bench reports its own peak memory, whatever the process that starts it has
in use.

    peak_memory_test.py XLAC
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.add %x, %x : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"""


def peak(xlac, program):
    done = subprocess.run([xlac, "bench", program, "--inputs", "zeros", "--iters", "1", "--json",
                           "--no-cache"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["peak_rss_mb"]


def main():
    xlac = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.mlir"
        program.write_text(PROGRAM)
        before = peak(xlac, program)
        ballast = bytearray(1 << 30)
        ballast[::4096] = b"x" * len(ballast[::4096])
        after = peak(xlac, program)
    print(f"{before:.0f} MiB, started by a large process {after:.0f} MiB")
    if before <= 1 or after > before + 300:
        print("1 passed, 1 failed")
        return 1
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
