#!/usr/bin/env python3
"""Calls xlac with good and bad input and looks at exit codes and messages.

    command_line_test.py XLAC

Each call of command_line_calls.py must end with its exit code and print its words.
An error must be one line that begins with "xlac", besides warnings and the lines of
the program that a diagnostic of the compiler shows. Prints what fails.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import command_line_calls
import command_line_files

XLAC = pathlib.Path(sys.argv[1]).resolve()
CRASHES = ("Assertion", "Stack dump", "PLEASE submit", "terminate called", "AddressSanitizer",
           "runtime error:", "core dumped")


def calls():
    for line in command_line_calls.CALLS.splitlines():
        if not line or line.startswith("#"):
            continue
        code, words, command = (part.strip() for part in line.split(" | ", 2))
        yield int(code), words, command.replace(" ok", " --no-cache --inputs zeros")


def is_extra(line):
    """A warning, a note, or a line of the program below a diagnostic."""
    return (line.startswith(("xlac: warning:", "xlac: running without a cache", "cache: "))
            or ": note: " in line or line[:1] in (" ", "^") or not line.strip())


def problem(code, words, done):
    said = done.stderr + done.stdout
    if done.returncode != code:
        return f"exit code {done.returncode}"
    if words not in said:
        return "the words are missing"
    for word in CRASHES:
        if word in said:
            return f"prints {word}"
    lines = [line for line in done.stderr.splitlines() if not is_extra(line)]
    # `check` reports on standard output which cases fail.
    is_report = "xlac check" in done.args[-1] and code == 1
    if code in (1, 2) and not is_report and (len(lines) != 1 or not lines[0].startswith("xlac")):
        return f"{len(lines)} lines of errors"
    if "--json" in done.args[-1] and done.stdout.strip():
        try:
            json.loads(done.stdout)
        except ValueError:
            return "standard output is not JSON"
    return None


def run(folder, command):
    environment = {**os.environ, "PATH": f"{XLAC.parent}:{os.environ['PATH']}",
                   "XLAC_CACHE_DIR": str(folder / "cache"), "HOME": str(folder)}
    return subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True,
                          errors="replace", timeout=120, cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL)


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="xlac-calls-") as name:
        folder = pathlib.Path(name)
        command_line_files.write_all(folder)
        table = list(calls())
        for code, words, command in table:
            done = run(folder, command)
            why = problem(code, words, done)
            if why:
                failed += 1
                print(f"{command}\n  wanted {code} and '{words}': {why}\n  "
                      + (done.stderr + done.stdout)[-600:].strip().replace("\n", "\n  "))
        left = [path.name for path in folder.rglob("*.tmp*")]
        if left:
            failed += 1
            print("temporary files are left:", left)
    print(f"{len(table)} calls, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
