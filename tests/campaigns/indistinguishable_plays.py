"""Pairs of plays that one viewer can't tell apart, and the table logs of such plays.

Usually the viewer was present from the start. A latecomer has seen only the current table: in a memory
game, where everything was open once, only a latecomer lacks information.

The second play differs from the first only where this viewer can't see: another card in a hand, another
secret choice. It is found without knowledge of the game: one move is changed, and every later one stays
the same or is replaced by another that looks the same. What a viewer sees is defined by the game's own
`view` and `witness` (the laws check that these reveal no more than they should).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from wonderland.engine.errors import UsageError
from wonderland.engine.laws import moves as possible_moves
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.options import read_options
from wonderland.engine.protocol import CHANCE, AnyGame, Chance, Over
from wonderland.engine.record import Move
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names
from wonderland.tables import entries as log
from wonderland.tables.fairness import ServerKey
from wonderland.tables.handlers import hash_secret
from wonderland.tables.storage.interface import Addition, Storage, StoredEntry
from wonderland.tables.table import Table

Moves = list[Move[Any]]
_TRIES = 40
_CHANGES = 3
NAMES = ("Alice", "Bill", "Dinah", "Caterpillar", "Duchess", "Gryphon")


class Setting(NamedTuple):
    """A game, a number of seats, and options."""

    game: str
    seats: int
    options: dict[str, str]


def settings(name: str) -> list[Setting]:
    """Return a game's seat counts and example options in every valid combination."""
    rules = game(name)
    names = [option.name for option in rules.info.options]
    found = []
    for seats, *texts in product(rules.info.seats, *(option.examples for option in rules.info.options)):
        options = dict(zip(names, texts, strict=True))
        try:
            rules.start(seats, read_options(rules, options))
        except UsageError:
            continue  # options for another number of seats
        found.append(Setting(name, seats, options))
    return found


def seen(rules: AnyGame, state: Any, events: Sequence[Any], viewer: int | None) -> Any:
    """Return a viewer's observation of a move: the view afterwards, and the witnessed events."""
    told = [rules.witness(event, viewer) for event in events]
    return rules.view(state, viewer), [event for event in told if event is not None]


def random_play(setting: Setting, rng: random.Random) -> AnyMatch:
    """Play a whole game at random."""
    rules = game(setting.game)
    match: AnyMatch = Match(rules, setting.seats, read_options(rules, setting.options))
    while not isinstance(turn := match.turn, Over):
        if isinstance(turn, Chance):
            match.apply(CHANCE, turn.pick(rng.randrange(turn.total)))
        else:
            seat = rng.choice(seats_to_act(turn))
            match.apply(seat, rng.choice(match.legal(seat)))
    return match


def twin(
    match: AnyMatch, moves: Moves, viewer: int | None, rng: random.Random, came: int = 0
) -> Moves | None:
    """Find other moves that look the same to a viewer who came after `came` moves, or return `None`."""
    rules = match.game
    first = rules.start(len(match.names), match.options)
    path = [first]
    looks = []
    for move in moves:
        step = rules.apply(path[-1], move.actor, move.action)
        path.append(step.state)
        looks.append(seen(rules, step.state, step.events, viewer))
    looks[: max(0, came - 1)] = [None] * max(0, came - 1)
    if came:
        looks[came - 1] = looks[came - 1][0], None
    best, changes = moves, 0
    for _ in range(_TRIES):
        if changes == _CHANGES:
            break
        start = rng.randrange(came or len(moves))
        found = _change(rules, first, best, looks, start, viewer, rng)
        if found is not None and found != moves:
            best, changes = found, changes + 1
    return best if changes else None


def _change(  # noqa: PLR0913, PLR0917 - one step of the search
    rules: AnyGame,
    state: Any,
    moves: Moves,
    looks: Sequence[Any],
    start: int,
    viewer: int | None,
    rng: random.Random,
) -> Moves | None:
    """Replace the move at `start`, and any later ones that must change with it."""
    found: Moves = []
    for number, move in enumerate(moves):
        if number < start:
            state = rules.apply(state, move.actor, move.action).state
            found.append(move)
            continue
        choices = [action for actor, action in possible_moves(rules, state) if actor == move.actor]
        rng.shuffle(choices)
        there = move.action in choices
        if number == start:
            choices = [action for action in choices if action != move.action]
        elif there:
            choices = [move.action, *(action for action in choices if action != move.action)]
        for action in choices[:12]:
            step = rules.apply(state, move.actor, action)
            if _fits(seen(rules, step.state, step.events, viewer), looks[number]):
                state = step.state
                found.append(Move(move.actor, action))
                break
        else:
            return None
    return found


def _fits(found: Any, wanted: Any) -> bool:
    """Tell whether an observation is as expected, for a viewer who may have come too late for it."""
    return wanted is None or found == wanted or (wanted[1] is None and found[0] == wanted[0])


class Pair(NamedTuple):
    """Two logs of one table that a viewer can't tell apart so far, and their continuations."""

    setting: Setting
    viewer: int | None
    table: str
    logs: tuple[list[StoredEntry], list[StoredEntry]]
    later: tuple[list[StoredEntry], list[StoredEntry]]
    """Entries that others write afterwards."""
    late: bool
    """Whether the viewer came only now, and so may not ask for anything earlier."""
    words: tuple[str, ...]
    """Notation used in these plays, for guessing."""


