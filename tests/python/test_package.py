"""The Python package without JAX: xlac.compile, inspect and settings.

Runs the package on PYTHONPATH with the library that XLAC_PJRT_PLUGIN names, or an installed
wheel. Requires NumPy and ml_dtypes.
"""
import contextlib
import gc
import io
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest

import ml_dtypes
import numpy as np

import xlac
from xlac import _pjrt

ROOT = pathlib.Path(__file__).resolve().parents[2]


def binary(op, kind):
    """Returns a program that applies an op to two arguments of a type."""
    return (f"func.func @main(%a: tensor<{kind}>, %b: tensor<{kind}>) -> tensor<{kind}> {{\n"
            f"  %0 = stablehlo.{op} %a, %b : tensor<{kind}>\n  return %0 : tensor<{kind}>\n}}\n")


ADD = binary("add", "2x3xf32")
IDENTITY = ("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  return %a : tensor<4xf32>\n}\n")


class Compile(unittest.TestCase):
    def test_runs(self):
        add = xlac.compile(ADD)
        self.assertEqual(add.results, (xlac.Result((2, 3), np.dtype("float32")),))
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        (total,) = add(a, a + 1)
        self.assertEqual(total.dtype, np.float32)
        np.testing.assert_array_equal(total, 2 * a + 1)
        self.assertIn("add", add.text())

    def test_strides_do_not_matter(self):
        add = xlac.compile(ADD)
        wide = np.arange(24, dtype=np.float32).reshape(4, 6)
        for a in (wide[::2, ::2], wide[::-2, 1:4], wide[:3, :2].T,
                  np.broadcast_to(np.float32(3), (2, 3))):
            np.testing.assert_array_equal(add(a, a)[0], a + a)

    def test_unaligned_and_swapped_elements_are_copied(self):
        add = xlac.compile(ADD)
        bytes_ = np.zeros(25, np.uint8)
        unaligned = bytes_[1:].view(np.float32).reshape(2, 3)
        unaligned[...] = 5
        np.testing.assert_array_equal(add(unaligned, unaligned)[0], np.full((2, 3), 10))
        swapped = np.full((2, 3), 2.5, ">f4")
        np.testing.assert_array_equal(add(swapped, swapped)[0], np.full((2, 3), 5))

    def test_all_element_types(self):
        kinds = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
                 "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64",
                 "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64",
                 "complex<f64>": "complex128", "bf16": "bfloat16", "f8E5M2": "float8_e5m2",
                 "f8E4M3FN": "float8_e4m3fn", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
                 "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E4M3FNUZ": "float8_e4m3fnuz", "i4": "int4",
                 "ui4": "uint4", "f8E4M3": "float8_e4m3", "f8E3M4": "float8_e3m4"}
        for kind, name in kinds.items():
            with self.subTest(kind):
                dtype = np.dtype(getattr(np, name, None) or getattr(ml_dtypes, name))
                a = np.array([1, 0, 1, 2, 3]).astype(dtype)
                b = np.array([0, 0, 1, 1, 2]).astype(dtype)
                (got,) = xlac.compile(binary("add", f"5x{kind}"))(a, b)
                self.assertEqual(got.dtype, dtype)
                np.testing.assert_array_equal(got, a + b)

    def test_sizes_of_zero_and_scalars(self):
        empty = np.zeros((0, 3), np.float32)
        self.assertEqual(xlac.compile(binary("add", "0x3xf32"))(empty, empty)[0].shape, (0, 3))
        (one,) = xlac.compile(binary("multiply", "f64"))(3.0, 4.0)
        self.assertEqual((one.shape, float(one)), ((), 12.0))

    def test_several_results_and_none(self):
        both = xlac.compile(
            "func.func @main(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<i1>) {\n"
            "  %0 = stablehlo.negate %a : tensor<2xi32>\n"
            "  %c = stablehlo.constant dense<true> : tensor<i1>\n"
            "  return %0, %c : tensor<2xi32>, tensor<i1>\n}\n")
        first, second = both(np.array([1, -2], np.int32))
        np.testing.assert_array_equal(first, [-1, 2])
        self.assertTrue(second)
        self.assertEqual(xlac.compile("func.func @main() {\n  return\n}\n")(), ())

    def test_a_result_is_memory_of_its_own(self):
        a = np.ones(4, np.float32)
        (result,) = xlac.compile(IDENTITY)(a)
        result[:] = 7
        np.testing.assert_array_equal(a, np.ones(4))

    def test_results_outlive_program_and_arguments(self):
        (total,) = xlac.compile(ADD)(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
        view = total[1:]
        del total
        gc.collect()
        np.testing.assert_array_equal(view, np.full((1, 3), 2))

    def test_arguments_by_dlpack(self):
        class Lender:
            """An array of another library, which supports DLPack only."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        a = Lender(np.ones((2, 3), np.float32))
        np.testing.assert_array_equal(xlac.compile(ADD)(a, a)[0], np.full((2, 3), 2))

    def test_calls_in_threads(self):
        add = xlac.compile(ADD)
        wrong = []

        def work(number):
            a = np.full((2, 3), number, np.float32)
            for _ in range(100):
                if not (add(a, a)[0] == 2 * number).all():
                    wrong.append(number)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Refusals(unittest.TestCase):
    def refuses(self, pattern, call, *arguments, code="INVALID_ARGUMENT"):
        with self.assertRaisesRegex(xlac.Error, pattern) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.code, code)

    def test_programs(self):
        self.refuses(r"1:\d+", xlac.compile, "no program")
        self.refuses(".", xlac.compile, b"ML\xefRdamaged")
        self.refuses(".", xlac.compile, "")
        with self.assertRaises(TypeError):
            xlac.compile(3)

    def test_results_that_are_tokens(self):
        with self.assertRaisesRegex(xlac.Error, "no arrays for tokens"):
            xlac.compile("""
                func.func @main() -> !stablehlo.token {
                  %0 = stablehlo.create_token : !stablehlo.token
                  return %0 : !stablehlo.token
                }
            """)

    def test_arguments(self):
        add = xlac.compile(ADD)
        a = np.ones((2, 3), np.float32)
        self.refuses("supplied 1 buffers .* expected 2 buffers", add, a)
        self.refuses("supplied 3 buffers .* expected 2 buffers", add, a, a, a)
        self.refuses("parameter 1 of type tensor<2x3xf32> .* tensor<3x2xf32>", add, a, a.T)
        self.refuses("parameter 0 of type tensor<2x3xf32> .* tensor<2x3xi32>", add,
                     a.astype(np.int32), a)
        self.refuses("datetime64", add, a, np.zeros((2, 3), "datetime64[s]"))
        self.refuses("object", add, a, None)
        np.testing.assert_array_equal(add(a, a)[0], a + a)

    def test_a_missing_library(self):
        environment = {**os.environ, "XLAC_PJRT_PLUGIN": "/nowhere/libpjrt_xlac.so"}
        done = subprocess.run([sys.executable, "-c", "import xlac; xlac.compile('')"],
                              env=environment, capture_output=True, text=True, check=False)
        self.assertIn("/nowhere/libpjrt_xlac.so", done.stderr)


class Command(unittest.TestCase):
    def test_inspect(self):
        self.assertIn("xlac.kernel", xlac.inspect(ADD))
        self.assertIn("stablehlo.add", xlac.inspect(ADD, "stablehlo"))
        self.assertIn("define", xlac.inspect(ADD, "llvm"))
        with self.assertRaises(ValueError):
            xlac.inspect(ADD, "hlo")
        with self.assertRaises(xlac.Error):
            xlac.inspect("no program")

    def test_settings(self):
        setting = xlac.settings()["XLAC_NUM_THREADS"]
        self.assertEqual(setting.name, "XLAC_NUM_THREADS")
        self.assertIn("integer", setting.accepts)


class Wheel(unittest.TestCase):
    # The libraries that every Linux system of the wheel's tag has.
    SYSTEM = {"libc.so.6", "libm.so.6", "libz.so.1", "libgcc_s.so.1", "libstdc++.so.6",
              "ld-linux-x86-64.so.2", "libpthread.so.0", "libdl.so.2", "librt.so.1"}

    def test_libraries_need_nothing_else(self):
        package = pathlib.Path(xlac.__file__).parent
        brought = package.with_name("xlac.libs")
        if not brought.exists():
            self.skipTest("the package is not installed from a wheel")
        files = [*package.glob("lib/*.so"), package / "bin/xlac", *brought.iterdir()]
        self.assertGreater(len(files), 2)
        for file in files:
            listed = subprocess.run(["readelf", "-d", file], capture_output=True, text=True,
                                    check=True).stdout
            needed = set(re.findall(r"NEEDED.*\[(.*)\]", listed))
            self.assertTrue(needed)
            self.assertEqual(needed - self.SYSTEM - {each.name for each in brought.iterdir()},
                             set(), file.name)


class Documentation(unittest.TestCase):
    def test_examples_of_the_page(self):
        """Runs the Python blocks of docs/python.md in order. The text blocks must be part of the
        output."""
        page = (ROOT / "docs/python.md").read_text()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            names = {}
            for block in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S):
                exec(compile(block, "docs/python.md", "exec"), names)  # pylint: disable=exec-used
        for text in re.findall(r"^```text\n(.*?)^```", page, re.M | re.S):
            self.assertIn(text, printed.getvalue())


class Layouts(unittest.TestCase):
    """Declarations in Python equal those in C."""

    def test_places_of_functions(self):
        table = re.findall(r"^XLAC_PJRT\((\w+)\)", (
            ROOT / "lib/pjrt/c_api_functions.inc").read_text(), re.M)
        for name, (place, _) in _pjrt.FUNCTIONS.items():
            self.assertEqual(table[place], name)

    def test_fields(self):
        text = "".join(path.read_text() for path in (ROOT / "lib/pjrt").glob("c_api_*.h"))
        declared = {name: re.findall(r"(\w+);", body) for name, body in
                    re.findall(r"^struct PJRT_(\w+) \{\n(.*?)^\};", text, re.M | re.S)}
        kinds = {name + "_Args": kind for name, (_, kind) in _pjrt.FUNCTIONS.items()}
        kinds.update(ExecuteOptions=_pjrt.ExecuteOptions, Program=_pjrt.Program)
        for name, kind in kinds.items():
            with self.subTest(name):
                self.assertEqual([field for field, _ in kind._fields_], declared[name][2:])

    def test_names_of_types(self):
        text = (ROOT / "lib/pjrt/c_api_buffer.h").read_text()
        declared = re.findall(r"PJRT_Buffer_Type_\w+ = (\d+)", text)
        self.assertEqual([int(number) for number in declared],
                         list(range(len(_pjrt.DTYPES) + 1)))


if __name__ == "__main__":
    unittest.main()
