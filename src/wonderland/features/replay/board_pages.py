"""HTTP routes of the analysis board: variations, verdicts, expected play, and sharing.

A browser holds the tree of variations and sends what it asks about; nothing is stored here until the
tree is shared. Everything that is sent is checked against the rules.
"""

from __future__ import annotations

import base64
import hashlib
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from wonderland.engine.errors import GameOver, IllegalAction, NotationError, UsageError
from wonderland.features.positions.verdict import judge_position
from wonderland.features.replay.board import Board
from wonderland.features.replay.expected_play import expect_play
from wonderland.features.replay.pages import replay_of
from wonderland.features.replay.rendering import OPEN, ReplayPage, seat_in_view
from wonderland.features.replay.service import service_of
from wonderland.features.replay.variations import Line, Notation, VariationMove, VariationTree
from wonderland.tables.storage.documents import ANALYSES
from wonderland.web.closed_analysis import check_open_position
from wonderland.web.http import Route, json_response, read_body
from wonderland.web.languages import language_of
from wonderland.web.page_work import run_off_loop
from wonderland.web.security import network_for
from wonderland.wire.codes import Code
from wonderland.wire.commands import Seat
from wonderland.wire.messages import PageUpdate
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.web.app import Site

    T = TypeVar("T")

MAX_ANALYSES = 10_000
"""Limit of shared analyses; the least recently used are evicted."""
_LARGEST_BODY = 128 * 1024
"""Half of what a document may have, since a tree is written out with all its fields."""

Viewer = Annotated[str, Meta(max_length=20)]


