#!/usr/bin/env python3
"""Checks the includes of each component against the table in docs/internals/layout.md.

A component may include its own headers, those of the components its row names, and of
whatever those may use. Lowercase components include nothing of mlir/ or llvm/;
CamelCase components include neither `lazy` nor `tensor`; `runtime` includes neither
compiler components nor `graph` nor `cache`. Within a component no files include one
another in a circle; a header and the source of its name count as one file. Prints each
breach, exits 1 on any.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# Public headers that several components share by contract.
SHARED_HEADERS = {"xlac/compiler.h": "compiler.h", "xlac/error.h": "support",
                  "xlac/export.h": "support"}
# The folder for generated headers in the build folder, and its component.
GENERATED = {"generated": "tensor"}


def read_table():
    components, rows = {}, (ROOT / "docs/internals/layout.md").read_text().splitlines()
    for row in rows:
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        if len(cells) == 3 and cells[0].startswith("`"):
            for name in re.findall(r"`([^`]+)`", cells[0]):
                components[name] = set(re.findall(r"`([^`]+)`", cells[2]))
    return components


def close(components):
    reach = {}
    def visit(component):
        if component not in reach:
            reach[component] = {component}
            for used in components.get(component, ()):
                reach[component] |= visit(used) | {used}
        return reach[component]
    for component in components:
        visit(component)
    return reach


def component_of(path, components):
    parts = path.relative_to(ROOT).parts
    if parts[0] == "lib":
        return parts[1]
    if parts[:2] == ("include", "xlac"):
        return parts[2] if len(parts) > 3 else public_component(parts[2], components)
    return None


def public_component(name, components):
    """The component that a header directly under include/xlac belongs to."""
    text = (ROOT / "docs/internals/layout.md").read_text()
    match = re.search(rf"^- `{re.escape(name)}`: `([^`]+)`", text, re.M)
    return match.group(1) if match else None


def target_component(header, components):
    parts = header.split("/")
    if parts[0] != "xlac":
        return None
    if header in SHARED_HEADERS:
        return SHARED_HEADERS[header]
    if len(parts) > 2:
        return GENERATED.get(parts[1], parts[1])
    return public_component(parts[1], components)


def unit_of(path, component):
    """A header and the source of its name, in whichever folder of their component. The
    sources of a public header have names of their own, so it stands alone."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "lib":
        return component, "/".join(parts[2:])
    return component, "/".join(parts[3:]) if len(parts) > 3 else f"xlac/{parts[2]}.h"


def included_file(header, path, component):
    folders = (path.parent, ROOT / "lib" / component, ROOT / "include")
    return next((folder / header for folder in folders if (folder / header).is_file()), None)


def shortest_circle(start, uses):
    """The shortest chain of uses from `start` to itself, or None."""
    before, queue = {}, [start]
    for unit in queue:
        for used in sorted(uses.get(unit, ())):
            if used == start:
                chain = [start, unit]
                while chain[-1] != start:
                    chain.append(before[chain[-1]])
                return chain[::-1] if unit != start else [start, start]
            if used not in before:
                before[used] = unit
                queue.append(used)
    return None


def find_circles(uses):
    """A circle of each set of units that use one another, the shortest of the set."""
    found = {}
    for unit in sorted(uses):
        circle = shortest_circle(unit, uses)
        if circle:
            found[frozenset(circle)] = circle
    circles = []
    for members in sorted(found, key=lambda members: (len(members), sorted(members))):
        if not any(members & set(other) for other in circles):
            circles.append(found[members])
    return circles


def main():
    components = read_table()
    reach = close(components)
    breaches, files, uses = [], 0, {}
    for path in sorted([*ROOT.glob("lib/**/*.[ch]*"), *ROOT.glob("include/**/*.h")]):
        if path.suffix not in (".h", ".cpp", ".c"):
            continue
        files += 1
        component = component_of(path, components)
        where = path.relative_to(ROOT)
        if component is None or component not in components:
            breaches.append(f"{where}: belongs to no component of docs/internals/layout.md")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            compiler_header = header.startswith(("mlir/", "llvm/", "mlir-c/", "llvm-c/"))
            if compiler_header and component[0].islower():
                breaches.append(f"{where}:{number}: a lowercase component includes {header}")
            file = included_file(header, path, component)
            if file and component_of(file, components) == component:
                user, used = unit_of(path, component), unit_of(file, component)
                if used != user:
                    uses.setdefault(user, set()).add(used)
            target = target_component(header, components)
            if target and target not in reach[component]:
                breaches.append(f"{where}:{number}: {component} may not use {target} ({header})")
    for circle in find_circles(uses):
        chain = " -> ".join(name for _, name in circle)
        breaches.append(f"{circle[0][0]}: files include one another in a circle: {chain}")
    print("\n".join(breaches))
    print(f"layering: {files} files, {len(breaches)} breaches")
    return 1 if breaches or files < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
