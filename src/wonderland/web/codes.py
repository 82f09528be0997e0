"""QR codes: a link that the camera of a phone can read."""

from __future__ import annotations

import io

import segno

_QUIET = 4
"""Modules of white around a code, which readers need."""


def code_of(text: str) -> bytes:
    """The code of a text as an SVG, black on white wherever it is shown.

    >>> code_of("https://example.org/tables/abc#secret")[:34]
    b'<svg xmlns="http://www.w3.org/2000'
    """
    drawn = io.BytesIO()
    found = segno.make(text, micro=False, error="m")
    found.save(
        drawn,
        kind="svg",
        border=_QUIET,
        dark="#000",
        light="#fff",
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        omitsize=True,
    )
    return drawn.getvalue()
