"""Writes the pages of the reference of the public headers, from Doxygen's XML."""
import functools
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

# The public headers by topic; a folder stands for the headers in it. `xlac.h` includes
# those of C++, except those that only declare their parts.
GROUPS = {
    "Tensors and operations": (
        "tensor.h", "types.h", "ops.h", "nn_functional.h", "tensor_accessor.h", "control_flow.h"),
    "Automatic differentiation": ("autograd.h", "checkpoint.h"),
    "Modules": ("nn",),
    "Optimizers": ("optim",),
    "Data": ("data",),
    "Devices, laziness and execution": (
        "xla_model.h", "runtime.h", "lazy.h", "metrics.h", "debug.h", "error.h", "log.h"),
    "Sharding": ("spmd.h",),
    "Distributed programs": ("distributed",),
    "Files and trees": ("serialization.h", "tree.h", "utils.h"),
    "StableHLO programs and custom calls": ("stablehlo.h", "custom_call.h"),
    "C": ("c_api.h", "rt.h"),
}


# Members that all modules have. The comment of a module says what its forward computes.
OF_MODULES = {
    "Options": "The options that the constructor takes.",
    "options": "The options that the module was constructed with.",
    "required": "The number of leading options that have no default.",
    "forward": "Computes the module's function. Call the handle, which also runs hooks.",
}
# Members by which containers and iterators of C++ are used.
OF_CONTAINERS = re.compile(r"begin|end|iterator|value_type|difference_type|"
                           r"operator(\*|->|\+\+|==|!=|<=?|>=?)")


def headers_of(include, names):
    for name in names:
        path = include / name
        yield from sorted(path.glob("*.h")) if path.is_dir() else [path]


def purpose(header):
    """The comment that begins a header, as text."""
    text = header.read_text()
    block = re.match(r"/\*(.*?)\*/", text, re.S)
    lines = block.group(1).splitlines() if block else re.match(r"(?://.*\n)*", text).group().splitlines()
    return " ".join(line.strip(" /*") for line in lines)


def escaped(text):
    """As reStructuredText that has no markup, but with code in backquotes."""
    text = re.sub(r"([*_|\\])", r"\\\1", text)
    return re.sub(r"`([^`]*)`", lambda match: f"``{match.group(1)}``".replace("\\", ""), text)


def run_doxygen(root, work):
    """Ends the program at a warning of Doxygen."""
    inputs = [str(root / "include/xlac" / name) for names in GROUPS.values() for name in names]
    text = (root / "docs/site/Doxyfile").read_text()
    text += f"INPUT = {' '.join(inputs)}\nOUTPUT_DIRECTORY = {work}\n"
    done = subprocess.run(["doxygen", "-"], input=text, cwd=root, text=True, capture_output=True)
    # The tables of functions are in docs/generated/functions.md.
    warnings = [line for line in done.stderr.splitlines() if "xlac/generated/" not in line]
    if done.returncode or warnings:
        sys.exit("doxygen:\n" + "\n".join(warnings))


def unwanted(element):
    """Whether the pages leave an element out: it would repeat what they show elsewhere,
    or is not for programs."""
    if element.tag == "innernamespace":
        return True  # its members are members of the file as well
    if element.tag == "innerclass":
        return element.get("prot") == "private" or "<" in element.text  # specializations
    if element.tag == "sectiondef":
        return element.get("kind").startswith("private") or element.find("memberdef") is None
    if element.tag != "memberdef":
        return False
    definition = element.findtext("definition", "")
    repeated = re.fullmatch(r"typedef (?:struct|enum) (\w+) (\w+)", definition)
    return (element.get("kind") in ("define", "friend")
            or "=delete" in element.findtext("argsstring", "")
            or repeated is not None and repeated.group(1) == repeated.group(2))


def describe(element, text):
    """Gives an element without a description this one."""
    if not described(element):
        tree.SubElement(element.find("briefdescription"), "para").text = text


def describe_modules(compound):
    """Adds what the members of each module and its handle are for."""
    name = compound.findtext("compoundname")
    bases = [base.text or "" for base in compound.iter("basecompoundref")]
    if any("ModuleHolder<" in base for base in bases):
        describe(compound, f"Handle on a module {name.rpartition('::')[2]}Impl.")
    if not re.search(r"::nn::\w+(Impl|Options)$", name):
        return
    for member in compound.iter("memberdef"):
        short = member.findtext("name")
        if short in OF_MODULES:
            describe(member, OF_MODULES[short])
        elif short == name.rpartition("::")[2]:
            describe(member, "Constructs the module; the handle has the same constructors.")


def simplify(path):
    """Removes unwanted elements from one file of Doxygen's XML."""
    document = tree.parse(path)
    for compound in document.getroot().iter("compounddef"):
        seen = set()
        for parent in [*compound.iter("sectiondef"), compound]:
            for child in [child for child in parent if unwanted(child)]:
                parent.remove(child)
        describe_modules(compound)
        # Overloads that differ only in constraints have one id.
        for member in compound.iter("memberdef"):
            # Doxygen takes this name for a keyword.
            if member.findtext("name") == "bool":
                member.find("name").text, member.find("type").text = "local", "bool"
            while member.get("id") in seen:
                member.set("id", member.get("id") + "b")
            seen.add(member.get("id"))
    document.write(path, encoding="utf-8", xml_declaration=True)


