#!/usr/bin/env python3
"""Compares two builds of xlac on a list of programs, and confirms before it accuses.

    compare.py --old XLAC --new XLAC [--rounds N] [--threshold PERCENT] [PROGRAM…]

A PROGRAM is an .mlir file, or a folder with module.mlir and perhaps in_*.npy;
without any, the models of ../shared/models or tests/e2e/models. In each round
both builds run each program once, in turns who goes first. What looks slower or
faster is measured again in rounds of its own, and counts only if both agree.
Prints a line a program and figure; exits with 1 for a confirmed regression, 2
for wrong use, else 0. Example:

    compare.py --old /tmp/before/bin/xlac --new build/release/bin/xlac model.mlir
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "bench/peers")]

import own  # noqa: E402
import verdict  # noqa: E402

FIGURES = {"run": "run_ms_median", "compile": "compile_ms", "load": "load_ms",
           "memory": "peak_rss_mb"}


def inputs_of(program, scratch):
    """The program's file and the words behind --inputs."""
    module = program / "module.mlir" if program.is_dir() else program
    files = sorted(module.parent.glob("in_*.npy")) if program.is_dir() else []
    if files:
        return module, files
    base = module.parent.parent
    if program.is_dir() and ((base / "make_inputs.py").exists() or
                             base == ROOT / "tests/e2e/models"):
        folder = pathlib.Path(scratch) / program.name
        own.make_inputs(base, program, folder)
        return module, sorted(folder.glob("in_*.npy"))
    return module, ["random:1"]


class Pair:
    """Both builds on one program."""

    def __init__(self, options, module, inputs):
        self.options, self.turn = options, 0
        self.commands = [[build, "bench", module, "--no-cache", "--json", "--iters",
                          options.iters, "--inputs", *inputs,
                          *(["--threads", options.threads] if options.threads else [])]
                         for build in (options.old, options.new)]

    def round(self):
        """Figures of the old and of the new build."""
        order = (0, 1) if self.turn % 2 == 0 else (1, 0)
        self.turn += 1
        found = [None, None]
        for which in order:
            found[which] = own.last_json(self.commands[which])
        return found

    def rounds(self):
        return [self.round() for _ in range(self.options.rounds)]


def ratios(rounds, key):
    """New over old of each round where both have the figure."""
    return [new[key] / old[key] for old, new in rounds
            if old.get(key, 0) > 0 and new.get(key, 0) > 0]


def describe(one):
    return f"{one.median:.3f} [{one.low:.3f}, {one.high:.3f}] p={one.chance:.2g}"


def examine(pair, options):
    """Findings by figure, which share their rounds."""
    first, second, findings = pair.rounds(), [], {}

    def again(key):
        if not second:
            second.extend(pair.rounds())
        return ratios(second, key)

    for figure in options.figures:
        key = FIGURES[figure]
        found = ratios(first, key)
        if len(found) == options.rounds:
            findings[figure] = verdict.compare(found, lambda key=key: again(key),
                                               options.threshold / 100)
    return findings


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", type=pathlib.Path, required=True)
    parser.add_argument("--new", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=16, help="of each set, 8 at least")
    parser.add_argument("--iters", type=int, default=10, help="runs of a program in a round")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--threshold", type=float, default=5,
                        help="percent; less is no regression, however sure")
    parser.add_argument("--figures", type=lambda text: text.split(","),
                        default=["run", "compile"], help=", ".join(FIGURES))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.rounds < 8:
        parser.error("with fewer than 8 rounds nothing can be told")
    if unknown := set(options.figures) - set(FIGURES):
        parser.error(f"unknown figures: {', '.join(sorted(unknown))}")
    for path in (options.old, options.new, *options.programs):
        if not path.exists():
            parser.error(f"{path}: there is no such file")
    if not options.programs:
        options.programs = own.model_folders(ROOT.parent / "shared")[1]
    return options


def main():
    options = arguments()
    report, regressions = {}, []
    with tempfile.TemporaryDirectory(prefix="xlac-regression-") as scratch:
        for program in options.programs:
            pair = Pair(options, *inputs_of(program.resolve(), scratch))
            try:
                findings = examine(pair, options)
            except RuntimeError as problem:
                print(f"{program}: {problem}")
                return 2
            for figure, finding in findings.items():
                line = f"{program.name:24} {figure:8} new/old {describe(finding.first)}"
                if finding.second:
                    line += f", again {describe(finding.second)}: "
                    line += finding.confirmed if finding.confirmed != "same" else "not confirmed"
                print(line, flush=True)
                report[f"{program.name}/{figure}"] = {
                    "first": vars(finding.first), "confirmed": finding.confirmed,
                    "second": vars(finding.second) if finding.second else None}
                if finding.confirmed == "slower":
                    regressions.append(f"{program.name}: {figure}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    print(f"{len(regressions)} confirmed regressions" +
          (": " + ", ".join(regressions) if regressions else ""))
    return 1 if regressions else 0


if __name__ == "__main__":
    sys.exit(main())
