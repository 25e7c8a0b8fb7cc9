#!/usr/bin/env python3
"""ResNet-50 with its weights and a convnet's training step in one program in C.

    objects_models_test.py XLAC LIBXLAC_RT INCLUDE SHARED

Links both objects with the C library and libxlac_rt.a alone, and compares the results
with those of `xlac run` bit for bit: compiled for this processor, and with --multi-target
on each target that the processor supports. Prints sizes and times. Exit code 77 without
SHARED/models.
"""
import pathlib
import re
import sys
import tempfile
import time

import numpy as np

import objects_test

MAIN = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "convnet.h"
#include "resnet.h"
#include "xlac/rt.h"

static void *memory(size_t bytes) {
  void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!block)
    exit(3);
  return block;
}

static void transfer(const char *name, const char *mode, void *data, size_t bytes) {
  FILE *file = fopen(name, mode);
  if (!file || (*mode == 'r' ? fread(data, 1, bytes, file)
                             : fwrite(data, 1, bytes, file)) != bytes)
    exit(4);
  fclose(file);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void load(const char *name, const size_t *bytes, int count, const void **in) {
  for (int i = 0; i < count; ++i) {
    char path[64];
    snprintf(path, sizeof path, "%s_in_%d.bin", name, i);
    in[i] = memory(bytes[i]);
    transfer(path, "r", (void *)in[i], bytes[i]);
  }
}

static void store(const char *name, const size_t *bytes, int count, void **out) {
  for (int i = 0; i < count; ++i) {
    char path[64];
    snprintf(path, sizeof path, "%s_out_%d.bin", name, i);
    transfer(path, "w", out[i], bytes[i]);
  }
}

int main(int argc, char **argv) {
  static const size_t RESNET_IN[] = {RESNET_ARGUMENTS}, RESNET_OUT[] = {RESNET_RESULTS};
  static const size_t CONVNET_IN[] = {CONVNET_ARGUMENTS}, CONVNET_OUT[] = {CONVNET_RESULTS};
  const void *x[RESNET_ARGUMENT_COUNT], *p[CONVNET_ARGUMENT_COUNT];
  void *y[RESNET_RESULT_COUNT], *q[CONVNET_RESULT_COUNT];
  if (argc != 3)
    return 2;
  load("resnet", RESNET_IN, RESNET_ARGUMENT_COUNT, x);
  load("convnet", CONVNET_IN, CONVNET_ARGUMENT_COUNT, p);
  for (int i = 0; i < RESNET_RESULT_COUNT; ++i)
    y[i] = memory(RESNET_OUT[i]);
  for (int i = 0; i < CONVNET_RESULT_COUNT; ++i)
    q[i] = memory(CONVNET_OUT[i]);
  const char *target = *argv[1] ? argv[1] : NULL;
  if (resnet_use_target(target) != XLAC_RT_OK || convnet_use_target(target) != XLAC_RT_OK)
    return 5;
  xlac_rt_context context;
  if (xlac_rt_init_threads(&context, atoi(argv[2])) != XLAC_RT_OK)
    return 6;
  void *arena = memory(RESNET_ARENA_BYTES), *other = memory(CONVNET_ARENA_BYTES);
  double best[2] = {1e9, 1e9};
  for (int turn = 0; turn < 10; ++turn) {
    double start = now();
    if (resnet_run((const resnet_arguments *)x, (const resnet_results *)y, arena, &context))
      return 7;
    double middle = now();
    if (convnet_run((const convnet_arguments *)p, (const convnet_results *)q, other, &context))
      return 8;
    double end = now();
    best[0] = middle - start < best[0] ? middle - start : best[0];
    best[1] = end - middle < best[1] ? end - middle : best[1];
  }
  printf("%s: resnet %.2f ms, convnet %.2f ms\n", resnet_target(), best[0], best[1]);
  store("resnet", RESNET_OUT, RESNET_RESULT_COUNT, y);
  store("convnet", CONVNET_OUT, CONVNET_RESULT_COUNT, q);
  xlac_rt_finish(&context);
  return 0;
}
"""


def with_weights(text, arrays, number):
    """The program with all arguments but one as constants."""
    types = re.findall(r"%arg\d+: (tensor<[^>]*>)", re.search(r"@main\((.*)", text).group())
    types = types[:len(arrays)]
    result = re.search(r"@main\(.*?\) -> \(?(tensor<[^>]*>)", text).group(1)
    body = text.replace("func.func public @main", "func.func private @model", 1)
    lines = [f"  func.func public @main(%x: {types[number]}) -> {result} {{"]
    for i, (kind, array) in enumerate(zip(types, arrays)):
        if i != number:
            data = np.ascontiguousarray(array).tobytes().hex().upper()
            lines.append(f'    %w{i} = stablehlo.constant dense<"0x{data}"> : {kind}')
    names = ", ".join("%x" if i == number else f"%w{i}" for i in range(len(types)))
    lines += [f"    %0 = call @model({names}) : ({', '.join(types)}) -> {result}",
              f"    return %0 : {result}", "  }", "}"]
    return body.rstrip().removesuffix("}") + "\n".join(lines) + "\n"


def prepare(shared, folder, name, model, weights):
    """Writes the program and its inputs."""
    source = shared / "models" / model
    inputs = folder / f"{name}_inputs"
    objects_test.command([sys.executable, shared / "models" / "make_inputs.py", source, inputs])
    arrays = [np.load(path) for path in sorted(inputs.glob("in_*.npy"))]
    text = (source / "module.mlir").read_text()
    if weights:
        number = max(range(len(arrays)), key=lambda i: arrays[i].shape[:1] == (1,))
        text = with_weights(text, arrays, number)
        arrays = [arrays[number]]
    (folder / f"{name}.mlir").write_text(text)
    words = []
    for number, array in enumerate(arrays):
        (folder / f"{name}_in_{number}.bin").write_bytes(array.tobytes())
        np.save(folder / f"{name}_in_{number}.npy", array)
        words.append(folder / f"{name}_in_{number}.npy")
    return arrays, words


def expected(tools, folder, name, words, target):
    outputs = folder / f"{name}_{target}"
    objects_test.command([tools.xlac, "run", folder / f"{name}.mlir", "--no-cache", "--target",
                          target, "--inputs", *words, "--outputs", outputs])
    return [np.load(path).tobytes() for path in sorted(outputs.glob("out_*.npy"))]


def compile_objects(tools, folder, words):
    for name in ["resnet", "convnet"]:
        start = time.monotonic()
        objects_test.command([tools.xlac, "compile", folder / f"{name}.mlir", "--emit", "obj",
                              "-o", folder / f"{name}.o", *words])
        print(f"{name} {' '.join(words)}: {(folder / f'{name}.o').stat().st_size} bytes, "
              f"compiled in {time.monotonic() - start:.1f} s")


def link(tools, folder, inputs, wanted):
    numbers = {}
    for name in ["resnet", "convnet"]:
        numbers[f"{name.upper()}_ARGUMENTS"] = ", ".join(str(one.nbytes) for one in inputs[name])
        numbers[f"{name.upper()}_RESULTS"] = ", ".join(str(len(one)) for one in wanted[name])
    text = re.sub(r"\{(\w+)\}(?=[,;])",
                  lambda match: "{" + numbers.get(match.group(1), match.group(1)) + "}", MAIN)
    (folder / "main.c").write_text(text)
    objects_test.command([tools.cc, "-std=c11", "-O1", f"-I{tools.include}", folder / "main.c",
                          folder / "resnet.o", folder / "convnet.o", tools.runtime, "-lm",
                          "-lpthread", "-o", folder / "program"])
    libraries = objects_test.command(["ldd", folder / "program"])
    if re.search("stdc|xlac|gomp|LLVM", libraries):
        raise objects_test.Failed(libraries)


def check(tools, folder, target, wanted):
    for threads in ["1", "2"]:
        print(threads, "threads:", objects_test.command(
            [folder / "program", target, threads], cwd=folder).strip())
        for name, results in wanted.items():
            for number, result in enumerate(results):
                if (folder / f"{name}_out_{number}.bin").read_bytes() != result:
                    raise objects_test.Failed(f"{name}: result {number} differs on {target}")


def main():
    xlac, runtime, include, shared = map(pathlib.Path, sys.argv[1:])
    if not (shared / "models").exists():
        print(f"{shared}/models does not exist")
        return 77

    class Arguments:
        pass

    arguments = Arguments()
    arguments.xlac, arguments.runtime, arguments.include = xlac, runtime, include
    tools = objects_test.Tools(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs, words = {}, {}
        for one, model, weights in [("resnet", "resnet50_infer", True),
                                    ("convnet", "mnist_convnet_train", False)]:
            inputs[one], words[one] = prepare(shared, folder, one, model, weights)
        for targets, options in [(["native"], []), (tools.targets, ["--multi-target"])]:
            compile_objects(tools, folder, options)
            for target in targets:
                wanted = {one: expected(tools, folder, one, words[one], target) for one in words}
                if target == targets[0]:
                    link(tools, folder, inputs, wanted)
                check(tools, folder, "" if target == "native" else target, wanted)
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except objects_test.Failed as problem:
        sys.exit(str(problem))
