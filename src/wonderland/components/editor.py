"""The position editor: a form of choices and areas for pieces.

A game's component `ui.editor` converts the notation of a position to a form and back. A form may be
incomplete or impossible: only `read_position` validates the position.
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
"""The values of a form by key: the word of a choice, or the pieces of an area, joined by dots."""
AT = "at"
"""The key of the area that is being edited."""


class Choice(Value, frozen=True):
    """A choice between a few words."""

    key: str
    label: str
    options: tuple[tuple[str, str], ...]
    """Each word with its label."""
    value: str
    is_rare: bool = False
    """Whether most users leave it at its default."""


class Piece(Value, frozen=True):
    """A card or a cookie that can be placed in areas."""

    words: tuple[str, ...]
    """Its notation: a word for each orientation, in the order in which clicking cycles through them."""
    names: tuple[str, ...]
    """Its name in each orientation."""
    look: Mapping[str, Any]
    """The context of the game's template `generic_piece.html`."""
    copies: int = 1

    def name(self, word: str) -> str:
        """Return the name of the orientation that this word stands for."""
        return self.names[self.words.index(word)]


class PieceArea(Value, frozen=True):
    """An area that contains pieces."""

    key: str
    label: str
    mark: str
    """A symbol shown on the pieces in this area."""
    rows: tuple[tuple[Piece, ...], ...]
    """The pieces to choose from, in rows."""
    holds: tuple[str, ...]
    pool: str = ""
    """Areas with the same pool share their pieces: a piece is in at most one of them."""
    wanted: int | None = None
    """The required number of pieces, if the position determines it."""
    capacity: int | None = None
    """The capacity: a further piece replaces the first."""
    is_space: bool = False
    """Whether it is one of many similar areas that are drawn side by side."""

    def piece(self, word: str) -> Piece:
        """Return the piece for a word; `UsageError` if it can't be placed here."""
        piece = _pieces_by_word(self.rows).get(word)
        if piece is None:
            raise UsageError(f"{self.label} has no piece {quote(word)}.")
        return piece

    @property
    def lacks(self) -> int:
        """The number of missing pieces; negative if there are too many."""
        return 0 if self.wanted is None else self.wanted - len(self.holds)


def _pieces_by_word(rows: Sequence[Sequence[Piece]]) -> dict[str, Piece]:
    return {word: piece for row in rows for piece in row for word in piece.words}


class Form(Value, frozen=True):
    """The complete form with its current values."""

    choices: tuple[Choice, ...]
    places: tuple[PieceArea, ...]
    at: str
    """The key of the area that is being edited."""
    missing: tuple[str, ...] = ()
    """Sentences about what is still missing, apart from missing pieces."""
    notes: tuple[str, ...] = ()
    """Derived facts, such as the size of the pile."""
    legend: str = ""
    """What the letters of the position's one-line notation mean, if they don't explain themselves."""

    def value(self, key: str) -> str:
        """Return the value of a choice; empty if the form has no such choice now."""
        return next((choice.value for choice in self.choices if choice.key == key), "")

    def place(self, key: str) -> PieceArea:
        """Return the area with this key; `UsageError` if there is none."""
        for place in self.places:
            if place.key == key:
                return place
        raise UsageError(f"there is no area {quote(key)} here.")

    def pieces_in(self, key: str) -> tuple[str, ...]:
        """Return the pieces in an area; empty if the form has no such area now."""
        return next((place.holds for place in self.places if place.key == key), ())

    def where(self, piece: Piece, pool: str) -> list[tuple[PieceArea, str]]:
        """Locate the copies of a piece in a pool: the area and the word of each."""
        return [
            (place, word)
            for place in self.places
            if place.pool == pool
            for word in place.holds
            if word in piece.words
        ]

    @property
    def facts(self) -> dict[str, str]:
        """The values of the form as texts."""
        chosen = {choice.key: choice.value for choice in self.choices}
        return chosen | {place.key: ".".join(place.holds) for place in self.places} | {AT: self.at}


