"""How a table is laid: what the first entry of its log says, and what it is refused for."""

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
from wonderland.tables.rated_games import rated_table
from wonderland.tables.storage.interface import Addition, StoredEntry
from wonderland.tables.table import Table, title_of, today
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal


def new_id() -> str:
    """A name for a table that nobody can guess."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def opening_entry(key: ServerKey, table: str, opened: log.Opened, now: int) -> Addition:
    """The beginning of a log, with the commitment to a fresh secret, unless luck is prepared."""
    nonce = secrets.token_hex(16)
    commitment = "" if opened.given else key.secret(table, nonce).commitment
    fresh = log.changed(
        opened, nonce=nonce, server=key.fingerprint, commitment=commitment, date=today(now)
    )
    entry = StoredEntry(table, 0, now, log.written(fresh))
    first = Table(entry)
    return Addition(entry, first.row(now, None), tuple(first.sitters()))


def table_from_request(wanted: ask.CreateTable, device: str, invitation: str) -> log.Opened:
    """A table as a host wants it; `Refusal` if there can be none."""
    rules = _game(wanted.game)
    lesson = _lesson(rules.info.name) if wanted.lesson else None
    try:
        if wanted.rated:
            wanted = rated_table(wanted, rules)
        if lesson is not None:
            wanted = _as_taught(wanted, lesson)
        rules.start(wanted.seats, read_options(rules, wanted.options))
    except UsageError as error:
        raise Refusal.of("bad request", error) from None
    return log.Opened(
        game=rules.info.name,
        rules=rules.info.rules_version,
        seats=wanted.seats,
        options=wanted.options,
        access=wanted.access,
        host=device,
        invitation=invitation,
        clock=wanted.clock,
        away=wanted.away,
        hints=wanted.hints,
        lesson=wanted.lesson,
        rated=wanted.rated,
        given={} if lesson is None else lesson.luck(),
        reserved=_bots(wanted, rules.info.name),
    )


def _lesson(name: str) -> Tutorial:
    teacher = tutorial_of(name)
    if teacher is None:
        title = game(name).info.title
        raise Refusal("bad request", "There is no lesson for {game}.", game=title)
    return teacher.LESSON


def _as_taught(wanted: ask.CreateTable, lesson: Tutorial) -> ask.CreateTable:
    """The table of a lesson: for one learner, whatever else was asked for."""
    return ask.CreateTable(
        game=wanted.game,
        seats=lesson.seats,
        options=dict(lesson.options),
        access="bots",
        bots={str(seat): level for seat, level in enumerate(lesson.bots, start=1)},
        lesson=True,
    )


def rematch_of(table: Table) -> log.Opened:
    """The table of a rematch: a seat is kept for everyone. It is a usual game from its beginning."""
    kept = tuple(
        log.Reserved(place.name, level=place.level)
        if place.kind == "bot"
        else log.Reserved(place.name, place.devices)
        for place in table.places
    )
    return log.changed(table.opened, earlier=table.id, reserved=kept, lesson=False, given={}, begun=())


def table_from_record(record: AnyRecord, seat: int, bots: Mapping[int, str], device: str) -> log.Opened:
    """A table where somebody plays on from where a record ends, against bots on all other seats.

    Everyone keeps the name that they have in the record: it is the same play up to there.
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


def _bots(wanted: ask.CreateTable, name: str) -> tuple[log.Reserved, ...]:
    seats = [log.Reserved() for _ in range(wanted.seats)]
    levels: list[str] = []
    for text, level in wanted.bots.items():
        if not text.isdecimal() or int(text) >= wanted.seats:
            last = wanted.seats - 1
            raise Refusal("bad request", "Bots are given by seat, 0 to {last}.", last=last)
        word = validate_level(name, level)
        levels.append(word)
        seats[int(text)] = log.Reserved(title_of(word, levels.count(word)), level=word)
    return tuple(seats)


def _game(name: str) -> AnyGame:
    try:
        return game(name)
    except (GameFailed, UsageError) as error:
        raise Refusal.of("bad request", error) from None
