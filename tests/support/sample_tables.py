"""Tables at interesting moments, for screenshots and accessibility checks.

Each is a seeded play, stopped at that moment and written to a database as the log of a table, so a
server shows the same page every time.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from campaigns.indistinguishable_plays import additions, append_all
from support.browser import OpenPage, page_opener
from support.server import ServerProcess, run_server
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import CHANCE, Chance, Over
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game
from wonderland.features.puzzles.model import puzzles
from wonderland.games.cookies.rules import state as cookies
from wonderland.games.cookies.rules.rules import certain_step
from wonderland.games.letters.rules import events
from wonderland.games.letters.ui import editor as letters_editor
from wonderland.games.parade.rules import state as parade
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.ui import editor as parade_editor
from wonderland.tables import entries as log
from wonderland.tables.accounts import Accounts
from wonderland.tables.fairness import FairChance, ServerKey
from wonderland.tables.handlers import hash_secret
from wonderland.tables.rated_games import RatedResult, record_result
from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.storage.sqlite import SqliteStorage

COOKIE = "the-cookie-of-the-one-who-looks"
NAMES = ("Alice", "Hatter", "Dinah", "Queen", "White Rabbit", "Bill")
UNUSUAL = (
    "Alexandrina Wilhelmina Featherstonehaugh",  # as long as a name can be
    "不思議の国のアリスとおかしなお茶会の仲間たち",
    "אליס בארץ הפלאות",
    "🐇🫖🎩♠️👑🐈",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "أليس في بلاد العجائب",
)
_KEY = "ab" * 32
_HOUR = 3_600_000
"""Milliseconds."""

StopCondition = Callable[[AnyMatch], bool]


class SampleTable(NamedTuple):
    """A table at one moment, seen from the first seat unless `looks` is false."""

    name: str
    game: str
    seats: int
    moment: StopCondition | None
    """When to stop; none for a table whose game has not started."""
    mark: int | None = None
    """The choice to mark, counted from 0."""
    names: tuple[str, ...] = NAMES
    looks: bool = True
    """Whether the viewer is a player, or a spectator."""
    shares: bool = False
    """Whether all players share the viewer's device."""
    first_seed: int = 0
    """The first shuffle to try, where the moment is rare."""

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"/tables/{self.name}"


def _mine(match: AnyMatch) -> bool:
    return not isinstance(match.turn, Chance) and 0 in seats_to_act(match.turn)


def _after(decisions: int) -> StopCondition:
    return lambda match: match.decisions >= decisions and _mine(match)


def _over(match: AnyMatch) -> bool:
    return isinstance(match.turn, Over)


def _crowd(match: AnyMatch) -> bool:
    state = match.state
    zones = sum(len(zone) for zone in state.zones)
    return _mine(match) and len(state.parade) >= 18 and zones >= 8 and bool(state.zones[0])


def _expensive(match: AnyMatch) -> bool:
    """The first card of the hand would take a large part of the parade."""
    if not _mine(match) or match.decisions < 16 or not isinstance(match.state.stage, parade.Playing):
        return False
    return len(split_parade(match.state.parade, match.legal(0)[0].card)[0]) >= 3


def _last_round(match: AnyMatch) -> bool:
    stage = match.state.stage
    return _mine(match) and isinstance(stage, parade.Playing) and stage.turns_left is not None


def _pairs(match: AnyMatch) -> bool:
    return isinstance(match.state.stage, parade.Keeping) and match.state.stage.kept[0] is None


def _menace(match: AnyMatch) -> bool:
    """A menace has just turned letters face down."""
    if not _mine(match) or match.decisions < 8:
        return False
    last = list(match.events)[-3:]
    return any(isinstance(event, events.LettersTurnedDown) and event.spaces for event in last)


def _some_letters(match: AnyMatch) -> bool:
    return _mine(match) and match.decisions >= 12 and sum(match.state.rails) >= 4


def _spun(match: AnyMatch) -> bool:
    stage = match.state.stage
    return isinstance(stage, cookies.Deciding) and stage.seat == 0 and match.decisions >= 6


def _tea(match: AnyMatch) -> bool:
    stage = match.state.stage
    return isinstance(stage, cookies.Taking) and stage.seat == 0


def _before_tea(match: AnyMatch) -> bool:
    """One of the cards leads to a place that gives a cookie."""
    if not _mine(match) or match.decisions < 14 or not isinstance(match.state.stage, cookies.Playing):
        return False
    steps = (certain_step(match.state, 0, action) for action in match.legal(0))
    return any(isinstance(state.stage, cookies.Taking) for state, _ in steps)


def _jokers(match: AnyMatch) -> bool:
    return _mine(match) and match.decisions >= 6 and len(match.legal(0)) >= 6


