"""Options of Cookies: the rule variants (C20 to C22) and the board (C4)."""

from __future__ import annotations

from typing import Literal

from wonderland.engine.errors import NotationError, UsageError, convert_error
from wonderland.engine.language import phrase
from wonderland.engine.options import Option, choice, flag
from wonderland.engine.position import read_number
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.board import DEFAULT, Board, board_from_toml, read_board, write_board

_HAND_SIZES = range(2, 4)
_SMALLEST = "T1-C2-p3-C1-R0-S2-L3-p9"
_LARGE = "T3-p1-R1-L2-p0-S3-C1-p2-S1-p4-C2-L1-p1-R2-p5-C3-p1-S2-R1-p2-L2-p3-p1"


class Options(Value, frozen=True):
    """Options of one game; the defaults are the printed rules."""

    hands: Literal["hidden", "open"] = "hidden"
    hand_size: int = 3
    kind_hole: bool = False
    board: Board = DEFAULT

    def checked(self) -> Options:
        """Return the same options; raise `UsageError` if a record could not store them."""
        texts = [(option, option.write(getattr(self, option.name))) for option in OPTIONS]
        try:
            return Options(**{option.name: option.read(text) for option, text in texts})
        except NotationError as error:
            raise convert_error(error, UsageError) from error


def _read_hand_size(text: str) -> int:
    return read_number("hand_size", text, _HAND_SIZES)


OPTIONS = (
    choice("hands", {"hidden": phrase("hidden"), "open": phrase("open")}, "Players' hands"),
    Option(
        "hand_size",
        "Hand size (two cards for the youngest players)",
        "3 or 2",
        _read_hand_size,
        str,
        ("3", "2"),
    ),
    flag("kind_hole", "Kind Rabbit Hole: after a failed climb, you can walk out on your next turn"),
    Option(
        "board",
        "Board",
        "default, a board file that ends in .toml, or a ring such as T2-p1-R2-…",
        read_board,
        write_board,
        ("default", _SMALLEST, _LARGE),
        {"default": phrase("standard")},
        from_file=lambda text: write_board(board_from_toml(text)),
    ),
)
