#!/usr/bin/env python3
"""Builds the site of the documentation, and checks that the check of its links finds
faults.

    site_test.py OUT
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
import check_site  # noqa: E402

PAGES = {
    "index.html": '<a href="other.html#here">1</a> <a href="#absent">2</a> '
                  '<a href="absent.html">3</a> <a href="https://example.org/absent">4</a>',
    "other.html": '<p id="here"></p><a href="index.html">5</a> <a href="index.html#here">6</a>',
}
FAULTS = ["index.html: no anchor for #absent", "index.html: no file for absent.html",
          "other.html: no anchor for index.html#here"]


def main():
    with tempfile.TemporaryDirectory(prefix="xlac-site-") as name:
        for page, text in PAGES.items():
            (pathlib.Path(name) / page).write_text(text)
        pages, links, faults = check_site.check(name)
    if (pages, links, sorted(faults)) != (2, 5, FAULTS):
        sys.exit(f"check_site finds {pages} pages, {links} links, {faults}")
    return subprocess.run([sys.executable, ROOT / "tools/docs/build_site.py", "--jobs", "2",
                           "--out", sys.argv[1]]).returncode


if __name__ == "__main__":
    sys.exit(main())
