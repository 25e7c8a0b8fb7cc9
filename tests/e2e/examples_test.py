#!/usr/bin/env python3
"""Runs a program of docs/examples and holds its output to what the page says.

    examples_test.py PROGRAM SHARED

The output must match the patterns below, one after the other and nothing in
between, and nothing may come on stderr. Where SHARED has api-sketch.md, a source
that it shows must be shown word for word.
"""
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

NUMBER = r" *-?\d+\.\d{4}"


def rows(count, columns):
    """A matrix of numbers as a tensor prints it, up to its last bracket."""
    row = r"\[" + ",".join([NUMBER] * columns) + r"\]"
    return r"tensor\(\[" + r",\n        ".join([row] * count) + r"\]"


def steps(lines, programs):
    """What Progress of training.h prints, at the end with that many programs."""
    line = r"step \d+/20  loss \d+\.\d{4}  \d+\.\d steps/s  "
    return "(" + line + r"\d+ programs\n){" + str(lines - 1) + "}" + line + programs + " programs\n"


SQUARE = rows(2, 2) + r", device='xla:0'\)\n"
OUTPUTS = {
    "basics": [
        r"xla:0\n", SQUARE, SQUARE, SQUARE,
        r"tensor\(\[" + NUMBER + r"(,\s+-?\d+\.\d{4}){19}\],\n"
        r"       device='xla:0', grad_fn=<AddmmBackward0>\)\n",
        r"linear\(\): Input tensor is not an XLA tensor: torch.FloatTensor "
        r"\(f32\[20,10\] on cpu, others on xla:0\)\n",
        r"tensor\(\[\[2\., 4\.\],\n        \[6\., 8\.\]\], device='xla:0'\) ",
        r"tensor\(\[\[1\., 2\.\]\], device='xla:0', grad_fn=<SliceBackward0>\) ",
        r"tensor\(\[1\., 2\.\], device='xla:0', grad_fn=<SelectBackward0>\)\n",
    ],
    "compile": [
        r"tensor\(\d\.\d{4}, device='xla:0', grad_fn=<NllLossBackward0>\)\n",
        rows(5, 5) + r", device='xla:0'\)\n",
    ],
    "containers": [
        r"Sequential\(\n  \(features\): Sequential\(\n"
        r"    \(0\): Conv2d\(1, 8, kernel_size=\(3, 3\), stride=\(1, 1\), padding=same\)\n"
        r"    \(1\): ReLU\(\)\n"
        r"    \(2\): MaxPool2d\(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False\)\n"
        r"    \(3\): Dropout2d\(p=0\.1, inplace=False\)\n  \)\n"
        r"  \(flat\): Flatten\(start_dim=1, end_dim=-1\)\n"
        r"  \(head\): Linear\(in_features=128, out_features=10, bias=True\)\n"
        r"  \(3\): Functional\(\)\n\)\n",
        r"features: \[2, 1, 8, 8\] to \[2, 8, 4, 4\]\n",
        r"Sequential: gradient of \[2, 8, 4, 4\]\n",
    ],
    "save_load": [
        r"save\(\): Tensor ID \d+ is sharing a view with tensor ID \d+\n",
    ],
    "get_stablehlo": [
        # The inference graph: the random state, then parameters and buffers.
        r"module @SyncTensorsGraph \{\n  func\.func @main\(%arg0: tensor<2xui64>"
        r"(, %arg\d+: tensor<[\dx]*f32>)+\) -> tensor<4x10xf32> \{\n",
        r"(?s)(?:(?!\n\}\n).)*stablehlo\.convolution(?:(?!\n\}\n).)*"
        r"return %\d+ : tensor<4x10xf32>\n(?:(?!\n\}\n).)*\n\}\n",
        r"(?s)module @SyncTensorsGraph(?:(?!\n\}\n).)*stablehlo\.select_and_scatter.*?\n\}\n",
        r"[0-9a-f]{32,} \d+ kernels\n",
    ],
    "char_gpt": [
        steps(11, "[1-4]"),
        # Whatever token comes, one program makes the next.
        r"32 tokens  \d+\.\d tokens/s  1 programs\n",
        r"(?s)The program.*\n",
    ],
    "train_dcgan": [steps(11, "[1-4]")],
    "train_lstm": [steps(11, "[1-4]")],
    "train_resnet": [steps(11, "[1-4]"), r"\d+ of 16 new digits are right\n"],
    "train_vae": [steps(11, "[1-4]"), r"([ .:*#]{28}\n){14}"],
    "mlp_training": [
        r"(?s)module @SyncTensorsGraph \{\n  func\.func @main\(.*?\n\}\n\n",
        r"(step \d+  loss \d\.\d+\n){11}compiled 2 programs for 200 steps\n",
    ],
    "write_digits": [
        r"20000 digits to learn from and 2000 to test with are in mnist-data\n",
    ],
    "train_digits": [
        r"epoch 1 step 1 loss [12]\.\d+\n(epoch 1 step \d+ loss \d(\.\d+)?(e-\d+)?\n)+",
        r"epoch 1 accuracy \d+(\.\d+)? at \d+(\.\d+)? steps per second\n",
        r"(epoch 2 step \d+ loss \d(\.\d+)?(e-\d+)?\n)+",
        r"epoch 2 accuracy (100|9[789](\.\d+)?) at \d+(\.\d+)? steps per second\n",
        # Parameters as they are made, the step, testing.
        r"compiled \d graphs, took 0 from the cache\n",
    ],
    "train_digits_mp": [
        r"epoch 1 step 1 loss [12]\.\d+\n(epoch 1 step \d+ loss \d(\.\d+)?(e-\d+)?\n)+",
        r"epoch 1 accuracy \d+(\.\d+)? at \d+(\.\d+)? steps per second\n",
        r"(epoch 2 step \d+ loss \d(\.\d+)?(e-\d+)?\n)+",
        r"epoch 2 accuracy (100|9[789](\.\d+)?) at \d+(\.\d+)? steps per second\n",
        r"compiled \d graphs, took 0 from the cache\n",
    ],
    "train_mnist_threads": [
        r"xla:0 [01]\.\d+\nxla:1 [01]\.\d+\n", r"xla:0 0\.\d+\nxla:1 0\.\d+\n",
    ],
    "train_digits_threads": [
        r"epoch 1 loss 0\.\d+ accuracy 9\d(\.\d+)? at \d+(\.\d+)? steps per second\n",
        r"epoch 2 loss 0\.\d+ accuracy (100|9[789](\.\d+)?) at \d+(\.\d+)? steps per second\n",
    ],
    "train_mnist_mp": [r"replica 0 of 2 mean loss 0\.[0-4]\d*\n"],
    # Only feature row MP-11 checks the files that it writes.
    "train_mnist_mp_parallel_loader": [],
    "train_mnist_spmd": [
        r"CPU:0 25 of 50 rows\nCPU:1 25 of 50 rows\nCPU:2 25 of 50 rows\nCPU:3 25 of 50 rows\n",
        r"tensor\(\[\[[-+.,e\d\s\[\]]*\]\],\s+device='xla:0', grad_fn=<AddmmBackward0>\)\n",
    ],
    "train_resnet50_fake": [
        r"step 1 loss (6\.[89]|7\.0)\d*\nstep 2 loss \d(\.\d+)?\nstep 3 loss \d(\.\d+)?(e-\d+)?\n",
        r"replica 0 of 4 ends with loss (\d\S*)\n(replica [123] of 4 ends with loss \1\n){3}",
        r"\d+(\.\d+)? pictures a second\n",
    ],
    "train_restart": [r"(step \d+ loss \d+(\.\d+)?\n){11}step 12 loss \d+(\.\d+)?\n"],
    "train_mnist": [
        r"epoch 1 step 1 loss [12]\.\d+\n(epoch 1 step \d+ loss \d\.\d+\n)*",
        r"epoch 1 accuracy \d+(\.\d+)?\n",
        r"(epoch 2 step \d+ loss 0\.[0-4]\d+\n)+",
        r"epoch 2 accuracy (100|9[789](\.\d+)?)\n",
        r"(?s)Metric: CompileTime\n  TotalSamples: 3\n.*",
    ],
}
# The program that must have run in the same folder.
BEFORE = {"train_mnist": "write_digits", "train_mnist_mp": "write_digits",
          "train_mnist_threads": "write_digits"}
