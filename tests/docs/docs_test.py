#!/usr/bin/env python3
"""Runs the C, C++ and shell blocks of README.md, SECURITY.md, CONTRIBUTING.md and docs.

    docs_test.py [--root DIR] [--build DIR] [--compiler CXX] [PAGE...]

A `cpp` or `c` block is compiled against the headers of --root and the libxlac.so of
--build, and run. A block without `main` is a fragment: it becomes the body of one,
behind its prelude. The `sh` and `console` blocks of a
page run in one scratch folder with --build/bin first in PATH. What a block prints
must be the `text` block that follows it, if there is one. Relative links must name
files. Prints what is not run and why, and closes with `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import blocks

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHELLS = ("sh", "console", "bash")
# Names that a page may use without a path, in addition to those of its `files` comment.
LINKED = ("tests", "docs", "bench", "tools", "build", "dev", "include", "lib")


def pages(root):
    names = [root / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")]
    return [*(name for name in names if name.exists()), *sorted(root.glob("docs/**/*.md"))]


def program_of(block):
    """The C++ program that a block is, or that is made of a fragment."""
    if re.search(r"\bint main\(", block.text):
        return block.prelude + "\n" + block.text
    whole = (block.prelude + "\n" + block.text).splitlines()
    includes = [line for line in whole if line.startswith("#include")]
    body = [line for line in whole if not line.startswith("#include")]
    return "\n".join(["#include <xlac/xlac.h>", *includes, "using namespace xlac;",
                      "int main() {", *body, "}", ""])


def commands_of(block):
    """The shell text of a block; of `console` the lines behind `$ `."""
    if block.language != "console":
        return block.text
    return "".join(line[2:] + "\n" for line in block.text.splitlines() if line.startswith("$ "))


def environment(options, folder):
    return {**os.environ, "PATH": f"{options.build / 'bin'}:{os.environ['PATH']}",
            "XLAC_CACHE_DIR": str(folder / "cache"), "HOME": str(folder)}


def run(command, options, folder):
    """The exit code and what is printed: stdout, or on failure stderr as well."""
    done = subprocess.run(command, cwd=folder, env=environment(options, folder), text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=options.timeout)
    return done.returncode, done.stdout, done.stderr


def compile_command(options, source, program, link):
    link = ["-x", "none", *link] if link else []
    language = ["-x", "c", "-std=c11", "-Wall", "-Werror"] if source.suffix == ".c" else ["-std=c++20"]
    return [options.compiler, *language, "-O0", f"-I{options.root / 'include'}",
            f"-I{options.build / 'include'}", source, *link, "-o", program,
            f"-L{options.build / 'lib'}", "-lxlac", f"-Wl,-rpath,{options.build / 'lib'}"]


def judge(block, code, stdout, stderr):
    """Nothing, or why the block fails."""
    if code:
        return f"exit code {code}\n{stdout[-1000:]}{stderr[-3000:]}"
    if block.output is not None and not blocks.outputs_match(block.output, stdout):
        return f"prints something else than the text block says:\n{stdout}"
    return None


def check_program(block, options, folder):
    source = folder / f"block_{block.line}.{block.language}"
    program = source.with_suffix("")
    source.write_text(block.text if block.language == "c" else program_of(block))
    code, stdout, stderr = run(compile_command(options, source, program, block.link.split()),
                               options, folder)
    if code:
        return f"does not compile\n{stderr[:3000]}"
    return judge(block, *run([program], options, folder))


def check_shell(block, options, folder):
    return judge(block, *run(["bash", "-euo", "pipefail", "-c", commands_of(block)],
                             options, folder))


def prepare(folder, page, options):
    for name in LINKED:
        if (options.root / name).exists():
            (folder / name).symlink_to(options.root / name)
    for name, path in page.files.items():
        (folder / name).symlink_to(options.root / path)


def check_links(path, page):
    for line, target in page.links:
        if re.match(r"[a-z]+:|#", target):
            continue
        if not (path.parent / target.partition("#")[0]).exists():
            yield line, f"links to {target}, which does not exist"


def check_page(path, options):
    """(passed, failures, skipped) of one page; the last two as (line, text)."""
    page = blocks.parse(path.read_text())
    failures = [*page.faults, *check_links(path, page)]
    passed, skipped = 0, []
    with tempfile.TemporaryDirectory(prefix="xlac-docs-") as name:
        folder = pathlib.Path(name)
        prepare(folder, page, options)
        for block in page.blocks:
            check = check_program if block.language in ("c", "cpp") else \
                check_shell if block.language in SHELLS else None
            if not block.language and path.parent.name != "generated":
                failures.append((block.line, "a fence without a language"))
            if not check:
                continue
            if block.not_run:
                skipped.append((block.line, block.not_run))
                continue
            try:
                failure = check(block, options, folder)
            except subprocess.TimeoutExpired:
                failure = f"takes more than {options.timeout} s"
            passed += failure is None
            if failure:
                failures.append((block.line, failure))
    return passed, failures, skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=240, help="seconds for each block")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.root = options.root.resolve()
    options.build = (options.build or options.root / "build/release").resolve()
    chosen = options.pages or pages(options.root)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda path: check_page(path.resolve(), options), chosen))
    passed = failed = skipped = 0
    for path, (page_passed, page_failures, page_skipped) in zip(chosen, results):
        passed, failed, skipped = (passed + page_passed, failed + len(page_failures),
                                   skipped + len(page_skipped))
        for line, reason in page_skipped:
            print(f"{path}:{line}: not run: {reason}")
        for line, failure in page_failures:
            print(f"{path}:{line}: FAIL: {failure}")
    print(f"{skipped} blocks not run\n{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