class Filling:
    """Builds a form from untrusted facts, ignoring invalid ones."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._placed: Counter[tuple[str, str]] = Counter()
        self.choices: list[Choice] = []
        self.places: list[PieceArea] = []

    def choice(
        self, key: str, label: str, options: Sequence[tuple[str, str]], *, is_rare: bool = False
    ) -> str:
        """Add a choice, whose first word is the default; return its value."""
        words = [word for word, _ in options]
        value = self._facts.get(key, "")
        value = value if value in words else words[0]
        if len(words) > 1:
            self.choices.append(Choice(key, label, tuple(options), value, is_rare))
        return value

    def place(self, place: PieceArea) -> tuple[str, ...]:
        """Add an area with the pieces that the facts put there; return them."""
        known = _pieces_by_word(place.rows)
        holds: list[str] = []
        for word in self._facts.get(place.key, "").split("."):
            piece = known.get(word)
            if piece is None or (place.capacity is not None and len(holds) == place.capacity):
                continue
            name = place.pool, piece.words[0]
            if self._placed[name] < piece.copies:
                self._placed[name] += 1
                holds.append(word)
        self.places.append(_with_pieces(place, holds))
        return tuple(holds)

    def form(self, missing: Sequence[str] = (), notes: Sequence[str] = (), legend: str = "") -> Form:
        """Return the finished form."""
        keys, at = [place.key for place in self.places], self._facts.get(AT, "")
        at = at if at in keys else keys[0]
        return Form(tuple(self.choices), tuple(self.places), at, tuple(missing), tuple(notes), legend)


def _with_pieces(place: PieceArea, holds: Sequence[str]) -> PieceArea:
    fields = {name: getattr(place, name) for name in place.__struct_fields__}
    return PieceArea(**fields | {"holds": tuple(holds)})


class Editor(Protocol):
    """The component `ui.editor` of a game."""

    @property
    def EXAMPLE(self) -> str:  # noqa: N802 - a constant of the module
        """The position that a new editor starts with, in one-line notation."""
        ...

    def facts(self, line: str, seat: int) -> dict[str, str]:
        """Parse a position as seen by a seat into facts.

        `NotationError` if it is not a position, or if there is nothing to decide in it.
        """
        ...

    def form(self, facts: Facts, names: Sequence[str], say: Language) -> Form:
        """Build the form from untrusted facts.

        The fact `seats` is the number of players, and `seat` the viewer.
        """
        ...

    def line(self, form: Form) -> str:
        """Return the position of a form in one-line notation, not validated."""
        ...


def editor_of(game: str) -> Editor | None:
    """Return the editor of a game, if it has one."""
    return cast("Editor | None", component(game, "ui.editor"))


def add_piece(form: Form, key: str, word: str) -> dict[str, str]:
    """Return the facts after a click on a piece while an area is being edited.

    The piece moves to this area from any other. If it is already there it takes its next orientation,
    and after the last one it is removed. Copies that have not been placed yet are used first.
    """
    place = form.place(key)
    piece = place.piece(word)
    copies = form.where(piece, place.pool)
    here = [held for area, held in copies if area.key == key]
    if here and len(here) in (place.capacity, piece.copies):
        following = piece.words.index(here[-1]) + 1
        turned = piece.words[following] if following < len(piece.words) else None
        return _replace_piece(form, key, here[-1], turned)
    facts = form.facts
    if len(copies) == piece.copies:
        area, held = next(pair for pair in copies if pair[0].key != key)
        facts = _replace_piece(form, area.key, held, None)
    holds = [*place.holds, piece.words[0]]
    if place.capacity is not None:
        holds = holds[-place.capacity :]
    return facts | {key: ".".join(holds)}


def remove_piece(form: Form, key: str, at: int) -> dict[str, str]:
    """Return the facts after the piece at this index of an area is removed."""
    holds = list(form.pieces_in(key))
    del holds[at : at + 1]
    return form.facts | {key: ".".join(holds)}


def _replace_piece(form: Form, key: str, old: str, new: str | None) -> dict[str, str]:
    """Return the facts with the last such piece of an area replaced or removed."""
    holds = list(form.pieces_in(key))
    at = len(holds) - 1 - holds[::-1].index(old)
    holds[at : at + 1] = [] if new is None else [new]
    return form.facts | {key: ".".join(holds)}


def read_facts(example: str, line: str, stages: Sequence[str]) -> dict[str, str]:
    """Parse a line with the same keys as the example, whose stage must be one of these."""
    game, *words = example.split()
    facts = read_line(game, line, [word.partition("=")[0] for word in words])
    if facts["stage"] not in stages:
        raise NotationError(phrase("Nobody has a choice to make in this position."))
    return facts


def split_seats(text: str, seats: int) -> list[str]:
    """Split per-seat values, padded with empty strings to `seats`; `-` is empty."""
    values = ["" if words == "-" else words for words in text.split("/")]
    return (values + [""] * seats)[:seats]


def per_seat(words: Sequence[Sequence[str]]) -> str:
    """Join per-seat values: the inverse of `split_seats`."""
    return "/".join(".".join(each) or "-" for each in words)
