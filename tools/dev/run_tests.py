#!/usr/bin/env python3
"""Builds and runs everything that CI runs, step by step.

    run_tests.py --shared DIR --jobs N [--filter X] [--torture] [--features]

Each step prints its own progress; a failed step does not stop the others. With
--filter only the steps whose name contains X run; if there is none, the release
build's tests whose name contains X. The summary at the end shows the output of
failed tests, names the flaky ones, and closes with `N passed, N failed`. A test
is flaky if it fails and then passes when it runs again alone. The exit code is
1 if a test failed or is flaky. With --features only the rows of docs/features.md
run, with a line a row: `DEV-01 pass` or `DEV-01 FAIL why`.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"
SANITIZED = ROOT / "build/asan-ubsan"
# LLVM's packaged libraries are not sanitized: they access memory that their headers
# poison, and containers that both sides change.
SANITIZED_COMPILER = {
    "ASAN_OPTIONS": "detect_leaks=0:allow_user_poisoning=0:detect_container_overflow=0"}


@dataclasses.dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    note: str = ""
    said: str = ""  # by the tests that failed
    flaky: list = dataclasses.field(default_factory=list)  # passed only on the second try


def stream(command, **environment):
    """Runs a command, showing its output; gives its exit code and text. Settings of xlac in the
    caller's environment, such as a cache of their own, do not reach it."""
    inherited = {name: value for name, value in os.environ.items()
                 if not name.startswith(("XLAC_", "XLA_"))}
    process = subprocess.Popen([str(word) for word in command], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env={**inherited, **environment})
    lines = []
    for line in process.stdout:
        lines.append(line)
        print(line, end="", flush=True)
    return process.wait(), "".join(lines)


