"""What can be set in a position by hand: choices, and places in which pieces lie.

A game's component `ui.editor` turns the line of a position into a form and back. Whether there is such a
position, `read_position` knows: a form may be filled in halfway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, cast

from wonderland.engine.errors import NotationError, UsageError, quote
from wonderland.engine.language import Language, phrase
from wonderland.engine.position import read_line
from wonderland.engine.registry import component
from wonderland.engine.values import Value

Facts: TypeAlias = Mapping[str, str]
"""What is set, by name: the word of a choice, or the words of the pieces in a place, joined by dots."""
AT = "at"
"""The fact that says which place is being filled."""


class Choice(Value, frozen=True):
    """One of a few words."""

    key: str
    label: str
    options: tuple[tuple[str, str], ...]
    """Each word, with what people read."""
    value: str
    is_rare: bool = False
    """Whether it is mostly left as it is."""


class Piece(Value, frozen=True):
    """A card or a cookie, which can be laid into places."""

    words: tuple[str, ...]
    """What it is in a line: a word for each way in which it may lie, which it is touched through."""
    names: tuple[str, ...]
    """What people call it, in each of these ways."""
    look: Mapping[str, Any]
    """What the game's template `generic_piece.html` draws it from."""
    copies: int = 1

    def name(self, word: str) -> str:
        """What it is called as it lies there."""
        return self.names[self.words.index(word)]


class PieceArea(Value, frozen=True):
    """Somewhere that pieces lie."""

    key: str
    label: str
    mark: str
    """A sign for it, which stands on the pieces that lie there."""
    rows: tuple[tuple[Piece, ...], ...]
    """What may lie there, in rows as it is laid out to choose from."""
    holds: tuple[str, ...]
    pool: str = ""
    """Places with the same pool share their pieces: what lies in one does not lie in another."""
    wanted: int | None = None
    """How many pieces lie there in this position, if that is certain."""
    room: int | None = None
    """How many it can hold: another one takes the place of the first."""
    is_space: bool = False
    """Whether it is one of many alike, which are drawn side by side."""

    def piece(self, word: str) -> Piece:
        """The piece that a word stands for; `UsageError` if it can't lie here."""
        found = _by_word(self.rows).get(word)
        if found is None:
            raise UsageError(f"there is no piece {quote(word)} for {self.label}.")
        return found

    @property
    def lacks(self) -> int:
        """How many pieces are missing; below 0, how many are too many."""
        return 0 if self.wanted is None else self.wanted - len(self.holds)


def _by_word(rows: Sequence[Sequence[Piece]]) -> dict[str, Piece]:
    return {word: piece for row in rows for piece in row for word in piece.words}


class Form(Value, frozen=True):
    """All that can be set, as it is set."""

    choices: tuple[Choice, ...]
    places: tuple[PieceArea, ...]
    at: str
    """The place that is being filled."""
    missing: tuple[str, ...] = ()
    """What is to be set yet, in sentences, besides what places lack."""
    notes: tuple[str, ...] = ()
    """What follows from the rest, such as how many cards the pile has."""

    def value(self, key: str) -> str:
        """What a choice is set to; nothing if there is no such choice now."""
        return next((choice.value for choice in self.choices if choice.key == key), "")

    def place(self, key: str) -> PieceArea:
        """The place of this name; `UsageError` if there is none."""
        for place in self.places:
            if place.key == key:
                return place
        raise UsageError(f"there is no place {quote(key)} here.")

    def pieces_in(self, key: str) -> tuple[str, ...]:
        """What lies in a place; nothing if there is no such place now."""
        return next((place.holds for place in self.places if place.key == key), ())

    def where(self, piece: Piece, pool: str) -> list[tuple[PieceArea, str]]:
        """The places of a pool where a piece lies, each with the word for how: once for each copy."""
        return [
            (place, word)
            for place in self.places
            if place.pool == pool
            for word in place.holds
            if word in piece.words
        ]

    @property
    def facts(self) -> dict[str, str]:
        """The same as texts."""
        found = {choice.key: choice.value for choice in self.choices}
        return found | {place.key: ".".join(place.holds) for place in self.places} | {AT: self.at}