def namespaces_of(xml):
    """The namespaces in which each header declares something."""
    found = {}
    for path in xml.glob("*_8h.xml"):
        compound = tree.parse(path).getroot().find("compounddef")
        inside = {inner.text.rpartition("::")[0] for inner in compound.iter("innerclass")}
        inside |= {member.findtext("qualifiedname", "").rpartition("::")[0]
                   for member in compound.iter("memberdef")}
        spaces = {inner.text for inner in compound.iter("innernamespace")}
        found[compound.find("location").get("file").rpartition("include/")[2]] = sorted(inside & spaces)
    return found


def write_members(xml):
    """Copies the members of namespaces to the files that declare them, where Breathe shows
    them without the namespace, with qualified names."""
    files = {}
    for path in xml.glob("*_8h.xml"):
        document = tree.parse(path)
        files[document.getroot().find("compounddef/location").get("file")] = path, document
    for path in xml.glob("namespace*.xml"):
        for section in tree.parse(path).getroot().iter("sectiondef"):
            for member in section.iter("memberdef"):
                file = member.find("location").get("file")
                if "detail" in path.name or file not in files:
                    continue
                member.find("name").text = member.findtext("qualifiedname")
                compound = files[file][1].getroot().find("compounddef")
                kind = section.get("kind")
                place = compound.find(f"sectiondef[@kind='{kind}']")
                if place is None:
                    place = tree.Element("sectiondef", {"kind": kind})
                    # Behind the classes, as the schema wants it.
                    compound.insert(list(compound).index(compound.find("briefdescription")), place)
                place.append(member)
    for path, document in files.values():
        document.write(path, encoding="utf-8", xml_declaration=True)


def described(element):
    return any("".join(part.itertext()).strip() for part in
               (element.find("briefdescription"), element.find("detaileddescription"))
               if part is not None)


def needs_description(member):
    """Whether the name of a member does not tell what it does: what C++ defines, such as
    destructors, needs no description, and overriders inherit one."""
    name, arguments = member.findtext("name"), member.findtext("argsstring", "")
    return not (member.get("prot") == "private" or name.startswith(("~", "operator="))
                or OF_CONTAINERS.fullmatch(name) or re.search(r"=\s*default|\boverride\b", arguments))


@functools.cache
def lines_of(include, file):
    return (include / file).read_text().splitlines()


def first_line(lines, line):
    """The line, from 1, at which a list of declarators begins that continues at `line`."""
    while line > 1 and lines[line - 2].endswith(","):
        line -= 1
    return line


def declarations(xml, include):
    """The public declarations on the pages: {(file, line): (name, has a description)}. A
    statement counts once, also if a macro expands to several declarations."""
    found = {}
    for path in sorted(xml.glob("*.xml")):
        for compound in tree.parse(path).getroot().iter("compounddef"):
            kind, name = compound.get("kind"), compound.findtext("compoundname")
            if kind not in ("class", "struct", "file") or "<" in name or "detail::" in name \
                    or compound.get("prot") == "private":
                continue
            elements = [] if kind == "file" else [(compound, name)]
            elements += [(member, member.findtext("qualifiedname") or member.findtext("name"))
                         for member in compound.iter("memberdef") if needs_description(member)]
            for element, name in elements:
                place = element.find("location")
                key = place.get("file"), first_line(lines_of(include, place.get("file")),
                                                    int(place.get("line")))
                first, has = found.get(key, (name, False))
                found[key] = first, has or described(element)
    return found


def write_group(source, include, title, names, namespaces):
    page = re.sub(r"\W+", "_", title.lower())
    lines = [title, "=" * len(title), ""]
    for header in headers_of(include, names):
        name = f"xlac/{header.relative_to(include)}"
        lines += [name, "-" * len(name), "", escaped(purpose(header)), ""]
        if namespaces.get(name):
            inside = ", ".join(f"``{one}``" for one in namespaces[name])
            lines += [f"Namespace {inside}.", ""]
        lines += [f".. doxygenfile:: {name}", "   :project: xlac", ""]
    (source / f"api/{page}.rst").write_text("\n".join(lines))
    return page


def write(root, work):
    """Writes the pages; returns their declarations."""
    run_doxygen(root, work)
    write_members(work / "xml")
    namespaces = namespaces_of(work / "xml")
    for path in (work / "xml").glob("*.xml"):
        if path.name != "index.xml":
            simplify(path)
    source = work / "source"
    (source / "api").mkdir()
    pages = [write_group(source, root / "include/xlac", title, names, namespaces)
             for title, names in GROUPS.items()]
    lines = ["Reference of the headers", "========================", "",
             "These pages list the public headers. A program in C++ includes ``xlac/xlac.h``, or "
             "only the headers that it uses. The functions on tensors have a page of their own: "
             ":doc:`../generated/functions`.", "",
             ".. toctree::", "   :titlesonly:", "", *(f"   {page}" for page in pages), ""]
    (source / "api/index.rst").write_text("\n".join(lines))
    return declarations(work / "xml", root / "include")
