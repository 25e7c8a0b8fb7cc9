#!/usr/bin/env python3
"""Compares tables of sizes and offsets with XLA's headers.

The headers are in the folder XLAC_PJRT_HEADERS, or pip downloads the wheel tensorflow_cpu 2.21.0,
which contains them. FOLDER keeps the headers for later runs. If pip cannot download the wheel, the
script prints the reason and exits with 77 (skipped).

usage: header_layout_test.py COMPILER FOLDER TABLE…
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

WHEEL = "tensorflow_cpu==2.21.0"
HEADERS = ("xla/pjrt/c/pjrt_c_api.h", "xla/pjrt/c/pjrt_c_api_ffi_extension.h",
           "xla/pjrt/c/pjrt_c_api_layouts_extension.h",
           "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h", "xla/ffi/api/c_api.h")
SOURCE = """
#include <stddef.h>
#include <stdint.h>
%s
#define XLAC_STRUCT(type, size) static_assert(sizeof(type) == size, #type);
#define XLAC_FIELD(type, field, offset, size) \\
  static_assert(offsetof(type, field) == offset, #type "::" #field); \\
  static_assert(sizeof(((type *)0)->field) == size, #type "::" #field);
#define XLAC_ENUMERATOR(name, value) static_assert(name == value, #name);
%s
static_assert(PJRT_API_MAJOR == 0 && PJRT_API_MINOR == 90, "version");
static_assert(XLA_FFI_API_MAJOR == 0 && XLA_FFI_API_MINOR == 2, "version");
static_assert(PJRT_API_FFI_EXTENSION_VERSION == 3, "version");
static_assert(PJRT_API_LAYOUTS_EXTENSION_VERSION == 3, "version");
static_assert(PJRT_API_MEMORY_DESCRIPTIONS_EXTENSION_VERSION == 1, "version");
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def unpack_headers(folder):
    headers = folder / "tensorflow/include"
    if all((headers / header).exists() for header in HEADERS):
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
        for header in HEADERS:
            wheel.extract("tensorflow/include/" + header, folder)
    wheels[0].unlink()
    return headers


def main():
    compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    tables = [pathlib.Path(table).resolve() for table in sys.argv[3:]]
    named = os.environ.get("XLAC_PJRT_HEADERS")
    folder.mkdir(parents=True, exist_ok=True)
    headers = pathlib.Path(named) if named else unpack_headers(folder)
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(SOURCE % tuple("\n".join(f'#include "{name}"' for name in names)
                                    for names in (HEADERS, tables)))
        source.flush()
        subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{headers}", source.name],
                       check=True)
    facts = sum(line.startswith("XLAC") for table in tables for line in table.open())
    print(f"{facts} facts agree")


if __name__ == "__main__":
    main()