class Filling:
    """Fills in a form from facts that may be anything, and leaves out what can't be."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._laid: Counter[tuple[str, str]] = Counter()
        self.choices: list[Choice] = []
        self.places: list[PieceArea] = []

    def choice(
        self, key: str, label: str, options: Sequence[tuple[str, str]], *, is_rare: bool = False
    ) -> str:
        """Add a choice: the first of its words is the usual one. Gives what it is set to."""
        words = [word for word, _ in options]
        value = self._facts.get(key, "")
        value = value if value in words else words[0]
        if len(words) > 1:
            self.choices.append(Choice(key, label, tuple(options), value, is_rare))
        return value

    def place(self, place: PieceArea) -> tuple[str, ...]:
        """Add a place, and lay into it what the facts say. Gives what lies there."""
        known = _by_word(place.rows)
        holds: list[str] = []
        for word in self._facts.get(place.key, "").split("."):
            piece = known.get(word)
            if piece is None or (place.room is not None and len(holds) == place.room):
                continue
            name = place.pool, piece.words[0]
            if self._laid[name] < piece.copies:
                self._laid[name] += 1
                holds.append(word)
        self.places.append(_replaced(place, holds))
        return tuple(holds)

    def form(self, missing: Sequence[str] = (), notes: Sequence[str] = ()) -> Form:
        """What has been filled in."""
        keys, at = [place.key for place in self.places], self._facts.get(AT, "")
        at = at if at in keys else keys[0]
        return Form(tuple(self.choices), tuple(self.places), at, tuple(missing), tuple(notes))


def _replaced(place: PieceArea, holds: Sequence[str]) -> PieceArea:
    fields = {name: getattr(place, name) for name in place.__struct_fields__}
    return PieceArea(**fields | {"holds": tuple(holds)})


class Editor(Protocol):
    """The component `ui.editor` of a game."""

    @property
    def EXAMPLE(self) -> str:  # noqa: N802 - a constant of the module
        """The line of a position to begin with."""
        ...

    def facts(self, line: str, seat: int) -> dict[str, str]:
        """What a line says to a seat, as texts by name.

        `NotationError` if it is not the line of a position, or nobody chooses there.
        """
        ...

    def form(self, facts: Facts, names: Sequence[str], say: Language) -> Form:
        """All that can be set, filled in with these facts, whatever they are.

        The fact `seats` is the number of players, and `seat` the one who looks.
        """
        ...

    def line(self, form: Form) -> str:
        """The line that a form stands for, if all is well."""
        ...


def editor_of(game: str) -> Editor | None:
    """The editor of the game of this name, if it has one."""
    return cast("Editor | None", component(game, "ui.editor"))


def add_piece(form: Form, key: str, word: str) -> dict[str, str]:
    """The facts after a piece was touched while a place is being filled.

    It goes there, from wherever else it lies; if it lies there already, it lies in its next way; after
    the last of its ways it goes back. Where there are several copies, those not laid yet come first.
    """
    place = form.place(key)
    piece = place.piece(word)
    there = form.where(piece, place.pool)
    here = [how for where, how in there if where.key == key]
    if here and len(here) in (place.room, piece.copies):
        ways = piece.words
        after = ways.index(here[-1]) + 1
        return _changed(form, key, here[-1], ways[after] if after < len(ways) else None)
    facts = form.facts
    if len(there) == piece.copies:
        where, how = next(pair for pair in there if pair[0].key != key)
        facts = _changed(form, where.key, how, None)
    holds = [*place.holds, piece.words[0]]
    if place.room is not None:
        holds = holds[-place.room :]
    return facts | {key: ".".join(holds)}


def remove_piece(form: Form, key: str, at: int) -> dict[str, str]:
    """The facts after the piece at this number of a place went back."""
    holds = list(form.pieces_in(key))
    del holds[at : at + 1]
    return form.facts | {key: ".".join(holds)}


def _changed(form: Form, key: str, old: str, new: str | None) -> dict[str, str]:
    """The facts with the last such piece of a place lying in another way, or gone."""
    holds = list(form.pieces_in(key))
    at = len(holds) - 1 - holds[::-1].index(old)
    holds[at : at + 1] = [] if new is None else [new]
    return form.facts | {key: ".".join(holds)}


def read_facts(example: str, line: str, stages: Sequence[str]) -> dict[str, str]:
    """What stands in a line, which says the same things as the example, at one of these stages."""
    game, *words = example.split()
    facts = read_line(game, line, [word.partition("=")[0] for word in words])
    if facts["stage"] not in stages:
        raise NotationError(phrase("In this position nobody has anything to choose."))
    return facts


def split_seats(text: str, seats: int) -> list[str]:
    """What a line says of each seat, with nothing for those that it does not name; `-` is nothing."""
    found = ["" if words == "-" else words for words in text.split("/")]
    return (found + [""] * seats)[:seats]


def per_seat(words: Sequence[Sequence[str]]) -> str:
    """The same, the other way round."""
    return "/".join(".".join(each) or "-" for each in words)
