#!/usr/bin/env python3
"""Objects for programs in C, against `xlac run`.

    objects_test.py XLAC LIBXLAC_RT INCLUDE [--filter X]

Compiles programs with --emit obj, so and archive, links them into C11 programs with
the C library alone (and with libxlac_rt.a where they call it), runs these, and compares
the results with those of `xlac run` bit for bit. Closes with `N passed, N failed`.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from objects_cases import BAD, CASES, DYNAMIC, PROGRAMS

# Reads the arguments from files, calls the program, writes the results to files:
#   PROGRAM THREADS TARGET FOLDER ALIAS
# With ALIAS the results have the memory of the arguments that they may take.
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "m.h"
#ifdef WITH_RT
#include "xlac/rt.h"
#endif

static void *memory(size_t bytes) {
  void *block = aligned_alloc(64, (bytes + 64) / 64 * 64);
  if (!block)
    exit(3);
  memset(block, 0xa5, bytes);
  return block;
}

static void transfer(const char *folder, const char *what, int number,
                     const char *mode, void *data, size_t bytes) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s_%d.bin", folder, what, number);
  FILE *file = fopen(path, mode);
  if (!file || (*mode == 'r' ? fread(data, 1, bytes, file)
                             : fwrite(data, 1, bytes, file)) != bytes) {
    fprintf(stderr, "%s\n", path);
    exit(3);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  static const size_t arguments[] = {ARGUMENTS 0};
  static const size_t results[] = {RESULTS 0};
  static const int aliases[][2] = {ALIASES {-1, -1}};
  const void *in[ARGUMENT_COUNT + 1] = {0};
  void *out[RESULT_COUNT + 1] = {0};
  if (argc != 5)
    return 3;
  for (int i = 0; i < ARGUMENT_COUNT; ++i) {
    void *data = memory(arguments[i]);
    transfer(argv[3], "in", i, "r", data, arguments[i]);
    in[i] = data;
  }
  for (int i = 0; i < RESULT_COUNT; ++i)
    out[i] = memory(results[i]);
  if (*argv[4] == '1')
    for (int i = 0; aliases[i][0] >= 0; ++i)
      out[aliases[i][0]] = (void *)in[aliases[i][1]];
  if (m_use_target(*argv[2] ? argv[2] : NULL) != XLAC_RT_OK)
    return 4;
  struct xlac_rt_context *context = NULL;
  int threads = atoi(argv[1]);
#ifdef WITH_RT
  xlac_rt_context with_threads;
  if (threads > 0) {
    if (xlac_rt_init_threads(&with_threads, threads) != XLAC_RT_OK)
      return 5;
    context = &with_threads;
  }
#endif
  void *arena = memory(ARENA);
  PREPARE
  int status = 0;
  for (int turn = 0; turn < TURNS && status == XLAC_RT_OK; ++turn)
    status = m_run(SIZES (const m_arguments *)in, (const m_results *)out,
                   PREPARED WEIGHTS arena, context);
  if (status != XLAC_RT_OK) {
#ifdef WITH_RT
    if (context)
      fprintf(stderr, "%s\n", xlac_rt_message(context));
#endif
    fprintf(stderr, "status %d\n", status);
    return 1;
  }
  for (int i = 0; i < RESULT_COUNT; ++i)
    transfer(argv[3], "out", i, "w", out[i], results[i]);
#ifdef WITH_RT
  if (threads > 0)
    xlac_rt_finish(&with_threads);
#endif
  return threads < 0;
}
"""


class Failed(Exception):
    pass


def command(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          **options)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words))}: exit {done.returncode}\n"
                     f"{done.stdout}{done.stderr}")
    return done.stdout


class Tools:
    def __init__(self, arguments):
        self.xlac = pathlib.Path(arguments.xlac).resolve()
        self.runtime = pathlib.Path(arguments.runtime).resolve()
        self.include = pathlib.Path(arguments.include).resolve()
        self.cc = shutil.which("cc")
        self.targets = ["baseline"]
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        if " avx2 " in flags and " fma " in flags:
            self.targets.append("avx2")
        if " avx512vl " in flags and " avx512dq " in flags:
            self.targets.append("avx512")

    def cc_words(self, *words):
        return [self.cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1",
                f"-I{self.include}", *words]


