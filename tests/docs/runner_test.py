#!/usr/bin/env python3
"""Checks that docs_test.py finds each kind of fault in pages made for it.

    runner_test.py BUILD COMPILER
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAIN = '```cpp\n#include <cstdio>\nint main() { std::puts("two"); }\n```\n'

# Each page, and the line and the words of the one failure it must have.
FAULTY = {
    "the command fails": ("```sh\nfalse\n```\n", 1, "exit code 1"),
    "a command in the middle fails": ("```sh\nfalse\ntrue\n```\n", 1, "exit code 1"),
    "a pipe fails": ("```sh\nfalse | true\n```\n", 1, "exit code 1"),
    "other output": ("text\n\n```sh\necho one\n```\n\n```text\ntwo\n```\n", 3, "prints something"),
    "less output": ("```sh\necho one\n```\n\n```text\none\ntwo\n```\n", 1, "prints something"),
    "console": ("```console\n$ echo one\n```\n\n```text\ntwo\n```\n", 1, "prints something"),
    "no program": ("```cpp\nint main() { return missing; }\n```\n", 1, "does not compile"),
    "program fails": ("```cpp\nint main() { return 3; }\n```\n", 1, "exit code 3"),
    "program prints": (MAIN + "\n```text\none\n```\n", 1, "prints something"),
    "fragment": ("```cpp\nTensor x = missing;\n```\n", 1, "does not compile"),
    "link": ("See [this](absent.md).\n", 1, "absent.md, which does not exist"),
    "indented": ("Run\n\n    xlac --version\n", 3, "an indented block"),
    "language": ("```\nany\n```\n", 1, "without a language"),
}
SOUND = """<!-- files: named=data/file -->

```sh
cat named
echo "took 12 ms"; seq 5
```

```text
content
took … ms
1
…
5
```

<!-- not run: needs another machine -->

```sh
false
```

```console
$ echo shown
shown
```

<!-- prelude:
#include <cstdio>
-->

```cpp
std::puts("two");
```

```text
two
```

```sh
echo 'int two(void) { return 2; }' | cc -x c -c - -o two.o
```

<!-- link: two.o -->

```c
int two(void);
int main(void) { return two() - 2; }
```

See [the file](data/file) and [a site](https://example.org).
"""


def run(root, page, build, compiler):
    done = subprocess.run([sys.executable, HERE / "docs_test.py", "--root", root, "--build", build,
                           "--compiler", compiler, page], text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


def main():
    build, compiler = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory(prefix="xlac-runner-") as name:
        root = pathlib.Path(name)
        (root / "include").symlink_to(HERE.parents[1] / "include")
        (root / "data").mkdir()
        (root / "data/file").write_text("content\n")
        page = root / "page.md"
        for what, (text, line, words) in FAULTY.items():
            page.write_text(text)
            code, said = run(root, page, build, compiler)
            if code != 1 or f"page.md:{line}: FAIL: " not in said or words not in said:
                failures += 1
                print(f"FAIL: {what}: exit code {code}\n{said}")
        page.write_text(SOUND)
        code, said = run(root, page, build, compiler)
        if code or "page.md:18: not run: needs another machine" not in said \
                or not said.endswith("1 blocks not run\n5 passed, 0 failed\n"):
            failures += 1
            print(f"FAIL: a sound page: exit code {code}\n{said}")
    print(f"{len(FAULTY) + 1 - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