def counted(code, text):
    """The closing counts of a test runner, or 1 for a step without them."""
    ctest = re.findall(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", text)
    if ctest:
        _, failed, total = map(int, ctest[-1])
        return Outcome(total - failed, failed if failed or code == 0 else 1)
    plain = re.findall(r"^(\d+) passed, (\d+) failed", text, re.M)
    if plain:
        passed, failed = map(int, plain[-1])
        return Outcome(passed, failed if failed or code == 0 else 1)
    return Outcome(int(code == 0), int(code != 0))


def build(preset, *targets):
    if not (ROOT / "build" / preset / "build.ninja").exists():
        code, text = stream(["cmake", "--preset", preset])
        if code:
            return Outcome(0, 1)
    code, _ = stream(["cmake", "--build", ROOT / "build" / preset, "-j", OPTIONS.jobs,
                      *(["--target", *targets] if targets else [])],
                     NINJA_STATUS="[%f/%t %es] ")
    return Outcome(int(code == 0), int(code != 0))


def failures(text):
    """The tests that failed in ctest's output, each with the lines that say why."""
    found = []
    for match in re.finditer(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*(\*\*\*(?!Skipped).*)\n((?:.*\n)*?)"
                             r"(?= +Start +\d+: | *\d+/\d+ Test +#\d+: |\d+% tests passed)",
                             text, re.M):
        name, result, output = match.groups()
        lines = output.splitlines()
        telling = {near for number, line in enumerate(lines)
                   if re.search(r"Failure$|FAIL|rror", line)
                   for near in range(number - 1, number + 8)}
        chosen = [line for number, line in enumerate(lines) if number in telling][:40]
        found.append("\n".join([f"{name} {result}", *(chosen or lines[-40:])]))
    return "\n".join(found)


def failed_tests(text):
    """The names that ctest lists as failed, at the end of its output."""
    listed = text.rpartition("The following tests FAILED:")[2]
    return re.findall(r"^\s*\d+ - (\S+) \(", listed, re.M)


def ctest(preset, *arguments):
    """Runs tests in parallel, and those that fail once more, alone. A test that
    passes only then is flaky: it counts as passed, and its name makes the run fail."""
    command = ["ctest", "--test-dir", ROOT / "build" / preset, "--output-on-failure"]
    shared = {"XLAC_SHARED": str(OPTIONS.shared)}
    # One more than cores: tests of jobs wait for deadlines and for other processes.
    code, text = stream([*command, "-j", str(int(OPTIONS.jobs) + 1), *arguments], **shared)
    outcome = counted(code, text)
    outcome.said = failures(text)
    if outcome.failed and outcome.passed:
        code, again = stream([*command, "-j", "1", "--rerun-failed"], **shared)
        if counted(code, again).passed:
            remaining = failed_tests(again) if code else []
            outcome.flaky = [name for name in failed_tests(text) if name not in remaining]
        outcome.passed += len(outcome.flaky)
        outcome.failed -= len(outcome.flaky)
        outcome.note = f"{len(outcome.flaky)} flaky" if outcome.flaky else ""
    return outcome


def layering():
    return counted(*stream([sys.executable, "tools/dev/check_layering.py"]))


def release_tests():
    return ctest("release", "--label-exclude", "torture")


# Tests of the plain libraries that g++ compiles in CI. It needs long for the others.
GCC_TESTS = ("support_test", "runtime_test", "library_test", "graph_test", "autograd_test",
             "serialize_test")


def plain_gcc():
    built = build("gcc", "xlac", "pjrt_xlac", *GCC_TESTS)
    return built if built.failed else ctest("gcc", "--tests-regex", f"^({'|'.join(GCC_TESTS)})$")


def all_plain_gcc():
    built = build("gcc")
    return built if built.failed else ctest("gcc", "--label-regex", "fast")


def sanitizers():
    """The components without LLVM and the compiler, with asserts."""
    built = build("asan-ubsan")
    return built if built.failed else ctest("asan-ubsan", "--label-regex", "fast")


def slow_sanitized():
    built = build("asan-ubsan", "slow_tests")
    return built if built.failed else ctest("asan-ubsan", "--label-regex", "slow")


def conformance_sanitized(shared=False):
    """Cases compiled and run with asserts under sanitizers."""
    return conformance("native", shared=shared, build_directory=SANITIZED,
                       **SANITIZED_COMPILER)


def threads_sanitized():
    """Components without LLVM under the thread sanitizer. What the programs compile was
    compiled before, by the release build's compiler, which is not sanitized."""
    compiled = ("threads_test", "data_parallel_test", "replica_threads_test",
                "programs_test", "fork_test")
    programs = (*compiled, "support_test", "runtime_test", "cache_test", "lazy_test",
                "loader_test", "data_test", "parallel_loader_test", "job_test")
    c_api = ["c_api_test", "/tmp", "threads"]
    built = build("tsan", *programs, c_api[0])
    if built.failed:
        return built
    with tempfile.TemporaryDirectory(prefix="xlac-tsan-") as cache:
        environment = {"XLAC_CACHE_DIR": cache,
                       "XLAC_COMPILER_LIBRARY": str(RELEASE / "lib/libxlac_compiler.so")}
        for program, *arguments in [*([name] for name in compiled), c_api]:
            if stream([RELEASE / "bin" / program, *arguments], **environment)[0]:
                return Outcome(0, 1)
        # Children of forks start threads.
        options = f"suppressions={ROOT}/tools/dev/tsan_suppressions.txt die_after_fork=0"
        codes = [stream([ROOT / "build/tsan/bin" / program, *arguments], TSAN_OPTIONS=options,
                        **environment)[0]
                 for program, *arguments in [*([name] for name in programs), c_api]]
    return Outcome(codes.count(0), len(codes) - codes.count(0))


def conformance_files():
    base = OPTIONS.shared / "conformance"
    if not base.is_dir():
        print(f"conformance: skipped, {base} is absent; tests/e2e/ops still runs")
        return []
    return sorted([*base.glob("interpret/*.mlir"), *base.glob("testdata/*.mlir")])


def known_failures():
    path = ROOT / "tests/e2e/conformance_known_failures.txt"
    return {line.strip() for line in path.read_text().splitlines()
            if line.strip() and not line.startswith("#")}


def check(files, *arguments, build_directory=RELEASE, **environment):
    """Runs `xlac check`, which runs one case after another, on parts of the files in parallel. Gives
    its text, or nothing if it crashed."""
    command = [build_directory / "bin/xlac", "check", *arguments]
    jobs = int(OPTIONS.jobs)
    parts = [part for part in (files[start::jobs] for start in range(jobs)) if part]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        ended = list(pool.map(lambda part: stream([*command, *part], **environment), parts))
    for code, _ in ended:
        if code not in (0, 1):
            print(f"xlac check ended with code {code}")
            return None
    return "".join(text for _, text in ended)


def conformance(target, shared=True, build_directory=RELEASE, **environment):
    """Every case but those of the list must hold, and none may crash."""
    own = sorted((ROOT / "tests/e2e/ops").glob("*.mlir"))
    files = [*own, *(conformance_files() if shared else [])]
    text = check(files, "--target", target, build_directory=build_directory, **environment)
    if text is None:
        return Outcome(0, 1)
    known, outcome, surprises = known_failures(), Outcome(), []
    for line in text.splitlines():
        match = re.match(r"(\S*/([^/\s]+\.mlir):[^:]+): (.*)", line)
        if not match:
            continue
        name = match.group(1).rsplit("/", 1)[1]
        if match.group(3) == "ok":
            outcome.passed += 1
        elif name in known:
            outcome.note = "known failures left out"
        else:
            outcome.failed += 1
            surprises.append(name)
    for name in surprises:
        print(f"conformance: {name} fails and is not in the list of known failures")
    return outcome if outcome.passed else Outcome(0, 1)


def recorded_artifacts():
    """Every program that JAX sent to a plugin must compile."""
    files = sorted((OPTIONS.shared / "pjrt/recorded").glob("*/*.mlir.bc"))
    if not files:
        print(f"recorded artifacts: skipped, {OPTIONS.shared}/pjrt/recorded is absent")
        return Outcome(0, 0)
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="xlac-recorded-") as folder:
        for file in files:
            code, _ = stream([RELEASE / "bin/xlac", "compile", file, "-o",
                              pathlib.Path(folder) / "image.xlax"])
            outcome.passed += code == 0
            outcome.failed += code != 0
            if code:
                print(f"recorded artifacts: {file.parent.name}/{file.name} does not compile")
    return outcome


