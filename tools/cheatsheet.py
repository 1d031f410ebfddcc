# SPDX-License-Identifier: GPL-2.0-only
"""Draws docs/cheatsheet.md as one page of A4: its tables and lines, without sentences that are links. tools/docs writes it as
docs/cheatsheet.svg."""
import re
from html import escape

WIDTH, HEIGHT = 794, 1123  # pixels, at 96 in an inch
MARGIN, SIZE, STEP = 30, 9.6, 16.4
ADVANCE = SIZE * 0.602  # of each character: all have the same width
CHARS = int((WIDTH - 2 * MARGIN) / ADVANCE)
KEYS = 56  # characters of the first cell of a table


def words_of(text):
    """Each word: (text, is_code, has a blank before it)."""
    blank = False
    for i, part in enumerate(text.replace("\\|", "|").replace("**", "").split("`")):
        if i % 2:
            yield part, True, blank
            blank = False
            continue
        for word in re.findall(r"\s+|\S+", part):
            if not word.isspace():
                yield word, False, blank
            blank = word.isspace()


def wrapped(text, room):
    """Lines of at most `room` characters, each a list of (where it begins, word, is_code)."""
    lines, at, after_code = [[]], 0, False
    for word, is_code, blank in words_of(text):
        gap = blank + (blank and is_code and after_code)
        if at and blank and at + gap + len(word) > room:
            lines.append([])
            at = 0
        at += gap if at else 0
        lines[-1].append((at, word, is_code))
        at += len(word)
        after_code = is_code
    return lines


def cells_of(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def row_lines(row):
    """The lines of a table's row: (words of the first cell, words of the second)."""
    key, text = cells_of(row)
    left, right = wrapped(key, KEYS), wrapped(text, CHARS - KEYS - 1)
    count = max(len(left), len(right))
    return [((left + [[]] * count)[i], (right + [[]] * count)[i]) for i in range(count)]


def blocks_of(text):
    """The parts of the page: ("text" | "table" | "code", lines)."""
    for part in re.split(r"\n\n+", text.strip()):
        lines = part.split("\n")
        if lines[0].startswith("```"):
            yield "code", lines[1:-1]
        elif lines[0].startswith("|"):
            yield "table", [cells_of(lines[0])[0].capitalize()] + [line for row in lines[2:] for line in row_lines(row)]
        elif not lines[0].startswith("# "):
            yield "text", wrapped(re.sub(r" \[[^]]*\]\([^)]*\)[^.]*\.", "", " ".join(lines)), CHARS)


def line_words(kind, line):
    """The words of a line: (where it begins, word, is_code)."""
    if kind == "code":
        command, _, remark = line.partition("# ")
        return [(0, command.rstrip(), True), (CHARS - len(remark), remark, False)]
    if kind == "text":
        return line
    if isinstance(line, str):  # the title
        return [(0, line, None)]
    return line[0] + [(KEYS + 1 + at, word, is_code) for at, word, is_code in line[1]]


def drawn(text):
    """The page as SVG."""
    y, parts = MARGIN + 34, []
    for kind, lines in blocks_of(text):
        for line in lines:
            for at, word, is_code in line_words(kind, line):
                style = {True: ' class="c"', None: ' class="h"', False: ""}[is_code]
                parts.append(f'<text x="{MARGIN + at * ADVANCE:.1f}" y="{y:.1f}"{style}>{escape(word, quote=False)}</text>')
            y += STEP
        y += STEP * 0.7
    assert y < HEIGHT, "the cheat sheet is longer than a page"
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
            f'<style>text {{ font: {SIZE}px monospace; fill: #333; white-space: pre }} .c {{ fill: #004a8f; font-weight: bold }} '
            f'.h {{ font-weight: bold; fill: #000 }} .t {{ font: bold 18px sans-serif; fill: #000 }}</style>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n'
            f'<text class="t" x="{MARGIN}" y="{MARGIN + 12}">coretap: cheat sheet</text>\n')
    return head + "\n".join(parts) + "\n</svg>\n"