def symbols(path):
    """The undefined symbols of an object, and those that it exports."""
    undefined, exported = set(), set()
    for line in command(["nm", path]).splitlines():
        kind, name = line.split()[-2:]
        if kind == "U":
            undefined.add(name)
        elif kind.isupper():
            exported.add(name)
    return undefined, exported


def check_symbols(path, name):
    undefined, exported = symbols(path)
    foreign = {one for one in undefined if not one.startswith("xlac_rt_")}
    if foreign - {"memcpy", "memmove", "memset"}:
        raise Failed(f"undefined: {foreign}")
    if any(not one.startswith(f"{name}_") for one in exported):
        raise Failed(f"exported: {exported}")
    return any(one.startswith("xlac_rt_") for one in undefined)


def random_input(generator, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return generator.integers(0, 7, shape).astype(dtype)
    a = generator.standard_normal(shape)
    if dtype.kind == "c":
        a = a + 1j * generator.standard_normal(shape)
    return a.astype(dtype)


def write_inputs(folder, inputs):
    generator = np.random.default_rng(7)
    arrays = []
    for number, one in enumerate(inputs):
        if not isinstance(one, np.ndarray):
            one = random_input(generator, *one)
        np.save(folder / f"in_{number:03d}.npy", one)
        (folder / f"in_{number}.bin").write_bytes(np.ascontiguousarray(one).tobytes())
        arrays.append(one)
    return arrays


def expected_of(tools, folder, target, count, words=()):
    """What `xlac run` gives, as bytes."""
    outputs = folder / f"expected_{target}"
    inputs = sorted(folder.glob("in_*.npy"))
    command([tools.xlac, "run", folder / "m.mlir", "--no-cache", "--target", target,
             *(["--inputs", *inputs] if inputs else []), *words, "--outputs", outputs])
    files = sorted(outputs.glob("out_*.npy"))
    if len(files) != count:
        raise Failed(f"`xlac run` gives {len(files)} results, not {count}")
    return [np.load(path).tobytes() for path in files]


def driver_text(inputs, expected, case, words):
    count = lambda items: "".join(f"{item}, " for item in items)
    prepares = "--invariant" in words
    weights = "--weights-file" in words
    prepare = ""
    if weights:
        prepare += ("void *weights = memory(M_WEIGHTS_BYTES);\n"
                    "  transfer(argv[3], \"weights\", 0, \"r\", weights, M_WEIGHTS_BYTES);\n")
    if prepares:
        prepare += ("void *prepared = memory(M_PREPARED_BYTES);\n"
                    "  if (m_prepare((const m_arguments *)in, prepared, "
                    + ("weights, " if weights else "") + "arena, context))\n    return 6;\n")
    if case.get("sizes"):
        sizes = ", ".join(map(str, case["sizes"]))
        other = ", ".join("1000000" for _ in case["sizes"])
        prepare += (f"if (m_arena_bytes({other}) != -1 || m_result_bytes({other}, 0) != -1)\n"
                    "    return 7;\n"
                    f"  if (m_run({other}, (const m_arguments *)in, (const m_results *)out, "
                    "arena, context) != XLAC_RT_BAD_SIZES)\n    return 8;\n"
                    "  for (int i = 0; i < M_RESULT_COUNT; ++i)\n"
                    f"    if (m_result_bytes({sizes}, i) != (int64_t)results[i] ||\n"
                    f"        m_result_shape({sizes}, i, (int64_t[8]){{0}}) != XLAC_RT_OK)\n"
                    "      return 9;\n")
    values = {
        "ARGUMENT_COUNT": len(inputs), "RESULT_COUNT": len(expected),
        "ARGUMENTS": count(one.nbytes for one in inputs),
        "RESULTS": count(len(one) for one in expected),
        "ALIASES": "".join(f"{{{a}, {b}}}, " for a, b in case.get("aliases", [])),
        "SIZES": count(case.get("sizes", [])),
        "ARENA": f"m_arena_bytes({', '.join(map(str, case['sizes']))})" if case.get("sizes")
                 else "M_ARENA_BYTES",
        "TURNS": 1 if case.get("aliases") else 2,
        "PREPARED": "prepared, " if prepares else "",
        "WEIGHTS": "weights, " if weights else "", "PREPARE": prepare}
    return re.sub(r"\b(" + "|".join(values) + r")\b", lambda match: str(values[match.group()]),
                  DRIVER)


def run_program(program, threads, target, folder, alias, expected):
    for old in folder.glob("out_*.bin"):
        old.unlink()
    command([program, threads, target, folder, "1" if alias else "0"])
    for number, wanted in enumerate(expected):
        if (folder / f"out_{number}.bin").read_bytes() != wanted:
            raise Failed(f"result {number} differs on {target or 'automatic'} with {threads} "
                         f"threads{', in place' if alias else ''}")


def check_case(tools, folder, case, words=(), emit="obj"):
    (folder / "m.mlir").write_text(case["text"])
    inputs = write_inputs(folder, case["inputs"])
    file = folder / {"obj": "m.o", "so": "libm_program.so", "archive": "libm_program.a"}[emit]
    targets = case.get("targets", tools.targets)
    words = [*words, *case.get("words", [])]
    command([tools.xlac, "compile", folder / "m.mlir", "--emit", emit, "-o", file, "--name", "m",
             "--target", ",".join(targets), *words])
    needs_runtime = check_symbols(file, "m") if emit == "obj" else True
    if emit == "obj" and case.get("runtime", False) not in (needs_runtime, None):
        raise Failed("calls libxlac_rt.a" if needs_runtime else "does not call libxlac_rt.a")
    if "--weights-file" in words:
        shutil.copy(folder / "m.weights", folder / "weights_0.bin")
    run_words = case.get("run_words", [])
    expected = {target: expected_of(tools, folder, target, case["results"], run_words)
                for target in targets}
    (folder / "main.c").write_text(driver_text(inputs, expected[targets[0]], case, words))
    command(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only",
             "-x", "c++", folder / "m.h"])
    libraries = [tools.runtime, "-lm", "-lpthread"]
    program = folder / "program"
    if emit == "obj":
        command(tools.cc_words(folder / "main.c", file, *(libraries if needs_runtime else []),
                               "-o", program))
    else:
        command(tools.cc_words(folder / "main.c", file, *(libraries if emit == "archive" else []),
                               f"-Wl,-rpath,{folder}", "-o", program))
    threaded = folder / "threaded"
    command(tools.cc_words("-DWITH_RT", folder / "main.c", file, *libraries,
                           f"-Wl,-rpath,{folder}", "-o", threaded))
    if "libstdc++" in command(["ldd", threaded]):
        raise Failed("the program is linked with libstdc++")
    for target in [*targets, ""]:
        wanted = expected[target or targets[-1]]
        run_program(program, 0, target, folder, False, wanted)
        for threads in [1, 3]:
            run_program(threaded, threads, target, folder, False, wanted)
        if case.get("aliases"):
            run_program(program, 0, target, folder, True, wanted)


