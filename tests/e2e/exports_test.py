#!/usr/bin/env python3
"""Every function that the public headers declare is there to link with.

    exports_test.py CLANG LIBRARY INCLUDE…

Clang lists what `#include <xlac/xlac.h>` declares in namespace xlac; what has no
body must be among the names that LIBRARY exports.
"""
import json
import re
import subprocess
import sys

FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl",
             "CXXConversionDecl"}
# What templates declare for all types is defined for those that they are used with.
TEMPLATES = {"FunctionTemplateDecl", "ClassTemplateDecl",
             "ClassTemplatePartialSpecializationDecl"}


def documents(text):
    """The JSON documents of a dump, one after the other."""
    decoder, start = json.JSONDecoder(), 0
    while (start := text.find("{", start)) >= 0:
        document, start = decoder.raw_decode(text, start)
        yield document


def declared(clang, includes):
    """Mangled name -> name, and those of them that have a body."""
    dump = subprocess.run(
        [clang, "-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in includes),
         "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter", "-Xclang", "xlac",
         "-x", "c++", "-"],
        input="#include <xlac/xlac.h>\n", capture_output=True, text=True, check=True).stdout
    names, bodies = {}, set()

    def visit(node, scope):
        kind = node.get("kind")
        if kind in TEMPLATES or node.get("isImplicit"):
            return
        inner = node.get("inner", [])
        if kind in FUNCTIONS:
            mangled = node.get("mangledName")
            if (not mangled or node.get("pure") or node.get("explicitlyDeleted")
                    or node.get("explicitlyDefaulted")):
                return
            names[mangled] = "::".join([*scope, node["name"]])
            if any(child.get("kind") in ("CompoundStmt", "CXXTryStmt") for child in inner):
                bodies.add(mangled)
            return
        if kind in ("NamespaceDecl", "CXXRecordDecl", "LinkageSpecDecl",
                    "ClassTemplateSpecializationDecl"):
            for child in inner:
                visit(child, [*scope, node.get("name", "")])

    for document in documents(dump):
        visit(document, [])
    return names, bodies


def base_constructor(mangled):
    """An abstract class has this one alone."""
    return re.sub(r"C1E", "C2E", mangled)


def main():
    clang, library, *includes = sys.argv[1:]
    names, bodies = declared(clang, includes)
    listed = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=posix", library],
                            capture_output=True, text=True, check=True).stdout
    exported = {line.split()[0] for line in listed.splitlines()}
    missing = sorted(name for mangled, name in names.items()
                     if mangled not in bodies and mangled not in exported
                     and base_constructor(mangled) not in exported)
    for name in missing:
        print(f"{name} is declared, not defined")
    print(f"{len(names)} functions declared, {len(missing)} missing")
    sys.exit(bool(missing) or len(names) < 1000)


if __name__ == "__main__":
    main()
