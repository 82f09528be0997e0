"""Nobody gets advice about a rated game that they are playing: over HTTP, and by the definition."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.raw_clients import Answer, Http, RunningSite, site_in
from support.table_players import TablePlayer
from wonderland.components.bots import Budget
from wonderland.engine.chance import Seeded
from wonderland.engine.match import Match, seats_to_act
from wonderland.engine.protocol import Over
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game, game_names
from wonderland.tables.closed_analysis import RunningGame
from wonderland.tables.creation import table_from_record
from wonderland.tables.handlers import hash_secret
from wonderland.tables.table import Table
from wonderland.wire import commands as ask

ALICE, PHONE, BILL, STRANGER = (
    "the-cookie-of-alice-herself",
    "the-cookie-of-alices-phone",
    "the-cookie-of-bill-himself",
    "the-cookie-of-a-stranger",
)


class RatedGame:
    """A rated game of Parade between Alice and Bill in which it is Alice's turn."""

    def __init__(self, here: RunningSite) -> None:
        self.here, self.tables = here, here.site.tables
        self.alice, self.bill = TablePlayer(self.tables, "Alice"), TablePlayer(self.tables, "Bill")
        self.alice.device, self.bill.device = hash_secret(ALICE), hash_secret(BILL)

    async def start(self) -> None:
        _, code = await self.tables.people.make("Alice", self.alice.device)
        await self.tables.people.claim(code, hash_secret(PHONE))
        await self.tables.people.make("Bill", self.bill.device)
        wish = ask.CreateTable(game="parade", seats=2, rated=True, access="open")
        self.name, _ = await self.tables.create_table(self.alice.device, wish)
        await self.alice.sit(self.name, 0)
        await self.bill.sit(self.name, 1)
        await self.alice.do(self.name, ask.Start)
        while (table := await self.table()).version < 10 or table.to_act != (0,):
            await self.play()

    async def table(self) -> Table:
        return (await self.tables.get_live_table(self.name)).table

    async def match(self) -> AnyMatch:
        found = (await self.table()).match
        assert found is not None
        return found

    async def play(self) -> None:
        match = await self.match()
        (seat, *_) = seats_to_act(match.turn)
        word = match.game.write(match.legal(seat)[0])
        await (self.alice, self.bill)[seat].do(self.name, ask.Play, seat=seat, action=word)

    async def finish(self) -> None:
        while (await self.table()).status == "playing":
            await self.play()

    async def line(self) -> str:
        match = await self.match()
        return str(match.game.write_position(match.state))

    async def ask(self, who: str, path: str, body: Any) -> Answer:
        http = Http(self.here.port, who)
        found = await http.ask("POST", path, body)
        await http.close()
        return found

    async def advice(self, who: str, line: str, seat: int = 0) -> int:
        wish = {"game": "parade", "position": line, "seat": seat}
        return (await self.ask(who, "/api/positions/advice", wish)).status


@pytest.fixture
def run_scenario(tmp_path: Path) -> Callable[[Callable[[RatedGame], Awaitable[None]]], None]:
    def run(scenario: Callable[[RatedGame], Awaitable[None]]) -> None:
        async def main() -> None:
            async with site_in(tmp_path, limited=False) as here:
                rated = RatedGame(here)
                await rated.start()
                await scenario(rated)

        asyncio.run(main())

    return run


ScenarioRunner = Callable[[Callable[[RatedGame], Awaitable[None]]], None]


def swapped(line: str) -> str:
    """The same position with the two seats swapped."""
    words = line.replace("turn=1", "turn=2").split()
    pairs = [word.partition("=") for word in words]
    return " ".join(
        f"{key}={'/'.join(reversed(value.split('/')))}" if key in ("hands", "zones") else word
        for word, (key, _, value) in zip(words, pairs, strict=True)
    )


def test_advice_is_closed_while_the_game_runs(run_scenario: ScenarioRunner) -> None:
    async def scenario(rated: RatedGame) -> None:
        line = await rated.line()
        assert await rated.advice(ALICE, line) == 409
        assert await rated.advice(PHONE, line) == 409, "it is the same person"
        assert await rated.advice(ALICE, swapped(line), 1) == 409, "swapping seats changes nothing"
        assert await rated.advice(STRANGER, line) == 200, "to others it is any position"
        await rated.tables.people.sign_out(rated.alice.device, others=False)
        assert await rated.advice(ALICE, line) == 409, "the device still has the seat"
        await rated.finish()
        for who in (ALICE, PHONE):
            assert await rated.advice(who, line) == 200

    run_scenario(scenario)


def test_the_coach_is_closed_while_the_game_runs(run_scenario: ScenarioRunner) -> None:
    async def scenario(rated: RatedGame) -> None:
        match = await rated.match()
        upload = await rated.ask(STRANGER, "/api/replays", {"text": match.record.text()})
        path = f"/api/replays/{upload.json()['id']}"
        for who, status in ((STRANGER, 200), (ALICE, 409), (PHONE, 409)):
            assert (await rated.ask(who, f"{path}/coach", {})).status == status, who
        for page in (f"{path}/coach", f"{path}/coach/page", f"/replay/{upload.json()['id']}/coach"):
            http = Http(rated.here.port, ALICE)
            assert (await http.ask("GET", page)).status == 409, "what others asked for is closed, too"
            await http.close()
        await rated.finish()
        assert (await rated.ask(ALICE, f"{path}/coach", {})).status == 200
        assert (await rated.ask(ALICE, f"/api/replays/{rated.name}/coach", {})).status == 200

    run_scenario(scenario)


