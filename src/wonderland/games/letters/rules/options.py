"""Game options of Letters: colours (L3), claiming (L9), the Duchess (L14) and memory."""

from __future__ import annotations

from typing import Literal

from wonderland.engine.errors import NotationError, UsageError, quote
from wonderland.engine.language import phrase
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
                phrase("colours={colours} doesn't give each of the {seats} players their own colour."),
                rule="L3",
                colours=_write_colours(colours),
                seats=seats,
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
            raise NotationError(
                "{word} isn't a colour: the colours are {known}.",
                word=quote(word),
                known=tuple(_COLOURS),
            )
        if words.count(word) > 1:
            raise NotationError(
                "colours={colours} has {colour} twice: each player needs their own colour.",
                rule="L3",
                colours=text,
                colour=word,
            )
    return tuple(_COLOURS[word] for word in words)


OPTIONS = (
    flag("duchess", "The Duchess turns everyone's face-up letters face down"),
    choice(
        "claim",
        {
            "after": phrase("after turning a card"),
            "first": phrase("before and after turning a card"),
        },
        "When face-up letters are played",
    ),
    choice(
        "memory",
        {"closed": phrase("not marked"), "open": phrase("marked")},
        "Letters turned face down again",
    ),
    Option(
        "colours",
        "Each seat's colour, in seat order",
        f"{_FIRST_COLOURS}, or a colour for each seat ({', '.join(_COLOURS)}), separated by commas",
        _read_colours,
        _write_colours,
        (_FIRST_COLOURS, "green,red", "yellow,blue,green", "blue,green,red,yellow"),
        {_FIRST_COLOURS: phrase("in order"), "green,red": phrase("green, red")},
    ),
)