def check_program(tools, folder, case):
    """A program in C that checks itself."""
    (folder / "m.mlir").write_text(case["text"])
    command([tools.xlac, "compile", folder / "m.mlir", "--emit", "obj", "-o", folder / "m.o",
             *case["words"]])
    (folder / "main.c").write_text(case["program"])
    command(tools.cc_words(folder / "main.c", folder / "m.o", tools.runtime, "-lm", "-lpthread",
                           *case.get("link", []), "-o", folder / "program"))
    printed = command([folder / "program"], cwd=folder)
    printed = re.sub(r" at \S*m\.mlir:\d+:\d+", " at PLACE", printed)
    if printed != case["printed"]:
        raise Failed(f"prints\n{printed}")


def check_bad(tools, folder, case):
    (folder / "m.mlir").write_text(case["text"])
    words = [str(word).replace("FOLDER", str(folder)) for word in case["words"]]
    done = subprocess.run([tools.xlac, "compile", folder / "m.mlir", *words],
                          capture_output=True, text=True)
    if done.returncode != case.get("code", 1) or not re.search(case["message"], done.stderr):
        raise Failed(f"exit {done.returncode}: {done.stderr}")
    if len(done.stderr.strip().splitlines()) != 1:
        raise Failed(f"more than one line: {done.stderr}")


# NumPy's types of elements; narrow integers and floats have their bit patterns.
NUMPY = {"i1": "?", "i2": "i1", "i4": "i1", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8",
         "ui2": "u1", "ui4": "u1", "ui8": "u1", "ui16": "u2", "ui32": "u4", "ui64": "u8",
         "bf16": "u2", "f16": "f2", "f32": "f4", "f64": "f8", "complex<f32>": "c8",
         "complex<f64>": "c16"}