# Variables of the environment.
ENVIRONMENT = {
    "train_digits_mp": {"CPU_NUM_DEVICES": "2"},
    "train_mnist_threads": {"CPU_NUM_DEVICES": "2"},
    "train_mnist_mp": {"CPU_NUM_DEVICES": "2"},
    "train_mnist_mp_parallel_loader": {"CPU_NUM_DEVICES": "2"},
    "train_mnist_spmd": {"CPU_NUM_DEVICES": "4"},
    "train_resnet50_fake": {"CPU_NUM_DEVICES": "2"},
    "train_digits_threads": {"CPU_NUM_DEVICES": "2"},
}
# Hosts that run the same, all of them this one.
HOSTS = {"train_resnet50_fake": 2}
# Sizes that a test has time for.
ARGUMENTS = {
    "char_gpt": ["--steps=20", "--batch=4", "--context=32", "--width=32", "--layers=2"],
    "train_dcgan": ["--steps=20", "--batch=8", "--width=8"],
    "train_lstm": ["--steps=20", "--batch=8", "--length=32", "--hidden=32"],
    "train_resnet": ["--steps=20", "--batch=16", "--images=32", "--width=8"],
    "train_resnet50_fake": ["--steps=3", "--batch=2", "--image=64", "--width=8"],
    "train_restart": ["saved", "12"],
    "train_vae": ["--steps=20", "--batch=16"],
}