class MoveTried(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move to try at a position."""

    line: Line
    seat: Seat
    action: Notation


class TriedMove(msgspec.Struct, frozen=True):
    """The move with what followed."""

    move: VariationMove
    played: bool
    """Whether this is what was played in the game."""


class PositionAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and who is looking: a seat, `watching`, or `open` for all cards face up."""

    line: Line
    seat: Viewer = OPEN


class TreeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tree of variations, and who is looking."""

    tree: VariationTree
    seat: Viewer = OPEN


class BoardPart(msgspec.Struct, frozen=True):
    """A part of the board as HTML."""

    html: str


class PositionVerdict(msgspec.Struct, frozen=True):
    """The coach's verdict on a position."""

    html: str
    chances: dict[str, str]
    """The win chance after each choice, as a text, by its notation."""


class ExpectedLine(msgspec.Struct, frozen=True):
    """What is expected to be played after a position."""

    html: str
    moves: tuple[VariationMove, ...]


class SharedAnalysis(msgspec.Struct, frozen=True):
    """A stored analysis: `/replay/{replay}?analysis={id}` shows it."""

    id: str


def _checked(work: Callable[[], T]) -> Callable[[], T]:
    """Turn errors in what was asked into refusals."""

    def run() -> T:
        try:
            return work()
        except (UsageError, IllegalAction, NotationError, GameOver) as error:
            raise Refusal.of(Code.INVALID_VALUE, error) from None

    return run


async def try_move(site: Site, request: Request, replay: str) -> Response:
    """Try a move at a position: what chance brings then, and whether it was played in the game."""
    wanted = await read_body(request, MoveTried, _LARGEST_BODY)
    branches, line = (await replay_of(site, replay)).branches, wanted.line

    def made() -> TriedMove:
        played = None if line.moves else branches.played(line.at)
        if played is not None and (played.seat, played.action) == (wanted.seat, wanted.action):
            return TriedMove(played, played=True)
        return TriedMove(branches.try_move(line, wanted.seat, wanted.action), played=False)

    return json_response(await run_off_loop(_checked(made)))


async def show_position(site: Site, request: Request, replay: str) -> Response:
    """A position of a variation as HTML."""
    wanted, say = await read_body(request, PositionAsked, _LARGEST_BODY), language_of(request)
    shown = await replay_of(site, replay)
    eyes = shown.eyes(wanted.seat)
    return json_response(await run_off_loop(_checked(lambda: shown.position(wanted.line, eyes, say))))


async def show_variations(site: Site, request: Request, replay: str) -> Response:
    """A tree of variations as HTML."""
    wanted, say = await read_body(request, TreeAsked, _LARGEST_BODY), language_of(request)
    board = Board(await replay_of(site, replay), wanted.seat, say)
    return json_response(BoardPart(await run_off_loop(_checked(lambda: board.variations(wanted.tree)))))


async def _asked(
    site: Site, request: Request, shown: ReplayPage, wanted: PositionAsked
) -> tuple[Any, int, Any]:
    """The match at a position, the seat to ask there and what it played; rate limited like hints."""
    eyes, line = shown.eyes(wanted.seat), wanted.line
    match = await run_off_loop(_checked(lambda: shown.branches.match(line)))
    played = None if line.moves else shown.branches.played(line.at)
    seat = seat_in_view(match, played, eyes)
    if seat is None:
        raise Refusal(Code.NO_CHOICE, "From this view, nobody has a choice here.")
    site.limit(site.hints, request)
    if not shown.has_table:  # games at tables are over
        await check_open_position(site, request, match.game.info.name, match.state, seat)
    return match, seat, played


async def show_verdict(site: Site, request: Request, replay: str) -> Response:
    """The coach's verdict on a position: the win chance after each choice. Rate limited like hints."""
    wanted, say = await read_body(request, PositionAsked, _LARGEST_BODY), language_of(request)
    shown = await replay_of(site, replay)
    match, seat, played = await _asked(site, request, shown, wanted)
    rules, names = match.game, shown.names(say)
    done = rules.read(played.action) if played is not None and played.seat == seat else None

    def judged() -> PositionVerdict:
        verdict = judge_position(
            rules, match.state, seat, names, say, site.evaluation_budget, played=done
        )
        board = Board(shown, wanted.seat, say)
        chances = {each["action"]: each["chance"] for each in board.options(verdict)}
        return PositionVerdict(board.verdict(verdict), chances)

    work = _checked(judged)
    return json_response(await site.automation.thought(work, network_for(request)))


async def show_expected_play(site: Site, request: Request, replay: str) -> Response:
    """The line expected after a position. Rate limited like hints."""
    wanted, say = await read_body(request, PositionAsked, _LARGEST_BODY), language_of(request)
    shown = await replay_of(site, replay)
    match, seat, _ = await _asked(site, request, shown, wanted)
    work = partial(expect_play, shown.branches, wanted.line, seat, site.evaluation_budget)
    found = await site.automation.thought(_checked(work), network_for(request))
    if not shown.has_table:  # a reply, too, is advice on a position
        for state, other in found.evaluated[1:]:
            await check_open_position(site, request, match.game.info.name, state, other)
    board = Board(shown, wanted.seat, say)
    html = await run_off_loop(lambda: board.expected(wanted.line, found.moves))
    return json_response(ExpectedLine(html, found.moves))


async def share_analysis(site: Site, request: Request, replay: str) -> Response:
    """Store a tree of variations under a hash of its contents, to share it by link. Rate limited."""
    tree = await read_body(request, VariationTree, _LARGEST_BODY)
    shown = await replay_of(site, replay)
    site.limit(service_of(site).uploads, request)
    if any(int(moment) > shown.last for moment in tree.comments):
        raise Refusal(Code.WRONG_VARIATIONS, "These variations don't belong to this game.")
    await run_off_loop(_checked(lambda: shown.branches.matches(tree)))
    body, documents = msgspec.json.encode(tree), site.tables.storage.documents
    name = base64.b32encode(hashlib.sha256(body).digest()[:10]).decode().lower()
    if await documents.get(ANALYSES, f"{replay}-{name}") is None:
        await documents.put(ANALYSES, f"{replay}-{name}", body)
        await documents.trim(ANALYSES, MAX_ANALYSES)
    return json_response(SharedAnalysis(name), 201)


ROUTES = (
    Route(
        "POST",
        "/api/replays/{replay}/moves",
        try_move,
        "Try a move at a position of a replay or of a variation: what chance brings then.",
        takes=MoveTried,
        gives=TriedMove,
    ),
    Route(
        "POST",
        "/api/replays/{replay}/position",
        show_position,
        "Get a position of a variation as HTML.",
        takes=PositionAsked,
        gives=PageUpdate,
    ),
    Route(
        "POST",
        "/api/replays/{replay}/variations",
        show_variations,
        "Get a tree of variations as HTML.",
        takes=TreeAsked,
        gives=BoardPart,
    ),
    Route(
        "POST",
        "/api/replays/{replay}/verdict",
        show_verdict,
        "Analyse a position of a replay or of a variation: the win chance after each choice.",
        takes=PositionAsked,
        gives=PositionVerdict,
    ),
    Route(
        "POST",
        "/api/replays/{replay}/expected",
        show_expected_play,
        "Get the line that is expected after a position: the best move of each player.",
        takes=PositionAsked,
        gives=ExpectedLine,
    ),
    Route(
        "POST",
        "/api/replays/{replay}/analyses",
        share_analysis,
        "Store variations and comments, to share them by link.",
        takes=VariationTree,
        gives=SharedAnalysis,
        status=201,
    ),
)
