"""What the numbers of the kernel mean: a state of Cookies in 64-bit words, and back.

The words are those of `Table.load` in `kernel.py`, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from wonderland.core.errors import NotationError
from wonderland.core.protocol import FACE_DOWN, Seat
from wonderland.games.cookies import scoring
from wonderland.games.cookies.board import Board, Kind, Space
from wonderland.games.cookies.components import COOKIE_VALUES, SEATS, Card, large_cookies
from wonderland.games.cookies.options import Options
from wonderland.games.cookies.state import (
    Action,
    Answer,
    Climbing,
    Cookie,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Larder,
    PlayCard,
    Playing,
    Side,
    Spin,
    Spinning,
    Stage,
    Starting,
    StartWith,
    State,
    TakeCookie,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
)
