"""Compare every byte sent about two tables that look the same to one viewer: nothing leaks.

    python -m tests.campaigns.secrecy --pairs 10000 [--seed 1] [--game parade]

Two sites hold the same tables, except for what one viewer can't see (`indistinguishable_plays.py`). Both
get the same requests, and others play on while the viewer watches: each response and message must be
identical, except for the date. During a game, nothing may contain the secret of its shuffle.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from campaigns.indistinguishable_plays import Pair, additions, append_all, device, pairs, secret_of
from campaigns.raw_clients import KEY, Answer, Closed, Http, RunningSite, Socket, site_in
from wonderland.engine.protocol import Over
from wonderland.tables import service as houses
from wonderland.tables.storage.interface import Addition
from wonderland.tables.table import Table
from wonderland.web.app import PAGES, ROUTES

Sent = list[tuple[str, bytes]]
"""Requests, each with every byte of the response."""
_LIVE_MOVES = 4
_PAGES = [path for path, _ in PAGES if path == "/" or "{table}" in path or "{replay}" in path]
"""The pages that may show a table."""
_TIME = 1_800_000_000_000


class Leak(AssertionError):  # noqa: N818 - reads better without a suffix
    """A viewer was sent something hidden from them."""


class Side(NamedTuple):
    """One of the two sites, with its clients: the viewer, over HTTP and WebSocket, and the others."""

    here: RunningSite
    table: str
    viewer: int | None
    cookie: str
    http: Http
    sockets: list[Socket]

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    async def now(self) -> Table:
        """The current table."""
        return (await self.here.site.tables.get_live_table(self.table)).table


_CHANGING = ("date", "x-request-id")  # headers that differ between any two answers


def bytes_of(answer: Answer) -> bytes:
    """Everything in a response except the date."""
    headers = [f"{name}: {value}" for name, value in answer.headers if name not in _CHANGING]
    return f"{answer.status}\n{headers}\n".encode() + answer.body


async def read_all(
    side: Side, table: Table, since: int, rng: random.Random, *, again: bool = False
) -> Sent:
    """Read all that a viewer since a version may; `again`: a sample of the table's own routes."""
    versions = [since, rng.randint(since, table.version), table.version, table.version + 5]
    queries = ["", *(f"?after={n}" for n in versions), *(f"?seat={n}" for n in (0, 1, 5, 99))]
    queries += [f"?seat={side.viewer}&after={versions[1]}"] * (side.viewer is not None)
    decisions = 0 if table.match is None else table.match.decisions
    moments = [0, rng.randint(0, decisions), rng.randint(0, decisions), decisions, decisions + 3]
    looks = ["", *(f"?at={n}" for n in moments), "?at=0&seat=0", "?at=0&seat=5"]
    if again:
        queries, looks = rng.sample(queries, 3), rng.sample(looks, 2)
    told = []
    names = {"table": side.table, "replay": side.table, "game": table.opened.game, "number": 1}
    for route in ROUTES:
        if again and "{table}" not in route.path:
            continue
        is_open = table.status == "finished" and route.path.endswith(("/record", "/records", "/shuffle"))
        if route.method != "GET" or is_open:
            continue  # the record and the shuffle of a finished game show everything
        if "at" in route.queries and (since or table.status == "finished"):
            continue  # a page shows all that its viewer has seen since the start
        for query in (looks if "at" in route.queries else queries) if route.queries else [""]:
            path = route.path.format(**names) + query
            told.append((f"GET {path}", bytes_of(await side.http.ask("GET", path))))
    more = [f"{side.path}/nothing"]
    if not since and table.status != "finished":
        more += [path.format(**names) for path in _PAGES if "{table}" in path or not again]
    if rng.random() < 0.1:
        more += ["/api/docs", "/api/openapi.json", "/api/asyncapi.json"]
    told += [(f"GET {path}", bytes_of(await side.http.ask("GET", path))) for path in more]
    return told


def bad_commands(pair: Pair, table: Table, rng: random.Random) -> list[dict[str, Any]]:
    """Commands that must be refused: for others' seats, out of turn, illegal, too late, malformed."""
    seats = range(pair.setting.seats)
    at = table.version
    mine = (
        set()
        if pair.viewer is None or table.match is None
        else {table.match.game.write(action) for action in table.match.legal(pair.viewer)}
    )
    found: list[dict[str, Any]] = [
        {"do": "play", "seat": seat, "action": word, "at": rng.choice([at, 0])}
        for word in (*pair.words, "nonsense")
        for seat in seats
        if seat != pair.viewer or word not in mine
    ]
    for seat in seats:
        found += [
            {"do": "claim", "seat": seat, "secret": "guess", "at": at},
            {"do": "rematch", "seat": seat, "at": at} if table.status != "finished" else {"do": "x"},
            {"do": "takeback", "seat": seat, "at": at},
            {"do": "answer", "seat": seat, "agree": True, "at": at},
        ]
    found += [
        {"do": "start", "at": at},
        {"do": "sit", "name": "Gryphon", "contribution": "00" * 16, "at": at},
        {"do": "seatbot", "seat": 0, "level": "hatter", "at": at},
        {"do": "play", "seat": 0, "at": at},
        {"do": "play", "seat": 0, "action": "?", "at": at + 1},
    ]
    rng.shuffle(found)
    return [{**command, "key": f"try-{n:06}"} for n, command in enumerate(found[:16])]


