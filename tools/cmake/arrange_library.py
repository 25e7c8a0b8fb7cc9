#!/usr/bin/env python3
"""Arranges the code of a shared library by a profile.

    arrange_library.py BOLT LINKED PROFILE OUTPUT

Runs BOLT on the library that the linker wrote. BOLT adds a segment and needs a
program header for it. GNU strip and patchelf damage a library whose header table it
has moved, so it takes the header that states that stacks are not executable. This
script writes that statement over the header of the table itself, which only
executables need."""
import os
import pathlib
import struct
import subprocess
import sys

PT_PHDR, PT_GNU_STACK = 6, 0x6474e551
PF_READ_WRITE = 6
HEADER = struct.Struct("<IIQQQQQQ")  # Elf64_Phdr


def state_stack(path):
    """Replaces the library's PT_PHDR by PT_GNU_STACK."""
    with path.open("r+b") as file:
        start = file.read(64)
        offset, = struct.unpack_from("<Q", start, 32)  # e_phoff
        size, count = struct.unpack_from("<HH", start, 54)  # e_phentsize, e_phnum
        assert size == HEADER.size, "a 64-bit ELF file"
        places = {}
        for place in range(offset, offset + size * count, size):
            file.seek(place)
            places[HEADER.unpack(file.read(size))[0]] = place
        assert PT_GNU_STACK not in places and PT_PHDR in places, "as BOLT leaves it"
        file.seek(places[PT_PHDR])
        file.write(HEADER.pack(PT_GNU_STACK, PF_READ_WRITE, 0, 0, 0, 0, 0, 0))


def main():
    bolt, linked, profile, output = sys.argv[1:]
    linked, profile = pathlib.Path(linked).resolve(), pathlib.Path(profile).resolve()
    written = linked.with_name("arranged.so")
    # BOLT stores its command line in the library, which should not depend on the
    # build's folder.
    done = subprocess.run(
        [bolt, linked.name, "-o", written.name,
         f"--data={os.path.relpath(profile, linked.parent)}", "--reorder-blocks=ext-tsp",
         "--reorder-functions=cdsort", "--split-functions", "--split-all-cold", "--split-eh",
         "--icf=safe", "--use-gnu-stack"],
        cwd=linked.parent, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    state_stack(written)
    os.replace(written, output)


if __name__ == "__main__":
    main()
