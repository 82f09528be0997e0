"""Counting what a player has to do: clicks and taps, over all pages of a browser tab."""

from __future__ import annotations

from typing import Any

_COUNT = """window.countClick ??= ({ isTrusted }) => {
  if (isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
};
addEventListener("click", countClick, true);"""
"""May run several times on a page: the same listener is added once."""


def count_clicks(page: Any) -> None:
    """Start counting the clicks on a page and on those that it leads to."""
    page.add_init_script(_COUNT)
    page.evaluate(f"sessionStorage.clicks = 0; {_COUNT}")


def clicks_on(page: Any) -> int:
    """Return the number of clicks since `count_clicks`."""
    return int(page.evaluate("Number(sessionStorage.clicks ?? 0)"))
