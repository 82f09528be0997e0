"""Hints: who gets one, that it is repeatable, and that it uses no hidden information."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from campaigns.indistinguishable_plays import pairs
from support.table_players import KEY, LocalService, open_service
from wonderland.components.bots import Budget, Level
from wonderland.engine.chance import Seeded
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names
from wonderland.games.parade.bots import levels as parade_bots
from wonderland.tables import automation, hints
from wonderland.tables import entries as log
from wonderland.tables.hints import Hint, check_hint, explain_hint, prepare_hint
from wonderland.tables.limits import Limits
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal

LONG = 60.0
WITHOUT_COMPARISON = [
    "That's your only choice.",
    "As far as you can tell, your other choices are about as good.",
]


def compare_hints(name: str, size: int, hint: Callable[[Any, int], Any]) -> int:
    """Compare hints at pairs of tables that a seat can't tell apart; return the number of hints."""
    number = 0
    for pair in islice(pairs(4, KEY, name), size):
        found = []
        for entries in pair.logs:
            table = Table(entries[0])
            for entry in entries[1:]:
                table.follow(entry)
            if pair.viewer is not None and pair.viewer in table.to_act and not pair.late:
                found.append(hint(table.match, pair.viewer))
        if len(found) == 2:
            assert found[0] == found[1], pair
            number += 1
    return number


