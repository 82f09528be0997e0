"""Regenerates the table of look-alike characters from ICU: `python scripts/confusables.py`.

`wonderland/tables/confusables.txt` holds the prototypes of Unicode Technical Standard 39, which define
when two names look alike. ICU has them compiled in (on Debian, the package libicu72 or newer). Run this
again to follow a new version of Unicode.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

TABLE = Path(__file__).parent.parent / "src" / "wonderland" / "tables" / "confusables.txt"
_LONGEST = 400
"""Bytes of the longest skeleton of one character, with room to spare."""


def icu_skeletons() -> tuple[Callable[[str], str], str]:
    """Return ICU's function for the skeleton of a text, and the version of ICU."""
    path = ctypes.util.find_library("icui18n")
    if path is None or (version := re.search(r"\.so\.(\d+)", path)) is None:
        sys.exit("ICU isn't installed: install libicu, then run this again.")
    library, number = ctypes.CDLL(path), version[1]
    error = ctypes.c_int(0)
    opened = getattr(library, f"uspoof_open_{number}")
    opened.restype = ctypes.c_void_p
    checker = ctypes.c_void_p(opened(ctypes.byref(error)))
    compute = getattr(library, f"uspoof_getSkeletonUTF8_{number}")
    buffer = ctypes.create_string_buffer(_LONGEST)

    def skeleton(text: str) -> str:
        body, status = text.encode(), ctypes.c_int(0)
        length = compute(
            checker, 0, body, ctypes.c_int32(len(body)), buffer, _LONGEST, ctypes.byref(status)
        )
        if status.value > 0:
            sys.exit(f"ICU failed with error {status.value} for {text!r}.")
        return buffer.raw[:length].decode()

    return skeleton, number


def table() -> str:
    """Return the table: a line for each prototype, with the characters that look like it."""
    skeleton, version = icu_skeletons()
    found: dict[str, list[str]] = {}
    for code in range(0x110000):
        character = chr(code)
        if 0xD800 <= code < 0xE000 or unicodedata.normalize("NFD", character) != character:
            continue  # surrogates, and what decomposes before it is looked up
        if (prototype := skeleton(character)) != character:
            found.setdefault(prototype, []).append(character)
    lines = [f"{_codes(look)}\t{_codes(''.join(same))}" for look, same in sorted(found.items())]
    head = f"# Look-alike characters by prototype (UTS 39), from ICU {version}: scripts/confusables.py"
    return "\n".join([head, *lines, ""])


def _codes(text: str) -> str:
    return " ".join(f"{ord(character):X}" for character in text)


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="ascii")