def fail(message):
    print(message)
    sys.exit(1)


def check_source(name, sketch):
    """The sketch shows this program, and mnist.h, as they are here."""
    text = sketch.read_text()
    for file in (ROOT / "docs/examples" / f"{name}.cpp", ROOT / "docs/examples/mnist.h"):
        source = file.read_text()
        if f"// docs/examples/{file.name}\n" in text and f"```cpp\n{source}```" not in text:
            fail(f"{file} is not what {sketch} shows")


def run(program, folder):
    """What it prints, on all of its hosts."""
    hosts = HOSTS.get(program.name, 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = []
    for host in range(hosts):
        place = {"XLAC_NUM_HOSTS": str(hosts), "XLAC_HOST_INDEX": str(host),
                 "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)} if hosts > 1 else {}
        running.append(subprocess.Popen(
            [program, *ARGUMENTS.get(program.name, [])], cwd=folder, text=True,
            env={**os.environ, **ENVIRONMENT.get(program.name, {}), **place},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    output = ""
    for process in running:
        printed, errors = process.communicate()
        print(printed, errors, sep="")
        if process.returncode or errors:
            fail(f"{program.name} ended with code {process.returncode}")
        output += printed
    return output


def main():
    program, shared = map(pathlib.Path, sys.argv[1:])
    sketch = shared / "api-sketch.md"
    if sketch.exists():
        check_source(program.name, sketch)
    with tempfile.TemporaryDirectory(prefix="xlac-example-") as folder:
        if program.name in BEFORE:
            before = program.resolve().with_name(BEFORE[program.name])
            subprocess.run([before], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        rest = run(program.resolve(), folder)
    for pattern in OUTPUTS[program.name]:
        match = re.match(pattern, rest)
        if not match:
            fail(f"wanted {pattern!r}, got {rest[:200]!r}")
        rest = rest[match.end():]
    if rest:
        fail(f"wanted no more, got {rest[:200]!r}")


if __name__ == "__main__":
    main()
