"""The API that browsers verify a finished game with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.features.fairness.model import ShuffleProof, build_proof
from wonderland.tables.descriptions import build_record
from wonderland.web.http import Route, json_response
from wonderland.web.page_work import run_off_loop
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.web.app import Site


async def get_proof(site: Site, _request: Request, table: str) -> Response:
    """Return what is needed to verify the shuffle of a finished game."""
    record = build_record((await site.tables.fresh(table)).table)
    if record is None:
        raise Refusal(Code.NOT_OVER, "The shuffle can be checked once the game is over.")
    proof = await run_off_loop(lambda: build_proof(record))
    if proof is None:
        raise Refusal(Code.NOT_SHUFFLED, "The cards of this game were prepared, not shuffled.")
    return json_response(proof)


ROUTES = (
    Route(
        "GET",
        "/api/tables/{table}/shuffle",
        get_proof,
        "Get what is needed to verify the shuffle of a finished game: the statement and all draws.",
        gives=ShuffleProof,
    ),
)
