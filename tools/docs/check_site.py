"""Checks the links within a folder of HTML pages."""
import html.parser
import pathlib
import urllib.parse


class Page(html.parser.HTMLParser):
    """The ids and the link targets of one page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.ids, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        self.targets += [values[key] for key in ("href", "src") if values.get(key)]


def check(folder):
    """(number of pages, number of internal links, faults)"""
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path.read_text()) for path in folder.glob("**/*.html")}
    links, faults = 0, []
    for path, page in pages.items():
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            linked = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not linked.is_file():
                faults.append(f"{path.relative_to(folder)}: no file for {target}")
            elif anchor and linked in pages and anchor not in pages[linked].ids:
                faults.append(f"{path.relative_to(folder)}: no anchor for {target}")
    return len(pages), links, faults
