#!/usr/bin/env python3
"""Compares searched shardings with those that sharding_cases.py writes.

    compare_auto.py XLAC FOLDER [--gflops 1000] [--memory 200]

FOLDER has the programs of sharding_cases.py. Of each model, the annotations are
removed from one program, and `xlac explain --auto` searches others. New
parameters reuse the old ones, so both have one sharding. Prints the estimated
step beside the shortest of all annotated programs of the model.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

MODELS = {  # the program to search, and the others of the same model and batch
    "mlp": ("mlp_data", ["mlp_fsdp", "mlp_fsdp_columns", "mlp_megatron", "mlp_mixed",
                         "mlp_mixed_fsdp"]),
    "mlp_small_batch": ("mlp_small_batch_tp", []),
    "gpt": ("gpt_data", ["gpt_fsdp", "gpt_fsdp_annotated", "gpt_fsdp_columns", "gpt_megatron",
                         "gpt_sequence", "gpt_mixed", "gpt_mixed_fsdp"]),
    "moe": ("moe_experts", ["moe_fsdp"]),
    "convnet": ("conv_data", ["conv_fsdp", "conv_fsdp_inputs", "conv_channels", "conv_space"]),
    "lstm": ("lstm_data", ["lstm_fsdp"]),
}


def opened(text):
    """The program without annotations. The last result is the loss."""
    text = re.sub(r'mhlo\.sharding = "[^"]*"(, )?', "", text)
    head = re.search(r"@main\((.*?)\) -> \((.*?)\) \{\n", text, re.S)
    results = re.findall(r"tensor<[^>]*>", head[2])[:-1]

    def argument(match):
        number = int(match[1])
        aliases = number < len(results) and results[number] == match[2]
        return f"%arg{number}: {match[2]}" + (
            f" {{tf.aliasing_output = {number} : i32}}" if aliases else "")

    arguments = re.sub(r"%arg(\d+): (tensor<[^>]*>)(?: \{[^}]*\})?", argument, head[1])
    text = text.replace(head[1], arguments, 1)
    return re.sub(r" \{(, )?\}", "", text).replace(", }", "}")


def explain(options, file, *words):
    made = subprocess.run(
        [options.xlac, "explain", file, "--json", "--device-gflops", str(options.gflops),
         "--device-bandwidth", str(options.memory), *words], capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(made.stderr.strip()[:300])
    return json.loads(made.stdout)


def step(plan):
    return plan["compute_ms"] + plan["communication_ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("xlac")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gflops", type=float, default=1000, help="of a device")
    parser.add_argument("--memory", type=float, default=200, help="GB/s of a device")
    options = parser.parse_args()
    print(f"{'model':16} {'auto, ms':>10} {'best, ms':>10} {'ratio':>6}  best annotation")
    for model, (base, others) in MODELS.items():
        steps = {}
        for name in [base, *others]:
            for mesh in ("8", "4x2"):  # the meshes of the annotations
                made = explain(options, options.folder / f"{name}.mlir", "--mesh", mesh)
                if all(row["axes"] != "any" for row in made["collectives"]):
                    steps[f"{name} on {mesh}"] = step(made)
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(opened((options.folder / f"{base}.mlir").read_text()))
            file.flush()
            plans = explain(options, file.name, "--mesh", "8", "--auto")["plans"]
        best = min(steps, key=steps.get)
        found = step(plans[0])
        print(f"{model:16} {found:10.4f} {steps[best]:10.4f} {found / steps[best]:6.3f}  {best}",
              flush=True)


if __name__ == "__main__":
    main()
