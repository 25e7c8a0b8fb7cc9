#!/usr/bin/env python3
"""Compares c_api_layout.inc with XLA's own pjrt_c_api.h.

The header comes out of the wheel tensorflow_cpu 2.21.0, which pip finds in its cache or on
PyPI, or from the folder that XLAC_PJRT_HEADERS names. Exits 77 (skipped), saying why, where
neither is there. The wheel is large: pip keeps it in FOLDER.

usage: header_layout_test.py COMPILER TABLE FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

WHEEL = "tensorflow_cpu==2.21.0"
HEADER = "xla/pjrt/c/pjrt_c_api.h"
SOURCE = """
#include <stddef.h>
#include <stdint.h>
#include "%s"
#define XLAC_STRUCT(type, size) static_assert(sizeof(type) == size, #type);
#define XLAC_FIELD(type, field, offset, size) \\
  static_assert(offsetof(type, field) == offset, #type "::" #field); \\
  static_assert(sizeof(((type *)0)->field) == size, #type "::" #field);
#define XLAC_ENUMERATOR(name, value) static_assert(name == value, #name);
#include "%s"
static_assert(PJRT_API_MAJOR == 0 && PJRT_API_MINOR == 90, "version");
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def unpack_header(folder):
    headers = folder / "tensorflow/include"
    if (headers / HEADER).exists():
        return headers
    try:
        pip = subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-q",
                              "--only-binary=:all:", "--python-version", "3.11", "-d",
                              str(folder), WHEEL], capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        skip(f"pip did not download {WHEEL} within 4 minutes")
    wheels = sorted(folder.glob("tensorflow_cpu-*.whl"))
    if pip.returncode or not wheels:
        skip(f"pip cannot download {WHEEL}: {pip.stderr.strip()[-300:]}")
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extract("tensorflow/include/" + HEADER, folder)
    wheels[0].unlink()
    return headers


def main():
    compiler, table, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    named = os.environ.get("XLAC_PJRT_HEADERS")
    folder.mkdir(parents=True, exist_ok=True)
    headers = pathlib.Path(named) if named else unpack_header(folder)
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(SOURCE % (HEADER, table))
        source.flush()
        subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{headers}", source.name],
                       check=True)
    print(f"{sum(1 for line in table.open() if line.startswith('XLAC'))} facts agree")


if __name__ == "__main__":
    main()
