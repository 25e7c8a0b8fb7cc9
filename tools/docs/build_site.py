#!/usr/bin/env python3
"""Builds the documentation as web pages: docs, pages of the repository's root, and the
reference of the public headers.

    build_site.py [--out DIR]

Needs Doxygen, Sphinx, MyST, Breathe and the theme Furo. A warning of any of them fails,
and so does a link within the site that leads nowhere, and a public declaration without
a description.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import check_site
import reference_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# Pages outside of docs that are part of the site, by their names there.
ROOT_PAGES = {"CHANGELOG.md": "releases.md", "CONTRIBUTING.md": "contributing.md",
              "SECURITY.md": "security.md"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^ *```")


def place_of(path):
    """The path of a file of the repository within the site's sources, or None."""
    if path.parent == ROOT and path.name in ROOT_PAGES:
        return pathlib.Path(ROOT_PAGES[path.name])
    if path.is_file() and DOCS in path.parents:
        return path.relative_to(DOCS)
    return None


def rewrite_link(match, page, place):
    """Leads to the place in the site; a link to a file that it lacks becomes its text."""
    mark, text, target, anchor = match.groups()
    linked = pathlib.Path(os.path.normpath(page.parent / target))
    if not linked.exists():
        raise SystemExit(f"{page}: links to {target}, which does not exist")
    found = place_of(linked)
    if not found:
        return text
    relative = os.path.relpath(found, place.parent)
    return f"{mark}[{text}]({relative}{anchor or ''})"


def rewritten(page, place):
    """The text of a page in the site. A page that mlir-tblgen wrote gets a title."""
    text = page.read_text()
    lines, fenced = [], False
    untitled = not re.search(r"^# ", text, re.M)
    for line in text.splitlines():
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            line = LINK.sub(lambda match: rewrite_link(match, page, place), line)
            if untitled:
                line = re.sub(r"^##(#+ )", r"#\1", line)
        lines.append(line)
    if untitled:
        lines.insert(0, f"# {place.stem.capitalize()}\n")
    return "\n".join(lines) + "\n"


def stage(source):
    """Copies the sources of the site to the folder `source`."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("site", "CMakeLists.txt", "*.cmake"))
    shutil.copy(DOCS / "site/conf.py", source)
    pages = [*DOCS.glob("**/*.md"), *(ROOT / name for name in ROOT_PAGES)]
    for page in pages:
        place = place_of(page)
        (source / place).write_text(rewritten(page, place))


def run(command, what, **environment):
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"{what} failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/site")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    options = parser.parse_args()
    out = options.out.resolve()
    work = out.with_name(out.name + "-work")
    work.mkdir(parents=True, exist_ok=True)
    stage(work / "source")
    declared = reference_pages.write(ROOT, work)
    undocumented = [f"include/{file}:{line}: {name} has no description"
                    for (file, line), (name, described) in sorted(declared.items()) if not described]
    shutil.rmtree(out, ignore_errors=True)
    run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-j", options.jobs,
         "-d", work / "doctrees", work / "source", out], "sphinx-build", XLAC_DOXYGEN_XML=str(work / "xml"))
    pages, links, faults = check_site.check(out)
    for fault in [*undocumented, *faults]:
        print(fault)
    print(f"{out}: {pages} pages, {links} internal links, {len(faults)} broken; {len(declared)} "
          f"public declarations, {len(undocumented)} without a description")
    return 1 if faults or undocumented else 0


if __name__ == "__main__":
    sys.exit(main())
