"""Lines of text on a terminal where things happen while somebody types."""

from __future__ import annotations


class Screen:
    """Lines of text and a prompt, which news may interrupt."""

    def __init__(self) -> None:
        self._prompted = False

    def show(self, text: str) -> None:
        """Print lines; whatever a server sends, no character of it moves the cursor."""
        if self._prompted:
            print()  # noqa: T201 - the screen
        self._prompted = False
        clean = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
        print(clean, flush=True)  # noqa: T201 - the screen

    def prompt(self, text: str) -> None:
        """Ask for a line, unless that was the last thing shown."""
        if not self._prompted:
            print(text, end="", flush=True)  # noqa: T201 - the screen
        self._prompted = True

    def entered(self) -> None:
        """The line was ended by who typed it."""
        self._prompted = False