def python_tests(what, *arguments):
    """Tests of the Python package; those that need PyPI are left out where there is none."""
    code, text = stream([sys.executable, "tools/dev/test_python.py", what, "--shared",
                         OPTIONS.shared, *arguments])
    if code == 77:
        return Outcome(note="skipped, see above")
    return counted(code, text)


def conformance_native():
    return conformance("native")


def avx2_is_best():
    """Whether the profiles native and avx2 are the same on this machine."""
    return "avx512f" not in pathlib.Path("/proc/cpuinfo").read_text()


def unless_best(run, *arguments):
    """Runs a step for the avx2 profile, unless it would repeat that for the native one."""
    if avx2_is_best():
        return Outcome(note="left out, the avx2 profile is this machine's best")
    return run(*arguments)


def conformance_baseline():
    return conformance("baseline", shared=False)


# Every kernel is cold: none is optimized.
COLD = {"XLAC_COLD_PERCENT": "1000000"}


def conformance_cold():
    return conformance("native", shared=False, **COLD)


def mutation():
    """With a changed expected element no case may pass."""
    files = [*sorted((ROOT / "tests/e2e/ops").glob("*.mlir")), *conformance_files()[::7]]
    counts = re.findall(r"^(\d+) passed, (\d+) failed", check(files, "--mutate") or "", re.M)
    if not counts:
        return Outcome(0, 1)
    return Outcome(sum(int(failed) for _, failed in counts),
                   sum(int(passed) for passed, _ in counts))


def models(target):
    return counted(*stream([sys.executable, "tools/dev/run_models.py", "--xlac",
                            RELEASE / "bin/xlac", "--target", target],
                           XLAC_SHARED=str(OPTIONS.shared)))


def speed_guard():
    """No program may be much slower than it was."""
    code, text = stream([sys.executable, "bench/regression/guard.py", "--xlac",
                         RELEASE / "bin/xlac"])
    return Outcome(note="left out, see above") if code == 77 else counted(code, text)


def models_native():
    return models("native")


