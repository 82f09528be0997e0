"""The API of the switch; only pages on the computer that runs the server can use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from wonderland.features.home_network.service import NetworkState, service_of
from wonderland.web.http import Route, json_response, read_body
from wonderland.web.security import is_from_this_computer
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wonderland.web.app import Site


class NetworkSwitch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Open the server to the home network, or close it."""

    open: bool
    host: Annotated[str, Meta(max_length=60)] = ""
    """One of `hosts`, if there are several; by default the first."""


def _may_switch(site: Site, request: Request) -> bool:
    local_host = (request.scope.get("server") or ("",))[0]
    return is_from_this_computer(request) and not service_of(site).came_through(local_host)


async def get_network(site: Site, request: Request, _table: str) -> Response:
    """Whether the home network can reach this server; others than its own computer learn nothing."""
    may = _may_switch(site, request)
    return json_response(await service_of(site).state() if may else NetworkState(can_switch=False))


async def switch_network(site: Site, request: Request, _table: str) -> Response:
    """Open the server to the home network, or close it."""
    switch = await read_body(request, NetworkSwitch)
    if not _may_switch(site, request) or "Origin" not in request.headers:
        raise Refusal(Code.ONLY_THE_SERVER, "Only the computer that runs the server can do that.")
    service = service_of(site)
    if not service.is_available:
        raise Refusal(Code.NOT_OPENABLE, "This server can't be opened to the home network.")
    if switch.open:
        await service.open(switch.host)
    else:
        await service.shut()
    return json_response(await service.state())


ROUTES = (
    Route(
        "GET",
        "/api/network",
        get_network,
        "Get whether the home network can reach this server.",
        gives=NetworkState,
    ),
    Route(
        "POST",
        "/api/network",
        switch_network,
        "Open a local server to the home network, or close it; only from its own computer.",
        takes=NetworkSwitch,
        gives=NetworkState,
    ),
)
