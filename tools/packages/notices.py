#!/usr/bin/env python3
"""Collects the licences of all that is in xlac's binaries, in full text.

    notices.py SOURCE-FOLDER OUTPUT

The binaries contain code of these Debian packages: static libraries, and templates
and inline functions of headers. Debian has a file with the notices of each package,
which may refer to licences in /usr/share/common-licenses; those follow at the end.
Fails if a file is missing.
"""
import pathlib
import re
import sys

DOC, COMMON = pathlib.Path("/usr/share/doc"), pathlib.Path("/usr/share/common-licenses")
PACKAGES = ["llvm-22-dev", "libmlir-22-dev", "libeigen3-dev", "libb2-dev", "libfmt-dev",
            "nlohmann-json3-dev", "libcli11-dev", "libflatbuffers-dev", "libdlpack-dev", "libzstd-dev",
            "zlib1g-dev", "libstdc++-12-dev"]
# Eigen's and libb2's files name these by their short names alone.
ALWAYS = {"Apache-2.0", "MPL-2.0", "CC0-1.0"}


def main():
    source, output = map(pathlib.Path, sys.argv[1:])
    parts = ["xlac\n====\n\n" + (source / "LICENSE").read_text()]
    common = set(ALWAYS)
    for package in PACKAGES:
        path = DOC / package / "copyright"
        if not path.exists():
            sys.exit(f"notices.py: {path} is missing; packages can be made only where "
                     f"Debian's {package} is installed")
        text = path.read_text(errors="replace")
        common |= {name.rstrip(".") for name in
                   re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text)}
        parts.append(f"{package}\n{'=' * len(package)}\n\n{text}")
    for note in sorted((source / "third_party_notes").glob("*.md")):
        if note.stem in ("stablehlo", "xla"):  # code that xlac has taken over
            parts.append(note.read_text())
    for name in sorted(common):
        parts.append(f"{name}\n{'=' * len(name)}\n\n{(COMMON / name).read_text(errors='replace')}")
    output.write_text("\n\n".join(parts))


main()