def consumer():
    """Installs xlac and builds programs in C++ and C outside the tree against it."""
    with tempfile.TemporaryDirectory(prefix="xlac-consumer-") as scratch:
        prefix, source = f"{scratch}/prefix", "tests/e2e/consumer"
        commands = [["cmake", "--install", RELEASE, "--prefix", prefix]]
        for folder, name in ((source, "consumer"), (f"{source}/c", "consumer_c")):
            build_directory = f"{scratch}/{name}"
            commands += [
                ["cmake", "-S", folder, "-B", build_directory, "-G", "Ninja",
                 f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release"],
                ["cmake", "--build", build_directory],
                [f"{build_directory}/{name}"]]
        commands += [[f"{scratch}/consumer/consumer_c"]]
        if shutil.which("pkg-config"):
            commands += [
                ["bash", "-euo", "pipefail", "-c",
                 f"export PKG_CONFIG_PATH={prefix}/lib/pkgconfig; flags=$(pkg-config --cflags "
                 f"--libs xlac); gcc -std=c11 -Wall -Werror {source}/c/consumer.c $flags "
                 f"-Wl,-rpath,{prefix}/lib -o {scratch}/by_pkg_config"],
                [f"{scratch}/by_pkg_config"]]
        else:
            print("pkg-config is not installed; its file is not tested")
        for command in commands:
            code, _ = stream(command, XLAC_CACHE="off")
            if code:
                return Outcome(0, 1)
    return Outcome(1, 0)


def packages():
    """Makes packages and installs them into a clean root."""
    for command in (["tools/packages/make_packages.py", "--build", RELEASE],
                    ["tests/e2e/packages_test.py", RELEASE / "packages"]):
        code, _ = stream([sys.executable, *command])
        if code:
            return Outcome(0, 1)
    return Outcome(1, 0)


def fuzz(count, seed, *flags, build_directory=RELEASE, **environment):
    """Random programs, compiled against the evaluator."""
    with tempfile.TemporaryDirectory(prefix="xlac-fuzz-") as scratch:
        return counted(*stream([build_directory / "bin/xlac", "fuzz", "--seed", str(seed),
                                "--count", str(count), "--jobs", OPTIONS.jobs,
                                "--dump-dir", scratch, *flags], **environment))


def fuzz_large(count, seed, *flags):
    """Random programs on tensors that kernels cut into tasks and chunks."""
    return fuzz(count, seed, "--large", "--max-ops", "5", *flags)


def fuzz_api(count, seed, *flags):
    """Random programs of public calls on every device and in every mode."""
    with tempfile.TemporaryDirectory(prefix="xlac-fuzz-api-") as cache:
        return counted(*stream([RELEASE / "bin/xlac-fuzz-api", "--seed", str(seed), "--count",
                                str(count), "--jobs", OPTIONS.jobs, *flags],
                               XLAC_CACHE_DIR=cache))


def fuzz_sanitized(count, seed):
    """As fuzz, with the compiler and the evaluator under the sanitizers."""
    built = build("asan-ubsan", "xlac-cli", "xlac_compiler")
    return built if built.failed else fuzz(
        count, seed, build_directory=SANITIZED, **SANITIZED_COMPILER)


def hostile(program, seed, count, **environment):
    with tempfile.TemporaryDirectory(prefix="xlac-fuzz-") as scratch:
        corpus = [ROOT / "tests/e2e/ops", *conformance_files()]
        return counted(*stream([program, "fuzz", "--hostile", "--seed", str(seed), "--count", str(count),
                                "--jobs", OPTIONS.jobs, "--dump-dir", scratch, "--corpus", *corpus],
                               **environment))


def fuzz_hostile(seed, count):
    """Hostile programs, compiled and run on buffers between guard pages."""
    return hostile(RELEASE / "bin/xlac", seed, count)


def fuzz_hostile_sanitized(seed, count):
    """As fuzz_hostile, with the compiler and the runtime under the sanitizers."""
    built = build("asan-ubsan", "xlac-cli", "xlac_compiler")
    return built if built.failed else hostile(SANITIZED / "bin/xlac", seed, count,
                                              **SANITIZED_COMPILER)


def fuzz_corpus(folder):
    """Seeds of the import fuzzer: our own, and the conformance data case by case."""
    base = OPTIONS.shared / "conformance"
    for path in [*(ROOT / "tests/fuzz/seeds").iterdir(), *(ROOT / "tests/compat").rglob("*.mlir*"),
                 *base.glob("vhlo/*.mlir.bc")]:
        (folder / path.name).write_bytes(path.read_bytes())
    for path in base.glob("interpret/*.mlir"):
        for number, case in enumerate(path.read_bytes().split(b"// -----")):
            (folder / f"{path.name}.{number}").write_bytes(case)


def fuzz_import(seconds):
    """Mutated programs, text and bytecode, under sanitizers."""
    built = build("asan-ubsan", "import_fuzzer")
    if built.failed:
        return built
    artifacts = SANITIZED / "artifacts"
    artifacts.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="xlac-fuzz-") as scratch:
        corpus = pathlib.Path(scratch)
        fuzz_corpus(corpus)
        return counted(*stream([SANITIZED / "bin/import_fuzzer", "-timeout=10",
                                "-max_len=32768", "-rss_limit_mb=4096", "-print_final_stats=1",
                                f"-max_total_time={seconds}",
                                f"-artifact_prefix={artifacts}/", corpus],
                               **SANITIZED_COMPILER))


def torture():
    return ctest("release", "--label-regex", "torture")


