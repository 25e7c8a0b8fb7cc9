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


def problem(tool, paths):
    """What is wrong with the texts of some files, which one run of the tool reads."""
    whole = b"\n// -----\n".join(path.read_bytes() for path in paths)
    read = opt(tool, [GENERIC, "-"], whole)
    if read.returncode:
        return f"does not parse: {read.stderr.decode(errors='replace')[:300]}"
    pretty = opt(tool, ["-"], whole)
    again = opt(tool, [GENERIC, "-"], pretty.stdout)
    if again.returncode:
        return f"its print does not parse: {again.stderr.decode(errors='replace')[:300]}"
    return None if again.stdout == read.stdout else "changes when printed and read"


def problems(tool, paths):
    """The files whose texts are wrong, each with the reason."""
    if not problem(tool, paths):
        return []
    if len(paths) == 1:
        return [f"{paths[0]}: {problem(tool, paths)}"]
    return [found for path in paths for found in problems(tool, [path])]


def main():
    tool, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shared.is_dir():
        print(f"skipped: {shared} is absent")
        return 77
    paths = sorted(path for folder in ("interpret", "testdata", "roundtrip")
                   for path in (shared / "conformance" / folder).glob("*.mlir"))
    paths += sorted(shared.glob("models/*/module.mlir"))
    # A process for each file would take most of the time.
    batches = [paths[i::40] for i in range(40)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = [one for batch in pool.map(lambda batch: problems(tool, batch), batches)
                 for one in batch]
    print("\n".join(found))
    print(f"{len(paths) - len(found)} of {len(paths)} texts round-trip")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
