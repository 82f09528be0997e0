"""Bots' moves are shown on a schedule: how long a bot thinks says nothing about what it sees."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.table_players import LocalService, open_service, watch
from wonderland.bots.levels import levels
from wonderland.components.bots import Budget, Level
from wonderland.engine import game_names
from wonderland.games.parade.bots import levels as parade
from wonderland.tables.limits import Limits
from wonderland.tables.release_schedule import release_time
from wonderland.wire import commands as ask

LONG = 60.0
ANSWER, TICK = 0.5, 250


class FakeTimer:
    """A clock that stands still unless a bot thinks or a timer is awaited."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, int, Callable[[], Any]]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], Any]) -> None:
        heapq.heappush(self.timers, (when, len(self.timers), callback))

    def advance(self) -> float:
        """Go to the next timer and run it; return its time."""
        self.now, _, callback = heapq.heappop(self.timers)
        callback()
        return self.now


class Moody:
    """A bot whose thinking time depends on its hand."""

    name = "Moody"
    timer: FakeTimer
    thoughts: list[float]

    def choose(self, view: Any, legal: Any, *_: Any) -> Any:
        hand = view.hands[view.seat]
        thought = sum(int(card) for card in hand) % 7 / 20  # up to 0.3 seconds
        self.thoughts.append(thought)
        self.timer.now += thought
        return legal[0]


class Late(Moody):
    """A bot that takes longer than its answer time."""

    name = "Late"

    def choose(self, _view: Any, legal: Any, *_: Any) -> Any:
        self.timer.now += ANSWER + 0.3
        return legal[0]


@pytest.fixture
def timer(monkeypatch: pytest.MonkeyPatch) -> FakeTimer:
    made = FakeTimer()
    monkeypatch.setattr(Moody, "timer", made, raising=False)
    monkeypatch.setattr(Moody, "thoughts", [], raising=False)
    own = [Level(each.name, "thinks", each, Budget(), ANSWER) for each in (Moody, Late)]
    monkeypatch.setattr(parade, "LEVELS", (*parade.LEVELS, *own))
    return made


async def wait_until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(LONG):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.002)


async def bot_delays(h: LocalService, timer: FakeTimer, level: str, moves: int) -> list[float]:
    """Play against a bot; return the time from each of its turns to its move."""
    began = timer.now  # before the first turn; nothing but bots takes time
    name = await h.create_table(access="bots", bots={"1": level})
    await h.alice.sit(name)
    await h.alice.do(name, ask.Start)
    watch(h, await h.tables.get_live_table(name), 0)
    delays: list[float] = []
    while len(delays) < moves:
        table = await h.table(name)
        assert table.match is not None
        if 0 in table.to_act:
            action = table.match.game.write(table.match.legal(0)[0])
            await h.alice.do(name, ask.Play, seat=0, action=action)
            continue
        before = len(table.match.moves)
        await wait_until(lambda: timer.timers)
        assert len((await h.table(name)).match.moves) == before  # type: ignore[union-attr]
        released = timer.advance()
        delays.append(released - began)
        began = released
        await h.wait_for_bots(name)
    return delays


def test_the_time_of_a_move_does_not_depend_on_the_bots_hand(tmp_path: Path, timer: FakeTimer) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, limits=Limits(bot_tick=TICK), timer=timer) as h:
            for _ in range(4):  # the beginnings of games: at the end, both choose at the same time
                assert await bot_delays(h, timer, "moody", 3) == pytest.approx([ANSWER] * 3)
            assert len(set(Moody.thoughts)) > 1, "the bot thought for different times"

    asyncio.run(scene())


def test_a_late_bot_waits_for_the_next_tick(tmp_path: Path, timer: FakeTimer) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, limits=Limits(bot_tick=TICK), timer=timer) as h:
            assert await bot_delays(h, timer, "late", 2) == pytest.approx([ANSWER + 0.5] * 2)

    asyncio.run(scene())


@pytest.mark.parametrize("tick", [0, TICK])
def test_without_a_tick_or_without_people_bots_answer_at_once(
    tmp_path: Path, timer: FakeTimer, tick: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with open_service(tmp_path, limits=Limits(bot_tick=tick), timer=timer) as h:
            if tick:
                monkeypatch.setattr(h.automation, "is_attended", lambda _live: False)
            name = await h.create_table(access="bots", bots={"1": "moody"})
            await h.alice.sit(name)
            await h.alice.do(name, ask.Start)
            live = await h.tables.get_live_table(name)
            for _ in range(6):
                table = live.table
                assert table.match is not None
                if 0 in table.to_act:
                    action = table.match.game.write(table.match.legal(0)[0])
                    await h.alice.do(name, ask.Play, seat=0, action=action)
                else:
                    h.automation._queue_bot(live, attended=not tick)
                    await h.wait_for_bots(name)
            assert Moody.thoughts
            assert timer.timers == []

    asyncio.run(scene())


def test_every_bot_that_searches_has_an_answer_time() -> None:
    for name in game_names():
        for level in levels(name):
            searches = level.budget != Budget()
            assert bool(level.answer_time) == searches, (name, level.name)


def test_a_release_is_never_early_and_at_most_one_tick_late() -> None:
    for thought in range(200):
        released = release_time(thought / 50, ANSWER, TICK / 1000)
        assert released >= max(thought / 50, ANSWER)
        assert released - max(thought / 50, ANSWER) < TICK / 1000