def row_of(test):
    """`DEV-01` of the test DEV_01 or DEV_01_counts."""
    group, number = test.split("_")[:2]
    return f"{group}-{number}"


def feature_results(program, build_directory):
    """What each test of a feature program came out as: "" or its first failure."""
    cache = (build_directory / "CMakeCache.txt").read_text()
    library = re.search(r"^XLAC_COMPILER_LIBRARY:\w+=(.+)$", cache, re.M)
    environment = dict(os.environ)
    if library:
        environment.setdefault("XLAC_COMPILER_LIBRARY", library.group(1))
    done = subprocess.run([str(program)], cwd=ROOT, text=True, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    results, test, said = {}, None, []
    for line in done.stdout.splitlines():
        if match := re.match(r"\[ RUN      \] Feature\.(\S+)", line):
            test, said = match.group(1), []
            results[test] = f"{program.name} ended with code {done.returncode}"
        elif re.match(r"\[       OK \] Feature\.", line):
            results[test], test = "", None
        elif re.match(r"\[  FAILED  \] Feature\.", line) and test:
            results[test], test = " ".join(" ".join(said).split())[:200] or "failed", None
        elif test:
            said.append(line)
    return results


def features():
    """The rows of docs/features.md. A row without a test fails."""
    build_directory = OPTIONS.features_build.resolve()
    rows = {}
    for program in sorted((build_directory / "bin").glob("features_*")):
        for test, failure in feature_results(program, build_directory).items():
            rows[row_of(test)] = rows.get(row_of(test)) or failure
    listed = (ROOT / "docs/features.md").read_text()
    names = re.findall(r"^\| ([A-Z]+-\d+) \|", listed, re.M)
    rows = {name: rows.get(name, "no test") for name in names} | rows
    outcome = Outcome()
    for row, failure in rows.items():
        print(f"{row} FAIL {failure}" if failure else f"{row} pass", flush=True)
        outcome.failed += bool(failure)
        outcome.passed += not failure
    return outcome


STEPS = [
    ("layering", layering),
    ("release build", lambda: build("release")),
    ("release tests", release_tests),
    ("conformance, this machine's best profile", conformance_native),
    ("conformance, avx2 profile", lambda: unless_best(conformance, "avx2")),
    ("own cases, baseline profile", conformance_baseline),
    ("own cases, code that is not optimized", conformance_cold),
    ("conformance, mutated", mutation),
    ("artifacts that JAX sent", recorded_artifacts),
    ("models, this machine's best profile", models_native),
    ("models, avx2 profile", lambda: unless_best(models, "avx2")),
    ("speed beside the baseline", speed_guard),
    ("fuzz, 1,000 programs", lambda: fuzz(1000, 1)),
    ("fuzz, 1,000 programs of unknown sizes", lambda: fuzz(1000, 1, "--unknown-sizes")),
    ("fuzz, 500 partitioned programs that compute values again",
     lambda: fuzz(500, 1, "--partitions", XLAC_MEMORY_LIMIT="0")),
    ("fuzz, 200 families of programs that share kernels", lambda: fuzz(200, 1, "--sizes", "5")),
    ("fuzz, 100 families of programs, code that is not optimized",
     lambda: fuzz(100, 300, "--sizes", "3", **COLD)),
    ("fuzz, 60 families of large programs",
     lambda: fuzz_large(60, 1, "--sizes", "5")),
    ("fuzz, 1,600 large programs", lambda: fuzz_large(1600, 1000)),
    ("fuzz, 500 large programs, avx2 profile",
     lambda: unless_best(fuzz_large, 500, 1, "--target", "avx2")),
    ("fuzz, 1,000 programs of the front end", lambda: fuzz_api(1000, 1)),
    ("fuzz, 200 programs of the front end over a mesh", lambda: fuzz_api(200, 1, "--spmd")),
    ("fuzz, 100 programs of the front end, shardings chosen",
     lambda: fuzz_api(100, 1, "--spmd", "--automatic")),
    ("fuzz, 20,000 programs of the front end beside differences",
     lambda: fuzz_api(20_000, 1, "--cpu-only")),
    ("install and consumer", consumer),
    ("packages in a clean root", packages),
    ("Python package, from its wheel", lambda: python_tests("package")),
    ("JAX's own tests, a slice", lambda: python_tests("jax")),
    ("g++ 12, plain libraries", plain_gcc),
    ("address and undefined-behaviour sanitizers", sanitizers),
    ("hostile bytes, 1 minute", lambda: fuzz_import(60)),
    ("hostile programs, 3,000", lambda: fuzz_hostile(1, 3000)),
    ("hostile programs under sanitizers, 500", lambda: fuzz_hostile_sanitized(1, 500)),
    ("own cases under sanitizers", conformance_sanitized),
    ("fuzz, 200 programs under sanitizers", lambda: fuzz_sanitized(200, 1)),
]
# With --torture, or by name with --filter.
LONG_STEPS = [
    ("torture: hostile bytes, 30 minutes", lambda: fuzz_import(1800)),
    ("torture: 300,000 hostile programs", lambda: fuzz_hostile(1_000_000, 300_000)),
    ("torture: 20,000 hostile programs under sanitizers",
     lambda: fuzz_hostile_sanitized(2_000_000, 20_000)),
    ("torture: conformance under sanitizers", lambda: conformance_sanitized(shared=True)),
    ("torture", torture),
    ("torture: slow tests under sanitizers", slow_sanitized),
    ("torture: g++ 12, all tests of the plain libraries", all_plain_gcc),
    ("torture: 100,000 random programs", lambda: fuzz(100_000, 1_000_000)),
    ("torture: 50,000 programs of unknown sizes",
     lambda: fuzz(50_000, 1_000_000, "--unknown-sizes")),
    ("torture: 20,000 families of programs that share kernels",
     lambda: fuzz(20_000, 1_000_000, "--sizes", "5")),
    ("torture: 5,000 families of large programs",
     lambda: fuzz_large(5000, 1_000_000, "--sizes", "5")),
    ("torture: 50,000 large random programs", lambda: fuzz_large(50_000, 1_000_000)),
    ("torture: 100,000 programs of the front end", lambda: fuzz_api(100_000, 1_000_000)),
    ("torture: 10,000 programs of the front end over a mesh",
     lambda: fuzz_api(10_000, 1_000_000, "--spmd")),
    ("torture: 5,000 random programs under sanitizers",
     lambda: fuzz_sanitized(5000, 2_000_000)),
    ("torture: JAX's own tests", lambda: python_tests("jax", "--shard", "0/1")),
    ("torture: JAX's own tests in 64 bits",
     lambda: python_tests("jax", "--shard", "0/8", "--x64")),
    ("torture: programs of PyTorch/XLA", lambda: python_tests("torch")),
    ("tsan: threads under the thread sanitizer", threads_sanitized),
]


def chosen_steps():
    if OPTIONS.features:
        return [("features", features)] if OPTIONS.features_build != RELEASE else [
            ("release build", lambda: build("release", "features")), ("features", features)]
    if not OPTIONS.filter:
        return [*STEPS, *LONG_STEPS] if OPTIONS.torture else STEPS
    chosen = [step for step in [*STEPS, *LONG_STEPS] if OPTIONS.filter in step[0]]
    if chosen:
        return chosen
    return [("release build", lambda: build("release")),
            (f"tests like {OPTIONS.filter}", lambda: ctest("release", "-R", OPTIONS.filter))]


def main():
    total, flaky, bad = Outcome(), [], []
    for name, run in chosen_steps():
        print(f"\n== {name}", flush=True)
        start = time.monotonic()
        outcome = run()
        seconds = time.monotonic() - start
        print(f"== {name}: {outcome.passed} passed, {outcome.failed} failed in "
              f"{seconds:.0f} s{'; ' + outcome.note if outcome.note else ''}", flush=True)
        total.passed += outcome.passed
        total.failed += outcome.failed
        flaky += [f"flaky: {test} (step: {name})" for test in outcome.flaky]
        if outcome.failed:
            bad.append(f"failed: {name}\n{outcome.said}".rstrip())
        elif outcome.said:
            bad.append(f"failed at first: {name}\n{outcome.said}")
        if name == "release build" and outcome.failed:
            break
    for said in bad:
        print(f"\n{said}")
    for line in flaky:
        print(line)
    print(f"{total.passed} passed, {total.failed} failed"
          + (f", {len(flaky)} flaky" if flaky else ""))
    return 1 if total.failed or flaky or not total.passed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    parser.add_argument("--filter")
    parser.add_argument("--torture", action="store_true")
    parser.add_argument("--features", action="store_true")
    parser.add_argument("--features-build", type=pathlib.Path, default=RELEASE,
                        help="a build folder that has the feature programs already")
    OPTIONS = parser.parse_args()
    OPTIONS.shared = OPTIONS.shared.resolve()
    sys.exit(main())
