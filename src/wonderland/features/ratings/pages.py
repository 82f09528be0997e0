"""HTTP routes of accounts and ratings: create, recover and delete an account, leaderboards.

Requests are authenticated by the device cookie, as at tables. Recovery codes travel only in request and
response bodies, never in URLs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from wonderland.components.formatting import date, number
from wonderland.engine.registry import game, game_names, ranked_game_names
from wonderland.features.ratings.model import FEWEST, NEWCOMER, ORIGIN, SCALE, PlayerRating
from wonderland.features.ratings.service import service_of
from wonderland.tables.accounts import Account
from wonderland.tables.descriptions import summarise_table
from wonderland.tables.rated_games import RatedResult
from wonderland.web.assets import known_game, page
from wonderland.web.http import Route, device_for, json_response, read_body, with_cookie
from wonderland.web.languages import language_of
from wonderland.web.security import device_in
from wonderland.wire import commands as ask
from wonderland.wire.api import TableSummary

if TYPE_CHECKING:
    from starlette.requests import Request

    from wonderland.engine.language import Language
    from wonderland.web.app import Site

_MAX_RANKED = 100
_MAX_HISTORY = 12
"""Recent rated games on the account page; the download has all of them."""
_NAMES_PER_BATCH = 50
_MAX_SEATS = 1000


class Naming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request to create an account."""

    name: ask.Word


class Named(msgspec.Struct, frozen=True):
    """A new account."""

    name: str
    code: str
    """The recovery code, shown only this once."""


class Claiming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request to sign this device in with a recovery code."""

    code: Annotated[str, Meta(min_length=1, max_length=60)]


class SignedIn(msgspec.Struct, frozen=True):
    """The account that is now signed in."""

    name: str


class SigningOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request to sign out this device, or all others."""

    others: bool = False


class Renewing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a new recovery code, which invalidates the old one."""


class Renewed(msgspec.Struct, frozen=True):
    """The new recovery code."""

    code: str


class AccountDeleted(msgspec.Struct, frozen=True):
    """Confirmation of a deletion or sign-out."""

    done: bool = True


class DeviceShown(msgspec.Struct, frozen=True):
    """A signed-in device of the account."""

    since: int
    """In milliseconds since 1970."""
    this: bool


class RatingShown(msgspec.Struct, frozen=True):
    """A player's rating: `rating` is 1000 + 40 (mu - 25)."""

    rating: int
    low: int
    """Lower bound of the skill's 95% confidence interval, on the same scale."""
    high: int
    """Upper bound of that interval."""
    games: int
    mu: float
    sigma: float


class RatedShown(msgspec.Struct, frozen=True):
    """A rated game of the account."""

    table: str
    game: str
    time: int
    seat: int
    won: bool
    before: RatingShown
    after: RatingShown


class Me(msgspec.Struct, frozen=True):
    """All data stored about an account, except secrets."""

    name: str
    made: int
    devices: list[DeviceShown]
    ratings: dict[str, RatingShown]
    rated: list[RatedShown]
    """Latest first."""
    seats: list[TableSummary]
    """Tables at which the account's devices have seats, rated or not."""


class Ranked(msgspec.Struct, frozen=True):
    """An entry of a leaderboard."""

    rank: int
    name: str
    rating: RatingShown
    me: bool
    """Whether this is the requesting account."""


class Leaderboard(msgspec.Struct, frozen=True):
    """The best players of a game, among those with enough rated games."""

    game: str
    fewest: int
    """Rated games needed to be listed."""
    ranked: list[Ranked]


def _device(request: Request) -> str:
    return device_in(request.headers.get("Cookie", ""))


def rating_shown(standing: PlayerRating) -> RatingShown:
    """Convert a rating for pages and the API."""
    low, high = standing.likely
    return RatingShown(
        standing.rating, low, high, standing.games, round(standing.mu, 3), round(standing.sigma, 3)
    )


