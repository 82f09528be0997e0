"""Game options of Letters: colours (L3), claiming (L9), the Duchess (L14) and memory."""

from __future__ import annotations

from typing import Literal

from wonderland.engine.errors import NotationError, UsageError, quote
from wonderland.engine.options import Option, choice, flag
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import Colour

_FIRST_COLOURS = "first"
_COLOURS = {colour.word: colour for colour in Colour}


class Options(Value, frozen=True):
    """The options of a game; the defaults are the published rules."""

    duchess: bool = False
    claim: Literal["after", "first"] = "after"
    memory: Literal["closed", "open"] = "closed"
    colours: tuple[Colour, ...] = ()
    """One per seat; if empty, the first ones in the order of `Colour`."""

    def seated(self, seats: int) -> Options:
        """Return the same options with a colour for each seat (L3); raise `UsageError` on a mismatch."""
        colours = self.colours or tuple(Colour)[:seats]
        if len(colours) != seats or len(set(colours)) != seats:
            raise UsageError(
                f"colours={_write_colours(colours)} does not give each of {seats} players "
                "a colour of their own (L3)."
            )
        return Options(self.duchess, self.claim, self.memory, colours)


def _write_colours(colours: tuple[Colour, ...]) -> str:
    return ",".join(colour.word for colour in colours) or _FIRST_COLOURS


def _read_colours(text: str) -> tuple[Colour, ...]:
    if text == _FIRST_COLOURS:
        return ()
    words = text.split(",")
    for word in words:
        if word not in _COLOURS:
            known = ", ".join(_COLOURS)
            raise NotationError(f"colours={text} is not known: {quote(word)} is not one of {known}.")
        if words.count(word) > 1:
            raise NotationError(f"colours={text} has {word} twice: each seat has its own colour (L3).")
    return tuple(_COLOURS[word] for word in words)


OPTIONS = (
    flag("duchess", "the Duchess turns down the exposed letters of all colours (L14)"),
    choice(
        "claim",
        ("after", "first"),
        "exposed letters are played after turning a card, or before it as well (L9)",
    ),
    choice(
        "memory",
        ("closed", "open"),
        "letters that were turned down again look like any other, or are marked",
    ),
    Option(
        "colours",
        "the colour of each seat, in seat order (L3)",
        f"{_FIRST_COLOURS}, or as many of {', '.join(_COLOURS)} as there are seats, with commas",
        _read_colours,
        _write_colours,
        (_FIRST_COLOURS, "green,red", "yellow,blue,green", "blue,green,red,yellow"),
    ),
)