COLLECTIVES = re.compile(r"\b(all_gather|all_reduce|cross-replica-sum|all_to_all|collective_\w+|reduce_scatter|"
                         r"replica_id|partition_id|send|recv|infeed|outfeed)\b|mhlo.num_")


def random_value(generator, text):
    """An array of the type, or None if there is no array of it."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)([a-z]\w*(?:<f\d+>)?)>", text)
    if not match:
        return None
    shape, element = [int(size) for size in match.group(1).split("x")[:-1]], match.group(2)
    if narrow := re.fullmatch(r"f([468])E\w+", element):
        return generator.integers(0, 1 << int(narrow.group(1)), shape).astype("u1")
    if element == "bf16":
        floats = generator.standard_normal(shape).astype("f4")
        return (floats.view("u4") >> 16).astype("u2").reshape(shape)
    if element in ("i2", "i4"):
        return generator.integers(-2, 2, shape).astype("i1")
    if element in ("ui2", "ui4"):
        return generator.integers(0, 4, shape).astype("u1")
    return random_input(generator, shape, NUMPY[element]) if element in NUMPY else None


def split_types(text):
    """The types of a list, at whose commas no bracket is open."""
    types, depth, start = [], 0, 0
    for i, letter in enumerate(text + ","):
        depth += letter in "<({["
        depth -= letter in ">)}]"
        if letter == "," and depth == 0:
            types.append(text[start:i].strip())
            start = i + 1
    return [one for one in types if one]


def random_case(tools, text, number):
    """A case of a program of `xlac fuzz`, or None if NumPy lacks one of its types."""
    arguments = re.search(r"@main\((.*?)\) (?:->|\{)", text).group(1)
    types = [one.partition(": ")[2] for one in split_types(arguments)]
    generator = np.random.default_rng(number)
    inputs = [random_value(generator, one) for one in types]
    if any(one is None for one in inputs):
        return None
    inputs = [np.asarray(one) for one in inputs]
    results = re.search(r"@main\(.*?\) -> (.*) \{\n", text)
    results = results.group(1) if results else ""
    if results.startswith("("):
        results = results[1:-1]
    results = split_types(results)
    if any(random_value(generator, one) is None for one in results):
        return None
    return {"text": text, "inputs": inputs, "results": len(results), "runtime": None,
            "targets": [tools.targets[number % len(tools.targets)]]}


def random_checks(tools, count, seed):
    printed = command([tools.xlac, "fuzz", "--print", "--seed", seed, "--count", count])
    for text in printed.split("// seed ")[1:]:
        number, _, program = text.partition("\n")
        case = random_case(tools, program, int(number))
        # Objects have no collectives; other tests check that these are rejected.
        if case and not COLLECTIVES.search(program):
            yield f"random_{number}", lambda folder, case=case: check_case(tools, folder, case)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xlac")
    parser.add_argument("runtime")
    parser.add_argument("include")
    parser.add_argument("--filter", default="")
    parser.add_argument("--random", type=int, help="check this number of random programs only")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tools = Tools(arguments)
    checks = []
    for name, case in CASES.items():
        checks.append((name, lambda folder, case=case: check_case(tools, folder, case)))
    small = CASES["gemm_constants"]
    for emit in ["so", "archive"]:
        checks.append((emit, lambda folder, emit=emit: check_case(tools, folder, small, emit=emit)))
    checks.append(("weights_file", lambda folder: check_case(tools, folder, small,
                                                             ["--weights-file"])))
    checks.append(("weights_invariant", lambda folder: check_case(
        tools, folder, CASES["gemm_invariant"], ["--weights-file"])))
    for name, case in DYNAMIC.items():
        for sizes, inputs in case["runs"].items():
            one = {**case, "sizes": sizes, "inputs": inputs}
            checks.append((f"{name}_{sizes}", lambda folder, one=one: check_case(tools, folder,
                                                                                one)))
    for name, case in PROGRAMS.items():
        checks.append((name, lambda folder, case=case: check_program(tools, folder, case)))
    for name, case in BAD.items():
        checks.append((f"bad_{name}", lambda folder, case=case: check_bad(tools, folder, case)))
    if arguments.random:
        checks = list(random_checks(tools, arguments.random, arguments.seed))
        print(f"{len(checks)} of {arguments.random} programs are for one process, and have types of "
              "NumPy")
    passed = failed = 0
    for name, check in checks:
        if arguments.filter not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(pathlib.Path(folder))
                passed += 1
            except Failed as problem:
                failed += 1
                print(f"{name}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