def test_verdicts_are_closed_while_the_game_runs(run_scenario: ScenarioRunner) -> None:
    """At the position itself, and as a reply that is expected after the move before it."""

    async def scenario(rated: RatedGame) -> None:
        rated.here.site.evaluation_budget = Budget(playouts=20)
        await rated.play()
        replay, last = await upload(rated)
        line: dict[str, Any] = {"at": last}
        found = await rated.ask(STRANGER, f"{replay}/expected", {"line": line})
        expected = found.json()["moves"][0]["action"]
        await rated.bill.do(rated.name, ask.Play, seat=1, action=expected)
        replay, now = await upload(rated)
        move = (await rated.ask(STRANGER, f"{replay}/expected", {"line": line})).json()["moves"][0]
        same = {"at": last, "moves": [move]}
        for what, where in (
            ("verdict", {"at": now}),
            ("verdict", same),
            ("expected", {"at": now}),
            ("expected", line),
        ):
            for who, status in ((STRANGER, 200), (ALICE, 409), (PHONE, 409)):
                answer = await rated.ask(who, f"{replay}/{what}", {"line": where})
                assert answer.status == status, (what, where, who)

    async def upload(rated: RatedGame) -> tuple[str, int]:
        match = await rated.match()
        stored = await rated.ask(STRANGER, "/api/replays", {"text": match.record.text()})
        return f"/api/replays/{stored.json()['id']}", match.decisions

    run_scenario(scenario)


def test_playing_on_is_closed_while_the_game_runs(run_scenario: ScenarioRunner) -> None:
    async def scenario(rated: RatedGame) -> None:
        match = await rated.match()
        upload = await rated.ask(STRANGER, "/api/replays", {"text": match.record.text()})
        path = f"/api/replays/{upload.json()['id']}/tables"
        last = sum(isinstance(move.actor, int) for move in match.moves)
        for who, seat, status in ((ALICE, 0, 409), (ALICE, 1, 409), (PHONE, 0, 409), (STRANGER, 0, 201)):
            answer = await rated.ask(who, path, {"at": last, "seat": seat})
            assert answer.status == status, (who, seat)

    run_scenario(scenario)


def test_hints_are_closed_while_the_game_runs(run_scenario: ScenarioRunner) -> None:
    """At another table that has reached the same position."""

    async def scenario(rated: RatedGame) -> None:
        match = await rated.match()
        for who, status in ((ALICE, 409), (PHONE, 409), (STRANGER, 200)):
            player = TablePlayer(rated.tables, "Alice")
            player.device = hash_secret(who)
            opening = table_from_record(match.record, 0, {1: "dodo"}, player.device)
            name = await rated.tables.create_from_opening(opening)
            await player.sit(name, 0)
            await player.do(name, ask.Start)
            found = await rated.ask(who, f"/api/tables/{name}/hint", {"seat": 0})
            assert found.status == status, who

    run_scenario(scenario)


# The definition


def positions(name: str, seed: int) -> list[tuple[Any, int]]:
    """The decisions of a random game: each state, and the seat that decides."""
    rng, match, found = random.Random(seed), Match(game(name), 2, chance=Seeded(seed)), []
    match.settle()
    while not isinstance(match.turn, Over):
        (seat, *_) = seats_to_act(match.turn)
        found.append((match.state, seat))
        match.play(seat, rng.choice(match.legal(seat)))
    return found


@pytest.mark.parametrize("name", game_names())
def test_a_position_is_that_of_its_own_game(name: str) -> None:
    for state, seat in positions(name, 1):
        assert RunningGame(game(name), 2, state, seat).is_shown_by(state, seat)


@pytest.mark.parametrize("name", game_names())
def test_unrelated_games_are_hardly_ever_taken_for_it(name: str) -> None:
    """Whoever plays a rated game may still analyse others."""
    own, others = positions(name, 1), [each for seed in range(2, 6) for each in positions(name, seed)]
    running = [RunningGame(game(name), 2, *each) for each in own[5::6]]
    taken = [one.is_shown_by(*other) or one.has_hand_of(*other) for one in running for other in others]
    assert sum(taken) < 0.06 * len(taken)


def test_a_hand_is_enough() -> None:
    rules = game("parade")
    line = (
        "parade stage=play turn=1 hands=R4.P5.Y6.O6.O7/R0.P3.G6.G9.Y3 parade={} zones=-/- "
        "ending=- left=- kept=-"
    )
    one, other = (
        rules.read_position(line.format(parade))
        for parade in ("P4.B0.P6.G4.Y2.O10.P8", "B1.B2.B3.B4.B5.B6.B7")
    )
    running = RunningGame(rules, 2, one, 0)
    assert not running.is_shown_by(other, 0)
    assert running.has_hand_of(other, 0)
    assert not running.has_hand_of(other, 1)


def test_what_others_hold_makes_no_difference() -> None:
    """Or a player could ask for positions until one is refused, and know the hand of another."""
    rules = game("parade")
    line = (
        "parade stage=play turn=1 hands=R4.P5.Y6.O6.O7/{} parade=P4.B0.P6.G4.Y2.O10.P8 "
        "zones=-/- ending=- left=- kept=-"
    )
    held, guessed = (
        rules.read_position(line.format(hand)) for hand in ("R0.P3.G6.G9.Y3", "R1.P1.G1.G2.Y4")
    )
    asked = rules.read_position(line.format("R0.P3.G6.G9.Y3"))
    for seat in (0, 1):
        found = {RunningGame(rules, 2, state, 0).is_shown_by(asked, seat) for state in (held, guessed)}
        hands = {RunningGame(rules, 2, state, 0).has_hand_of(asked, seat) for state in (held, guessed)}
        assert len(found) == len(hands) == 1
