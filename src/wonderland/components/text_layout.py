"""Layout of text in terminal cells: East Asian characters are two cells wide, and need no spaces."""

from __future__ import annotations

import re

from rich.cells import cell_len, chop_cells, set_cell_size

SOFT_HYPHEN = "\u00ad"
"""Marks where a word may be hyphenated, in messages for narrow places."""
_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60"
_OPENING, _CLOSING = "「『（【", "、。」』）】！？：；ーぁぃぅぇぉっゃゅょァィゥェォッャュョ…"  # noqa: RUF001 - Japanese
_PIECES = re.compile(rf" +|[{_OPENING}]*[{_WIDE}][{_CLOSING}]*|[^ {_WIDE}]+[{_CLOSING}]*")
"""Pieces of a text that stay on one line: words, or single wide characters with their punctuation."""


def wrap_text(text: str, width: int, indent: str = "") -> list[str]:
    """Wrap a text to lines of at most `width` cells; all but the first are indented.

    >>> wrap_text("one two three", 8, "  ")
    ['one two', '  three']
    >>> wrap_text("お茶会へようこそ。", 10)
    ['お茶会へよ', 'うこそ。']
    """
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(text):
        if line.strip() and cell_len(line + piece) > width:
            lines.append(line.rstrip())
            line = indent
        if piece.isspace() and line == indent and lines:
            continue
        while cell_len(line + piece) > width:
            first = chop_cells(piece, width - cell_len(line))[0]
            lines.append(line + first)
            line, piece = indent, piece[len(first) :]  # noqa: PLW2901 - the rest of a long word
        line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def fit_lines(name: str, width: int) -> list[str]:
    r"""Break a name at spaces and soft hyphens into lines of `width` cells, where that is possible.

    >>> fit_lines("Car\u00adpenter", 6), fit_lines("Car\u00adpenter", 9)
    (['Car-', 'penter'], ['Carpenter'])
    >>> fit_lines("三月ウサギ", 6)
    ['三月ウ', 'サギ']
    """
    pieces = [part for word in _PIECES.findall(name) for part in re.findall(r"[^\xad]+\xad?", word)]
    lines: list[str] = []
    line = ""
    for piece in pieces:
        longer = line + piece
        if line and cell_len(plain(longer).rstrip()) > width:
            lines.append(_end_line(line, width))
            longer = piece
        line = longer.lstrip()
    return [*lines, plain(line)]


def plain(name: str) -> str:
    """Return a text without its soft hyphens."""
    return name.replace(SOFT_HYPHEN, "")


def _end_line(line: str, width: int) -> str:
    """End a line within a word with a hyphen, if there is room for it."""
    shown = plain(line).rstrip()
    return f"{shown}-" if line.endswith(SOFT_HYPHEN) and cell_len(shown) < width else shown


def align_left(text: str, width: int) -> str:
    """Pad a text on the right; one that is too wide stays as it is."""
    return text + " " * (width - cell_len(text))


def align_right(text: str, width: int) -> str:
    """Pad a text on the left; one that is too wide stays as it is.

    >>> align_right("山札", 6)
    '  山札'
    """
    return " " * (width - cell_len(text)) + text


def centre(text: str, width: int, fill: str = " ") -> str:
    """Pad a text on both sides; one that is too wide stays as it is.

    >>> centre("new", 6, "-"), centre("新", 5, "-")
    ('-new--', '--新-')
    """
    spare = max(width - cell_len(text), 0)
    left = spare // 2 + (spare & width & 1)  # as `str.center` does
    return fill * left + text + fill * (spare - left)


def shorten_cells(text: str, width: int) -> str:
    """Truncate a text to `width` cells, with an ellipsis.

    >>> shorten_cells("Cheshire", 5), shorten_cells("Alice", 5)
    ('Ches…', 'Alice')
    """
    return text if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def fitting(texts: list[str], width: int) -> str:
    """Return the first text that fits into `width` cells, or none.

    >>> fitting(["Caterpillar", "Grub"], 6), fitting(["Caterpillar"], 6)
    ('Grub', '')
    """
    return next((text for text in texts if cell_len(text) <= width), "")