@pytest.fixture
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make hints quick; they need not be good here."""
    for budget in ("_budget", "_playouts"):
        monkeypatch.setattr(hints, budget, lambda *_: Budget(playouts=20))


# In a memory game only a latecomer lacks information, and a seat was there all the time.
@pytest.mark.usefixtures("quick_hints")
@pytest.mark.parametrize("name", [name for name in game_names() if name != "letters"])
def test_hidden_information_changes_no_hint(name: str, pytestconfig: pytest.Config) -> None:
    size = 2 * int(pytestconfig.getoption("--examples"))
    assert compare_hints(name, size, lambda match, seat: prepare_hint(match, seat)()) > 0


def test_a_hint_made_from_the_state_is_caught() -> None:
    with pytest.raises(AssertionError):
        compare_hints("parade", 100, lambda match, _: repr(match.state))


def test_a_level_with_a_time_budget_uses_a_playout_budget_for_hints() -> None:
    by_the_clock = Level("Slow", "thinks", parade_bots.Queen, Budget(seconds=1.0))
    counting = Level("Quick", "counts", parade_bots.Queen, Budget(playouts=7))
    compiled = parade_bots._KERNEL.COMPILED
    assert (hints._budget("parade", by_the_clock).seconds is None) == compiled
    assert hints._budget("parade", counting) == counting.budget


def test_a_table_from_before_hints_has_none() -> None:
    old = b"""{"is": "opened", "game": "parade", "rules": 1, "seats": 2, "options": {},
        "access": "link", "host": "", "invitation": ""}"""
    opened = log.read_entry(old)
    assert isinstance(opened, log.Opened)
    assert not opened.hints
    assert b"hints" not in log.written(opened)


def run_in_service(folder: Path, play: Callable[[LocalService], Any], **options: Any) -> None:
    async def open_and_play() -> None:
        async with open_service(folder, **options) as h, asyncio.timeout(LONG):
            await play(h)

    asyncio.run(open_and_play())


def test_only_the_player_to_move_gets_a_hint(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game(hints=True)
        table = await h.table(name)
        (mover,) = table.to_act
        check_hint(table, h.player_at(mover).device, mover)
        for device, seat, says in (
            (h.player_at(1 - mover).device, mover, "isn't yours"),
            (h.player_at(1 - mover).device, 1 - mover, "your turn"),
            ("", mover, "isn't yours"),
            (h.player_at(mover).device, 9, "isn't yours"),
        ):
            with pytest.raises(Refusal, match=says):
                check_hint(table, device, seat)
        await h.player_at(mover).do(name, ask.Leave, seat=mover)  # a bot takes over
        with pytest.raises(Refusal, match="your turn"):
            check_hint(await h.table(name), h.player_at(mover).device, mover)
        without = await h.table(await h.start_game())
        (mover,) = without.to_act
        with pytest.raises(Refusal, match="Hints"):
            check_hint(without, h.player_at(mover).device, mover)

    run_in_service(tmp_path, play)


@pytest.mark.parametrize("name", game_names())
def test_a_position_has_one_hint(name: str, tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        table = await h.start_game(name, hints=True)
        found = []
        for _ in range(2):
            live = await h.tables.get_live_table(table)
            found.append(await h.automation.hint(live, live.table.to_act[0]))
            assert live.table.match is not None
            assert found[-1].action in live.table.match.legal(live.table.to_act[0])
            h.tables.live_tables.clear()  # another process would know nothing either
        assert found[0] == found[1]
        assert found[0].level == "Queen"

    run_in_service(tmp_path, play)


class Slow:
    """Blocks until told to stop; then fails, if it should."""

    name = "Slow"
    thinking, enough = threading.Event(), threading.Event()
    asked = 0
    fails = False

    def choose(self, _view: Any, legal: Any, *_: Any) -> Any:
        Slow.asked += 1
        self.thinking.set()
        assert self.enough.wait(LONG)
        if self.fails:
            raise RuntimeError("it has forgotten how")
        return legal[0]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Slow]]:
    """Make the strongest level one that blocks."""
    levels = (*parade_bots.LEVELS, Level("Slow", "thinks", Slow, Budget()))
    monkeypatch.setattr(parade_bots, "LEVELS", levels)
    monkeypatch.setattr(Slow, "asked", 0)
    Slow.thinking.clear()
    Slow.enough.clear()
    yield Slow
    Slow.enough.set()


def test_a_hint_is_computed_once_and_blocks_nobody(tmp_path: Path, slow: type[Slow]) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game(hints=True)
        live = await h.tables.get_live_table(name)
        (mover,) = live.table.to_act
        asked = [asyncio.ensure_future(h.automation.hint(live, mover)) for _ in range(3)]
        await asyncio.to_thread(slow.thinking.wait, LONG)
        asked[0].cancel()  # one request was cancelled; the others still wait
        await h.player_at(mover).do(
            name, ask.Say, seat=mover, phrase="thinking"
        )  # and the table continues
        slow.enough.set()
        found = await asyncio.gather(*asked[1:])
        assert found[0] is found[1]
        assert slow.asked == 1
        assert h.automation.thinking == 0
        await h.play_moves(name, 2)
        assert live.table.to_act == (mover,)
        await h.automation.hint(live, mover)  # another turn, another search
        assert slow.asked == 2

    run_in_service(tmp_path, play)


def test_when_too_many_are_being_computed_there_is_no_hint(tmp_path: Path, slow: type[Slow]) -> None:
    async def play(h: LocalService) -> None:
        live_tables = [await h.tables.get_live_table(await h.start_game(hints=True)) for _ in range(3)]
        asked = [
            asyncio.ensure_future(h.automation.hint(live, live.table.to_act[0]))
            for live in live_tables[:2]
        ]
        await asyncio.to_thread(slow.thinking.wait, LONG)  # one is computed, one waits
        with pytest.raises(Refusal) as refusal:
            await h.automation.hint(live_tables[2], live_tables[2].table.to_act[0])
        assert refusal.value.problem == "too many"
        slow.enough.set()
        await asyncio.gather(*asked)

    run_in_service(tmp_path, play, limits=Limits(bots_waiting_per_owner=1), threads=1)


def test_a_failed_bot_is_asked_again_the_next_time(
    tmp_path: Path, slow: type[Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(h: LocalService) -> None:
        live = await h.tables.get_live_table(await h.start_game(hints=True))
        (mover,) = live.table.to_act
        slow.enough.set()
        monkeypatch.setattr(Slow, "fails", True)
        with pytest.raises(Refusal, match="No hint"):
            await h.automation.hint(live, mover)
        monkeypatch.setattr(Slow, "fails", False)
        assert (await h.automation.hint(live, mover)).level == "Slow"
        assert h.automation.thinking == 0

    run_in_service(tmp_path, play)


def test_a_rematch_has_hints(tmp_path: Path) -> None:
    async def play(h: LocalService) -> None:
        name = await h.start_game(hints=True)
        await h.play_moves(name)
        await h.alice.do(name, ask.Rematch, seat=0)
        assert (await h.table((await h.table(name)).next)).opened.hints

    run_in_service(tmp_path, play)


def test_hints_do_not_delay_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automation, "_MAX_BACKGROUND", 5)
    enough = threading.Event()
    waiting = partial(enough.wait, LONG)

    async def play(h: LocalService) -> None:
        addresses = ("here", "here", "here", "there", "there")
        asked = [asyncio.ensure_future(h.automation.thought(waiting, each)) for each in addresses[:4]]
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="busy") as refusal:
            await h.automation.thought(waiting, "here")
        assert refusal.value.problem == "too many"
        asked.append(asyncio.ensure_future(h.automation.thought(waiting, "there")))
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="busy"):
            await h.automation.thought(waiting, "elsewhere")
        name = await h.create_table("letters", access="bots", bots={"1": "dodo"})
        await h.alice.sit(name, 0)
        await h.alice.do(name, ask.Start)
        await h.play_moves(name)  # against a bot, while all those are being computed
        assert (await h.table(name)).status == "finished"
        assert not any(each.done() for each in asked)
        enough.set()
        assert all(await asyncio.gather(*asked))
        assert await h.automation.thought(lambda: "tea", "here") == "tea"

    run_in_service(tmp_path, play)


@pytest.mark.usefixtures("quick_hints")
@pytest.mark.parametrize("name", [name for name in game_names() if name != "letters"])
def test_hidden_information_changes_no_reason(name: str) -> None:
    def explain(match: AnyMatch, seat: int) -> str:
        return explain_hint(match, seat, prepare_hint(match, seat)(), match.names, ENGLISH)

    assert compare_hints(name, 12, explain) > 0


@pytest.mark.usefixtures("quick_hints")
@pytest.mark.parametrize("name", game_names())
def test_a_hint_says_why(name: str) -> None:
    rng, explained = random.Random(11), 0
    for _ in range(6):
        match: AnyMatch = Match(game(name), ("Alice", "Bill"), chance=Seeded(rng.getrandbits(32)))
        for _ in range(rng.randint(2, 12)):
            seat = seats_to_act(match.turn)[0]
            match.play(seat, rng.choice(match.legal(seat)))
        seat = seats_to_act(match.turn)[0]
        hint = prepare_hint(match, seat)()
        why = explain_hint(match, seat, hint, match.names, ENGLISH)
        assert why
        assert (hint.compared is None) == (why in WITHOUT_COMPARISON)
        if hint.compared is not None:
            explained += 1
            best, worse = hint.compared
            assert best.action == hint.action != worse.action
            assert best.chance > worse.chance
    assert explained > 0


def test_without_a_worse_choice_it_says_so() -> None:
    match: AnyMatch = Match(game("parade"), 2, chance=Seeded(1))
    (seat,) = seats_to_act(match.turn)
    why = explain_hint(match, seat, Hint(match.legal(seat)[0], "Queen"), ("A", "B"), ENGLISH)
    assert why in WITHOUT_COMPARISON


def test_a_single_choice_is_called_so() -> None:
    match: AnyMatch = Match(game("cookies"), 2, chance=Seeded(1))
    rng = random.Random(1)
    while len(match.legal(seat := seats_to_act(match.turn)[0])) > 1:
        match.play(seat, rng.choice(match.legal(seat)))
    hint = prepare_hint(match, seat)()
    assert hint.compared is None
    assert explain_hint(match, seat, hint, match.names, ENGLISH) == WITHOUT_COMPARISON[0]
