#!/usr/bin/env python3
"""Checks who includes whom against the table in docs/internals/rooms.md.

A room may include its own headers, those of the rooms its row names, and of
whatever those may use. Lowercase rooms include nothing of mlir/ or llvm/;
CamelCase rooms see neither `lazy` nor `tensor`; `runtime` sees neither
compiler rooms nor `graph` nor `cache`. Prints each breach, exits 1 on any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Public headers that several rooms share by contract.
DOORS = {"xlac/compiler.h": "compiler.h", "xlac/error.h": "support"}
# What the table of functions becomes in the build folder.
GENERATED = {"generated": "tensor"}


def read_table():
    rooms, rows = {}, (ROOT / "docs/internals/rooms.md").read_text().splitlines()
    for row in rows:
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`"):
            for name in re.findall(r"`([^`]+)`", cells[0]):
                rooms[name] = set(re.findall(r"`([^`]+)`", cells[2]))
    return rooms


def close(rooms):
    reach = {}
    def visit(room):
        if room not in reach:
            reach[room] = {room}
            for used in rooms.get(room, ()):
                reach[room] |= visit(used) | {used}
        return reach[room]
    for room in rooms:
        visit(room)
    return reach


def room_of(path, rooms):
    parts = path.relative_to(ROOT).parts
    if parts[0] == "lib":
        return parts[1]
    if parts[:2] == ("include", "xlac"):
        return parts[2] if len(parts) > 3 else public_room(parts[2], rooms)
    return None


def public_room(name, rooms):
    """The room that a header directly under include/xlac belongs to."""
    text = (ROOT / "docs/internals/rooms.md").read_text()
    match = re.search(rf"^- `{re.escape(name)}`: `([^`]+)`", text, re.M)
    return match.group(1) if match else None


def target_room(header, rooms):
    parts = header.split("/")
    if parts[0] != "xlac":
        return None
    if header in DOORS:
        return DOORS[header]
    if len(parts) > 2:
        return GENERATED.get(parts[1], parts[1])
    return public_room(parts[1], rooms)


def main():
    rooms = read_table()
    reach = close(rooms)
    breaches, files = [], 0
    for path in sorted([*ROOT.glob("lib/**/*.[ch]*"), *ROOT.glob("include/**/*.h")]):
        if path.suffix not in (".h", ".cpp", ".c"):
            continue
        files += 1
        room = room_of(path, rooms)
        where = path.relative_to(ROOT)
        if room is None or room not in rooms:
            breaches.append(f"{where}: belongs to no room of docs/internals/rooms.md")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            if header.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/")) and room[0].islower():
                breaches.append(f"{where}:{number}: a lowercase room includes {header}")
            target = target_room(header, rooms)
            if target and target not in reach[room]:
                breaches.append(f"{where}:{number}: {room} may not use {target} ({header})")
    print("\n".join(breaches))
    print(f"layering: {files} files, {len(breaches)} breaches")
    return 1 if breaches or files < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
