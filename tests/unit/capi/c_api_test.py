#!/usr/bin/env python3
"""The C interface through ctypes: a model on NumPy arrays, and null arguments to
every function that the header declares.

    c_api_test.py LIBRARY HEADER CLANG

An image is loaded in a process that has no compiler, and so is the model from a warm
cache.
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

LIBRARY, HEADER, CLANG, *IMAGE = sys.argv[1:]
xlac = ctypes.CDLL(LIBRARY)
xlac.xlac_error_message.restype = ctypes.c_char_p
MODEL = b"""func.func @main(%w: tensor<4x3xf32>, %x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.tanh %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
"""
# Functions that may get null for all arguments, or cannot fail.
NO_ERROR = {"xlac_set_logger", "xlac_set_thread_count", "xlac_set_cache_folder",
            "xlac_trim_memory"}


class View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


def view(array):
    return View(array.ctypes.data, array.nbytes)


def declared():
    """The functions of the header with their types, as Clang prints them."""
    dump = subprocess.run([CLANG, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", HEADER],
                          capture_output=True, text=True, check=True).stdout
    for node in json.loads(dump)["inner"]:
        if node["kind"] == "FunctionDecl" and node["name"].startswith("xlac_"):
            yield node["name"], node["type"]["qualType"]


def check(status):
    assert status == 0, xlac.xlac_error_message()


def run_program(program):
    """Runs the model and compares the result with NumPy's."""
    random = numpy.random.default_rng(1)
    w = random.standard_normal((4, 3), dtype="f4")
    x = random.standard_normal((2, 4), dtype="f4")
    y = numpy.zeros((2, 3), "f4")
    arguments, results = (View * 2)(view(w), view(x)), (View * 1)(view(y))
    check(xlac.xlac_program_run(program, arguments, ctypes.c_size_t(2), results,
                                ctypes.c_size_t(1), None))
    numpy.testing.assert_allclose(y, numpy.tanh(x @ w), rtol=1e-5, atol=1e-6)
    xlac.xlac_program_destroy(program)


def load_image(path):
    program = ctypes.c_void_p()
    check(xlac.xlac_program_load_image_file(os.fsencode(path), ctypes.byref(program)))
    return program


def run_model():
    program = ctypes.c_void_p()
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder) / "cache"
        check(xlac.xlac_set_cache_folder(os.fsencode(cache)))
        check(xlac.xlac_program_load(MODEL, ctypes.c_size_t(len(MODEL)), None, ctypes.byref(program)))
        image = pathlib.Path(folder) / "model.xlax"
        check(xlac.xlac_program_save(program, os.fsencode(image)))
        run_program(program)
        run_program(load_image(image))
        command = [sys.executable, __file__, LIBRARY, HEADER, CLANG, image, cache]
        subprocess.run(command, check=True, timeout=60,
                       env={**os.environ, "XLAC_COMPILER_LIBRARY": "/nowhere.so"})


def null_arguments():
    """Passes 0 for each argument of every function."""
    functions = list(declared())
    assert len(functions) >= 25, functions
    for name, kind in functions:
        function = getattr(xlac, name)  # each declared function is exported
        result, _, rest = kind.partition("(")
        count = 0 if rest == "void)" else rest.count(",") + 1
        # xlac_view is passed by value, in two registers.
        arguments = [ctypes.c_void_p(0)] * (count + rest.count("xlac_view,") + rest.endswith("xlac_view)"))
        function.restype = ctypes.c_int
        status = function(*arguments)
        if result.strip() == "xlac_status" and name not in NO_ERROR:
            assert status == 1, f"{name} returns {status} for null"
    return len(functions)


if IMAGE:
    program = ctypes.c_void_p()
    assert xlac.xlac_program_load(MODEL, ctypes.c_size_t(len(MODEL)), None, ctypes.byref(program)) == 4
    check(xlac.xlac_set_cache_folder(os.fsencode(IMAGE[1])))
    check(xlac.xlac_program_load(MODEL, ctypes.c_size_t(len(MODEL)), None, ctypes.byref(program)))
    run_program(program)
    run_program(load_image(IMAGE[0]))
else:
    run_model()
    print(f"{null_arguments()} functions got null")