async def take_name(site: Site, request: Request, _: str) -> Response:
    """Create an account and sign this device in; rate limited."""
    wanted = await read_body(request, Naming)
    site.limit(service_of(site).names, request)
    device, secret = device_for(request)
    person, code = await site.tables.people.make(wanted.name, device)
    return with_cookie(json_response(Named(person.name, code), 201), request, secret)


async def claim_name(site: Site, request: Request, _: str) -> Response:
    """Sign this device in with a recovery code; rate limited."""
    wanted = await read_body(request, Claiming)
    site.limit(service_of(site).names, request)
    device, secret = device_for(request)
    person = await site.tables.people.claim(wanted.code, device)
    return with_cookie(json_response(SignedIn(person.name)), request, secret)


async def renew_code(site: Site, request: Request, _: str) -> Response:
    """Replace the recovery code; rate limited."""
    await read_body(request, Renewing)
    site.limit(service_of(site).names, request)
    return json_response(Renewed(await site.tables.people.renew(_device(request))))


async def sign_out(site: Site, request: Request, _: str) -> Response:
    """Sign out this device, or all others."""
    wanted = await read_body(request, SigningOut)
    await site.tables.people.sign_out(_device(request), others=wanted.others)
    return json_response(AccountDeleted())


async def delete_me(site: Site, request: Request, _: str) -> Response:
    """Delete the account of this device."""
    await site.tables.people.delete(_device(request))
    return json_response(AccountDeleted())


async def about_me(site: Site, request: Request, _: str) -> Response:
    """All data stored about the account of this device."""
    device = _device(request)
    return json_response(await _account_data(site, await site.tables.people.signed_in(device), device))


async def _account_data(site: Site, person: Account, device: str) -> Me:
    ratings, rated = {}, list[RatedShown]()
    for name in game_names():
        played = await service_of(site).of(name)
        for step in played.ladder.steps(person.id):
            outcome = played.outcomes[step.game]
            seat = outcome.people.index(person.id)
            before, after = rating_shown(step.before), rating_shown(step.after)
            won = seat in outcome.winners
            rated.append(RatedShown(outcome.table, name, outcome.time, seat, won, before, after))
            ratings[name] = after
    seatings = [
        await site.tables.storage.seats_of_device(each.hash, _MAX_SEATS) for each in person.devices
    ]
    return Me(
        person.name,
        person.made,
        [DeviceShown(each.since, each.hash == device) for each in person.devices],
        ratings,
        sorted(rated, key=lambda each: each.time, reverse=True),
        [summarise_table(row, seat) for found in seatings for row, seat in found],
    )


async def leaders(site: Site, request: Request, name: str) -> Response:
    """The leaderboard of a game."""
    return json_response(await _leaderboard(site, name, _device(request)))


async def _leaderboard(site: Site, name: str, device: str) -> Leaderboard:
    known_game(name)
    me = await site.tables.people.find_by_device(device)
    ranking = list((await service_of(site).of(name)).ladder.ranking())
    ranked: list[Ranked] = []
    for first in range(0, len(ranking), _NAMES_PER_BATCH):
        some = ranking[first : first + _NAMES_PER_BATCH]
        names = await _names(site, [person for person, _ in some])
        for person, standing in some:
            if person in names:  # deleted accounts aren't listed
                mine = me is not None and me.id == person
                shown = rating_shown(standing)
                ranked.append(Ranked(len(ranked) + 1, names[person], shown, mine))
        if len(ranked) >= _MAX_RANKED:
            break
    return Leaderboard(name, FEWEST, ranked[:_MAX_RANKED])


async def _names(site: Site, people: Iterable[str]) -> dict[str, str]:
    """Names of those accounts that still exist, by id."""
    found = await asyncio.gather(*(site.tables.people.find_by_id(each) for each in set(people)))
    return {person.id: person.name for person in found if person is not None}


# Pages


