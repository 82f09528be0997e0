"""Writes `docs/codes.md`, the list of all codes of refusals: part of `make golden`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from wonderland.wire.codes import Code
from wonderland.wire.problems import STATUS

PAGE = Path(__file__).parent.parent / "docs" / "codes.md"
_HEAD = """\
# Codes

When a server refuses a request, nothing has changed, and the response says why: with a `code`, a short
and stable name for programs, and with a sentence for people, in the language of the request. Switch on
the code; the sentence may change at any time.

- Over **HTTP**, the response is a problem document
  ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457), media type `application/problem+json`) with
  `type`, `title`, `status`, `detail` (the sentence), `code` and `problem` (the kind below). A running
  server explains every code at `/api/docs`.
- Over a **WebSocket**, it is the message `refused`, with `code`, `problem` and `says` (the sentence).

If a rule of the game was broken, both also have `rule`, its path in the rulebook. This page is generated
from `src/wonderland/wire/codes.py` by `make golden`.
"""


def render_page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_tables()])


def _tables() -> Iterator[str]:
    for kind, codes in groupby(Code, key=lambda code: code.kind):
        yield f"## {kind.capitalize()} ({STATUS[kind]})\n"
        yield "| code | meaning |\n|---|---|"
        yield from (f"| `{code}` | {code.meaning} |" for code in codes)
        yield ""


def main() -> None:
    """Write the page again."""
    PAGE.write_text(render_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
