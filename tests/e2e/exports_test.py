#!/usr/bin/env python3
"""The library exports the functions that the public headers declare, and no others.

    exports_test.py CLANG LIBRARY INCLUDE…

Clang lists what the public headers declare in namespace xlac. What has no body
must be among the names that LIBRARY exports. Every exported name must be one of
the declared ones, an instance of a template, or type information. The list holds
at most LIMIT names.
"""
import json
import re
import subprocess
import sys

LIMIT = 2800
HEADERS = "#include <xlac/xlac.h>\n#include <xlac/custom_call.h>\n#include <xlac/c_api.h>\n"
# Tables and type information of exported classes, and thunks.
OF_CLASSES = re.compile(r"_Z(TI|TS|TV|TT|TC|GV|Th|Tv)")
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl",
             "CXXConversionDecl"}
# Templates declare functions for all types, which are defined for the types in use.
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
        input=HEADERS, capture_output=True, text=True, check=True).stdout
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


def without_variant(mangled):
    """Constructors and destructors have several names."""
    return re.sub(r"[CD][0-9]E", "_E", mangled)


def unexpected(exported, names):
    """The demangled names that no header declares, templates aside."""
    declared_names = {without_variant(name) for name in names}
    extra = [name for name in exported if without_variant(name) not in declared_names
             and not OF_CLASSES.match(name)]
    shown = subprocess.run(["c++filt"], input="\n".join(extra), capture_output=True,
                           text=True, check=True).stdout.splitlines()
    # Instances of the templates of xlac show their arguments before their parameters.
    return sorted(name for name in shown
                  if not re.search(r"\bxlac::[\w:~]+<.*>\(", name))


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
    extra = unexpected(exported, names)
    for name in extra:
        print(f"{name} is exported, not declared")
    print(f"{len(names)} functions declared, {len(missing)} missing; {len(exported)} names "
          f"exported, {len(extra)} of them not declared")
    sys.exit(bool(missing or extra) or len(names) < 1000 or len(exported) > LIMIT)


if __name__ == "__main__":
    main()