SAMPLE_TABLES = (
    SampleTable("lobby", "parade", 4, None),
    SampleTable("parade-opening", "parade", 3, _after(0)),
    SampleTable("parade-middle", "parade", 4, _after(24)),
    SampleTable("parade-marked", "parade", 4, _expensive, mark=0),
    SampleTable("parade-crowd", "parade", 6, _crowd, mark=0, first_seed=12_236),
    SampleTable("parade-last-round", "parade", 3, _last_round),
    SampleTable("parade-pairs", "parade", 4, _pairs, mark=2),
    SampleTable("parade-end", "parade", 4, _over),
    SampleTable("parade-two", "parade", 2, _after(16), mark=1),
    SampleTable("parade-five", "parade", 5, _after(30), mark=0),
    SampleTable("parade-shared", "parade", 3, _after(12), shares=True),
    SampleTable("parade-names", "parade", 6, _after(30), names=UNUSUAL),
    SampleTable("parade-watched", "parade", 2, _after(8), looks=False),
    SampleTable("letters-opening", "letters", 3, _after(0)),
    SampleTable("letters-middle", "letters", 4, _some_letters, mark=4),
    SampleTable("letters-menace", "letters", 2, _menace),
    SampleTable("letters-end", "letters", 3, _over),
    SampleTable("letters-names", "letters", 4, _after(20), names=UNUSUAL),
    SampleTable("cookies-opening", "cookies", 2, _after(0)),
    SampleTable("cookies-middle", "cookies", 4, _before_tea, mark=0),
    SampleTable("cookies-joker", "cookies", 3, _jokers, mark=3),
    SampleTable("cookies-spinner", "cookies", 3, _spun, mark=0),
    SampleTable("cookies-tea", "cookies", 3, _tea, mark=0),
    SampleTable("cookies-end", "cookies", 3, _over),
    SampleTable("cookies-names", "cookies", 4, _after(16), names=UNUSUAL),
)
_PUZZLE = puzzles("parade").puzzles[0]
PAGES = {
    "first-page": "/",
    "rules-parade": "/rules/parade",
    "rules-letters": "/rules/letters",
    "rules-cookies": "/rules/cookies",
    "learn": "/learn/parade",
    "score-parade": "/score/parade",
    "score-cookies": "/score/cookies",
    "insights": "/insights/cookies",
    "position-parade": f"/position/parade?{urlencode({'position': parade_editor.EXAMPLE})}",
    "position-letters": f"/position/letters?{urlencode({'position': letters_editor.EXAMPLE})}",
    "position-empty": "/position/cookies",
    "puzzle-open": "/puzzles/letters",
    "puzzle": f"/puzzles/parade/{_PUZZLE.id}?choice={_PUZZLE.steps[0].options[0].action}",
    "problem": "/tables/nowhere",
    "bring-a-record": "/replay",
    "replay-parade": "/replay/parade-end?at=30",
    "replay-cookies": "/replay/cookies-end?at=9&seat=1",
    "coach-parade": "/replay/parade-end/coach",
    "my-games": "/games",
    "find": "/find",
    "people": "/people",
    "leaderboard": "/leaderboard/parade",
    "leaderboard-empty": "/leaderboard/letters",
}


def _at_random(match: AnyMatch, seat: int, rng: random.Random) -> Any:
    return rng.choice(match.legal(seat))


def _shy(match: AnyMatch, seat: int, rng: random.Random) -> Any:
    """Take as few cards as possible, so that the parade grows."""
    ways = list(match.legal(seat))
    if isinstance(ways[0], parade.PlayCard):
        return min(ways, key=lambda way: len(split_parade(match.state.parade, way.card)[0]))
    return rng.choice(ways)


def _play(exhibit: SampleTable, seed: int, chance: FairChance) -> AnyMatch | None:
    """Play with this seed and this shuffle up to the moment, if it comes."""
    rng = random.Random(f"{exhibit.name} {seed}")
    choose = _shy if exhibit.moment is _crowd else _at_random
    match: AnyMatch = Match(game(exhibit.game), exhibit.names[: exhibit.seats], chance=chance)
    assert exhibit.moment is not None
    while not exhibit.moment(match):
        if isinstance(match.turn, Over):
            return None
        seat = seats_to_act(match.turn)[0 if exhibit.moment is not _pairs else -1]
        match.play(seat, choose(match, seat, rng))
    return match


def _contribution(exhibit: SampleTable, seat: int) -> str:
    """What the device of a seat added to the shuffle."""
    return hash_secret(f"{exhibit.name}-{seat}")[:32]


def _nonce(exhibit: SampleTable, seed: int) -> str:
    return hash_secret(f"{exhibit.name} {seed}")[:32]


