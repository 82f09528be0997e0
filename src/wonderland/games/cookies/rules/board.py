"""The board, a ring of spaces, read from a TOML file or from a single word (C3, C4)."""

from __future__ import annotations

import re
import tomllib
from enum import Enum
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from wonderland.engine.errors import NotationError, quote
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIZES = range(8, 41)  # C4
NUMBERS = range(10)
_DEFAULT = "default"
_KEYS = ("kind", "cookies")


class Kind(Enum):
    """Kind of a space, the five special ones first (C3)."""

    TEA_PARTY = "tea party"
    SMALL_COOKIES = "small cookies"
    CATERPILLAR = "caterpillar"
    CHESHIRE_CAT = "cheshire cat"
    RABBIT_HOLE = "rabbit hole"
    PLAIN = "plain"


PLAIN: Final = Kind.PLAIN  # module constants, because these two lookups are hot
RABBIT_HOLE: Final = Kind.RABBIT_HOLE


_LETTERS = {
    "T": Kind.TEA_PARTY,
    "S": Kind.SMALL_COOKIES,
    "L": Kind.CATERPILLAR,  # where pawns become large
    "C": Kind.CHESHIRE_CAT,
    "R": Kind.RABBIT_HOLE,
    "p": Kind.PLAIN,
}
_LETTER_OF = {kind: letter for letter, kind in _LETTERS.items()}


class Space(Value, frozen=True):
    """One space, and the number of small cookies for a spin that lands on it (C14)."""

    kind: Kind
    cookies: int


class Board(Value, frozen=True):
    """The spaces in order of travel, starting with the Hatter's Tea Party."""

    spaces: tuple[Space, ...]

    def has(self, kind: Kind) -> bool:
        """Whether any space is of this kind."""
        return any(space.kind is kind for space in self.spaces)

    def is_hole(self, space: int) -> bool:
        """Whether the space with this zero-based index is a Rabbit Hole."""
        return self.spaces[space].kind is RABBIT_HOLE


def board_of(spaces: Sequence[Space]) -> Board:
    """Return the board of these spaces, which may start anywhere on the ring.

    Raises `NotationError` if they don't make a valid board (C4).
    """
    if len(spaces) not in SIZES:
        raise NotationError("a board has 8 to 40 spaces, not {found}.", rule="C4", found=len(spaces))
    parties = [at for at, space in enumerate(spaces) if space.kind is Kind.TEA_PARTY]
    if not parties:
        raise NotationError("exactly one space must be the Tea Party, but none is.", rule="C4")
    first, *others = parties
    if others:
        raise NotationError(
            "exactly one space must be the Tea Party, but spaces {first} and {second} are.",
            rule="C4",
            first=first + 1,
            second=others[0] + 1,
        )
    if not any(space.kind is Kind.PLAIN for space in spaces):
        raise NotationError("at least one space must be plain, but none is.", rule="C4")
    return Board((*spaces[first:], *spaces[:first]))


def write_board(board: Board) -> str:
    """Write the board as one word such as `T2-p1-C2-…`: letter of the kind, then the number."""
    if board == DEFAULT:
        return _DEFAULT
    return "-".join(f"{_LETTER_OF[space.kind]}{space.cookies}" for space in board.spaces)


def read_board(text: str) -> Board:
    """Parse a board from a word: `default`, or a ring such as `T2-p1-C2-…`."""
    if text == _DEFAULT:
        return DEFAULT
    return board_of([_read_space(at, word) for at, word in enumerate(text.split("-"), start=1)])


def _read_space(at: int, word: str) -> Space:
    match = re.fullmatch(r"([TSLCRp])([0-9])", word)
    if match is None:
        raise NotationError(
            "space {number} of the board is {word}, but a space is one of T S L C R p and a number from "
            "0 to 9, such as p2.",
            number=at,
            word=quote(word),
        )
    return Space(_LETTERS[match[1]], int(match[2]))


def board_from_toml(text: str) -> Board:
    """Parse a board from TOML, which lists it space by space."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            phrase("it isn't valid TOML: {reason}."), reason=str(error).rstrip(".")
        ) from error
    for key in table:
        if key not in ("name", "spaces"):
            raise NotationError(
                phrase("it has the key {key}, but a board has only name and spaces."), key=quote(key)
            )
    if not isinstance(table.get("name", ""), str):
        raise NotationError(phrase("its name must be text, such as {example}."), example=_NAME_EXAMPLE)
    spaces = table.get("spaces")
    if not isinstance(spaces, list):
        raise NotationError(
            phrase("it has no list of spaces, such as spaces = [{example}, …]."), example=_EXAMPLE
        )
    return board_of([_parse_space(at, space) for at, space in enumerate(spaces, start=1)])


_NAME_EXAMPLE = 'name = "Our box"'
_EXAMPLE = '{ kind = "plain", cookies = 2 }'


def _parse_space(at: int, table: Any) -> Space:
    """Parse space number `at` of a board file."""
    if not isinstance(table, dict):
        raise NotationError(
            phrase("space {space} must look like {example}, not {text}."),
            space=at,
            example=_EXAMPLE,
            text=quote(table),
        )
    for key in table:
        if key not in _KEYS:
            raise NotationError(
                phrase("space {space} has the key {key}, but a space has only kind and cookies."),
                space=at,
                key=quote(key),
            )
    for key in _KEYS:
        if key not in table:
            raise NotationError(
                phrase("space {space} has no {key}. It must look like {example}."),
                space=at,
                key=key,
                example=_EXAMPLE,
            )
    return Space(_parse_kind(at, table), _parse_number(at, table))


def _parse_kind(at: int, table: Mapping[str, Any]) -> Kind:
    try:
        return Kind(table["kind"])
    except ValueError:
        known = tuple(kind.value for kind in Kind)
        raise NotationError(
            phrase("space {space} has the unknown kind {kind}. Choose from {known}."),
            space=at,
            kind=quote(table["kind"]),
            known=known,
        ) from None


def _parse_number(at: int, table: Mapping[str, Any]) -> int:
    number = table["cookies"]
    if type(number) is not int or number not in NUMBERS:  # rejects 2.0 and true, which equal an int
        raise NotationError(
            phrase("space {space} must have a whole number of cookies from 0 to 9, not {number}."),
            space=at,
            number=quote(number),
        )
    return number


def _load_default() -> Board:
    """Load the printed board from the game's data files."""
    file = files("wonderland.games.cookies") / "data" / "boards" / "default.toml"
    return board_from_toml(file.read_text(encoding="utf-8"))


DEFAULT = _load_default()
