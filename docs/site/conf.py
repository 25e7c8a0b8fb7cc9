"""Configuration of Sphinx for the site; tools/docs/build_site.py makes the folder that
it reads from docs, and sets the environment variable XLAC_DOXYGEN_XML."""
import os
import re

from pygments.lexers.special import TextLexer

project = "xlac"
copyright = "the authors of xlac"
html_title = "xlac"
html_theme = "furo"
html_show_sphinx = False
html_show_copyright = False
extensions = ["myst_parser", "breathe"]
myst_heading_anchors = 4
breathe_projects = {"xlac": os.environ["XLAC_DOXYGEN_XML"]}
breathe_default_project = "xlac"
breathe_show_include = False
highlight_language = "text"
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)\.md\)")


def add_contents(app, docname, source):
    """Groups the pages in the sidebar as index.md groups its links."""
    if docname != "index":
        return
    contents = []
    for part in re.split(r"^## ", source[0], flags=re.M)[1:]:
        caption = part.partition("\n")[0]
        pages = LINK.findall(part)
        if caption == "Reference":
            pages.append("api/index")
        if pages:
            contents += ["```{toctree}", ":hidden:", ":titlesonly:", f":caption: {caption}", "",
                         *dict.fromkeys(pages), "```", ""]
    source[0] += "\n" + "\n".join(contents)


def setup(app):
    for language in ("diagram", "mlir", "tablegen"):
        app.add_lexer(language, TextLexer)
    app.connect("source-read", add_contents)