def _played(exhibit: SampleTable, key: ServerKey) -> tuple[int, AnyMatch]:
    """Play with one fair shuffle after the other until the moment comes; return its seed, too."""
    contributions = [_contribution(exhibit, seat) for seat in range(exhibit.seats)]
    for seed in count(exhibit.first_seed):
        chance = FairChance(key.secret(exhibit.name, _nonce(exhibit, seed)), contributions)
        if match := _play(exhibit, seed, chance):
            return seed, match
    raise AssertionError("there is always another shuffle")


def _log(exhibit: SampleTable, key: ServerKey) -> list[log.AnyEntry]:
    """Return the log entries of the table."""
    table, device = exhibit.name, hash_secret(COOKIE)
    seed, match = _played(exhibit, key) if exhibit.moment else (0, None)
    secret = key.secret(table, _nonce(exhibit, seed))
    found: list[log.AnyEntry] = [
        log.Opened(
            game=exhibit.game,
            rules=game(exhibit.game).info.rules_version,
            seats=exhibit.seats,
            options={},
            access="link" if match else "open",
            host=device,
            invitation=hash_secret(f"{table}-invitation"),
            nonce=_nonce(exhibit, seed),
            server=key.fingerprint,
            commitment=secret.commitment,
            date="2026-01-01",
        )
    ]
    for seat in range(exhibit.seats if match else 2):
        sits = (
            device if exhibit.shares or (seat == 0 and exhibit.looks) else hash_secret(f"{table} {seat}")
        )
        found.append(log.Sat(seat, exhibit.names[seat], sits, _contribution(exhibit, seat)))
    if match is None:
        return [*found, log.Said(0, "hello")]
    for move in match.moves:
        word = match.game.write(move.action)
        if move.actor is not CHANCE:
            found.append(log.Played(move.actor, word))
        elif isinstance(last := found[-1], log.Started | log.Played):
            found[-1] = log.changed(last, outcomes=(*last.outcomes, word))
        else:
            found.append(log.Started((word,)))
    if isinstance(match.turn, Over):
        found[-1] = log.changed(found[-1], secret=secret.reveal())
    return found


async def _write(database: Path, key: ServerKey) -> None:
    storage = SqliteStorage(database)
    await storage.open()
    start = int(time.time()) * 1000 - _HOUR  # a server removes tables that are old
    for exhibit in SAMPLE_TABLES:
        entries = [
            StoredEntry(exhibit.name, n, start + 1000 * n, log.written(happening))
            for n, happening in enumerate(_log(exhibit, key))
        ]
        await append_all(storage, additions(entries)[0])
    await _rate(storage, key)
    await storage.close()


async def _rate(storage: SqliteStorage, key: ServerKey) -> None:
    """Create a few rated accounts; the first is the viewer's."""
    people, ids = Accounts(storage, key), list[str]()
    for seat, name in enumerate((NAMES[0], *UNUSUAL)):
        device = hash_secret(COOKIE if seat == 0 else name)
        ids.append((await people.make(name, device))[0].id)
    for n in range(21):
        seats = (ids[0], *ids[1 + n % 3 : 3 + n % 3])
        time = 1_700_000_000_000 + 86_400_000 * n
        await record_result(storage.documents, RatedResult(f"rated{n}", "parade", time, seats, (n % 3,)))


@contextmanager
def serve_sample_tables(folder: Path) -> Iterator[ServerProcess]:
    """Run a server with all sample tables."""
    (folder / "key").write_text(_KEY, encoding="utf-8")
    asyncio.run(_write(folder / "tables.db", ServerKey.from_text(_KEY)))
    with run_server(folder, "--key", str(folder / "key"), "--coach-playouts", "100") as server:
        _request_review(server)
        yield server


def _request_review(server: ServerProcess) -> None:
    """Have the coach review the game whose report is shown."""
    wish = Request(f"{server.address}/api/replays/parade-end/coach", b"{}")  # noqa: S310 - our own
    while json.load(urlopen(wish))["state"] != "done":  # noqa: S310 - the same
        time.sleep(0.05)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serve_sample_tables(tmp_path_factory.mktemp("exhibition")) as served:
        yield served


@pytest.fixture
def visitor(open_page: OpenPage) -> OpenPage:
    """Open pages as the player in the first seat."""

    def opened(path: str, **wishes: Any) -> Any:
        return open_page(path, cookie=COOKIE, **({"reduced_motion": "reduce"} | wishes))

    return opened


@pytest.fixture(scope="module")
def lasting_visitor(chromium: Any, server: ServerProcess) -> Iterator[OpenPage]:
    """The same, with one page per set of options that is reused, since opening one is slow."""
    pages: dict[str, Any] = {}
    with page_opener(chromium, server.address) as opened:

        def gone(path: str, **wishes: Any) -> Any:
            kind = json.dumps(wishes, sort_keys=True)
            if kind not in pages:
                pages[kind] = opened(path, cookie=COOKIE, reduced_motion="reduce", **wishes)
            else:
                pages[kind].goto(path)
            return pages[kind]

        yield gone
