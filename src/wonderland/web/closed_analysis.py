"""Refuses requests for analysis that are about a rated game that the client is playing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wonderland.tables.closed_analysis import check_position, check_record, running_games
from wonderland.web.page_work import run_off_loop
from wonderland.web.security import device_in

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.record_reader import AnyRecord
    from wonderland.web.app import Site


async def check_open_position(site: Site, request: Request, game: str, state: Any, seat: int) -> None:
    """Refuse to analyse a position of a rated game that the client is playing."""
    if games := await running_games(site.tables, _device(request), game):
        await run_off_loop(lambda: check_position(games, state, seat))


async def check_open_record(site: Site, request: Request, record: AnyRecord) -> None:
    """Refuse to analyse a record in which a rated game occurs that the client is playing."""
    if games := await running_games(site.tables, _device(request), record.game.info.name):
        await run_off_loop(lambda: check_record(games, record))


def _device(request: Request) -> str:
    return device_in(request.headers.get("Cookie", ""))
