"""Creating tables: validates a request, and builds the first entry of the log."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping

from wonderland.components.tutorial import Tutorial, tutorial_of
from wonderland.engine.errors import GameFailed, UsageError
from wonderland.engine.options import read_options, write_options
from wonderland.engine.protocol import LUCK, AnyGame
from wonderland.engine.record_reader import AnyRecord
from wonderland.engine.registry import game
from wonderland.tables import entries as log
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import hash_secret, validate_level
from wonderland.tables.rated_games import check_rated_request
from wonderland.tables.storage.interface import Addition, StoredEntry
from wonderland.tables.table import Table, title_of, today
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal


def new_id() -> str:
    """Generate an unguessable table id."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def opening_entry(key: ServerKey, table: str, opened: log.Opened, now: int) -> Addition:
    """The first entry of a log, with the commitment to a new secret unless the shuffle is prepared."""
    nonce = secrets.token_hex(16)
    commitment = "" if opened.given else key.secret(table, nonce).commitment
    fresh = log.changed(
        opened, nonce=nonce, server=key.fingerprint, commitment=commitment, date=today(now)
    )
    entry = StoredEntry(table, 0, now, log.written(fresh))
    first = Table(entry)
    return Addition(entry, first.row(now, None), tuple(first.sitters()))


def table_from_request(request: ask.CreateTable, device: str, invitation: str) -> log.Opened:
    """Build the opening entry for a host's request; `Refusal` if the request is invalid."""
    rules = _find_game(request.game)
    tutorial = _find_tutorial(rules.info.name) if request.lesson else None
    try:
        if request.rated:
            request = check_rated_request(request, rules)
        if tutorial is not None:
            request = _tutorial_request(request, tutorial)
        rules.start(request.seats, read_options(rules, request.options))
    except UsageError as error:
        raise Refusal.of("bad request", error) from None
    return log.Opened(
        game=rules.info.name,
        rules=rules.info.rules_version,
        seats=request.seats,
        options=request.options,
        access=request.access,
        host=device,
        invitation=invitation,
        clock=request.clock,
        away=request.away,
        hints=request.hints,
        lesson=request.lesson,
        rated=request.rated,
        given={} if tutorial is None else tutorial.luck(),
        reserved=_reserve_bots(request, rules.info.name),
    )


def _find_tutorial(name: str) -> Tutorial:
    teacher = tutorial_of(name)
    if teacher is None:
        title = game(name).info.title
        raise Refusal("bad request", "There is no lesson for {game}.", game=title)
    return teacher.TUTORIAL


def _tutorial_request(request: ask.CreateTable, tutorial: Tutorial) -> ask.CreateTable:
    """The request for a tutorial table: one learner and bots; everything but the game is ignored."""
    return ask.CreateTable(
        game=request.game,
        seats=tutorial.seats,
        options=dict(tutorial.options),
        access="bots",
        bots={str(seat): level for seat, level in enumerate(tutorial.bots, start=1)},
        lesson=True,
    )


def rematch_of(table: Table) -> log.Opened:
    """The opening of a rematch: every seat is reserved, and the game starts from the beginning."""
    kept = tuple(
        log.Reserved(place.name, level=place.level)
        if place.kind == "bot"
        else log.Reserved(place.name, place.devices)
        for place in table.places
    )
    return log.changed(table.opened, earlier=table.id, reserved=kept, lesson=False, given={}, begun=())


def table_from_record(record: AnyRecord, seat: int, bots: Mapping[int, str], device: str) -> log.Opened:
    """The opening of a table that continues where a record ends, with bots on all seats but one.

    The players keep their names from the record, since it is the same game up to there.
    """
    name = record.game.info.name
    seats = [log.Reserved(known, level=bots.get(n, "")) for n, known in enumerate(record.names)]
    seats[seat] = log.Reserved(record.names[seat], (device,))
    return log.Opened(
        game=name,
        rules=record.game.info.rules_version,
        seats=len(seats),
        options=write_options(record.game, record.options),
        access="bots",
        host=device,
        invitation=hash_secret(secrets.token_urlsafe(18)),
        hints=True,
        begun=tuple(
            log.Made(None if move.actor is LUCK else move.actor, record.game.write(move.action))
            for move in record.moves
        ),
        reserved=tuple(seats),
    )


def _reserve_bots(request: ask.CreateTable, name: str) -> tuple[log.Reserved, ...]:
    seats = [log.Reserved() for _ in range(request.seats)]
    levels: list[str] = []
    for text, level in request.bots.items():
        if not text.isdecimal() or int(text) >= request.seats:
            last = request.seats - 1
            raise Refusal("bad request", "Bots are given by seat, 0 to {last}.", last=last)
        word = validate_level(name, level)
        levels.append(word)
        seats[int(text)] = log.Reserved(title_of(word, levels.count(word)), level=word)
    return tuple(seats)


def _find_game(name: str) -> AnyGame:
    try:
        return game(name)
    except (GameFailed, UsageError) as error:
        raise Refusal.of("bad request", error) from None
