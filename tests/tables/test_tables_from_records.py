"""Tables that continue a record: the same play up to there, their own shuffle after it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.example_verifier import example
from support.game_variants import all_variants
from support.paths import RECORDS
from support.table_players import KEY, LocalService, Scenario, open_service
from wonderland.client.shuffle import CheckFailed
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.components.information_sets import resample_history
from wonderland.engine import CHANCE, Chance, Match, game, game_names, read_record
from wonderland.engine.errors import IllegalAction
from wonderland.engine.laws import random_match
from wonderland.engine.record import Move
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.fairness.verification import check
from wonderland.features.replay.branch import branch_at, decision_count
from wonderland.tables import entries as log
from wonderland.tables.creation import opening_entry, table_from_record
from wonderland.tables.descriptions import build_record, build_update, describe_table
from wonderland.tables.handlers import Context, HandlerResult, decide, hash_secret, play
from wonderland.tables.storage.interface import StoredEntry
from wonderland.tables.stored_log import TableRefused
from wonderland.tables.table import Table
from wonderland.wire import commands as ask

SETTINGS = [(name, seats, options) for name in game_names() for seats, options in all_variants(name)]
DEVICE = hash_secret("Alice")


@cache
def play_whole_game(setting: int, seed: int) -> AnyRecord:
    """Play a whole game at random in one of the settings."""
    name, seats, options = SETTINGS[setting]
    return random_match(game(name), seats, options, random.Random(seed)).record


class Log:
    """A table without a service: its log, and the fold over it."""

    def __init__(self, begun: AnyRecord, seat: int = 0) -> None:
        bots = {other: "dodo" for other in range(len(begun.names)) if other != seat}
        opening = opening_entry(
            KEY, "t", table_from_record(begun, seat, bots, DEVICE), 1_800_000_000_000
        ).entry
        self.entries = [opening]
        self.context = Context(Table(opening), KEY)
        name, added = begun.names[seat], "ab" * 16
        self.take(
            decide(self.context, DEVICE, ask.Sit(at=0, key="k", name=name, contribution=added), "", 0)
        )
        self.take(decide(self.context, DEVICE, ask.Start(at=1, key="k"), "", 0))

    @property
    def table(self) -> Table:
        return self.context.table

    @property
    def match(self) -> AnyMatch:
        assert self.table.match is not None
        return self.table.match

    def take(self, decision: HandlerResult) -> None:
        body = log.written(decision.entry)
        self.entries.append(StoredEntry("t", self.table.version + 1, 1_800_000_000_000, body))
        after = self.table.after(self.entries[-1], decision.entry, decision.played)
        self.context = Context(after, KEY, decision.chance or self.context.cached_chance)

    def play_on(self, rng: random.Random, moves: int = 10_000) -> AnyRecord | None:
        for _ in range(moves):
            if not self.table.to_act:
                break
            seat = rng.choice(self.table.to_act)
            self.take(
                play(self.context, seat, self.match.game.write(rng.choice(self.match.legal(seat))))
            )
        return build_record(self.table)

    def reread(self) -> Table:
        """Reread the table as another process would."""
        found = Table(self.entries[0])
        for entry in self.entries[1:]:
            found.follow(entry)
        return found


def continued_table(record: AnyRecord, part: float, seed: int) -> tuple[AnyRecord, Log]:
    moment = int(part * (decision_count(record) - 1))
    begun = branch_at(record, moment, random.Random(seed))
    return begun, Log(begun, seed % len(begun.names))


PLAYS = st.integers(0, len(SETTINGS) - 1)
PARTS = st.floats(0, 1)
SEEDS = st.integers(0, 10)


@given(PLAYS, PARTS, SEEDS)
def test_the_play_is_the_same_up_to_the_branch_and_fair_to_its_end(
    setting: int, part: float, seed: int
) -> None:
    begun, table = continued_table(play_whole_game(setting, seed), part, seed)
    there: AnyMatch = Match.resume(begun)
    assert list(table.match.moves) == list(begun.moves)
    assert table.match.state == there.state
    assert table.match.names == begun.names
    assert list(table.match.events) == list(there.events)
    record = table.play_on(random.Random(seed))
    assert record is not None
    assert record.moves[: len(begun.moves)] == begun.moves
    checked = sum(move.actor is CHANCE for move in record.moves[len(begun.moves) :])
    said = check(read_record(record.text()).whole)
    assert example.verify(record.text()) == checked
    if len(begun.moves) > 1:  # a single one may be the start player, as in a rematch
        assert f"The first {len(begun.moves)} moves were taken over from another game" in said
    assert f" {checked} random outcome" in said
    again = table.reread()
    assert again.match is not None
    assert list(again.match.moves) == list(record.moves)
    assert (again.status, again.to_act) == ("finished", ())


@given(PLAYS, PARTS, SEEDS)
def test_it_has_its_own_shuffle_that_survives_a_restart(setting: int, part: float, seed: int) -> None:
    _, table = continued_table(play_whole_game(setting, seed), part, seed)
    table.play_on(random.Random(seed), moves=3)
    fresh = Context(table.reread(), KEY)
    assert fresh.fork_chance().used == table.context.fork_chance().used
    assert sum(fresh.fork_chance().used.values()) <= len(table.match.moves) - len(
        table.table.opened.begun
    )


def other_pasts(record: AnyRecord, begun: int) -> list[AnyRecord]:
    """Records with another chance outcome before the branch, and everything else the same."""
    found = []
    for place, (state, move) in enumerate(list(record.states())[:begun]):
        turn = record.game.turn(state)
        for outcome in turn.outcomes if isinstance(turn, Chance) else ():
            moves = (*record.moves[:place], Move(CHANCE, outcome), *record.moves[place + 1 :])
            other = msgspec.structs.replace(record, moves=moves)
            try:
                if move is not None and outcome != move.action and other.result:
                    found.append(other)
                    break
            except IllegalAction:
                continue
    return found


def test_a_tampered_past_is_detected() -> None:
    setting = next(n for n, (name, seats, _) in enumerate(SETTINGS) if (name, seats) == ("parade", 2))
    _, table = continued_table(play_whole_game(setting, 1), 0.5, 0)
    record = table.play_on(random.Random(0))
    assert record is not None
    forged = other_pasts(record, len(table.table.opened.begun))
    assert forged
    for other in forged:
        with pytest.raises(CheckFailed, match=r"^move \d+ "):
            check(other)


@given(PLAYS, st.floats(0, 0.7), SEEDS, st.sampled_from([-1, 1]))
def test_the_number_of_given_moves_cannot_be_changed(
    setting: int, part: float, seed: int, more: int
) -> None:
    begun, table = continued_table(play_whole_game(setting, seed), part, seed)
    record = table.play_on(random.Random(seed))
    assert record is not None
    given_moves = len(begun.moves)
    assume(given_moves > 1)
    later = list(record.states())[given_moves + 1 :]
    draws = [turn for state, _ in later if isinstance(turn := record.game.turn(state), Chance)]
    assume(sum(turn.total > 5 for turn in draws) > 6)  # or it might come out alike
    assert record.shuffle_statement is not None
    said = record.shuffle_statement.replace(f" begun={given_moves}", f" begun={given_moves + more}")
    with pytest.raises(CheckFailed):
        check(msgspec.structs.replace(record, shuffle_statement=said))
    usual = record.shuffle_statement.replace(f" begun={given_moves}", "")
    with pytest.raises(CheckFailed):
        check(msgspec.structs.replace(record, shuffle_statement=usual))
    beyond = record.shuffle_statement.replace(f" begun={given_moves}", f" begun={len(record.moves) + 1}")
    with pytest.raises(CheckFailed, match="moves came from another game"):
        check(msgspec.structs.replace(record, shuffle_statement=beyond))


def test_a_log_whose_first_moves_were_changed_is_rejected() -> None:
    _, table = continued_table(play_whole_game(0, 1), 0.5, 0)
    opened = table.table.opened
    for made in (log.Made(0, "nonsense"), log.Made(None, "seat9"), log.Made(15, opened.begun[-1].word)):
        body = log.written(log.changed(opened, begun=(*opened.begun[:-1], made)))
        changed = Table(StoredEntry("t", 0, 0, body))
        changed.follow(table.entries[1])
        with pytest.raises(TableRefused, match=r"^table t can't continue from its first moves: "):
            changed.follow(table.entries[2])


def replay_log(entries: list[StoredEntry]) -> None:
    table = Table(entries[0])
    for entry in entries[1:]:
        table.follow(entry)


def test_an_inconsistent_log_is_rejected_in_the_readers_language() -> None:
    _, table = continued_table(play_whole_game(0, 1), 0.5, 0)
    first, second, third = table.entries[:3]
    for entries in ([second], [first, third], [first, msgspec.structs.replace(first, n=1)]):
        with pytest.raises(TableRefused) as caught:
            replay_log(entries)
        said = {caught.value.said(load_language(code)) for code in LANGUAGES}
        assert len(said) == len(LANGUAGES)
        assert all(first.table in sentence for sentence in said)


@given(PLAYS, PARTS, SEEDS)
def test_a_seat_is_not_shown_what_it_could_not_see_in_the_record(
    setting: int, part: float, seed: int
) -> None:
    begun, table = continued_table(play_whole_game(setting, seed), part, seed)
    seat = seed % len(begun.names)
    there: AnyMatch = Match.resume(begun)
    moves = tuple(resample_history(there, seat, random.Random(seed)))
    other = Log(msgspec.structs.replace(begun, moves=moves), seat)
    told = [msgspec.json.decode(build_update(each.table, seat, 0)) for each in (table, other)]
    for message in told:
        assert message["table"].pop("commitment")
    assert told[0] == told[1]


# In a table service


async def seat_players(h: LocalService, begun: AnyRecord) -> str:
    bots = dict.fromkeys(range(1, len(begun.names)), "dodo")
    name = await h.tables.create_from_opening(table_from_record(begun, 0, bots, h.alice.device))
    await h.alice.sit(name, 0, name=begun.names[0])
    await h.alice.do(name, ask.Start)
    return name


def branch_for(name: str, moment: int = 6) -> AnyRecord:
    setting = next(n for n, each in enumerate(SETTINGS) if each[0] == name)
    return branch_at(play_whole_game(setting, 3), moment, random.Random(0))


@pytest.mark.parametrize("name", game_names())
def test_bots_play_it_to_the_end_and_it_is_reloaded(name: str, tmp_path: Path) -> None:
    begun = branch_for(name)

    async def begin() -> str:
        async with open_service(tmp_path) as h:
            table = await seat_players(h, begun)
            await h.play_moves(table, moves=2)
            return table

    async def end(table: str) -> None:
        async with open_service(tmp_path) as h:
            found = await h.play_moves(table)
            assert found.status == "finished"
            record = build_record(found)
            assert record is not None
            assert record.moves[: len(begun.moves)] == begun.moves
            assert "ok: The first " in check(record)

    asyncio.run(end(asyncio.run(begin())))


def test_the_table_says_so_and_its_rematch_is_an_ordinary_game(
    run_scenario: Callable[[Scenario], None],
) -> None:
    begun = branch_for("letters")

    async def scenario(h: LocalService) -> None:
        name = await seat_players(h, begun)
        table = await h.table(name)
        assert describe_table(table).begun == len(begun.moves)
        assert [seat.name for seat in describe_table(table).seats] == list(begun.names)
        await h.play_moves(name)
        await h.alice.do(name, ask.Rematch, seat=0)
        following = (await h.table(name)).next
        await h.alice.sit(following, 0)
        await h.alice.do(following, ask.Start)
        table = await h.table(following)
        assert table.opened.begun == ()
        assert table.match is not None
        assert table.match.decisions == 0

    run_scenario(scenario)


def test_given_moves_cannot_be_taken_back(run_scenario: Callable[[Scenario], None]) -> None:
    record = read_record((RECORDS / "parade/3-players-sixth-colour.record").read_bytes()).whole
    moment = next(n for n in range(10_000) if _has_chosen(branch_at(record, n, random.Random(0))))
    begun = branch_at(record, moment, random.Random(0))

    async def scenario(h: LocalService) -> None:
        name = await seat_players(h, begun)
        refusal = await h.alice.expect_refusal(name, ask.Propose, seat=0, what="undo")
        assert "nothing to take back yet" in str(refusal)

    run_scenario(scenario)


def _has_chosen(record: AnyRecord) -> bool:
    """Whether the first seat has just made a secret choice, which could normally be taken back."""
    return record.moves[-1].actor == 0 and "&" in record.game.write(record.moves[-1].action)


def test_a_player_without_a_contribution_is_recorded_without_one() -> None:
    table = Log(branch_at(play_whole_game(0, 2), 0, random.Random(0)))
    sat: Any = log.read_entry(table.entries[1].body)
    entries = [
        table.entries[0],
        msgspec.structs.replace(table.entries[1], body=log.written(log.changed(sat, contribution=""))),
    ]
    found = Table(entries[0])
    found.follow(entries[1])
    assert found.places[0].contribution is None
