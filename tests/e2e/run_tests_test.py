#!/usr/bin/env python3
"""Checks that tools/dev/run_tests.py names flaky tests and fails on them.

    run_tests_test.py ROOT

Runs it over three tests: one passes, one fails, one fails at its first run only.
"""
import contextlib
import importlib.util
import io
import pathlib
import shlex
import sys
import tempfile
import types


def load(root):
    spec = importlib.util.spec_from_file_location("run_tests", root / "tools/dev/run_tests.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["run_tests"] = module
    spec.loader.exec_module(module)
    return module


def write_tests(folder, tests):
    """tests: name -> shell command."""
    lines = [f'add_test({name} "/bin/sh" "-c" [==[{command}]==])'
             for name, command in tests.items()]
    (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")


def run(module, folder, tests):
    """The exit code and the text of a run with one step."""
    write_tests(folder, tests)
    module.OPTIONS = types.SimpleNamespace(jobs="1", shared=folder)
    module.chosen_steps = lambda: [("fake tests", lambda: module.ctest(folder))]
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = module.main()
    return code, text.getvalue()


def main():
    module = load(pathlib.Path(sys.argv[1]).resolve())
    failures = 0

    def expect(condition, what, text):
        nonlocal failures
        if not condition:
            failures += 1
            print(f"FAIL: {what}\n{text}")

    with tempfile.TemporaryDirectory(prefix="xlac-run-tests-") as name:
        folder = pathlib.Path(name)
        mark = shlex.quote(str(folder / "ran"))
        steady = {"steady": "true", "steady_too": "true"}
        flaky = {"unsteady": f"test -e {mark} || {{ touch {mark}; exit 1; }}"}

        code, text = run(module, folder, steady)
        expect(code == 0 and text.endswith("\n2 passed, 0 failed\n"), "steady tests pass", text)

        code, text = run(module, folder, steady | flaky)
        expect(code == 1, "a flaky test fails the run", text)
        expect("\nflaky: unsteady (step: fake tests)\n" in text, "it is named", text)
        expect(text.endswith("\n3 passed, 0 failed, 1 flaky\n"), "it is counted", text)

        (folder / "ran").unlink()
        code, text = run(module, folder, steady | flaky | {"broken": "false"})
        expect(code == 1, "a failed test fails the run", text)
        expect("\nflaky: unsteady (step: fake tests)\n" in text, "the flaky one is named", text)
        expect("flaky: broken" not in text, "the failed one is not called flaky", text)
        expect(text.endswith("\n3 passed, 1 failed, 1 flaky\n"), "both are counted", text)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
