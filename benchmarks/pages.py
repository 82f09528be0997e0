"""Latency of a move answered with a rendered page, compared with JSON, while others play.

    .venv/bin/python benchmarks/pages.py
    .venv/bin/python benchmarks/pages.py --tables 20 --seconds 10 --think 0.2

At each table two players play Parade, thinking for `--think` seconds on average before each move. The
players at the other tables are browsers, too. The latency is the time from sending a move until its
sender has the table after it: as HTML in a browser, as JSON in a program. By then the move is on disk.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import platform
import random
import re
import tempfile
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from server import address_in, fast_loop, ours
from server_clients import Client, quantile

PAGE, JSON = "a page", "JSON"
_VERSION = re.compile(rb'"version":(\d+)')
_CHOICES = re.compile(rb'data-play=\\"([^"\\]+)\\"')
_WORDS = re.compile(rb'"legal":\[([^\]]*)\]')
_CONNECTING = 20
_WARMING = 2.0
"""Warm-up in seconds: the first pages are slower, until the templates are loaded."""


class Evening:
    """All tables in play, and the measurements at some of them."""

    def __init__(self, address: tuple[str, int], stock: list[Any], think: float) -> None:
        self.address, self.think = address, think
        self.stock = iter(stock)
        self.rng = random.Random(1)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.sizes: dict[str, list[int]] = defaultdict(list)
        self.moves = self.received = 0
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def fail(self, why: str) -> None:
        if not self.failure.done():
            self.failure.set_exception(SystemExit(why))

    async def begin(self, form: str, label: str) -> None:
        """Connect two players to the next table; `label` groups their measurements, if any."""
        try:
            pair = Pair(self, next(self.stock), form, label)
        except StopIteration:
            self.fail("there are not enough prepared tables: prepare more with --games")
            return
        loop = asyncio.get_running_loop()
        for seat in (0, 1):
            player = Player(pair, seat)
            pair.players.append(player)
            await loop.create_connection(partial(_itself, player), *self.address)


class Pair:
    """Two players at one table; plays the part of `Board` for `Client`."""

    def __init__(self, evening: Evening, prepared: Any, form: str, label: str) -> None:
        self.load, self.prepared, self.form, self.label = evening, prepared, form, label
        self.players: list[Player] = []
        self.over = False

    def host(self, _seat: int) -> str:
        host, port = self.load.address
        return f"{host}:{port}"

    def end(self) -> None:
        """Close this table and move on to another."""
        if not self.over:
            self.over = True
            for player in self.players:
                player.close()
            asyncio.ensure_future(self.load.begin(self.form, self.label))  # noqa: RUF006 - the event loop outlives it


class Player(Client):
    """A browser or an API client at a table."""

    board: Any

    def __init__(self, pair: Pair, seat: int) -> None:
        super().__init__(pair, seat)  # type: ignore[arg-type]  # has what Client uses of a board
        form = "&form=page" if pair.form == PAGE else ""
        self.path = f"/api/tables/{pair.prepared.table}/live?seat={seat}{form}"
        self.more = f"Cookie: wonderland={pair.prepared.devices[seat]}\r\n"
        self._sent, self._awaited, self._asked = 0.0, -1, -1

    def heard(self, message: bytes) -> None:
        pair: Pair = self.board
        if message.startswith(b'{"type":"refused"'):
            pair.load.fail(message.decode())
        if not message.startswith((b'{"type":"page"', b'{"type":"table"')):
            return
        found = _VERSION.search(message)
        assert found is not None  # noqa: S101 - all updates have one
        version = int(found[1])
        if version == self._awaited:
            self._awaited = -1
            if pair.label:
                pair.load.times[pair.label].append(time.perf_counter() - self._sent)
                pair.load.sizes[pair.label].append(len(message))
        words = _choices(message)
        if words and version > self._asked:
            self._asked = version
            wait = pair.load.rng.uniform(0.5, 1.5) * pair.load.think
            word = pair.load.rng.choice(words)
            asyncio.get_running_loop().call_later(wait, self._move, version, word)
        elif b'"status":"finished"' in message or b"status finished" in message.replace(b"  ", b" "):
            pair.end()

    def _move(self, version: int, word: str) -> None:
        if self._closing:
            return
        self.board.load.moves += 1
        self._sent, self._awaited = time.perf_counter(), version + 1
        key = f"{self.seat}-{version:016}"
        self.send(
            f'{{"do":"play","at":{version},"key":"{key}","seat":{self.seat},"action":"{word}"}}'.encode()
        )


def _itself(player: Player) -> Player:
    return player


def _choices(message: bytes) -> list[str]:
    """The legal actions in a message."""
    if message.startswith(b'{"type":"page"'):
        return [html.unescape(word.decode()) for word in _CHOICES.findall(message)]
    found = _WORDS.search(message)
    return [word.strip('"') for word in found[1].decode().split(",") if word] if found else []


async def evening(given: argparse.Namespace, address: tuple[str, int], stock: list[Any]) -> Evening:
    """Play and measure for the given time."""
    found = Evening(address, stock, given.think)
    sides = [(PAGE, "")] * given.tables + [(PAGE, PAGE), (JSON, JSON)] * given.measured
    for begin in range(0, len(sides), _CONNECTING):
        await asyncio.gather(*(found.begin(*side) for side in sides[begin:][:_CONNECTING]))
    await asyncio.wait([found.failure], timeout=_WARMING)
    found.times.clear()
    found.sizes.clear()
    found.moves = 0
    await asyncio.wait([found.failure], timeout=given.seconds)
    if found.failure.done():
        await found.failure
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="other tables at which people play")
    parser.add_argument("--measured", type=int, default=10, help="tables of each kind that are measured")
    parser.add_argument("--think", type=float, default=1.0, help="seconds before a move, on average")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--games", type=int, default=600, help="tables prepared in advance")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="wonderland-pages-") as folder,
        ours()(Path(folder), given.games) as (_, url, stock),
        asyncio.Runner(loop_factory=fast_loop()) as runner,
    ):
        found = runner.run(evening(given, address_in(url), stock))
    rate = found.moves / given.seconds
    where = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{given.tables} other tables, {rate:,.0f} moves a second in all; {where}\n")
    print("| the answer to a move | moves | p50 ms | p95 ms | p99 ms | to JSON's p95 | KB |")
    print("|---|" + "---:|" * 6)
    base = quantile(found.times[JSON], 0.95)
    for kind in (PAGE, JSON):
        times = found.times[kind]
        late = [1000 * quantile(times, part) for part in (0.5, 0.95, 0.99)]
        size = mean(found.sizes[kind]) / 1000
        print(
            f"| {kind} | {len(times):,} | {late[0]:.1f} | {late[1]:.1f} | {late[2]:.1f} "
            f"| {quantile(times, 0.95) / base:.2f} | {size:.1f} |"
        )


if __name__ == "__main__":
    main()