async def send_refused(side: Side, commands: list[dict[str, Any]]) -> Sent:
    """Send commands that are refused, over HTTP and WebSocket."""
    told = []
    for n, command in enumerate(commands):
        if n % 2:
            answer = bytes_of(await side.http.ask("POST", f"{side.path}/commands", command))
            told.append((f"POST {command}", answer))
        else:
            side.sockets[0].send(command)
            while (message := await side.sockets[0].message("done", "refused"))["key"] not in (
                command["key"],
                "",
            ):
                told.append(("before", repr(message).encode()))
    return told


async def received(side: Side) -> Sent:
    """Return WebSocket frames received since the last call, except presence messages.

    Presence is sent a moment later, whatever happens at the table, and reveals nothing about it.
    """
    told = []
    for number, socket in enumerate(side.sockets):
        before = getattr(socket, "told", 0)
        await socket.receive_pending()
        frames = [frame for frame in socket.frames[before:] if b'"type":"present"' not in frame[1]]
        told += [(f"live {number}", repr(frame).encode()) for frame in frames]
        socket.told = len(socket.frames)  # type: ignore[attr-defined]
    return told


async def arrive(
    here: RunningSite, pair: Pair, found: list[Addition], rng: random.Random
) -> tuple[Side, Sent]:
    """Connect the viewer to a table: once with what they know, once as a newcomer."""
    await append_all(here.site.tables.storage, found)
    cookie = device(pair.table, pair.viewer)
    side = Side(here, pair.table, pair.viewer, cookie, Http(here.port, cookie), [])
    version = found[-1].entry.n
    since = version if pair.late else 0
    told = []
    own = "" if pair.viewer is None else f"seat={pair.viewer}&"
    for query in (
        "",
        f"?{own}after={since}",
        f"?{own}after={rng.randint(since, version)}",
        "?seat=0",
        "?seat=5",
    ):
        socket = await Socket.open(here.port, pair.table, cookie, query)
        head = [line for line in socket.head.split(b"\r\n") if not line.lower().startswith(b"date:")]
        told.append((f"live {query}", b"\n".join(head)))
        try:
            await socket.message("table")
            side.sockets.append(socket)
        except Closed:
            told.append((f"live {query}", repr(socket.frames).encode()))
            await socket.close()
    return side, told


async def follow(side: Side, found: list[Addition]) -> None:
    """Append to the log as another process."""
    if not found:
        return
    service = side.here.site.tables
    await append_all(service.storage, found)
    service._on_changes([(side.table, found[-1].entry.n)])
    while (await side.now()).version < found[-1].entry.n:  # noqa: ASYNC110 - there is no event for it
        await asyncio.sleep(0)


def compare(pair: Pair, sides: list[Sent], where: str, *, over: bool) -> int:
    """Check that both sides sent the same, and no secret; return the number of bytes."""
    one, other = sides
    secret = secret_of(KEY, pair.table)
    hidden = [secret.encode(), bytes.fromhex(secret)]
    for (what, first), (_, second) in zip(one, other, strict=True):
        if first != second:
            raise Leak(f"{where}, {pair.setting}, seat {pair.viewer}, {what}:\n{first!r}\n{second!r}")
        if not over and any(each in first for each in hidden):
            raise Leak(f"{where}, {pair.setting}, {what}: the secret of the shuffle in {first!r}")
    return sum(len(data) for _, data in one)


def known_to(table: Table, viewer: int | None, since: int) -> Any:
    """Return what the viewer may know now, by the rules of the game alone."""
    match = table.match
    assert match is not None
    events = match.events[table.events_after[since] :]
    told = [match.game.witness(event, viewer) for event in events]
    return match.view(viewer), [event for event in told if event is not None], table.to_act


def looks_same(tables: list[Table], viewer: int | None, since: int) -> bool:
    """Tell whether two tables still look the same: a chance outcome may have shown a difference."""
    one, other = tables
    if one.match is None or other.match is None:
        return one.match is other.match
    if isinstance(one.match.turn, Over) or isinstance(other.match.turn, Over):
        return False
    return bool(known_to(one, viewer, since) == known_to(other, viewer, since))


