"""Creating tables: validates a request, and builds the first entry of the log."""

from __future__ import annotations

import base64
import random
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from wonderland.bots.characters import pick_character
from wonderland.components.tutorial import Tutorial, lessons_of, tutorial_of
from wonderland.engine.errors import GameFailed, UsageError
from wonderland.engine.options import read_options, write_options
from wonderland.engine.protocol import CHANCE, AnyGame
from wonderland.engine.record import Move
from wonderland.engine.record_reader import AnyRecord
from wonderland.engine.registry import game
from wonderland.tables import entries as log
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import hash_secret, validate_level
from wonderland.tables.rated_games import check_rated_request
from wonderland.tables.storage.interface import Addition, StoredEntry
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal


def today(now: int) -> str:
    """The UTC date of a time in milliseconds, in ISO format."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


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
    rules = find_game(request.game)
    tutorial = _find_tutorial(rules.info.name, request.topic) if request.is_tutorial else None
    try:
        if request.rated:
            request = check_rated_request(request, rules)
        if tutorial is not None:
            request = _tutorial_request(request, tutorial)
        rules.start(request.seats, read_options(rules, request.options))
    except UsageError as error:
        raise Refusal.of(Code.INVALID_OPTIONS, error, rules.info.name) from None
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
        is_tutorial=request.is_tutorial,
        rated=request.rated,
        topic=request.topic if request.is_tutorial else "",
        given={} if tutorial is None else tutorial.given_outcomes(),
        begun=() if tutorial is None else _made(rules, tutorial.first_moves(rules)),
        reserved=_reserve_bots(request, rules.info.name),
    )


def _find_tutorial(name: str, topic: str) -> Tutorial:
    if topic:
        lesson = lessons_of(name).get(topic)
        if lesson is None:
            raise Refusal(Code.NO_SUCH_TUTORIAL, "There's no such tutorial.")
        return lesson.setup
    component = tutorial_of(name)
    if component is None:
        title = game(name).info.title
        raise Refusal(Code.NO_SUCH_TUTORIAL, "There's no tutorial for {game}.", game=title)
    return component.TUTORIAL


def _tutorial_request(request: ask.CreateTable, tutorial: Tutorial) -> ask.CreateTable:
    """The request for a tutorial table: one learner and bots; everything but the game is ignored."""
    return ask.CreateTable(
        game=request.game,
        seats=tutorial.seats,
        options=dict(tutorial.options),
        access="bots",
        bots={str(seat): level for seat, level in enumerate(tutorial.bots, start=1)},
        is_tutorial=True,
        topic=request.topic,
    )


def _made(rules: AnyGame, moves: Sequence[Move[Any]]) -> tuple[log.Made, ...]:
    actors = [None if move.actor is CHANCE else move.actor for move in moves]
    return tuple(
        log.Made(actor, rules.write(move.action)) for actor, move in zip(actors, moves, strict=True)
    )


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
        begun=_made(record.game, record.moves),
        reserved=tuple(seats),
    )


def _reserve_bots(request: ask.CreateTable, name: str) -> tuple[log.Reserved, ...]:
    seats = [log.Reserved() for _ in range(request.seats)]
    rng, taken = random.Random(secrets.randbits(64)), set(request.avoid)
    for text, level in request.bots.items():
        if not text.isdecimal() or int(text) >= request.seats:
            last = request.seats - 1
            raise Refusal(Code.NO_SUCH_SEAT, "Bot seats must be numbers from 0 to {last}.", last=last)
        word = validate_level(name, level)
        character = pick_character(name, word, taken, rng)
        taken.add(character)
        seats[int(text)] = log.Reserved(character, level=word)
    return tuple(seats)


def find_game(name: str) -> AnyGame:
    """Return an installed game; `Refusal` if there is none of this name."""
    try:
        return game(name)
    except (GameFailed, UsageError) as error:
        raise Refusal.of(Code.UNKNOWN_GAME, error) from None