def device(table: str, seat: int | None) -> str:
    """The cookie of the player in a seat."""
    return f"{table}-cookie-of-seat-{seat}"


def secret_of(key: ServerKey, table: str) -> str:
    """The secret of a table's shuffle."""
    return key.secret(table, nonce_of(table)).reveal()


def nonce_of(table: str) -> str:
    return hash_secret(table)[:32]


def opening(setting: Setting, table: str, key: ServerKey) -> log.Opened:
    """The log entry that opens a table."""
    return log.Opened(
        game=setting.game,
        rules=game(setting.game).info.rules_version,
        seats=setting.seats,
        options=setting.options,
        access="link",
        host=hash_secret(device(table, 0)),
        invitation=hash_secret(f"{table}-invitation"),
        nonce=nonce_of(table),
        server=key.fingerprint,
        commitment=key.secret(table, nonce_of(table)).commitment,
        date="2026-01-01",
    )


def pairs(seed: int, key: ServerKey, games: str | None = None) -> Iterator[Pair]:
    """Yield pairs endlessly, the same for the same seed."""
    rng = random.Random(seed)
    every = [settings(name) for name in ([games] if games else game_names())]
    number = 0
    while True:
        setting = rng.choice(rng.choice(every))
        match = random_play(setting, rng)
        cut = rng.choice([len(match.moves), *(rng.randrange(1, len(match.moves) + 1) for _ in range(9))])
        cut = _end_of_entry(match, cut)
        later = min(len(match.moves), cut + rng.randrange(1, 8))
        viewer = rng.choice([None, *range(setting.seats)])
        late = rng.random() < 0.2 or setting.game == "letters"  # where nothing is ever hidden
        other = twin(match, match.moves[:later], viewer, rng, came=cut if late else 0)
        if other is None:
            continue
        number += 1
        table = f"{seed:x}pair{number}"
        found = [
            _entries(setting, table, match.game, moves, key) for moves in (match.moves[:later], other)
        ]
        ends = [
            next((n for n, (last, _) in enumerate(each) if last >= cut), len(each) - 1) for each in found
        ]
        written = {match.game.write(move.action) for moves in (match.moves, other) for move in moves}
        yield Pair(
            setting,
            viewer,
            table,
            tuple([entry for _, entry in each[: ends[0] + 1]] for each in found),  # type: ignore[arg-type]
            tuple([entry for _, entry in each[ends[0] + 1 :]] for each in found),  # type: ignore[arg-type]
            late,
            tuple(rng.sample(sorted(written), min(6, len(written)))),
        )


def _end_of_entry(match: AnyMatch, moves: int) -> int:
    """Return the smallest number of moves from `moves` on at which a log entry ends."""
    for number, (state, _) in enumerate(match.record.states()):
        if number >= moves and not isinstance(match.game.turn(state), Chance):
            return number
    return len(match.moves)


def _entries(
    setting: Setting, table: str, rules: AnyGame, moves: Moves, key: ServerKey
) -> list[tuple[int, StoredEntry]]:
    """Build the log of these moves, each entry with the number of moves so far."""
    happenings: list[tuple[int, log.AnyEntry]] = [(0, opening(setting, table, key))]
    for seat in range(setting.seats):
        contribution = hash_secret(f"{table}-{seat}")[:32]
        happenings.append(
            (0, log.Sat(seat, NAMES[seat], hash_secret(device(table, seat)), contribution))
        )
    state = rules.start(setting.seats, read_options(rules, setting.options))
    outcomes: list[str] = []
    actor: Any = CHANCE
    word = ""

    def close(done: int) -> None:
        secret = secret_of(key, table) if isinstance(rules.turn(state), Over) else ""
        if actor is CHANCE:
            happenings.append((done, log.Started(tuple(outcomes), secret)))
        else:
            happenings.append((done, log.Played(actor, word, tuple(outcomes), secret)))
            if done % 7 == 0 and not secret:
                happenings.append((done, log.Said(actor, "thinking")))

    begun = False
    for number, move in enumerate(moves):
        if move.actor is CHANCE:
            outcomes.append(rules.write(move.action))
        else:
            if not isinstance(rules.turn(state), Chance):
                close(number)
            actor, word, outcomes, begun = move.actor, rules.write(move.action), [], True
        state = rules.apply(state, move.actor, move.action).state
    if not isinstance(rules.turn(state), Chance) and (begun or outcomes or moves):
        close(len(moves))
    return [
        (done, StoredEntry(table, n, 1_700_000_000_000 + 1000 * n, log.written(happening)))
        for n, (done, happening) in enumerate(happenings)
    ]


def additions(
    entries: Sequence[StoredEntry], table: Table | None = None
) -> tuple[list[Addition], Table]:
    """Return what to store for a log, or for entries that continue a table."""
    found = []
    for entry in entries:
        before = set() if table is None else table.sitters()
        table = Table(entry) if table is None else table.after(entry)
        row = table.row(entry.time, None)
        now = table.sitters()
        found.append(Addition(entry, row, tuple(now - before), tuple(before - now)))
    assert table is not None
    return found, table


async def append_all(storage: Storage, found: list[Addition]) -> None:
    """Append to a log, as any process might."""
    answers: list[asyncio.Future[Any]] = []
    for addition in found:
        answers.append(asyncio.get_running_loop().create_future())
        storage.append(addition, answers[-1].set_result)
    assert all([await answer is True for answer in answers])