async def own_page(site: Site, request: Request) -> Response:
    """The account page, or the form to create or recover an account."""
    say, device = language_of(request), _device(request)
    person = await site.tables.people.find_by_device(device)
    asked = request.query_params.get("table", "")
    table = asked if asked.isascii() and asked.isalnum() else ""  # the table to return to
    games = [_game_shown(name, say) for name in ranked_game_names()]
    if person is None:
        return page("account.html", say, me=None, table=table, games=games)
    me = await _account_data(site, person, device)
    for each in games:
        each["rating"] = _rating_text(me.ratings.get(each["name"]), say)
    history = await _history(site, me.rated[:_MAX_HISTORY], person.id, say)
    return page("account.html", say, me=me, table=table, games=games, history=history)


def _game_shown(name: str, say: Language) -> dict[str, Any]:
    info = game(name).info
    return {"name": name, "title": say(info.title), "seats": [n for n in info.seats if n > 1]}


def _rating_text(rating: RatingShown | None, say: Language) -> dict[str, str] | None:
    if rating is None:
        return None
    low, high = number(rating.low, say), number(rating.high, say)
    return {
        "now": number(rating.rating, say),
        "likely": say("likely skill {low} to {high}", low=low, high=high),
        "games": say.plural("{number} rated game", "{number} rated games", rating.games),
    }


async def _history(
    site: Site, rated: Sequence[RatedShown], me: str, say: Language
) -> list[dict[str, Any]]:
    outcomes = [await _outcome(site, each) for each in rated]
    names = await _names(site, (person for each in outcomes for person in each.people))
    return [
        {
            "table": each.table,
            "title": say(game(each.game).info.title),
            "day": (day := datetime.fromtimestamp(each.time / 1000, UTC).date(), date(day, say)),
            "won": each.won,
            "others": say.join_list(
                names.get(person, say("someone")) for person in outcome.people if person != me
            ),
            "rating": number(each.after.rating, say),
            "change": number(each.after.rating - each.before.rating, say, signed=True),
        }
        for each, outcome in zip(rated, outcomes, strict=True)
    ]


async def _outcome(site: Site, rated: RatedShown) -> RatedResult:
    played = await service_of(site).of(rated.game)
    return next(each for each in reversed(played.outcomes) if each.table == rated.table)


async def leaderboard_page(site: Site, request: Request) -> Response:
    """The leaderboard page of a game."""
    say, name = language_of(request), request.path_params["game"]
    found = await _leaderboard(site, name, _device(request))
    rows = [
        {"rank": each.rank, "name": each.name, "me": each.me, "rating": _rating_text(each.rating, say)}
        for each in found.ranked
    ]
    games = [_game_shown(each, say) for each in ranked_game_names()]
    return page(
        "leaderboard.html",
        say,
        game=name,
        game_title=say(game(name).info.title),
        games=games,
        rows=rows,
        fewest=found.fewest,
        origin=number(ORIGIN, say),
        scale=SCALE,
        newcomer=round(NEWCOMER),
    )


def links(name: str) -> dict[str, str]:
    """Path of the leaderboard of a game."""
    return {"ratings": f"/leaderboard/{name}"}


PAGES = (("/people", own_page), ("/leaderboard/{game}", leaderboard_page))
ROUTES = (
    Route(
        "POST",
        "/api/people",
        take_name,
        "Create an account; only this response contains its recovery code.",
        takes=Naming,
        gives=Named,
        status=201,
    ),
    Route("GET", "/api/people", about_me, "Get all data about your account.", gives=Me),
    Route(
        "DELETE",
        "/api/people",
        delete_me,
        "Delete your account; results at tables stay, without the name.",
        gives=AccountDeleted,
    ),
    Route(
        "POST",
        "/api/people/claim",
        claim_name,
        "Sign this device in with a recovery code.",
        takes=Claiming,
        gives=SignedIn,
    ),
    Route(
        "POST",
        "/api/people/code",
        renew_code,
        "Replace the recovery code with a new one.",
        takes=Renewing,
        gives=Renewed,
    ),
    Route(
        "POST",
        "/api/people/out",
        sign_out,
        "Sign out this device, or all others.",
        takes=SigningOut,
        gives=AccountDeleted,
    ),
    Route("GET", "/api/leaderboard/{game}", leaders, "Get a game's leaderboard.", gives=Leaderboard),
)
