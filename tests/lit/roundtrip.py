"""Reads every conformance text, prints it prettily, reads that again, and
compares both in generic form. Exits 77 where the texts are not at hand."""
import concurrent.futures
import pathlib
import subprocess
import sys

GENERIC = "--mlir-print-op-generic"


def opt(tool, arguments, text=None):
    return subprocess.run(
        [tool, "--allow-unregistered-dialect", "--split-input-file", *arguments],
        input=text, capture_output=True, timeout=300)


def problem(tool, path):
    read = opt(tool, [GENERIC, str(path)])
    if read.returncode:
        return f"does not parse: {read.stderr.decode(errors='replace')[:300]}"
    pretty = opt(tool, [str(path)])
    again = opt(tool, [GENERIC, "-"], pretty.stdout)
    if again.returncode:
        return f"its print does not parse: {again.stderr.decode(errors='replace')[:300]}"
    return None if again.stdout == read.stdout else "changes when printed and read"


def main():
    tool, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shared.is_dir():
        print(f"skipped: {shared} is absent")
        return 77
    paths = sorted(path for folder in ("interpret", "testdata", "roundtrip")
                   for path in (shared / "conformance" / folder).glob("*.mlir"))
    paths += sorted(shared.glob("models/*/module.mlir"))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda path: problem(tool, path), paths))
    for path, message in zip(paths, found):
        if message:
            print(f"{path}: {message}")
    failed = sum(message is not None for message in found)
    print(f"{len(paths) - failed} of {len(paths)} texts round-trip")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