async def check(
    sites: tuple[RunningSite, RunningSite], pair: Pair, clock: list[int], counts: Counter[str]
) -> None:
    """Raise `Leak` if the viewer of a pair is sent what they can't see."""
    seed = f"{pair.table}{pair.viewer}"
    written = [additions(entries) for entries in pair.logs]
    table = written[0][1]
    since = table.version if pair.late else 0
    clock[0] = _TIME

    def checked(told: list[Sent], where: str, tables: list[Table]) -> None:
        over = any(each.status == "finished" for each in tables)
        if counts["ends"]:  # one of two games ended by chance: game counts now differ
            told = [[one for one in each if one[0] != "GET /healthz"] for each in told]
        counts["bytes"] += compare(pair, told, where, over=over)
        counts["answers"] += len(told[0])

    came = [
        await arrive(here, pair, found, random.Random(seed))
        for here, (found, _) in zip(sites, written, strict=True)
    ]
    sides = [side for side, _ in came]
    try:
        checked([told for _, told in came], "at first", [table])
        checked([await received(side) for side in sides], "the first messages", [table])
        checked(
            [await read_all(side, table, since, random.Random(seed)) for side in sides], "asked", [table]
        )
        commands = bad_commands(pair, table, random.Random(seed))
        checked([await send_refused(side, commands) for side in sides], "refused", [table])
        checked([await received(side) for side in sides], "refused live", [table])
        for side, (_, there), entries in zip(sides, written, pair.later, strict=True):
            await follow(side, additions(entries, there)[0] if entries else [])
        tables = [await side.now() for side in sides]
        checked([await received(side) for side in sides], "others' moves", tables)
        told = [await read_all(side, tables[0], since, random.Random(seed)) for side in sides]
        checked(told, "asked after others' moves", tables)
        if tables[0].status == "playing":
            await _play_live(sides, pair, since, counts, checked, random.Random(seed))
    finally:
        for side in sides:
            for socket in side.sockets:
                await socket.close()
            await side.http.close()


async def _play_live(  # noqa: PLR0913, PLR0917 - part of `check`
    sides: list[Side],
    pair: Pair,
    since: int,
    counts: Counter[str],
    checked: Any,
    rng: random.Random,
) -> None:
    """Continue playing over the API while the viewer watches, with undo proposals."""
    for number in range(_LIVE_MOVES):
        tables = [await side.now() for side in sides]
        proposer = rng.choice([pair.viewer, *range(pair.setting.seats)])
        if proposer is not None and not pair.late:  # what can be undone depends on what was seen
            command = {"do": "propose", "what": "undo", "seat": proposer, "at": tables[0].version}
            told = [
                await _send_command(side, proposer, {**command, "key": f"undo-{number:04}"})
                for side in sides
            ]
            where = f"an undo of {'ones own' if proposer == pair.viewer else 'anothers'}"
            checked([each if proposer == pair.viewer else [] for each in told], where, tables)
            checked([await received(side) for side in sides], f"{where}, seen by all", tables)
        tables = [await side.now() for side in sides]
        seat = rng.choice(tables[0].to_act)
        words = [
            [table.match.game.write(action) for action in table.match.legal(seat)]  # type: ignore[union-attr]
            for table in tables
        ]
        both = [word for word in words[0] if word in words[1]]
        if not both:
            return
        command = {"do": "play", "seat": seat, "action": rng.choice(both), "at": tables[0].version}
        told = [
            await _send_command(side, seat, {**command, "key": f"move-{number:04}"}) for side in sides
        ]
        tables = [await side.now() for side in sides]
        if not looks_same(tables, pair.viewer, since):
            counts["ends"] += any(each.status == "finished" for each in tables)
            return
        counts["live moves"] += 1
        checked([each if seat == pair.viewer else [] for each in told], "moved", tables)
        checked([await received(side) for side in sides], "after a move", tables)
        asking = [
            await read_all(side, tables[0], since, random.Random(number), again=True) for side in sides
        ]
        checked(asking, "asked after a move", tables)


async def _send_command(side: Side, seat: int, command: dict[str, Any]) -> Sent:
    http = Http(side.here.port, device(side.table, seat))
    answer = await http.ask("POST", f"{side.path}/commands", command)
    await http.close()
    return [(f"POST {command}", bytes_of(answer))]


@asynccontextmanager
async def two_sites(folder: Path) -> AsyncIterator[tuple[tuple[RunningSite, RunningSite], list[int]]]:
    """Open two empty sites with one frozen clock."""
    clock, real = [_TIME], houses.now
    (folder / "one").mkdir()
    (folder / "other").mkdir()
    houses.now = lambda: clock[0]
    try:
        async with (
            site_in(folder / "one", limited=False) as one,
            site_in(folder / "other", limited=False) as other,
        ):
            yield (one, other), clock
    finally:
        houses.now = real


async def campaign(
    folder: Path, size: int, seed: int, games: str | None = None, *, say: bool = False
) -> Counter[str]:
    """Check a number of pairs; return counts of what was compared."""
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    async with two_sites(folder) as (sites, clock):
        for pair in pairs(seed, KEY, games):
            if counts["pairs"] >= size:
                break
            await check(sites, pair, clock, counts)
            counts["pairs"] += 1
            who = "spectator" if pair.viewer is None else "seat"
            counts[f"{pair.setting.game}, {who}{', late' * pair.late}"] += 1
            if say and counts["pairs"] % 100 == 0:
                print(f"{time.monotonic() - begun:.0f} s {dict(counts)}", flush=True)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = asyncio.run(campaign(Path(folder), given.pairs, given.seed, given.game, say=True))
    print(f"No leak found: {dict(counts)}")


if __name__ == "__main__":
    main()
