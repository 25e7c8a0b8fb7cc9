"""Runs the command `xlac` from Python."""
from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys

from ._library import command_path
from ._pjrt import Error


@dataclasses.dataclass(frozen=True)
class Setting:
    """An environment variable that xlac reads."""
    name: str
    value: str  #: the value in this process; empty if it is not set
    default: str
    accepts: str
    use: str


def _run(arguments: list[str], given: bytes = b"") -> str:
    """Runs the command with `given` as standard input and returns its output. Raises Error with
    its messages if it fails."""
    path = command_path()
    if not path.exists():
        raise Error(f"there is no command {path}", "NOT_FOUND")
    done = subprocess.run([path, *arguments], input=given, capture_output=True, check=False)
    if done.returncode:
        raise Error(done.stderr.decode(errors="replace").strip(), "INVALID_ARGUMENT")
    return done.stdout.decode(errors="replace")


def inspect(program: str | bytes, stage: str = "kernels") -> str:
    """Returns the text of a program at a stage of compilation. `program` is an argument of
    xlac.compile. `stage` is "stablehlo" (simplified), "kernels" (after fusion), "llvm" or "asm";
    others raise ValueError. Raises Error if the program is invalid."""
    if stage not in ("stablehlo", "kernels", "llvm", "asm"):
        raise ValueError(f"no stage is named {stage!r}; there are 'stablehlo', 'kernels', 'llvm' "
                         "and 'asm'")
    code = program.encode() if isinstance(program, str) else program
    return _run(["compile", "-", "--emit", stage, "-o", "-"], code)


def settings() -> dict[str, Setting]:
    """Returns the environment variables that xlac reads, by name, with their values in this
    process."""
    return {name: Setting(name, **fields)
            for name, fields in json.loads(_run(["settings", "--json"])).items()}


def main():
    """Implements the console script: replaces this process by the native command."""
    path = command_path()
    os.execv(path, [str(path), *sys.argv[1:]])
