"""Reads the fenced blocks and the links of Markdown pages.

An HTML comment directly before a block says how the block is tested:

    <!-- not run: REASON -->      the block is not run
    <!-- prelude: CODE -->        C++ that precedes a fragment
    <!-- link: NAME ... -->      objects that earlier commands of the page made
    <!-- files: NAME=PATH ... --> files of the repository that the page's commands name
"""
import dataclasses
import re

FENCE = re.compile(r"^( *)(`{3,})\s*([\w+-]*)\s*$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


@dataclasses.dataclass
class Block:
    line: int  # of its opening fence, from 1
    language: str
    text: str
    not_run: str = ""
    prelude: str = ""
    link: str = ""
    output: str | None = None  # of the `text` block that follows


@dataclasses.dataclass
class Page:
    blocks: list
    files: dict  # name in the scratch folder -> path in the repository
    links: list  # (line, target)
    faults: list  # (line, message)


def read_comment(lines, start):
    """The text of the HTML comment that opens at `start`, and the line after it."""
    end = start
    while end < len(lines) and "-->" not in lines[end]:
        end += 1
    whole = "\n".join(lines[start:end + 1])
    return whole.partition("<!--")[2].partition("-->")[0].strip(), end + 1


def read_block(lines, start, match):
    """The block whose fence is at `start`, and the line after it."""
    indent, fence, language = match.groups()
    end = start + 1
    while end < len(lines) and lines[end].strip() != fence:
        end += 1
    text = "".join(line.removeprefix(indent) + "\n" for line in lines[start + 1:end])
    return Block(start + 1, language, text), end + 1


def is_indented_block(lines, number):
    """Whether an indented code block starts here: four spaces after a blank line and
    after a paragraph that is no list item."""
    if not re.match(r" {4}\S", lines[number]) or (number and lines[number - 1].strip()):
        return False
    before = next((line for line in reversed(lines[:number]) if line.strip()), "")
    return not re.match(r"\s|[-*]\s|\d+\.\s", before)


def parse(text):
    page, lines = Page([], {}, [], []), text.splitlines()
    notes, number, last = {}, 0, None
    while number < len(lines):
        line = lines[number]
        match = FENCE.match(line)
        if line.strip().startswith("<!--"):
            note, number = read_comment(lines, number)
            for key in ("not run", "prelude", "link", "files"):
                if note.startswith(key + ":"):
                    notes[key] = note.removeprefix(key + ":").strip()
            continue
        if match:
            block, number = read_block(lines, number, match)
            block.not_run, block.prelude = notes.pop("not run", ""), notes.pop("prelude", "")
            block.link = notes.pop("link", "")
            if block.language == "text" and last:
                last.output = block.text
            last = block if block.language != "text" else None
            page.blocks.append(block)
            continue
        if is_indented_block(lines, number):
            page.faults.append((number + 1, "an indented block: use a fence with a language"))
        code_free = re.sub(r"`[^`]*`", "", line)
        page.links += [(number + 1, one or two) for one, two in LINK.findall(code_free)]
        number += 1
    for pair in notes.get("files", "").split():
        name, _, path = pair.partition("=")
        page.files[name] = path
    return page


def outputs_match(expected, actual):
    """Compares line by line. In `expected` a line `…` stands for any lines and `…`
    within a line for any text."""
    pattern = []
    for line in expected.rstrip().splitlines():
        line = line.rstrip()
        if line.strip() == "…":
            pattern.append(r"(?:.*\n)*?")
        else:
            pattern.append(".*?".join(map(re.escape, line.split("…"))) + r" *\n")
    return re.fullmatch("".join(pattern), actual.rstrip() + "\n") is not None
